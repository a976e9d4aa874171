import { readFileSync } from "node:fs";

let own: string | undefined;

/**
 * When a process began, in clock ticks since the machine's start (field 22 of proc_pid_stat(5)): with its number it
 * names one process, because numbers are given again. Undefined where there is no such process.
 */
export function startOfProcess(pid: number): string | undefined {
  if (pid === process.pid && own !== undefined) return own;
  if (pid !== process.pid) return readStart(pid);
  own = readStart("self");
  return own;
}

function readStart(pid: number | "self"): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before may hold anything, spaces and brackets too.
    return text.slice(text.lastIndexOf(")")).split(" ")[20];
  } catch {
    return undefined;
  }
}
