import type { ProtectionTable } from "../core/protection.ts";
import type { EndedMessage } from "./types.ts";

interface NetworkSignInput {
  readonly allowNetwork: boolean;
  readonly protections: ProtectionTable;
  readonly ended: Pick<EndedMessage, "exitCode">;
  /** The end of what the command printed. */
  readonly output: string;
}

/** What programs print where there is no network. Linear, and what it matches is no secret. */
const SAYS =
  /\bEAI_AGAIN\b|\bENETUNREACH\b|\bEHOSTUNREACH\b|Network is unreachable|failure in name resolution|Could not resolve (?:host|proxy)|Name or service not known|failed to lookup address|getaddrinfo ENOTFOUND|dial tcp: lookup/i;
/** What they print where no socket but a unix one can be made. */
const NO_SOCKETS = /\bEAFNOSUPPORT\b|Address family not supported/i;

/** That a failed run may have missed the network, and by what; nothing but its words tell. */
export function networkSign({
  allowNetwork,
  protections,
  ended,
  output,
}: NetworkSignInput): string | undefined {
  if (allowNetwork || ended.exitCode === 0) return undefined;
  const loopback = protections["net-loopback"];
  const bare = loopback.enforced ? undefined : NO_SOCKETS.exec(output)?.[0];
  const text = bare ?? SAYS.exec(output)?.[0];
  if (text === undefined) return undefined;
  const more = bare === undefined ? "" : "; servers on loopback need a network namespace here";
  return `the command may have missed the network, which is off (allow_network): its output says "${text}"${more}`;
}
