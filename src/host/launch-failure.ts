import { PaldronError } from "../core/errors.ts";
import type { FailedMessage } from "../plan/types.ts";
import type { Stage } from "../plan/wire.ts";
import { errnoName } from "./start-problem.ts";

/** A stage of the launcher failed: nothing of the command has run, or it was killed. */
export class LaunchFailure extends PaldronError {
  readonly stage: Stage;
  /** 0 when it was no system call. */
  readonly errno: number;
  /** A path or a word. */
  readonly detail: string;
  /** The stage with its detail and cause. */
  readonly about: string;
  constructor(message: FailedMessage) {
    super(message.stage === "exec" ? "start" : "launcher", failureText(message));
    this.about = about(message);
    this.stage = message.stage;
    this.errno = message.errno;
    this.detail = message.detail;
  }
}

function failureText(message: FailedMessage): string {
  const { stage, errno, detail } = message;
  if (stage === "exec") return `the command cannot be started: ${detail} (${causeOf(errno)})`;
  if (stage === "scratch" && detail.startsWith("/"))
    return `no folder for temporary files can be made in ${detail} (${causeOf(errno)})`;
  return `the launcher stopped at its stage ${about(message)}`;
}

function about({ stage, errno, detail }: FailedMessage): string {
  const text = [detail, causeOf(errno)].filter((part) => part !== "").join(": ");
  return text === "" ? stage : `${stage} (${text})`;
}

function causeOf(errno: number): string {
  return errno === 0 ? "" : errnoName(errno);
}
