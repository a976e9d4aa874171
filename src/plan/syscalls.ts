import { PaldronError } from "../core/errors.ts";
import { AARCH64_SYSCALLS } from "./syscalls-aarch64.ts";
import { X86_64_SYSCALLS } from "./syscalls-x86_64.ts";
import type { HostFacts } from "./types.ts";

export type Arch = HostFacts["arch"];

/** System calls by name. A number that is not in the table is answered with ENOSYS by the filter. */
export const SYSCALLS: Readonly<Record<Arch, Readonly<Record<string, number>>>> = {
  x86_64: X86_64_SYSCALLS,
  aarch64: AARCH64_SYSCALLS,
};

/**
 * The number of a system call, or undefined where the architecture lacks it (`open` on aarch64). A name that no
 * table has is a mistake in a rule, which must not become a call that is silently allowed.
 */
export function syscallNumber(arch: Arch, name: string): number | undefined {
  const own = SYSCALLS[arch];
  if (Object.hasOwn(own, name)) return own[name];
  // Only now: the other table would have to be made, which costs a cold start milliseconds.
  const known = Object.values(SYSCALLS).some((table) => Object.hasOwn(table, name));
  if (!known) throw new PaldronError("internal", `no system call is named ${name}`);
  return undefined;
}
