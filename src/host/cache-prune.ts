import { lstatSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { CACHES } from "../plan/home-caches.ts";
import { type CacheStore, freeBytes, isInUse } from "./cache-store.ts";
import { removeBelow } from "./remove-below.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Bounds of what is kept. */
export interface CacheLimits {
  /** Bytes of one store. */
  readonly storeBytes: number;
  readonly stores: number;
  /** Days after which a store that no run used is removed. */
  readonly idleDays: number;
  /** A run that used up so many bytes of the disk is looked after at once. */
  readonly growthBytes: number;
}

const LIMITS: CacheLimits = {
  storeBytes: 4 * 1024 ** 3,
  stores: 100,
  idleDays: 30,
  growthBytes: 512 * 1024 ** 2,
};

/** Keeps the stores within their limits: once a day, and after a run that filled the disk. */
export function pruneStores(store: CacheStore, limits: CacheLimits = LIMITS): void {
  try {
    if (!isDue(store, limits)) return;
    removeIdle(store, limits);
    if (!isInUse(store.path)) shrink(store, limits);
  } catch {
    // What cannot be removed now is tried again another day.
  }
}

/** The last time is that of a file, which is made with the store: a new one has nothing to remove. */
function isDue(store: CacheStore, { growthBytes }: CacheLimits): boolean {
  const mark = `${store.path}/checked`;
  const last = statSync(mark, { throwIfNoEntry: false });
  const now = Date.now();
  const grown = store.freeBytes - freeBytes(store.base) > growthBytes;
  if (last !== undefined && !grown && Math.abs(now - last.mtimeMs) < DAY_MS) return false;
  if (last === undefined) writeFileSync(mark, "", { mode: 0o600 });
  else utimesSync(mark, now / 1000, now / 1000);
  return last !== undefined || grown;
}

/** Every run writes in `runs`, so its time is that of the last one. */
function removeIdle({ base, path }: CacheStore, { idleDays, stores }: CacheLimits): void {
  const now = Date.now();
  const others = readdirSync(base)
    .filter((name) => `${base}/${name}` !== path)
    .map((name) => ({ name, used: lastUse(`${base}/${name}`) }))
    .sort((a, b) => b.used - a.used);
  for (const [index, { name, used }] of others.entries()) {
    const idle = now - used > idleDays * DAY_MS || index + 1 >= stores;
    if (idle && !isInUse(`${base}/${name}`)) removeBelow(base, [Buffer.from(name)]);
  }
}

function lastUse(store: string): number {
  return statSync(`${store}/runs`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Removes the largest caches of a store until the rest fits. */
function shrink({ around }: CacheStore, { storeBytes }: CacheLimits): void {
  const sizes = CACHES.map(({ folder }) => ({ folder, bytes: sizeOf(`${around.path}/${folder}`) }));
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { folder, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= storeBytes) return;
    removeBelow(around.path, [Buffer.from(folder)]);
    total -= bytes;
  }
}

/** Bytes on the disk of everything in a folder; without following links. What cannot be read is taken as too much. */
function sizeOf(folder: string): number {
  let total = 0;
  const rest = [Buffer.from(folder)];
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    try {
      for (const entry of readdirSync(at, { withFileTypes: true, encoding: "buffer" })) {
        const path = Buffer.concat([at, Buffer.from("/"), entry.name]);
        if (entry.isDirectory()) rest.push(path);
        else total += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return Number.POSITIVE_INFINITY;
    }
  }
  return total;
}
