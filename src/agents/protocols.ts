import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { generic } from "./generic.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import type { AgentProtocol } from "./types.ts";

/** The protocols by the name that `--agent` takes. */
export const PROTOCOLS: Readonly<Record<string, AgentProtocol>> = {
  claude,
  codex,
  gemini,
  qwen,
  copilot,
  cursor,
  opencode,
  generic,
};
