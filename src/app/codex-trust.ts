import { ownCall, plainWords } from "../agents/install/own-handler.ts";
import { type Places, type Scope, settingsPlace } from "../agents/install/places.ts";
import { PaldronError } from "../core/errors.ts";
import { type CodexHook, listCodexHooks } from "../host/codex-server.ts";
import { ownProgram } from "../host/own-program.ts";
import { realPathOf } from "../host/real-path.ts";
import { readCodexConfig, type SettingsChange } from "./init.ts";
import { trustRecorded } from "./init-trust.ts";

export interface TrustPlan {
  readonly change: SettingsChange | undefined;
  /** What a person still has to do. */
  readonly note: string | undefined;
}

const BY_HAND = "open Codex and trust the hooks with /hooks; until then it skips them without a word";

/**
 * Codex runs no hook that is not trusted by its hash, which only Codex can tell: its server is asked once the hooks are
 * written.
 */
export async function planTrust(input: {
  /** Undefined: Codex is not installed. */
  readonly program: string | undefined;
  readonly scope: Scope;
  readonly places: Places;
}): Promise<TrustPlan> {
  const { program, scope, places } = input;
  const place = settingsPlace("codex", scope, places);
  const hooksFile = realPathOf(place?.path ?? "");
  if (program === undefined) return { change: undefined, note: `codex was not found: ${BY_HAND}` };
  const hooks = await listCodexHooks(program, places.project, places.env);
  // Others in the same file are not ours to trust.
  const own = hooks?.filter((hook) => hook.key.startsWith(`${hooksFile}:`) && isOwn(hook));
  if (own === undefined || own.length === 0) {
    const why = own === undefined ? "did not list its hooks" : "does not see these hooks here";
    return { change: undefined, note: `codex ${why}: ${BY_HAND}` };
  }
  if (own.every(({ trust }) => isTrusted(trust))) return { change: undefined, note: undefined };
  try {
    const file = readCodexConfig(places);
    return { change: { file, text: trustRecorded(file, own), folders: 0 }, note: undefined };
  } catch (error) {
    if (!(error instanceof PaldronError)) throw error;
    return { change: undefined, note: `${error.message}; ${BY_HAND}` };
  }
}

function isOwn({ command }: CodexHook): boolean {
  const call = command === undefined ? undefined : ownCall(plainWords(command));
  const { node, program } = ownProgram();
  return call?.node === node && call.program === program;
}

export function isTrusted(trust: CodexHook["trust"]): boolean {
  return trust === "trusted" || trust === "managed";
}
