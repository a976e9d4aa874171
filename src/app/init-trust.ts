import { blockBody, codexTrust, dropBlock, putBlock } from "../agents/install/toml-settings.ts";
import { PaldronError } from "../core/errors.ts";
import type { CodexHook } from "../host/codex-server.ts";
import type { SettingsFile } from "../host/settings-file.ts";
import { parseDocument } from "../policy/toml.ts";
import { checkToml } from "./init-files.ts";

interface Trusted {
  readonly key: string;
  readonly hash: string;
}

/** Codex's configuration with the trust in hooks recorded as Codex itself does it. */
export function trustRecorded(config: SettingsFile, hooks: readonly CodexHook[]): string {
  const { text, path } = config;
  const own = trusted(text === undefined ? undefined : blockBody(text), path);
  const without = text === undefined ? undefined : dropBlock(text);
  const before = parseDocument(without ?? "", path);
  const fresh = hooks.map(({ key, hash }) => ({ key, hash }));
  const kept = own.filter(({ key }) => !fresh.some((hook) => hook.key === key));
  const body = codexTrust([...kept, ...fresh]);
  const now = putBlock(text, body);
  checkToml({ before, text: now, path, body });
  return now;
}

/** The same without the trust in the hooks of one file. */
export function trustDropped(config: SettingsFile, hooksFile: string): string | undefined {
  const { text, path } = config;
  const body = text === undefined ? undefined : blockBody(text);
  if (text === undefined || body === undefined) return text;
  const kept = trusted(body, path).filter(({ key }) => !key.startsWith(`${hooksFile}:`));
  return kept.length === 0 ? dropBlock(text) : putBlock(text, codexTrust(kept));
}

function trusted(body: string | undefined, path: string): readonly Trusted[] {
  if (body === undefined) return [];
  const { hooks } = parseDocument(body, path) as {
    hooks?: { state?: Record<string, { trusted_hash?: unknown }> };
  };
  return Object.entries(hooks?.state ?? {}).map(([key, { trusted_hash: hash }]) => {
    if (typeof hash !== "string") throw new PaldronError("io", `${path}: what init wrote there was changed`);
    return { key, hash };
  });
}
