import type { Json, JsonObject } from "../core/strict-json.ts";

export type AgentResult = "working" | "not registered" | "not firing" | "doubled";

/** Why a hook that is registered does not do its work. */
export type FaultCode =
  | "untrusted"
  | "disabled"
  | "matcher"
  | "event-missing"
  | "client-too-old"
  | "not-found"
  | "relative"
  | "other-installation"
  | "not-recognized"
  | "conditional"
  | "wrong-answer"
  | "timeout"
  | "broken"
  | "settings";

export interface AgentFault {
  readonly code: FaultCode;
  /** The file that it stands in, or the client. */
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

export interface AgentReport {
  readonly agent: string;
  /** Undefined: hooks are registered, and the client was not found. */
  readonly client: { readonly path: string; readonly version: string | undefined } | undefined;
  readonly result: AgentResult;
  readonly hooks: readonly { readonly event: string; readonly file: string; readonly works: boolean }[];
  readonly faults: readonly AgentFault[];
  readonly remarks: readonly string[];
}

export interface AgentsReport {
  readonly agents: readonly AgentReport[];
  /** At least one client was found, and every one that was is gated. */
  readonly ok: boolean;
}

export type FileScope = "managed" | "user" | "project" | "local";

/** A settings file of an agent, read. */
export interface AgentFile {
  readonly scope: FileScope;
  readonly path: string;
  /** Where links lead. */
  readonly real: string;
  readonly value: Json;
}

/** A hook in such a file, Paldron's or another's. */
export interface AgentHook {
  readonly file: AgentFile;
  readonly event: string;
  readonly handler: JsonObject;
  readonly matcher: Json | undefined;
}
