import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PaldronError } from "../core/errors.ts";
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

/** Opens a held stream: a temporary file of mode 0600 that is unlinked at once, so that nothing is left behind. */
export function holdStream(): HeldStream {
  let folder: string | undefined;
  let fd: number;
  try {
    folder = mkdtempSync(join(tmpdir(), "paldron-hold-"));
    fd = openSync(join(folder, "stream"), "wx+", 0o600);
  } catch (cause) {
    throw new PaldronError(
      "output",
      `cannot hold the output back: no temporary file in ${tmpdir()} (see TMPDIR)`,
      {
        cause,
      },
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  return { fd, release: (target) => copyAll(fd, target), close: () => closeSync(fd) };
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
