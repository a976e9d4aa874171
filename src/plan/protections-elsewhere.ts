import {
  PROTECTIONS,
  type Protection,
  type ProtectionState,
  type ProtectionTable,
} from "../core/protection.ts";

function table(state: (name: Protection) => ProtectionState): ProtectionTable {
  return Object.fromEntries(PROTECTIONS.map((name) => [name, state(name)])) as Record<
    Protection,
    ProtectionState
  >;
}

/** A run behind the gate and before the scan, with nothing of the kernel around it. */
export function noProtections(why_not: string): ProtectionTable {
  return table(() => ({ enforced: false, why_not }));
}

const PROFILE = "Seatbelt profile (untested)";
const NOT_IN_PROFILE = "the Seatbelt profile does not cover it";

/** What the profile of `seatbelt.ts` keeps away. */
export function seatbeltProtections({ allowNetwork }: { readonly allowNetwork: boolean }): ProtectionTable {
  const held = new Set<Protection>(["fs-write", "secrets-read", "signals", "output"]);
  if (!allowNetwork)
    for (const name of ["net-tcp", "net-udp", "net-unix", "net-other"] as const) held.add(name);
  return table((name) => {
    if (held.has(name))
      return { enforced: true, by: name === "output" ? "pipes with a bounded copy" : PROFILE };
    if (allowNetwork && name.startsWith("net-")) return networkOn(name);
    if (name === "fs-read")
      return { enforced: false, by: PROFILE, why_not: "only credential vaults are closed" };
    if (name === "tree-kill")
      return { enforced: false, by: "process group", why_not: "a process can leave its group" };
    return { enforced: false, why_not: NOT_IN_PROFILE };
  });
}

function networkOn(name: Protection): ProtectionState {
  if (name === "net-loopback") return { enforced: true, by: "the network of the host" };
  return { enforced: false, why_not: "the policy allows the network" };
}
