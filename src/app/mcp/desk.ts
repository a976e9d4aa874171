import { type Decision, strictest } from "../../core/decision.ts";
import { PaldronError } from "../../core/errors.ts";
import type { Workspace } from "../../core/request.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import type { FileView } from "../../gate/file-view.ts";
import { fileView } from "../../host/file-view.ts";
import type { Policy, PolicySource } from "../../policy/types.ts";
import type { Redactor } from "../../secrets/find.ts";
import { judgeAgentCall } from "../agent-call.ts";
import { runCheck } from "../check.ts";
import { hookReason, redactor } from "../hook-reason.ts";

/** What the calls of a session are judged by, and where. */
export interface Desk {
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The answer to a call, as the protocol has it. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** A call that was looked at: it may be carried out, or says why not. */
export type Prepared =
  | {
      readonly kind: "ready";
      /** `allow`, or `ask`: then a person must have said yes to `about`. */
      readonly decision: Decision;
      /** What a person is asked about, in full. */
      readonly about: string;
      readonly carryOut: () => Answer | Promise<Answer>;
      /** Lets go of what is held open; called once, whatever happened. */
      readonly release: () => void;
    }
  | { readonly kind: "answer"; readonly answer: Answer };

/** The gate of `check`, and what is asked beyond that of a call that an agent makes. */
export async function judgeBuiltin(desk: Desk, tool: string, args: JsonObject): Promise<Decision> {
  const { decision } = await runCheck({ ...desk, tool, args });
  const confined = tool === "execute_code";
  return strictest(decision, await judgeAgentCall({ ...desk, tool, args, folder: undefined, confined }));
}

export function refused(decision: Decision, desk: Desk, text?: string): Answer {
  return failed(`denied by paldron: ${hookReason(decision, { ...desk, text })}`);
}

export function failed(text: string): Answer {
  return { text, isError: true };
}

/** What went wrong, in words that never repeat what was sent. */
export function failure(error: unknown): Answer {
  if (error instanceof PaldronError) return failed(error.message);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return failed(PROBLEMS[code] ?? (code === "" ? "internal error" : `it cannot be done (${code})`));
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EEXIST: "something else is there",
  ENOTDIR: "a part of the path is no folder, or was replaced while it was looked at",
  ELOOP: "a part of the path was replaced while it was looked at",
  ENOSPC: "no space left",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
};

export function viewOf({ env, workspace }: Desk): FileView {
  return fileView({ env, workspace });
}

export function redactorOf(desk: Desk): Redactor {
  return redactor(desk);
}
