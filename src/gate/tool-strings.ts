import type { ToolRequest } from "../core/request.ts";
import { type KeyRole, keyRole } from "../tools/argument-keys.ts";
import { type ArgumentRole, toolContract } from "../tools/contracts.ts";

type Role = ArgumentRole | KeyRole;

/** One string found in a tool's arguments, with the key of the top-level argument that holds it. */
export interface StringArgument {
  readonly key: string;
  readonly role: Role | "key" | "argv";
  readonly value: string;
  /** The whole list, when a command came as one. */
  readonly argv?: readonly string[];
}

interface Open {
  readonly key: string;
  readonly role: Role;
  readonly value: unknown;
  /** Part of a command that came in pieces: it may be an argument as well as a command of its own. */
  readonly piece?: boolean;
}

/** Every string in the arguments of a tool call, with what it is by the tool's contract or by its key. */
export function toolStrings({ tool, args }: ToolRequest): readonly StringArgument[] {
  const contract = toolContract(tool);
  return stringsOf(args, (key) => contract?.args[key]?.role ?? keyRole(key));
}

/**
 * Every string in the arguments, at every depth, in order. Items of a list have the role of the list; inside content
 * everything is content unless its own key says otherwise; the keys of inner objects may be file names. The pieces of a
 * command that is neither text nor one list of words (`["cat", ["x"]]`, `{"run": "cat", "with": ["x"]}`) come twice.
 */
function stringsOf(
  args: Readonly<Record<string, unknown>>,
  roleOf: (key: string) => Role,
): readonly StringArgument[] {
  const found: StringArgument[] = [];
  const open: Open[] = [];
  const push = (items: readonly Open[]): void => {
    for (const item of items.toReversed()) open.push(item);
  };
  push(Object.keys(args).map((key) => ({ key, role: roleOf(key), value: args[key] })));
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { key, role, value, piece = false } = item;
    if (typeof value === "string") {
      found.push({ key, role, value });
      if (piece && role === "command") found.push({ key, role: "unknown", value });
    } else if (Array.isArray(value)) {
      const words = value.filter((entry) => typeof entry === "string");
      const isArgv = role === "command" && words.length === value.length && words.length > 0;
      if (isArgv) found.push({ key, role: "argv", value: words.join(" "), argv: words });
      const inPieces = piece || (words.length > 0 && !isArgv);
      if (!isArgv || piece)
        push(value.map((entry: unknown) => ({ key, role, value: entry, piece: inPieces })));
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      for (const [name] of entries) if (role !== "content") found.push({ key, role: "key", value: name });
      push(
        entries.map(([name, inner]: [string, unknown]) => {
          const own = roleOf(name);
          return { key, role: own === "unknown" ? role : own, value: inner, piece: true };
        }),
      );
    }
  }
  return found;
}
