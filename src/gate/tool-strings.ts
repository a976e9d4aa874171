import type { KeyRole } from "../tools/argument-keys.ts";
import type { ArgumentRole } from "../tools/contracts.ts";

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
}

/**
 * Every string in the arguments, at every depth, in order. Items of a list have the role of the list; inside content
 * everything is content unless its own key says otherwise; the keys of inner objects may be file names.
 */
export function* stringsOf(
  args: Readonly<Record<string, unknown>>,
  roleOf: (key: string) => Role,
): Generator<StringArgument> {
  const open: Open[] = [];
  const push = (items: readonly Open[]): void => {
    open.push(...items.toReversed());
  };
  push(Object.entries(args).map(([key, value]) => ({ key, role: roleOf(key), value })));
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { key, role, value } = item;
    if (typeof value === "string") yield { key, role, value };
    else if (Array.isArray(value)) {
      if (role === "command" && value.length > 0 && value.every((entry) => typeof entry === "string")) {
        yield { key, role: "argv", value: value.join(" "), argv: value };
      } else push(value.map((entry: unknown) => ({ key, role, value: entry })));
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      for (const [name] of entries) if (role !== "content") yield { key, role: "key", value: name };
      push(
        entries.map(([name, inner]: [string, unknown]) => {
          const own = roleOf(name);
          return { key, role: own === "unknown" ? role : own, value: inner };
        }),
      );
    }
  }
}
