import { lstatSync, readlinkSync } from "node:fs";
import type { LinkRecord } from "../plan/namespace-types.ts";

/** The kernel's own limit on links in one path (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Every symbolic link that is met on the way to `names` (absolute): made again in a new root, the names lead where
 * they lead outside. What does not exist ends its way.
 */
export function linksOf(names: readonly string[]): readonly LinkRecord[] {
  const seen = new Map<string, string | undefined>();
  for (const name of names) follow(name, seen);
  return [...seen].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]));
}

/** Remembers for each folder or link on the way what it says, undefined for what is no link. */
function follow(name: string, seen: Map<string, string | undefined>): void {
  const rest = name.split("/").reverse();
  let at = "";
  for (let links = 0, part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      at = at.slice(0, Math.max(at.lastIndexOf("/"), 0));
      continue;
    }
    const path = `${at}/${part}`;
    const text = linkText(path, seen);
    if (text === undefined) {
      at = path;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return;
    if (text.startsWith("/")) at = "";
    rest.push(...text.split("/").reverse());
  }
}

function linkText(path: string, seen: Map<string, string | undefined>): string | undefined {
  if (seen.has(path)) return seen.get(path);
  let text: string | undefined;
  try {
    // An exception for each absent name would cost more than everything else here.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) text = readlinkSync(path);
  } catch {
    // Absent or not to be seen: nothing to be made again.
  }
  seen.set(path, text);
  return text;
}
