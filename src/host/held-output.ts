import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PaldronError } from "../core/errors.ts";
import { platform } from "./platform.ts";
import { writeBytes } from "./stdio.ts";

/** Bytes of each stream that can be held back; a command that prints more is stopped. */
export const HOLD_LIMIT = 64 * 1024 * 1024;

/** A nameless file that takes one output stream until the verdict on it is known. */
export interface HeldStream {
  readonly fd: number;
  /** Writes everything held to `target`, in order. Throws on a write error. */
  release(target: number): void;
  close(): void;
}

/** Opens a held stream: a temporary file of mode 0600 without a name, so that nothing is left behind. */
export function holdStream(): HeldStream {
  let fd: number;
  try {
    fd = openNameless(tmpdir()) ?? openUnlinked(tmpdir());
  } catch (cause) {
    throw new PaldronError(
      "output",
      `cannot hold the output back: no temporary file in ${tmpdir()} (see TMPDIR)`,
      { cause },
    );
  }
  return { fd, release: (target) => copyAll(fd, target), close: () => closeSync(fd) };
}

/** A file that never had a name survives no death, open(2), Linux 3.11. Undefined where the file system has none. */
function openNameless(folder: string): number | undefined {
  if (platform() !== "linux") return undefined;
  const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;
  try {
    return openSync(folder, O_TMPFILE | constants.O_RDWR | constants.O_EXCL, 0o600);
  } catch {
    return undefined;
  }
}

/** Unlinked at once. */
function openUnlinked(parent: string): number {
  const folder = mkdtempSync(join(parent, "paldron-hold-"));
  try {
    return openSync(join(folder, "stream"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyAll(from: number, target: number): void {
  const buffer = new Uint8Array(64 * 1024);
  for (let position = 0; ; ) {
    const length = readSync(from, buffer, 0, buffer.length, position);
    if (length === 0) return;
    writeBytes(target, buffer.subarray(0, length));
    position += length;
  }
}
