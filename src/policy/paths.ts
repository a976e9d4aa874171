import { PaldronError } from "../core/errors.ts";
import type { Policy } from "./types.ts";

/** Holds an empty part, or one that is `.` or `..`. */
const UNCLEAN = /\/\/|(?:^|\/)\.\.?(?:\/|$)|[^/]\/$/;

/** Removes `.`, empty parts and, by name alone, `..`. Undefined where `..` climbs above the start. */
export function cleanPath(path: string): string | undefined {
  if (!UNCLEAN.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined && !path.startsWith("/")) return undefined;
  }
  const joined = parts.join("/");
  return path.startsWith("/") ? `/${joined}` : joined;
}

/** `path` relative to `root` ("" for itself), by name alone; undefined where it lies outside. Both are clean. */
export function relativeTo(root: string, path: string): string | undefined {
  if (path === root) return "";
  const prefix = root === "/" ? "/" : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

export function writePathProblem(entry: string): string | undefined {
  if (entry === "") return "is empty (`.` is the whole workspace)";
  if (entry.startsWith("~")) return "lies outside the workspace";
  if (/[*?]/.test(entry)) return "is a glob; write_paths takes folders and files";
  return cleanPath(entry) === undefined ? "lies outside the workspace" : undefined;
}

/** Private places of a run that `allow_native` can name. */
export const NATIVE_PLACES: readonly string[] = ["/tmp", "~"];

export function nativeProblem(entry: string): string | undefined {
  return NATIVE_PLACES.includes(entry)
    ? undefined
    : writePathProblem(entry)?.replace("write_paths", "allow_native");
}

export function helperProblem(entry: string): string | undefined {
  if (entry === "") return "is empty";
  if (!entry.includes("/")) return undefined;
  if (!entry.startsWith("/") || entry.split("/").includes(".."))
    return "is neither a name nor an absolute path";
  return cleanPath(entry)?.lastIndexOf("/") === 0 ? "is too wide" : undefined;
}

export function readPathProblem(entry: string): string | undefined {
  if (!entry.startsWith("/") && !entry.startsWith("~/")) return "is neither absolute nor starts with `~/`";
  if (entry.split("/").includes("..")) return "holds `..`";
  return cleanPath(entry) === "/" ? "is the whole file system" : undefined;
}

export function socketProblem(entry: string): string | undefined {
  if (/[*?]/.test(entry)) return "is a glob; unix_sockets takes the paths of sockets";
  return readPathProblem(entry);
}

/**
 * `write_paths` as clean paths relative to the workspace ("" is all of it); undefined when not given. An absolute
 * entry must lie below one of the workspace's names; links are resolved by the host later.
 */
export function relativeWritePaths(policy: Policy, roots: readonly string[]): readonly string[] | undefined {
  return policy.writePaths?.map((entry) => {
    const clean = cleanPath(entry) ?? "";
    if (!clean.startsWith("/")) return clean;
    for (const root of roots) {
      const relative = relativeTo(root, clean);
      if (relative !== undefined) return relative;
    }
    throw new PaldronError("policy", `write_paths entry \`${entry}\` lies outside the workspace`);
  });
}
