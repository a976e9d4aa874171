import { type Hook, SECRET } from "../session.ts";

/** A hook as one line of a shell. */
export function line({ program, args }: Hook): string {
  return [program, ...args].map((word) => `'${word}'`).join(" ");
}

export const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** For tools that read text. */
export const TEXT = { file: "a.txt", shows: "alpha", secret: "id_rsa", leaks: SECRET };
