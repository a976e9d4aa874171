import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { nearest } from "../core/nearest.ts";
import { exactArguments } from "../host/argv.ts";
import { writeBytes, writeText } from "../host/stdio.ts";
import { COMMANDS, type CommandName, isCommandName } from "./commands.ts";
import type { Command, Context } from "./context.ts";
import { visible } from "./escape.ts";
import { commandHelp, generalHelp } from "./usage.ts";

/** Loaded when asked for: a start reads only the files of its own command. */
const LOADERS: Readonly<Record<CommandName, () => Promise<{ readonly run: Command }>>> = {
  check: () => import("./check.ts"),
  exec: () => import("./exec.ts"),
  hook: () => import("./hook.ts"),
  init: () => import("./init.ts"),
  mcp: () => import("./mcp.ts"),
  schema: () => import("./schema.ts"),
  explain: () => import("./explain.ts"),
  test: () => import("./test.ts"),
  policy: () => import("./policy.ts"),
  doctor: () => import("./doctor.ts"),
  version: () => import("./version.ts"),
  completion: () => import("./completion.ts"),
};

function tell(text: string): void {
  try {
    writeText(2, text);
  } catch {
    // Nobody can be told that nobody can be told. The exit code still speaks.
  }
}

function say(message: string): void {
  tell(`paldron: ${visible(message)}\n`);
}

/** Turns anything that was thrown into one line; never a stack trace unless it is asked for. */
function complain(error: unknown): void {
  if (error instanceof PaldronError) {
    say(error.message);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    say(`internal error: ${message.split("\n", 1)[0] ?? ""}`);
  }
  if (process.env["PALDRON_DEBUG"] === "1" && error instanceof Error) tell(`${error.stack ?? ""}\n`);
}

const context: Context = {
  env: process.env,
  out: (text) => writeText(1, text),
  outBytes: (bytes) => writeBytes(1, bytes),
  put: (fd, text) => {
    try {
      return writeBytes(fd, encodeBytes(text));
    } catch {
      return false;
    }
  },
  say,
  complain,
};

function help(args: readonly string[]): number {
  const [name] = args;
  context.out(name !== undefined && isCommandName(name) ? commandHelp(COMMANDS[name]) : generalHelp());
  return EXIT.allow;
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    writeText(2, generalHelp());
    return EXIT.broken;
  }
  if (name === "--help" || name === "-h" || name === "help") return help(rest);
  const command = name === "--version" || name === "-v" ? "version" : name;
  if (isCommandName(command)) return await (await LOADERS[command]()).run(rest, context);
  if (name.startsWith("-"))
    throw new PaldronError("usage", `name a command first, then its options: '${name}'`);
  const meant = nearest(name, Object.keys(COMMANDS));
  const hint = meant === undefined ? "see paldron --help" : `did you mean '${meant}'?`;
  throw new PaldronError("usage", `unknown command '${name}' (${hint})`);
}

/** INVARIANT: the only place that ends the process. */
function end(code: number): never {
  process.exit(code);
}

/** Most clients take a hook that broke for a yes. Wrong usage stays what it is, so that it is not taken for a verdict. */
function fail(error: unknown): never {
  complain(error);
  const blocks = process.argv[2] === "hook" && !(error instanceof PaldronError);
  return end(blocks ? EXIT.deny : EXIT.broken);
}

process.on("uncaughtException", fail);
main(exactArguments(process.argv.slice(2))).then(end, fail);
