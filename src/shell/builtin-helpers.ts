import { resolve } from "./path.ts";
import { joinFolders } from "./scope.ts";
import type { CommandOptions, Outcome, Session } from "./session.ts";
import type { Word } from "./types.ts";
import { concat, hole, isMany, known, partsOf, sourceOf, type Text, textOf } from "./value.ts";

export type Builtin = (session: Session, argv: readonly Word[], options: CommandOptions) => Outcome;

/** Nothing changes; `out` is printed. */
export const prints = (session: Session, out: Text): Outcome => ({
  ok: session.scope,
  fail: session.scope,
  out,
});

function echo(session: Session, argv: readonly Word[]): Text {
  let start = 0;
  let newline = true;
  let interprets = session.scope.dialect !== "bash";
  for (; start < argv.length; start += 1) {
    const text = textOf(argv[start]);
    if (text === undefined || !/^-[neE]+$/.test(text)) break;
    if (text.includes("n")) newline = false;
    if (text.includes("e")) interprets = true;
  }
  let out: Text = [];
  let separate = false;
  for (const word of argv.slice(start)) {
    // A word that may be none takes the blank beside it away with it.
    if (isMany(word)) {
      out = concat(out, hole(sourceOf(partsOf(word)) === "listing" ? "listing" : "unknown"));
      separate = false;
      continue;
    }
    out = concat(out, separate ? [" ", ...partsOf(word)] : partsOf(word));
    separate = true;
  }
  if (interprets && out.some((part) => typeof part === "string" && part.includes("\\"))) {
    const plain = known(out);
    const text = plain === undefined || session.scope.dialect !== "bash" ? undefined : unescaped(plain);
    if (text === undefined) return hole("unknown");
    out = [text];
  }
  return newline ? concat(out, ["\n"]) : out;
}

/** The escapes of `echo -e`; undefined for one that is not followed. */
function unescaped(text: string): string | undefined {
  let isKnown = true;
  const out = text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0([0-7]{0,3})|(.?))/gs, (_, hex, octal, char) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal || "0", 8) & 255);
    const found = ESCAPES[char];
    if (found === undefined || char === '"' || char === "'") isKnown = false;
    return found ?? "";
  });
  return isKnown && /^\p{ASCII}*$/u.test(out) && !out.includes("\0") ? out : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
};

/** What `printf FORMAT ARG…` prints, when the format only holds plain conversions. */
export function printfOutput(argv: readonly Word[]): Text {
  const format = textOf(argv[0]);
  if (format === undefined || argv.some(isMany)) return hole("unknown");
  const args = argv.slice(1);
  let out: Text = [];
  let next = 0;
  let rounds = 0;
  do {
    const before = next;
    const round = format.matchAll(/%%|%[sd]|%.?|\\x[0-9a-fA-F]{1,2}|\\[0-7]{1,3}|\\.|[^%\\]+|./gs);
    for (const [piece] of round) {
      const text = conversion(piece);
      if (text === undefined) return hole("unknown");
      if (text === "arg") {
        const arg = args[next];
        next += 1;
        out = concat(out, arg === undefined ? [] : partsOf(arg));
      } else out = concat(out, [text.slice(1)]);
    }
    rounds += 1;
    if (next === before) break;
  } while (next < args.length && rounds < 200);
  return next < args.length && rounds >= 200 ? hole("unknown") : out;
}

/** `arg`: takes an argument; `=text`: stands for text; undefined: not followed. */
function conversion(piece: string): string | undefined {
  if (piece === "%%") return "=%";
  if (piece === "%s" || piece === "%d") return "arg";
  if (piece.startsWith("%")) return undefined;
  if (!piece.startsWith("\\") || piece === "\\") return `=${piece}`;
  if (/^\\x/.test(piece) && piece.length > 2)
    return `=${String.fromCharCode(Number.parseInt(piece.slice(2), 16))}`;
  if (/^\\[0-7]/.test(piece)) return `=${String.fromCharCode(Number.parseInt(piece.slice(1), 8) & 255)}`;
  const character = ESCAPES[piece.slice(1)];
  return character === undefined ? undefined : `=${character}`;
}

function pwd(session: Session): Text {
  const folders = session.scope.cwds;
  return folders?.length === 1 && folders[0] !== undefined ? [`${folders[0]}\n`] : hole("unknown");
}

/** What the text itself wrote to a file, when that is known. */
function contentOf(session: Session, file: Word): string | undefined {
  const path = textOf(file);
  const folders = session.scope.cwds ?? [];
  if (path === undefined || folders.length !== 1 || folders[0] === undefined) return undefined;
  return session.scope.written.get(resolve(folders[0], path));
}

export const printed = { echo, pwd, contentOf };

/** `cd`: the folder after it, and the old one for the case that it fails. */
export function changeFolder(session: Session, argv: readonly Word[]): Outcome {
  const words = argv.filter((word) => !/^-[LPe@n]+$|^--$/.test(textOf(word) ?? "x"));
  const start = session.scope;
  const ok = start.fork();
  const fail = start.fork();
  ok.cwds = nextFolders(session, words);
  ok.set("OLDPWD", { values: start.cwds?.map((folder) => [folder]) ?? [hole("unknown")] });
  ok.variables.delete("PWD");
  const { isDirectory, canBeMade } = session.options;
  const sure = ok.cwds?.every(
    (folder) => isDirectory?.(folder) === true || (start.written.has(folder) && canBeMade?.(folder) === true),
  );
  return { ok, fail: sure === true && words.length < 2 ? ok : fail, out: hole("unknown") };
}

function nextFolders(session: Session, words: readonly Word[]): readonly string[] | undefined {
  const { scope, options } = session;
  const [target] = words;
  if (target === undefined) {
    const home = scope.get("HOME") === undefined ? options.home : undefined;
    return home === undefined ? undefined : [home];
  }
  const text = textOf(target);
  if (text === "-") {
    const old = scope.get("OLDPWD")?.values.map(known);
    return old === undefined || old.includes(undefined)
      ? undefined
      : old.filter((path) => path !== undefined);
  }
  if (text === undefined || text === "" || scope.cwds === undefined)
    return text?.startsWith("/") === true ? [text] : undefined;
  if (/^[-+]\d*$/.test(text)) return undefined;
  const here = scope.cwds.map((cwd) => resolve(cwd, text));
  // CDPATH may lead elsewhere, unless the path is rooted.
  const cdpath = scope.get("CDPATH");
  if (cdpath === undefined || /^\.{0,2}\//.test(text) || /^\.\.?$/.test(text)) return here;
  const others = cdpath.values.map((value) => known(value)?.split(":"));
  if (others.includes(undefined)) return undefined;
  const found = others.flatMap((list) => list ?? []).map((base) => resolve(base === "" ? "." : base, text));
  return joinFolders(here, found.every((path) => path.startsWith("/")) ? found : undefined);
}

export function popFolder(session: Session): Outcome {
  session.scope.cwds = undefined;
  return { ok: session.scope, fail: session.scope, out: hole("unknown") };
}
