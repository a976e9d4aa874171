import { constants } from "node:os";
import type { TerminalEvent } from "../plan/wire.ts";

/** This process as one job of a shell, for as long as a command has a terminal. */
export interface JobControl {
  /** Stops the whole job, as the signal would have without Paldron; returns when it goes on. */
  stop(signal: number): void;
  close(): void;
}

/** Passes on what the kernel and the shell tell this process about its terminal. */
export function watchTerminal(tell: (event: TerminalEvent) => void): JobControl {
  const listeners = {
    SIGWINCH: () => tell("resized"),
    SIGCONT: () => tell("continued"),
    SIGTSTP: () => tell("stop"),
  } as const;
  const names = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const name of names) process.on(name, listeners[name]);
  return {
    stop: (signal) => {
      process.off("SIGTSTP", listeners.SIGTSTP);
      // Not SIGSTOP: where no shell could let the job go on, the kernel ignores the other ones.
      process.kill(0, signal === constants.signals.SIGSTOP ? constants.signals.SIGTSTP : signal);
      process.on("SIGTSTP", listeners.SIGTSTP);
      tell("continued");
    },
    close: () => {
      for (const name of names) process.off(name, listeners[name]);
    },
  };
}
