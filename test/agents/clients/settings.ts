import { type Hook, SECRET } from "../session.ts";

/** A hook as one line of a shell. */
export function line({ program, args }: Hook): string {
  return [program, ...args].map((word) => `'${word}'`).join(" ");
}

/** Servers as most clients have them in their settings. */
export function mcpServers(
  servers: Readonly<Record<string, readonly string[]>>,
  more: object = {},
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, [command, ...args]]) => [name, { command, args, ...more }]),
  );
}

export const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** For tools that read text. */
export const TEXT = { file: "a.txt", shows: "alpha", secret: "id_rsa", leaks: SECRET };
