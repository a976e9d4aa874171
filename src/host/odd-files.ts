import { readlinkSync, realpathSync } from "node:fs";
import { decodeBytes, encodeBytes } from "../core/bytes.ts";
import type { WalkEntry } from "../plan/types.ts";
import { isWithin } from "./path-record.ts";
import type { FileFinding } from "./produced.ts";
import type { Snapshot } from "./snapshot.ts";

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;
const S_IFLNK = 0o120000;

/** Findings of one code that are listed; a build may link a thousand files of a store. */
const LISTED = 100;

type OddCode = "link-outside" | "special-file" | "odd-name";

/**
 * What a run left that is no forbidden file but may lead somebody astray who meets it outside: links out of the
 * workspace (a writer follows them), FIFOs, sockets and devices (a reader hangs), names that drive a terminal or hide
 * part of themselves. Never what a link says: it could be a secret.
 */
export function oddFiles(root: string, before: Snapshot, after: Snapshot): readonly FileFinding[] {
  const found: Record<OddCode, string[]> = { "link-outside": [], "special-file": [], "odd-name": [] };
  for (const [path, entry] of after.entries) {
    const then = before.entries.get(path);
    if (then === undefined && deceives(path.slice(path.lastIndexOf("/") + 1))) found["odd-name"].push(path);
    const type = entry.mode & S_IFMT;
    if (type === S_IFLNK) {
      if (!isSameLink(then, entry) && leadsOut(root, Buffer.from(encodeBytes(`${root}/${path}`))))
        found["link-outside"].push(path);
    } else if (type !== S_IFREG && type !== S_IFDIR && type !== 0 && type !== ((then?.mode ?? 0) & S_IFMT)) {
      found["special-file"].push(path);
    }
  }
  return Object.entries(found).flatMap(([code, paths]) => listed(code as OddCode, paths));
}

function listed(code: OddCode, paths: string[]): readonly FileFinding[] {
  const more = paths.length - LISTED;
  const findings = paths
    .sort()
    .slice(0, LISTED)
    .map((path): FileFinding => ({ code, path }));
  const last = findings.at(-1);
  return last === undefined || more <= 0 ? findings : [...findings.slice(0, -1), { ...last, more }];
}

function isSameLink(then: WalkEntry | undefined, now: WalkEntry): boolean {
  return then?.dev === now.dev && then.ino === now.ino && then.ctimeNs === now.ctimeNs;
}

/**
 * Control characters, the marks that turn the direction of what follows, and blanks without width; not the joiners,
 * which scripts and emoji need.
 */
function deceives(name: string): boolean {
  return /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u.test(name);
}

/** Whether a link ends in a folder. `path` is below `root`, by real names. */
export function endsWithin(root: string, path: Buffer): boolean {
  const end = endOf(path);
  return end !== undefined && isWithin(end, root);
}

/** Whether it ends outside, would if what it names were there, or does for another process (`/proc/self/cwd`). */
function leadsOut(root: string, path: Buffer): boolean {
  const end = endOf(path);
  return (end !== undefined && !isWithin(end, root)) || saysOut(root, path);
}

function endOf(path: Buffer): string | undefined {
  try {
    return decodeBytes(realpathSync.native(path, "buffer"));
  } catch {
    return undefined;
  }
}

/** By its text. */
function saysOut(root: string, path: Buffer): boolean {
  let text: string;
  try {
    text = decodeBytes(readlinkSync(path, "buffer"));
  } catch {
    return true;
  }
  const folder = decodeBytes(path.subarray(0, path.lastIndexOf(0x2f)));
  const parts: string[] = [];
  for (const part of (text.startsWith("/") ? text : `${folder}/${text}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
    if (part === ".." && !isWithin(`/${parts.join("/")}`, root)) return true;
  }
  return !isWithin(`/${parts.join("/")}`, root);
}
