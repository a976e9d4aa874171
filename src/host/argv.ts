import { readFileSync } from "node:fs";
import { decodeBytes } from "../core/bytes.ts";

const REPLACEMENT = "\ufffd";

function splitAtNul(bytes: Buffer): Buffer[] {
  const words: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    words.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return words;
}

/**
 * The program's own arguments, byte for byte. Node shows bytes that are not UTF-8 as U+FFFD, so arguments that hold
 * one are read again from the kernel (`/proc/self/cmdline`, proc(5)). Where that is missing or does not agree with
 * what Node shows, Node's text stands: what is judged is then still exactly what would be run.
 */
export function exactArguments(shown: readonly string[]): readonly string[] {
  if (!shown.some((word) => word.includes(REPLACEMENT))) return shown;
  let words: Buffer[];
  try {
    words = splitAtNul(readFileSync("/proc/self/cmdline"));
  } catch {
    return shown;
  }
  const own = words.slice(Math.max(0, words.length - shown.length));
  const agrees = own.length === shown.length && own.every((word, i) => word.toString("utf8") === shown[i]);
  return agrees ? own.map((word) => decodeBytes(word)) : shown;
}
