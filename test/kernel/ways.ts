import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Who runs Paldron, and on what kind of host. */
export interface Way {
  readonly name: string;
  /** Undefined: whoever runs the tests. */
  readonly uid: number | undefined;
  /** False: new namespaces are refused, as in Docker. */
  readonly namespaces: boolean;
}

const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;
const users: readonly (readonly [string, number | undefined])[] = isRoot
  ? [
      ["root", undefined],
      ["an ordinary user", NOBODY],
    ]
  : [["an ordinary user", undefined]];

/** Root tests both itself and an ordinary user; an ordinary user only itself. */
export const ways: readonly Way[] = users.flatMap(([name, uid]) => [
  { name, uid, namespaces: true },
  { name: `${name}, namespaces refused`, uid, namespaces: false },
]);

/** Where Landlock and seccomp stand alone. */
export const refusedWays: readonly Way[] = ways.filter((way) => !way.namespaces);

/** Where the run gets a new root and namespaces. */
export const namespaceWays: readonly Way[] = ways.filter((way) => way.namespaces);

/** The command line that starts a program in this way. `refuse` is `no-namespaces`. */
export function startedAs(way: Way, refuse: string, argv: readonly string[]): readonly string[] {
  const bounded = way.namespaces ? argv : [refuse, ...argv];
  if (way.uid === undefined) return bounded;
  const id = String(way.uid);
  return ["setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--", ...bounded];
}

/** Why the kernel tests cannot run here at all; undefined where they can. */
export function unableBecause(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  if (isRoot && spawnSync("setpriv", ["--version"]).status !== 0) return "setpriv is not installed";
  if (spawnSync("cc", ["--version"]).status !== 0) return "there is no C compiler";
  const node = startedAs(ways.at(-1) as Way, "env", [process.execPath, "--version"]);
  if (spawnSync(node[0] ?? "", node.slice(1)).status !== 0)
    return `${process.execPath} is closed to other users`;
  return existsSync("/proc/self/status") ? undefined : "there is no /proc";
}
