import type { ProtectionTable } from "../core/protection.ts";
import type { RunListener } from "../host/launch.ts";
import { mayBeProduced, type ScanInput } from "../host/produced.ts";
import { errnoName } from "../host/start-problem.ts";
import { requirements } from "../plan/requirements.ts";
import type { WalkRequest } from "../plan/types.ts";
import type { SeenMessage, WatchingMessage, WatchPlan } from "../plan/watch-types.ts";
import type { RunExecOptions } from "./exec-types.ts";

/** Bytes of output that can wait for the verdict. */
const HOLD_BYTES = 64n * 1024n * 1024n;
/** Events about matching names that one run may make; after so many its output waits, whatever comes. */
const TOLD = 65_536;

/** The watch of a run: the names of its walks, and what the output does meanwhile. */
export function watchPlan(
  { output, policy, server }: RunExecOptions,
  walk: WalkRequest,
): WatchPlan | undefined {
  // Whoever talks to a server needs its answers at once.
  if (server !== undefined) return undefined;
  const { root, names, alone } = walk;
  // What Jev is asked about and what is only copied is shown after the verdict anyway.
  const mode = output === "stream" && !policy.jevVerdict ? "hold" : "tell";
  const first = requirements(policy).includes("secrets-late");
  return { mode, first, told: TOLD, holdBytes: HOLD_BYTES, root, names, alone };
}

/** Judges what is seen while a command runs: whether its output has to wait for the verdict. */
export class LateWatch {
  readonly #before: Omit<ScanInput, "after" | "masked">;
  readonly #masked: ReadonlySet<string>;
  /** Where output began to wait, for messages. */
  #since: SeenMessage | undefined;
  #refused: string | undefined;

  constructor(before: Omit<ScanInput, "after" | "masked">, masked: ReadonlySet<string>) {
    this.#before = before;
    this.#masked = masked;
  }

  /** `masks`: whether secrets are covered in this run. */
  listener(masks: boolean): Pick<RunListener, "onSeen" | "onWatching"> {
    const input = masks ? { ...this.#before, masked: this.#masked } : this.#before;
    return {
      onWatching: (message) => this.#watching(message),
      onSeen: (message) => {
        const hold = counts(input, message);
        if (hold) this.#since ??= message;
        return hold;
      },
    };
  }

  #watching({ errno }: WatchingMessage): void {
    if (errno !== 0) this.#refused = errnoName(errno);
  }

  /** The path whose appearance made output wait; undefined where it is not known. */
  get since(): string | undefined {
    return this.#since?.kind === "lost" ? undefined : this.#since?.entry.path;
  }

  /** Why nothing was watched; undefined where it was. */
  get unwatched(): string | undefined {
    if (this.#refused === undefined) return undefined;
    const limit = LIMITS[this.#refused];
    return `the workspace cannot be watched (${this.#refused}${limit === undefined ? "" : `: ${limit} is used up`})`;
  }

  /** What the run enforced, as far as that is known only after it. */
  protections(planned: ProtectionTable): ProtectionTable {
    const why = this.unwatched;
    if (why === undefined) return planned;
    const state = {
      enforced: false,
      by: "scan of produced files",
      why_not: `files made during the run are found after it only: ${why}`,
    };
    return { ...planned, "secrets-late": state };
  }
}

/** inotify(7): what each of its errors says is used up. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: "fs.inotify.max_user_watches",
  EMFILE: "fs.inotify.max_user_instances",
};

function counts(input: Omit<ScanInput, "after">, { kind, entry }: SeenMessage): boolean {
  if (kind === "lost") return true;
  // Made and gone again: what is not there cannot be a hit, and where it comes back it is seen again.
  if (kind === "name" && entry.errno === ENOENT) return false;
  return mayBeProduced(input, entry);
}

const ENOENT = 2;
