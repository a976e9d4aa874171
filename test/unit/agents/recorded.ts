import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HookReply } from "../../../src/agents/types.ts";
import { runHook } from "../../../src/app/hook.ts";
import { loadPolicyFile } from "../../../src/host/policy-file.ts";
import { ROOT } from "../../meta/sources.ts";

/** Payloads as real clients sent them; paths below `/tmp/probe/ws` stand for the workspace. */
export interface Recorded {
  readonly file: string;
  readonly agent: string;
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
}

const FOLDER = join(ROOT, "test/fixtures/agents");

export const RECORDED: readonly Recorded[] = readdirSync(FOLDER).map((file) => {
  const { payloads } = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  return { file: file.replace(".json", ""), agent: file.split("-")[0] ?? "", payloads };
});

export interface HookPlace {
  readonly root: string;
  /** Runs the hook on a payload, on text or on bytes. */
  readonly hook: (agent: string, payload: unknown, policy?: string) => Promise<HookReply>;
  readonly remove: () => void;
}

/** A workspace like the one that the payloads were recorded in. */
export function layHookPlace(): HookPlace {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-hook-")));
  const root = join(top, "ws");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, ".env"), "API_KEY=SECRET-CANARY-123\n");
  writeFileSync(join(root, "a.txt"), "alpha\nbeta\n");
  const env = { HOME: join(top, "home"), PATH: process.env["PATH"] };
  return {
    root,
    hook: (agent, payload, policy) => {
      const text = typeof payload === "string" ? payload : JSON.stringify(payload);
      if (policy !== undefined) writeFileSync(join(top, "p.toml"), policy);
      return runHook({
        agent,
        judgement: () => ({
          ...loadPolicyFile(policy === undefined ? undefined : join(top, "p.toml")),
          workspace: { root, names: [], cwd: root },
        }),
        env,
        bytes:
          payload instanceof Uint8Array
            ? payload
            : new TextEncoder().encode(text.replaceAll("/tmp/probe/ws", root)),
      });
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** What a reply means to its client. */
export type Outcome = "silent" | "rewrite" | "ask" | "block" | "clean";

export function outcomeOf(agent: string, { exit, stdout }: HookReply): Outcome {
  if (exit !== 0) return agent === "generic" && stdout.includes('"decision":"ask"') ? "ask" : "block";
  if (stdout === "") return "silent";
  if (
    /"(?:updatedToolOutput|modifiedResult|output|additional_context)"|"continue":false|"decision":"deny","reason":"paldron: \d/.test(
      stdout,
    )
  )
    return "clean";
  if (/"(?:permissionDecision|permission|decision|behavior)":"(?:deny|block)"/.test(stdout)) return "block";
  return /"(?:permissionDecision|permission)":"ask"/.test(stdout) ? "ask" : "rewrite";
}
