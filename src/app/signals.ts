/** Signal names by number, the same on x86_64 and aarch64 (signal(7)). */
const NAMES = [
  "",
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGILL",
  "SIGTRAP",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGKILL",
  "SIGUSR1",
  "SIGSEGV",
  "SIGUSR2",
  "SIGPIPE",
  "SIGALRM",
  "SIGTERM",
  "SIGSTKFLT",
  "SIGCHLD",
  "SIGCONT",
  "SIGSTOP",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
  "SIGURG",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGVTALRM",
  "SIGPROF",
  "SIGWINCH",
  "SIGIO",
  "SIGPWR",
  "SIGSYS",
];

/** `SIGTERM` for 15; `signal 64` for one without a name. */
export function signalName(number: number): string {
  return NAMES[number] || `signal ${number}`;
}

const SIGTERM = 15;
const LAST_SIGNAL = 64;

/** The signal that the reason of an abort names: 1 to 64, or 0 to kill at once. Any other reason is SIGTERM. */
export function cancelSignal(reason: unknown): number {
  const named =
    typeof reason === "number" && Number.isInteger(reason) && reason >= 0 && reason <= LAST_SIGNAL;
  return named ? reason : SIGTERM;
}
