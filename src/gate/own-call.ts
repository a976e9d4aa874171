import type { Decision } from "../core/decision.ts";
import { baseName } from "./binaries.ts";
import { deny, type GateContext } from "./context.ts";

/** A command of an agent: its name and arguments (undefined: not known), and whether assignments stand before it. */
export interface OwnCall {
  readonly name: string;
  readonly argv: readonly (string | undefined)[];
  readonly assigned: boolean;
}

const NAME = "paldron";
const NAMES = new Set([NAME, "paldron-launcher"]);
/** Commands that judge, tell or show, and change nothing. */
const PLAIN = new Set([
  "check",
  "schema",
  "version",
  "help",
  "completion",
  "--version",
  "--help",
  "-v",
  "-h",
]);

/**
 * An agent may ask Paldron things; it may not start it with another policy, with options or in another environment,
 * nor have another program of that name run in its place.
 */
export function judgeOwnCall(call: OwnCall, context: GateContext): Decision | undefined {
  const [program, ...args] = ownArguments(call, context) ?? [];
  if (program === undefined) return undefined;
  if (!isOwn(program, context)) return refuse("is not the program that judges here");
  if (call.assigned) return refuse("is given another environment");
  const [command, ...more] = args;
  const end = more.indexOf("--");
  const options = end < 0 ? more : more.slice(0, end);
  const isPlain =
    command !== undefined && PLAIN.has(command) && options.every((word) => word?.startsWith("-") === false);
  return isPlain ? undefined : refuse("is for people to start");
}

/** The words from Paldron's own on: `paldron …`, `node …/paldron …`. */
function ownArguments(
  { name, argv }: OwnCall,
  context: GateContext,
): readonly (string | undefined)[] | undefined {
  const words = [name, ...argv];
  const limit = Math.min(words.length, 8);
  for (let i = 0; i < limit; i += 1) {
    const word = words[i];
    if (word === undefined) continue;
    const isNamed = (i === 0 || word.includes("/")) && NAMES.has(baseName(word));
    if (isNamed || (word.includes("/") && isOwn(word, context))) return words.slice(i);
  }
  return undefined;
}

function isOwn(program: string, context: GateContext): boolean {
  const { view, workspace, ownFiles } = context;
  const path = program.includes("/")
    ? program.startsWith("/")
      ? program
      : `${workspace.cwd}/${program}`
    : view.findProgram(program, workspace.cwd);
  if (path === undefined) return false;
  try {
    return ownFiles.includes(view.resolve(path));
  } catch {
    return false;
  }
}

function refuse(reason: string): Decision {
  return deny({ rule: "builtin:own", code: "own", what: NAME, reason });
}
