import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { secretValues } from "../secrets/find.ts";

const MAX_FILES = 50;
const MAX_BYTES = 64 * 1024;

/**
 * The secret values of the files like `.env` that lie in a folder itself, to know them again in output. What cannot be
 * read is left out: this finds secrets that a tool shows, it does not keep tools from them.
 */
export function secretValuesIn(folder: string, isSecret: (name: string) => boolean): readonly string[] {
  const names = list(folder).filter(
    (name) => /env|secret|credential|netrc|pass/i.test(name) && isSecret(name),
  );
  return names.slice(0, MAX_FILES).flatMap((name) => secretValues(read(join(folder, name))));
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return "";
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, MAX_BYTES, 0));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
