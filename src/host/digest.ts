import { createRequire } from "node:module";
import { once } from "../core/once.ts";

const load = once(() => createRequire(import.meta.url));

/**
 * Lower-case hexadecimal SHA-256. `node:crypto` costs 5 ms to load, a third of a cold `check`, so it is loaded by
 * the first digest only.
 */
export function sha256Hex(bytes: Uint8Array): string {
  const { createHash }: typeof import("node:crypto") = load()("node:crypto");
  return createHash("sha256").update(bytes).digest("hex");
}
