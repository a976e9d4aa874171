import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

export interface Interrupts {
  /** Aborted with the number of the first signal that came. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Turns the signals that ask a program to stop into an abort, so that a run ends with its tree and its receipt. */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => controller.abort(constants.signals[name]);
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
