import { totalmem } from "node:os";

export type Platform = "linux" | "darwin" | "windows" | "other";

/** The system Paldron runs on, as far as it makes a difference to how a command is confined. */
export function platform(name: string = process.platform): Platform {
  if (name === "linux" || name === "darwin") return name;
  // Cygwin programs are Windows programs: their processes and paths are not those of a Unix kernel.
  return name === "win32" || name === "cygwin" ? "windows" : "other";
}

/** Bytes of memory of this machine. */
export function machineMemory(): bigint {
  return BigInt(totalmem());
}
