import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

let counter = 0;
/** A duration for sleep(1) that no other process has: how a test finds what was left alive. */
export function marker(): string {
  counter += 1;
  return `7200.${process.pid}${String(counter).padStart(4, "0")}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Processes, zombies aside, whose command line or environment has the text. */
export function alive(text: string, where: "cmdline" | "environ" = "cmdline"): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/${where}`).includes(text))
    .map(Number);
}

/** The children of a process. */
export function children(pid: number): readonly number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`).trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Waits until nothing with the text in its command line is alive; what is still there at the end. */
export async function survivors(text: string, ms = 3000): Promise<readonly number[]> {
  const end = Date.now() + ms;
  let left = alive(text);
  while (left.length > 0 && Date.now() < end) {
    await sleep(20);
    left = alive(text);
  }
  return left;
}
