import type { AndOr, CompoundList, ParsedScript, PipelineNode, SyntaxNode } from "unbash";
import type { Outcome, Session } from "./session.ts";
import type { Text } from "./value.ts";

/** What the files for compound commands and functions need of the walker. */
export interface Runner {
  readonly node: (session: Session, node: PipelineNode | AndOr) => Outcome;
  readonly list: (session: Session, list: CompoundList) => Outcome;
  readonly script: (session: Session, script: ParsedScript) => Text;
  readonly words: (session: Session, node: SyntaxNode) => void;
}
