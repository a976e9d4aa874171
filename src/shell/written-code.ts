import { readCode } from "./code.ts";
import { readOther } from "./code-other.ts";
import { type ProgramReading, readProgram } from "./code-program.ts";
import { emitCode, emitFile, emitOpaque, type Owner, runShellText } from "./emit.ts";
import { resolve } from "./path.ts";
import type { Session } from "./session.ts";
import { type CommandSpec, type Found, type ParsedCommand, uniform } from "./spec.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { literal, textOf } from "./value.ts";
import { obeyWritten } from "./written-settings.ts";

type Language = CommandSpec["language"];

const DETAIL = "a script the command wrote";
const UNKNOWN = "a script whose content is not known";

/** Endings of the files that programs of a language load by themselves. */
const ENDINGS: Readonly<Partial<Record<NonNullable<Language>, RegExp>>> = {
  python: /\.(?:py|pyw|pth)$/,
  js: /\.(?:[cm]?[jt]s|[jt]sx)$/,
  ruby: /(?:\.(?:rb|rake|ru|gemspec)|\/(?:Rakefile|Gemfile|Guardfile))$/,
  perl: /\.(?:pl|pm|t)$/,
  php: /\.(?:php|phar)$/,
};

/** Programs without a grammar of their own that load files of a language: test runners, build tools, servers. */
const LOADERS: readonly (readonly [RegExp, readonly NonNullable<Language>[]])[] = [
  [
    /^(?:pytest|py\.test|tox|nox|coverage|pip3?|pipx|invoke|inv|fab|scons|hatch|poetry|pipenv|uv|uvx|pdm|ipython3?|jupyter|gunicorn|uvicorn|hypercorn|flask|django-admin|celery|behave|alembic|sphinx-build|nosetests|stestr|mypy|pylint)$/,
    ["python"],
  ],
  [
    /^(?:np[mx]|pn?pm|pnpx|yarn|bunx?|jest|vitest|mocha|ava|tap|jasmine|karma|cypress|playwright|webpack|vite|rollup|esbuild|next|nuxt|nodemon|pm2|gulp|grunt|babel|eslint|prettier|nyc|c8|turbo|nx|lerna|tsup|swc|parcel|astro|ng|electron|deno|node-gyp)$/,
    ["js"],
  ],
  [/^(?:rake|rspec|bundle|rails|irb|minitest|cucumber|jekyll|gem|guard)$/, ["ruby"]],
  [/^(?:prove|perldoc|cpanm?)$/, ["perl"]],
  [/^(?:phpunit|composer|pest|artisan)$/, ["php"]],
  [
    /^(?:g?make|just|task|ninja|cmake|ctest|cargo|go|gradlew?|mvnw?|bazel|meson|pre-commit)$/,
    ["python", "js"],
  ],
];

/** A program that the text wrote and that some interpreter runs. What was read once is not read again. */
export function runProgramText(session: Session, owner: Owner, content: string): void {
  const key = `${owner.spec.language}\0${content}`;
  if (session.notes.programs.has(key)) return;
  session.notes.programs.add(key);
  if (!session.notes.take(content.length)) {
    emitOpaque(session, owner.name, "code", DETAIL);
    return;
  }
  const { language } = owner.spec;
  if (readCode(language, content).harmless) {
    emitCode(session, owner, literal(content), DETAIL);
    return;
  }
  const isRead = language === "js" || language === "python";
  const reading = isRead ? readProgram(language, content) : readOther(language, content);
  emitReading(session, owner, reading);
  const { unclear, literals } = reading;
  if (unclear) emitCode(session, owner, literal(content), DETAIL);
  else session.emit({ kind: "opaque", interpreter: owner.name, reach: "known", detail: DETAIL, literals });
}

function emitReading(session: Session, owner: Owner, reading: ProgramReading): void {
  const option = DETAIL;
  for (const word of reading.reads) emitFile(session, owner, { role: "file", word, option }, "read", "path");
  for (const word of reading.writes)
    emitFile(session, owner, { role: "file", word, option }, "write", "path");
  for (const command of reading.commands) {
    if ("text" in command) runShellText(session, owner.name, literal(command.text), option);
    else session.within(`via ${owner.name}`, () => session.start(command.words), []);
  }
}

/** The script that an interpreter is given, where the text wrote it. */
export function runScriptOperand(session: Session, owner: Owner, parsed: ParsedCommand): void {
  if (session.scope.written.size === 0 || owner.spec.language === undefined) return;
  if (!SCRIPTED.test(owner.spec.language) || (owner.spec.input !== "code" && owner.name !== "deno")) return;
  if (parsed.given.has("--check") || parsed.found.some(({ role }) => role === "code")) return;
  const isFile = ({ role, option }: Found): boolean =>
    option === undefined && /^(?:read|file|name)$/.test(role);
  const module = parsed.found.find(({ option }) => option === "-m");
  const operands = parsed.found.filter(isFile);
  const isStarter = module !== undefined && STARTERS.test(textOf(module.word) ?? "");
  const scripts = isStarter ? operands : operands.slice(0, module === undefined ? 1 : 0);
  for (const { word } of scripts) runWrittenFile(session, owner, word);
}

/** Modules of Python that start the script among their operands. */
const STARTERS = /^(?:cProfile|profile|trace|pdb|coverage|runpy|viztracer|kernprof)$/;

/** Languages whose interpreters are given a file of code; the operands of a debugger and of a database are none. */
const SCRIPTED = /^(?:js|python|perl|ruby|php|m4|other)$/;

/** A file of code: its text where the text of the command wrote it. */
function runWrittenFile(session: Session, owner: Owner, word: Word): void {
  const path = textOf(word);
  if (path === undefined) return;
  for (const cwd of session.scope.cwds ?? []) runAt(session, owner, resolve(cwd, path));
}

function runAt(session: Session, owner: Owner, path: string): void {
  const { written } = session.scope;
  if (!written.has(path)) return;
  const content = written.get(path) ?? session.notes.appended.get(path);
  if (content === undefined) emitOpaque(session, owner.name, "code", UNKNOWN);
  else runProgramText(session, owner, content);
}

/** Whatever the text wrote that a program may load by itself: modules, tests, settings. */
export function loadWritten(session: Session, name: string): void {
  const { written } = session.scope;
  if (written.size === 0) return;
  obeyWritten(session, name);
  for (const language of languagesOf(name)) {
    const ending = ENDINGS[language];
    if (ending === undefined) continue;
    const owner: Owner = { name, spec: uniform({ language }) };
    for (const [path] of [...written]) if (ending.test(path)) runAt(session, owner, path);
  }
}

function languagesOf(name: string): readonly NonNullable<Language>[] {
  const plain = name.replace(/-?\d+(?:\.\d+)*$/, "");
  const found = LOADERS.find(([names]) => names.test(name) || names.test(plain));
  if (found !== undefined) return found[1];
  const language = specOf(name)?.language;
  return language === undefined ? [] : [language];
}
