import { printed } from "./builtin-helpers.ts";
import { emitCode, emitFile, emitOpaque, type Owner } from "./emit.ts";
import { parseCommand } from "./grammar.ts";
import { applyRoles } from "./roles.ts";
import type { Session } from "./session.ts";
import type { CommandSpec } from "./spec.ts";
import type { Word } from "./types.ts";
import { hole, knownPrefix, literal, type Text } from "./value.ts";

type Scripted = (session: Session, argv: readonly Word[]) => Text;

interface Grammar {
  readonly name: "awk" | "sed";
  readonly options: string;
  /** Options that carry the program, or a file of it: then no operand is the program. */
  readonly code: readonly string[];
  readonly files: readonly string[];
}

/** awk and sed: a program in the first operand or behind an option, then files. */
function scripted({ name, options, code, files }: Grammar): Scripted {
  const instead = [...code, ...files].join(" ");
  const spec: CommandSpec = { options, operands: "data read", instead, language: name };
  const owner: Owner = { name, spec };
  return (session, argv) => {
    const parsed = parseCommand(spec, argv);
    if (parsed.unsure) emitOpaque(session, name, "code", "an argument that is not known may be an option");
    const given = [...code, ...files].some((option) => parsed.given.has(option));
    let script: Word | undefined;
    for (const found of parsed.found) {
      if (found.option !== undefined && code.includes(found.option))
        emitCode(session, owner, found.word, found.option);
      else if (found.option !== undefined && files.includes(found.option))
        runScriptFile(session, owner, found.word, found.option);
      else if (!given && script === undefined && found.role === "data" && found.option === undefined)
        script = found.word;
      else if (found.option === undefined && found.role === "read")
        operand(session, owner, found.word, parsed.given);
    }
    if (script !== undefined) emitCode(session, owner, script, "its program");
    applyRoles(session, owner, {
      ...parsed,
      found: parsed.found.filter(
        (found) =>
          found.option !== undefined && !code.includes(found.option) && !files.includes(found.option),
      ),
    });
    return hole("unknown");
  };
}

function runScriptFile(session: Session, owner: Owner, word: Word, option: string): void {
  emitFile(session, owner, { role: "read", word, option }, "read", "path");
  const content = printed.contentOf(session, word);
  if (content !== undefined) {
    emitCode(session, owner, literal(content), option);
    return;
  }
  emitOpaque(session, owner.name, "code", `${option} file`);
}

function operand(session: Session, owner: Owner, word: Word, given: ReadonlySet<string>): void {
  if (owner.name === "awk" && /^[A-Za-z_]\w*=/.test(knownPrefix(word))) return;
  emitFile(session, owner, { role: "read", word, option: undefined }, "read", "path");
  const inPlace = ["-i", "--in-place"].some((option) => given.has(option));
  if (inPlace) emitFile(session, owner, { role: "both", word, option: undefined }, "write", "path");
}

export const awk = scripted({
  name: "awk",
  options:
    "-F:data -v:data -f:data -e:data -i:load -l:load -E:data -o?write -d?write -p?write -D!opaque -W:opaque -b -c -C -g -h -L -M -n -N -O -P -r -s -S -t -V --field-separator:data --assign:data --file:data --source:data --include:load --load:load --exec:data --dump-variables?write --pretty-print?write --profile?write --debug!opaque --posix --re-interval --sandbox --csv --version",
  code: ["-e", "--source"],
  files: ["-f", "--file", "-E", "--exec"],
});

export const sed = scripted({
  name: "sed",
  options:
    "-n -E -r -s -u -z -b -i?data -e:data -f:data -l:data --quiet --silent --expression:data --file:data --in-place?data --line-length:data --regexp-extended --separate --null-data --posix --follow-symlinks --sandbox --debug --binary --unbuffered --help --version",
  code: ["-e", "--expression"],
  files: ["-f", "--file"],
});
