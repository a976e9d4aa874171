import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";

export const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

/** Who runs the launcher: root tests both; an ordinary user only itself. */
const users: readonly (readonly [string, number | undefined])[] = isRoot
  ? [
      ["root", undefined],
      ["nobody", NOBODY],
    ]
  : [["self", undefined]];

const modes: readonly (readonly [string, boolean])[] = [
  ["scope", false],
  ["sweep", true],
];

/** Runs a group for each user and each way to kill the tree. */
export function eachWay(name: string, body: (way: { uid?: number; sweep: boolean }) => void): void {
  for (const [user, uid] of users) {
    for (const [mode, sweep] of modes) {
      describe(`${name}, ${user}, ${mode}`, () => body(uid === undefined ? { sweep } : { uid, sweep }));
    }
  }
}

let counter = 0;
/** A duration for sleep(1) that no other process has: how a test finds what it left alive. */
export function marker(): string {
  counter += 1;
  return `86400.${process.pid}${String(counter).padStart(4, "0")}`;
}

/** Processes with the marker in their command line. */
export function alive(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && cmdline(name).includes(mark))
    .map(Number);
}

function cmdline(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

export async function until(condition: () => boolean, ms = 10_000): Promise<boolean> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) return false;
    await sleep(5);
  }
  return true;
}

/** A folder that anyone may use, removed by the caller's `afterAll`. */
export function openFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "paldron-native-"));
  chmodSync(path, 0o777);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The children of a process. */
export function children(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}
