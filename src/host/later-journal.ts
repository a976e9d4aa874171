import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Held } from "./held-file.ts";
import { LaterItems } from "./later-items.ts";
import { isWithin, pathRecord } from "./path-record.ts";
import { startOfProcess } from "./process-start.ts";

const PRIVATE = 0o700;
/** Bytes of one journal; a run with more to hold has none. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface JournalPlace {
  readonly home: string | undefined;
  /** XDG_STATE_HOME of the caller. */
  readonly stateHome: string | undefined;
  readonly root: string;
}

/** What Paldron keeps of its own: `~/.local/state/paldron`, if it is the caller's own and out of reach of the workspace. */
function stateFolder({ home, stateHome, root }: JournalPlace): string | undefined {
  const parent = stateHome?.startsWith("/") === true ? stateHome : home && `${home}/.local/state`;
  if (parent?.startsWith("/") !== true || (home !== undefined && !isOwn(home))) return undefined;
  const above = nearest(parent);
  if (above === undefined || isWithin(above, root)) return undefined;
  return `${parent}/paldron`;
}

/** Where journals lie. */
export function journalFolder(place: JournalPlace): string | undefined {
  const folder = stateFolder(place);
  return folder && `${folder}/runs`;
}

/** Where copies of Paldron's own files lie. */
export function copiesFolder(place: JournalPlace): string | undefined {
  const folder = stateFolder(place);
  return folder && `${folder}/own`;
}

/** Real path of the folder, or of what is there of it. */
function nearest(path: string): string | undefined {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const record = pathRecord(at);
    if (record !== undefined) return record.path;
  }
  return undefined;
}

export function isOwn(path: string): boolean {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  return seen !== undefined && seen.uid === process.getuid?.();
}

/** A process, as a journal names it. */
function processId(pid: number): string | undefined {
  const start = startOfProcess(pid);
  return start === undefined ? undefined : `${pid} ${start}`;
}

/** Writes what has to be known to undo the changes of a run that nobody could judge. Returns how to forget it. */
export function writeJournal(folder: string, content: object): () => void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE });
  if (!isOwn(folder)) throw new Error(`${folder} is not the caller's own`);
  const owner = processId(process.pid);
  const text = JSON.stringify({ owner, ...content });
  if (owner === undefined || text.length > MAX_BYTES) throw new Error("nothing to hold, or too much");
  const name = `${folder}/${process.pid}-${Math.random().toString(36).slice(2)}`;
  // Whole or not at all: a name without this ending is finished.
  writeFileSync(`${name}.new`, text, { mode: 0o600, flag: "wx" });
  renameSync(`${name}.new`, name);
  return () => forget(name);
}

/** Journals of runs whose Paldron is gone; each is forgotten when `undo` returns. Undoing twice does no harm. */
export function takeAbandoned(folder: string, undo: (journal: object) => void): void {
  for (const name of namesIn(folder)) {
    const path = `${folder}/${name}`;
    if (name.endsWith(".new")) {
      // Of one that was killed while it wrote: its command had not begun.
      if (processId(Number.parseInt(name, 10)) === undefined) forget(path);
      continue;
    }
    const journal = read(path);
    if (journal === undefined || isAlive(journal.owner)) continue;
    undo(journal);
    forget(path);
  }
}

function forget(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another start has taken it for abandoned, and is done with it.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return isOwn(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function read(path: string): { readonly owner?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { owner?: unknown };
  } catch {
    return undefined;
  }
}

function isAlive(owner: unknown): boolean {
  return typeof owner === "string" && processId(Number.parseInt(owner, 10)) === owner;
}

/** What was found before a run, as plain data. */
export function packItems(found: LaterItems): object {
  const { items, gitDirs, hookFolders, folders, configs } = found;
  const pack = (held: Held | undefined): unknown =>
    held?.kind === "file" && held.bytes !== undefined
      ? { ...held, bytes: Buffer.from(held.bytes).toString("base64") }
      : held;
  return {
    items: [...items.values()].map((item) => ({ ...item, held: pack(item.held) })),
    sets: [[...gitDirs], [...hookFolders], [...folders]],
    configs,
  };
}

/** The inverse of {@link packItems}. The folder is the caller's own, so its files say what they were written to say. */
export function unpackItems(packed: ReturnType<typeof packItems>): LaterItems {
  const { items, sets, configs } = packed as {
    items: (Parameters<LaterItems["restore"]>[0] & { held?: { kind: string; bytes?: string } })[];
    sets: [string[], string[], string[]];
    configs: LaterItems["configs"];
  };
  const found = new LaterItems();
  for (const item of items) {
    const { held } = item;
    const bytes = typeof held?.bytes === "string" ? Buffer.from(held.bytes, "base64") : undefined;
    found.restore(bytes === undefined ? item : { ...item, held: { ...held, bytes } as Held });
  }
  const [gitDirs, hookFolders, folders] = sets;
  for (const path of gitDirs) found.gitDirs.add(path);
  for (const path of hookFolders) found.hookFolders.add(path);
  for (const path of folders) found.folders.add(path);
  found.configs.push(...configs);
  return found;
}

/** Whether what stands at a path, or took it away, came after an instant (milliseconds since 1970). */
export function changedAfter(path: string, instant: number): boolean {
  const at = (name: string): number | undefined => {
    try {
      return lstatSync(name, { throwIfNoEntry: false })?.ctimeMs;
    } catch {
      return undefined;
    }
  };
  const when = at(path) ?? at(path.slice(0, path.lastIndexOf("/")));
  return when !== undefined && when > instant;
}
