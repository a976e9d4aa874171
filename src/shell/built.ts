import { resolve } from "./path.ts";
import type { Session } from "./session.ts";
import type { CommandSpec, ParsedCommand } from "./spec.ts";
import type { Word } from "./types.ts";
import { textOf } from "./value.ts";

/** Notes the programs that a compiler or `python -m venv` makes, so that starting one later is known for what it is. */
export function noteBuilt(
  session: Session,
  spec: CommandSpec,
  parsed: ParsedCommand,
  argv: readonly Word[],
): void {
  if (spec.makes === undefined) return;
  const made = spec.makes === "environment" ? environments(argv) : programs(parsed, spec.makes);
  for (const path of made) {
    for (const cwd of session.scope.cwds ?? []) session.built.add(resolve(cwd, path));
  }
}

function programs(parsed: ParsedCommand, makes: "program" | "output"): readonly string[] {
  const named = parsed.found.filter(({ role, option }) => role === "write" && option === "-o");
  return named.length === 0 && makes === "program"
    ? ["a.out"]
    : named.flatMap(({ word }) => textOf(word) ?? []);
}

/** `python3 -m venv DIR`: the programs lie in its `bin`. */
function environments(argv: readonly Word[]): readonly string[] {
  const words = argv.map((word) => textOf(word) ?? "");
  const at = words.findIndex((text, index) => text === "venv" && words[index - 1] === "-m");
  if (at < 0) return [];
  const folders = words.slice(at + 1).filter((text) => text !== "" && !text.startsWith("-"));
  return folders.flatMap((folder) => [`${folder}/bin`, `${folder}/Scripts`]);
}

/** What the text itself made of the program at a path: a script that was read, or something built. */
export function madeBy(session: Session, name: string): "script" | "build" | undefined {
  const { cwds, written } = session.scope;
  const [cwd] = cwds ?? [];
  if (!name.includes("/") || cwd === undefined || cwds?.length !== 1) return undefined;
  const path = resolve(cwd, name);
  if (written.get(path) !== undefined) return "script";
  const folder = path.slice(0, path.lastIndexOf("/"));
  return session.built.has(path) || session.built.has(folder) ? "build" : undefined;
}
