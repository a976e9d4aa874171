import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { writeBytes } from "./stdio.ts";

/** Where a receipt will be written when the run is over. */
export interface ReceiptFile {
  /** @throws PaldronError `io` when it cannot be written, or when the run moved its folder. */
  write(text: string): void;
}

function problem(path: string, why: string, cause?: unknown): PaldronError {
  return new PaldronError("io", `receipt ${path}: ${why}`, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

function statTarget(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw problem(path, `cannot be written (${codeOf(error)})`, error);
  }
}

function openFolder(path: string, folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    throw problem(path, `its folder cannot be opened (${codeOf(error)})`, error);
  }
}

/** INVARIANT: names only a new file, so that no link or file put there by the run is followed or kept. */
function replace(folder: string, name: string, text: string): void {
  // Only has to be unused: "wx" refuses whatever is there, links too.
  const fresh = `${folder}/.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const fd = openSync(fresh, "wx", 0o644);
  try {
    writeBytes(fd, encodeBytes(text));
  } catch (error) {
    unlinkSync(fresh);
    throw error;
  } finally {
    closeSync(fd);
  }
  try {
    renameSync(fresh, `${folder}/${name}`);
  } catch (error) {
    unlinkSync(fresh);
    throw error;
  }
}

/**
 * Opens the folder of a receipt before the run, so that a bad path stops the run and nothing that the command does
 * to the path can lead the writing elsewhere: it goes to a new file in the folder as it was, renamed into place.
 * Only an absent or ordinary file is taken; through a link an earlier run could choose what is overwritten.
 */
export function openReceipt(file: string, cwd: string): ReceiptFile {
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const target = statTarget(path);
  if (file.endsWith("/") || (target !== undefined && !target.isFile()))
    throw problem(file, "must be an ordinary file");
  const fd = openFolder(file, folder);
  const opened = fstatSync(fd, { bigint: true });
  return {
    write(text) {
      try {
        const now = statSync(folder, { bigint: true });
        if (now.dev !== opened.dev || now.ino !== opened.ino)
          throw problem(file, "its folder was moved during the run");
        // By descriptor where the kernel offers it (proc(5)): no part of the path is looked up again.
        replace(process.platform === "linux" ? `/proc/self/fd/${fd}` : folder, basename(path), text);
      } catch (error) {
        throw error instanceof PaldronError
          ? error
          : problem(file, `cannot be written (${codeOf(error)})`, error);
      } finally {
        closeSync(fd);
      }
    },
  };
}
