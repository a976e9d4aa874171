import { emitOpaque, runShellText } from "./emit.ts";
import type { Session } from "./session.ts";
import type { Word } from "./types.ts";
import { concat, dropPrefix, knownPrefix, literal, partsOf, type Text, textOf, wordOf } from "./value.ts";

/** Scripts that some commands run beside what they do. */

const LIFE = "preinstall install postinstall prepublish preprepare prepare postprepare".split(" ");
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  install: LIFE,
  i: LIFE,
  ci: LIFE,
  add: LIFE,
  link: LIFE,
  rebuild: LIFE,
  uninstall: ["preuninstall", "uninstall", "postuninstall"],
  pack: [...LIFE, "prepack", "postpack"],
  publish: [...LIFE, "prepack", "postpack", "prepublishOnly", "publish", "postpublish"],
  version: ["preversion", "version", "postversion"],
  t: ["pretest", "test", "posttest"],
  tst: ["pretest", "test", "posttest"],
  // Yarn alone installs.
  "": LIFE,
};
const RUNS = /^(?:run|run-script|rum|urn|exec|x|dlx)$/;

/** `npm run NAME` and its like: the scripts of a `package.json` that the text itself wrote are shell text. */
export function runPackageScripts(session: Session, argv: readonly Word[]): void {
  const words = argv.filter((word) => !knownPrefix(word).startsWith("-"));
  const [verb, ...rest] = words;
  if (textOf(verb) === "pkg" || textOf(verb) === "set-script") {
    noteScripts(session, words.slice(1), argv);
    return;
  }
  const manifests = [...session.scope.written].filter(([path]) => path.endsWith("/package.json"));
  if (manifests.length === 0 && session.notes.scripts.size === 0) return;
  const names = scriptNames(verb, rest);
  const args = RUNS.test(textOf(verb) ?? "") ? rest.slice(1) : rest;
  for (const [name, text] of session.notes.scripts) if (isCalled(name, names)) runScript(session, text, args);
  for (const [, content] of manifests) {
    const scripts = content === undefined ? undefined : scriptsOf(content);
    if (scripts === undefined) emitOpaque(session, "npm", "code", "scripts whose content is not known");
    for (const [name, text] of scripts ?? [])
      if (isCalled(name, names)) runScript(session, [literal(text)], args);
  }
}

const isCalled = (name: string, names: readonly string[] | undefined): boolean =>
  names === undefined || name === "*" || names.includes(name);

/** Undefined: not known. */
function scriptNames(verb: Word | undefined, rest: readonly Word[]): readonly string[] | undefined {
  const text = verb === undefined ? "" : textOf(verb);
  if (text === undefined) return undefined;
  const beside = Object.hasOwn(BESIDE, text) ? (BESIDE[text] ?? []) : [];
  const name = RUNS.test(text) ? textOf(rest[0]) : text;
  if (RUNS.test(text) && rest[0] !== undefined && name === undefined) return undefined;
  const own = name === undefined || beside.length > 0 ? [] : [`pre${name}`, name, `post${name}`];
  return text === "restart" ? [...own, "stop", "start"] : [...beside, ...own];
}

function runScript(session: Session, script: readonly Word[], args: readonly Word[]): void {
  let text: Text = script.flatMap((word) => partsOf(word));
  for (const arg of args) {
    const quoted = textOf(arg)?.replaceAll("'", "'\\''");
    text = concat(text, [quoted === undefined ? ' "$paldron_argument"' : ` '${quoted}'`]);
  }
  runShellText(session, "npm", wordOf(text), "a script");
}

/** The scripts of a manifest; undefined: it cannot be read. */
function scriptsOf(content: string): readonly (readonly [string, string])[] | undefined {
  try {
    const manifest: unknown = JSON.parse(content);
    if (typeof manifest !== "object" || manifest === null || !("scripts" in manifest)) return [];
    const { scripts } = manifest;
    if (typeof scripts !== "object" || scripts === null) return [];
    return Object.entries(scripts).flatMap(([name, text]: [string, unknown]): [string, string][] =>
      typeof text === "string" ? [[name, text]] : [],
    );
  } catch {
    return undefined;
  }
}

/** `npm pkg set scripts.NAME=TEXT`, `npm set-script NAME TEXT`. */
function noteScripts(session: Session, words: readonly Word[], argv: readonly Word[]): void {
  const [action, ...rest] = words;
  if (textOf(argv[0]) === "set-script") {
    if (rest[0] !== undefined) session.notes.scripts.set(textOf(action) ?? "*", [rest[0]]);
    return;
  }
  if (textOf(action) !== "set") return;
  for (const word of rest) {
    const key = /^scripts(?:\.|\[)?["']?([^=\]"']*)["']?\]?=/.exec(knownPrefix(word));
    if (key !== null)
      session.notes.scripts.set(key[1] === "" ? "*" : (key[1] ?? "*"), [dropPrefix(word, key[0].length)]);
    else if (textOf(word) === undefined && /^s?c?r?i?p?t?s?[^=]*$/.test(knownPrefix(word)))
      session.notes.scripts.set("*", [word]);
  }
}
