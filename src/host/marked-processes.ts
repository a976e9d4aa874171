import { readdirSync, readFileSync } from "node:fs";
import { platform } from "./platform.ts";

/** A process that forks while it is looked for is met again. */
const ROUNDS = 20;

/**
 * Kills every process that was started with this variable, wherever it has gone since: out of its group, its session or
 * from its parent (proc(5), /proc/pid/environ). Not found is who was started without the variable, or as another user.
 */
export function killMarked(name: string, value: string): void {
  if (platform() !== "linux") return;
  const mark = Buffer.from(`\0${name}=${value}\0`);
  const ended = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    // One that was killed may still be in the table for a moment.
    const found = processes().filter((pid) => !ended.has(pid) && isMarked(pid, mark));
    if (found.length === 0) return;
    for (const pid of found) {
      ended.add(pid);
      kill(pid);
    }
  }
}

function processes(): readonly string[] {
  const own = `${process.pid}`;
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== own);
}

function isMarked(pid: string, mark: Buffer): boolean {
  try {
    return Buffer.concat([Buffer.from("\0"), readFileSync(`/proc/${pid}/environ`)]).includes(mark);
  } catch {
    // Ended, or somebody else's.
    return false;
  }
}

function kill(pid: string): void {
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch {
    // Ended by itself.
  }
}
