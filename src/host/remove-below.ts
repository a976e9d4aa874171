import {
  chmodSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";

/** `O_PATH` of open(2), Linux 2.6.39, which Node does not name. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * Removes what a run made, by descriptors: a name that becomes a link meanwhile leads nowhere. `folder` is one that
 * no run can exchange; `parts` lead to what goes. Nothing there is no error.
 * @throws where something stays.
 */
export function removeBelow(folder: string, parts: readonly Buffer[]): void {
  const last = parts.at(-1);
  if (last === undefined) return;
  let at = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    for (const part of parts.slice(0, -1)) {
      const next = openFolder(at, part);
      closeSync(at);
      at = next;
    }
    if (!removedFile(at, last)) removeFolder(at, last);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  } finally {
    closeSync(at);
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT";
}

/** proc_pid_fd(5): the name in the folder that is open, wherever that is now. */
function within(folder: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder}/`), name]);
}

/** Opens a folder, also one of mode 000, and makes it one that can be changed. */
function openFolder(parent: number, name: Buffer): number {
  const path = openSync(within(parent, name), O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${path}`, 0o700);
    return openSync(`/proc/self/fd/${path}/.`, O_RDONLY | O_DIRECTORY);
  } finally {
    closeSync(path);
  }
}

/** Whether it was no folder and is gone. */
function removedFile(parent: number, name: Buffer): boolean {
  try {
    unlinkSync(within(parent, name));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EISDIR" || code === "EPERM") return false;
    throw error;
  }
}

/**
 * Folders inside folders are first moved up into the one that goes, so that the tree is never deeper than two levels
 * and takes two descriptors.
 */
function removeFolder(parent: number, name: Buffer): void {
  const top = openFolder(parent, name);
  const prefix = `moved-${Math.random().toString(36).slice(2)}-`;
  let moved = 0;
  const moveUp = (folder: number, child: Buffer): void => {
    // Moving a folder to another parent writes its `..`.
    closeSync(openFolder(folder, child));
    renameSync(within(folder, child), within(top, Buffer.from(`${prefix}${moved}`)));
    moved += 1;
  };
  try {
    for (let names = namesIn(top); names.length > 0; names = namesIn(top)) {
      for (const entry of names) {
        if (removedFile(top, entry)) continue;
        const inner = openFolder(top, entry);
        try {
          for (const child of namesIn(inner)) if (!removedFile(inner, child)) moveUp(inner, child);
        } finally {
          closeSync(inner);
        }
        rmdirSync(within(top, entry));
      }
    }
  } finally {
    closeSync(top);
  }
  rmdirSync(within(parent, name));
}

function namesIn(folder: number): readonly Buffer[] {
  return readdirSync(`/proc/self/fd/${folder}`, { encoding: "buffer" });
}
