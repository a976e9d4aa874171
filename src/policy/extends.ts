import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import { type PolicyPart, parsePart } from "./part.ts";

/** A file that another one extends. */
export interface ExtendedFile {
  readonly text: string;
  /** For messages: the file as it was named, or `preset NAME`. */
  readonly path: string;
  /** The same for every name of the same file. */
  readonly identity: string;
}

/** Reads what an entry of `extends` names. `from` is the identity of the file that it stands in. */
export type ReadExtended = (entry: string, from: string) => ExtendedFile;

const MAX_DEPTH = 8;
const MAX_FILES = 64;

export interface Collected extends PolicyPart {
  /** Its own identity, behind those of the files through which it was reached. */
  readonly reached: readonly string[];
}

/**
 * A file with all that it extends, in the order in which they count: what is extended before what extends it. A file
 * that is reached twice counts once, where it is first needed.
 */
export function collectParts(root: ExtendedFile, read: ReadExtended): readonly Collected[] {
  const done = new Map<string, Collected>();
  const visit = (file: ExtendedFile, above: readonly ExtendedFile[]): void => {
    const part = parsePart(file.text, { path: file.path, prefix: above.length === 0 ? "" : `${file.path}:` });
    const chain = [...above, file];
    for (const entry of part.given.extends ?? []) {
      const at = part.lines.get("extends");
      const where = at === undefined ? file.path : `${file.path}:${at}`;
      const wrong = (why: string): PaldronError =>
        new PaldronError(
          "policy",
          `${where}: key \`extends\` has an entry \`${printable(entry)}\` that ${why}`,
        );
      const next = read(entry, file.identity);
      if (chain.some((one) => one.identity === next.identity)) throw wrong("leads back to itself");
      if (done.has(next.identity)) continue;
      if (chain.length >= MAX_DEPTH) throw wrong(`lies more than ${MAX_DEPTH} files deep`);
      if (done.size + chain.length >= MAX_FILES) throw wrong(`is one of more than ${MAX_FILES} files`);
      visit(next, chain);
    }
    done.set(file.identity, { ...part, reached: chain.map((one) => one.identity) });
  };
  visit(root, []);
  const parts = [...done.values()];
  refuseRepeatedIds(parts);
  return parts;
}

function refuseRepeatedIds(parts: readonly PolicyPart[]): void {
  const seen = new Map<string, string>();
  for (const rule of parts.flatMap((part) => part.rules)) {
    const before = seen.get(rule.id);
    const { path, line } = rule.origin;
    if (before !== undefined) {
      const where = line === undefined ? path : `${path}:${line}`;
      throw new PaldronError(
        "policy",
        `${where}: rule id \`${printable(rule.id)}\` is used by ${before} too`,
      );
    }
    seen.set(rule.id, path);
  }
}
