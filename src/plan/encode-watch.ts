import { MessageWriter, path, patterns } from "./message-writer.ts";
import type { WatchPlan } from "./watch-types.ts";
import { REQUEST, RUN_RECORD } from "./wire.ts";

const WATCH_MODE: Readonly<Record<WatchPlan["mode"], number>> = { tell: 1, hold: 2 };

/** JUDGED: the answer to SEEN; output that came later waits, or goes on as far as nothing else holds it. */
export function encodeJudged(number: number, hold: boolean): Uint8Array {
  const message = new MessageWriter(REQUEST.judged);
  message.body.u32(number).u32(hold ? 1 : 0);
  return message.finish();
}

/** RELEASE: what is held is shown, or forgotten. */
export function encodeRelease(show: boolean): Uint8Array {
  const message = new MessageWriter(REQUEST.release);
  message.body.u32(show ? 1 : 0);
  return message.finish();
}

/** The records of RUN about the watch. */
export function watchRecords(message: MessageWriter, plan: WatchPlan): void {
  message.record(RUN_RECORD.watch, (out) =>
    path(
      out
        .u32(WATCH_MODE[plan.mode])
        .u32(plan.first ? 1 : 0)
        .u32(plan.told)
        .u64(plan.holdBytes),
      plan.root,
    ),
  );
  patterns(message, RUN_RECORD.watchName, plan.names);
  patterns(message, RUN_RECORD.watchNameAlone, plan.alone);
}
