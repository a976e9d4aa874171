import { printed } from "./builtin-helpers.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import { known, literal } from "./value.ts";

const HEADER =
  /^(?:(?:---|\+\+\+|\*\*\*) |Index: |(?:rename|copy) (?:from|to) )("(?:[^"\\]|\\.)*"|[^\t\r\n]+)/gm;

/** `git apply` and `patch`: every file that a patch names which stands in the text. */
export function patchedFiles(session: Session, command: string, { found }: ParsedCommand): void {
  for (const patch of patchesOf(session, found)) {
    for (const [, name = ""] of patch.matchAll(HEADER)) {
      const path = name.startsWith('"') ? unquoted(name.slice(1, -1)) : name;
      if (path === "/dev/null") continue;
      // How many folders are taken away depends on the options; the names that are left name what they name.
      const stripped = path.replace(/^[^/]*\//, "");
      for (const word of new Set([path, stripped]))
        session.emit({
          kind: "write",
          path: literal(word),
          from: "operand",
          look: "path",
          command,
          option: "a patch",
        });
    }
  }
}

function patchesOf(session: Session, found: ParsedCommand["found"]): readonly string[] {
  const { stdin } = session;
  const input = stdin.kind === "text" ? known(stdin.text) : undefined;
  const files = found.map(({ word }) => printed.contentOf(session, word));
  return [input, ...files].filter((text) => text !== undefined);
}

/** A name as git quotes it. */
function unquoted(name: string): string {
  return name.replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
}
