import { emitFile, emitOpaque, type Owner } from "./emit.ts";
import type { Session } from "./session.ts";
import type { Found, ParsedCommand } from "./spec.ts";
import { knownPrefix, literal } from "./value.ts";

/** What some options carry beyond what their role says. */
export function oddOptions(session: Session, owner: Owner, parsed: ParsedCommand): void {
  if (owner.name === "cmake" && parsed.given.has("-E")) cmakeTool(session, owner, parsed);
  for (const found of parsed.found) {
    if (found.option === undefined) continue;
    if (loadsCode(owner, found)) emitOpaque(session, owner.name, "code", found.option);
    const written = writtenBy(owner, found);
    if (written !== undefined)
      emitFile(session, owner, { ...found, role: "write", word: literal(written) }, "write", "path");
  }
}

/** What a compiler hands to its parts: plugins, files of options, texts that are put in front. */
const PASSED = /^-(?:W[lap]|Xlinker|Xassembler|Xpreprocessor|Xclang)$/;
const LOADS =
  /(?:^|,)(?:-{0,2}plugin\b|-load\b|-add-plugin|-fplugin|-fpass-plugin|-wrapper|-specs|-include|-imacros|@)/;
const AGENT = /^-?(?:javaagent|agentpath|agentlib|Xbootclasspath)\b/;

function loadsCode(owner: Owner, { option = "", word }: Found): boolean {
  const text = knownPrefix(word);
  if (owner.spec.makes === "program" && PASSED.test(option)) return LOADS.test(text);
  if (option === "-J") return AGENT.test(text);
  return owner.name === "mvn" && option === "-D" && text.startsWith("exec.executable");
}

/** `rustc --emit=asm=FILE`, `java -Xlog:gc:file=FILE`. */
function writtenBy(owner: Owner, { option, word }: Found): string | undefined {
  const text = knownPrefix(word);
  if (owner.name === "rustc" && option === "--emit") return /=([^,=]+)/.exec(text)?.[1];
  if (/^javac?$/.test(owner.name) && option === "-X")
    return /^log:[^:]*:(?:file=)?([^:]*\/[^:]*)/.exec(text)?.[1];
  return undefined;
}

const CHANGES = /^(?:copy\w*|rename|touch\w*|create_\w+|make_directory|remove\w*|rm|tar)$/;

/** `cmake -E COMMAND …`: tools of its own, some of which change files or start a program. */
function cmakeTool(session: Session, owner: Owner, parsed: ParsedCommand): void {
  const [first, ...operands] = parsed.found.filter(({ option }) => option === undefined);
  const command = first === undefined ? "" : knownPrefix(first.word);
  if (CHANGES.test(command))
    for (const found of operands) emitFile(session, owner, { ...found, role: "write" }, "write", "name");
  if (!/^(?:env|time|chdir)$/.test(command)) return;
  const start = operands.findIndex(
    ({ word }, index) => !/^(?:-|\w+=)/.test(knownPrefix(word)) && (command !== "chdir" || index > 0),
  );
  if (start !== -1)
    session.within("via cmake", () => session.start(operands.slice(start).map(({ word }) => word)), []);
}
