import { randomBytes } from "node:crypto";

/** A word that nothing else on this machine contains. */
export function randomToken(): string {
  return randomBytes(16).toString("hex");
}
