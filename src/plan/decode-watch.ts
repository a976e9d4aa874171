import { decodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import type { ByteReader } from "./byte-io.ts";
import type { WalkEntry } from "./walk-types.ts";
import type { SeenMessage, WatchingMessage } from "./watch-types.ts";
import { SEEN_KINDS } from "./wire.ts";

const NS_PER_SECOND = 1_000_000_000n;

/** A message that does not follow docs/wire.md. */
export function badMessage(what: string, cause?: unknown): PaldronError {
  return new PaldronError("launcher", `the launcher sent ${what}`, { cause });
}

/** What ENTRY and SEEN say of a name. */
export function readAttributes(kind: WalkEntry["kind"], p: ByteReader): WalkEntry {
  return {
    kind,
    mode: p.u32(),
    nlink: p.u32(),
    dev: p.u64(),
    ino: p.u64(),
    size: p.u64(),
    mtimeNs: p.i64() * NS_PER_SECOND + BigInt(p.u32()),
    ctimeNs: p.i64() * NS_PER_SECOND + BigInt(p.u32()),
    errno: p.u32(),
    path: decodeBytes(p.rest()),
  };
}

export function readSeen(p: ByteReader): SeenMessage {
  const number = p.u32();
  const index = p.u32();
  const kind = SEEN_KINDS[index];
  if (kind === undefined) throw badMessage(`unknown kind of what was seen ${index}`);
  return { type: "seen", number, kind, entry: readAttributes(kind === "unread" ? "unreadable" : "entry", p) };
}

export function readWatching(p: ByteReader): WatchingMessage {
  return { type: "watching", errno: p.u32(), folders: p.u64() };
}
