import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { HELD_LIMIT, type HeldFile, look, readRegular } from "./held-file.ts";
import type { LaterItem, LaterItems } from "./later-items.ts";
import { isOwn } from "./later-journal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const IDLE_DAYS = 30;

type Program = LaterItem & { readonly held: HeldFile };

/**
 * Holds what Paldron itself runs, so that a run cannot change it for good: as one copy in `folder`, which is made once
 * for as long as the files stay as they are, and in memory where there is no such place.
 */
export function holdPrograms(found: LaterItems, paths: readonly string[], folder: string | undefined): void {
  const programs = paths.flatMap((path) => {
    const item = found.items.get(path);
    return item !== undefined && isHeldElsewhere(item) ? [item] : [];
  });
  if (programs.length === 0) return;
  try {
    if (folder === undefined) hold(found, programs);
    else refer(found, programs, copyOf(programs, folder));
  } catch {
    // No room, or not as they were any more.
    hold(found, programs);
  }
}

function hold(found: LaterItems, programs: readonly Program[]): void {
  for (const item of programs) found.restore({ ...item, held: look(item.path, { content: true }) });
}

function isHeldElsewhere(item: LaterItem): item is Program {
  return item.held?.kind === "file" && item.held.bytes === undefined && item.held.size <= HELD_LIMIT;
}

function refer(found: LaterItems, programs: readonly Program[], file: string): void {
  let at = 0;
  for (const item of programs) {
    found.restore({ ...item, held: { ...item.held, copy: { file, at } } });
    at += item.held.size;
  }
}

/** INVARIANT: a copy of this name holds these files one after the other, as they were with these attributes. */
function copyOf(programs: readonly Program[], folder: string): string {
  const names = programs.map(({ path, held }) => `${path}\0${held.mode} ${held.id}\0`);
  const file = `${folder}/${createHash("sha256").update(names.join("")).digest("hex")}`;
  const size = programs.reduce((sum, { held }) => sum + held.size, 0);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (isOwn(folder) && there?.isFile() === true && there.size === size) {
    if (Date.now() - there.mtimeMs > DAY_MS) utimesSync(file, new Date(), new Date());
    return file;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwn(folder)) throw new Error(`${folder} is not the caller's own`);
  removeIdle(folder);
  const bytes = Buffer.concat(programs.map(contentOf));
  const fresh = `${file}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(fresh, bytes, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
  return file;
}

function contentOf({ path, held }: Program): Uint8Array {
  const bytes = readRegular(path);
  const now = look(path, { content: false });
  if (bytes?.length !== held.size || now?.kind !== "file" || now.id !== held.id)
    throw new Error(`${path} has changed`);
  return bytes;
}

/** Every use within a day is seen in the time of a copy, so that one in use is not idle. */
function removeIdle(folder: string): void {
  for (const name of readdirSync(folder)) {
    const seen = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
    if (seen !== undefined && Date.now() - seen.mtimeMs > IDLE_DAYS * DAY_MS)
      rmSync(`${folder}/${name}`, { force: true });
  }
}
