import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program that bash tried to start. */
export interface Executed {
  readonly cwd: string;
  readonly argv: readonly string[];
}

export interface Trace {
  /** The folder the snippet ran in. */
  readonly folder: string;
  readonly home: string;
  readonly executed: readonly Executed[];
  /** Files that are there afterwards and were not before, relative to the folder. */
  readonly created: readonly string[];
}

const FILES = ["a.t", "b.t", "c d.t", "d1/f", "d2/x"];

/**
 * Runs every snippet in real bash, one process for all, each in a folder and subshell of its own. No program exists:
 * bash hands every command it cannot find to a function, which notes it. Odd names fail, even ones succeed.
 */
export function trace(snippets: readonly string[]): readonly Trace[] {
  const root = mkdtempSync(join(tmpdir(), "paldron-diff-"));
  try {
    const home = join(root, "home");
    mkdirSync(home);
    for (const [index, text] of snippets.entries()) prepare(root, index, text);
    writeFileSync(join(root, "driver.sh"), DRIVER);
    const result = spawnSync(
      "bash",
      ["--norc", "--noprofile", join(root, "driver.sh"), root, String(snippets.length)],
      {
        cwd: root,
        env: { HOME: home, PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
        stdio: ["ignore", "ignore", "pipe"],
        timeout: 300_000,
      },
    );
    if (result.error !== undefined) throw result.error;
    if (result.status !== 0)
      throw new Error(`bash ended with ${result.status ?? result.signal}: ${String(result.stderr)}`);
    const log = readLog(join(root, "log"));
    return snippets.map((_, index) => {
      const folder = join(root, String(index), "w");
      return { folder, home, executed: log.get(index) ?? [], created: created(folder) };
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const DRIVER = `
PATH=/nonexistent
command_not_found_handle() {
  builtin printf '%s\\0' "$PALDRON_ID" "$PWD" "$#" "$@" >&19
  case $1 in *[13579]) return 1;; esac
  return 0
}
exec 19>"$1/log"
for ((PALDRON_I = 0; PALDRON_I < $2; PALDRON_I++)); do
  (
    PALDRON_ID=$PALDRON_I
    PALDRON_TEXT=$(<"$1/$PALDRON_I/text")
    cd "$1/$PALDRON_I/w" || exit 1
    unset PALDRON_I OLDPWD
    ulimit -t 5
    set --
    eval "$PALDRON_TEXT"
  ) </dev/null >/dev/null 2>&1
done
wait
exit 0
`;

function prepare(root: string, index: number, text: string): void {
  const folder = join(root, String(index), "w");
  for (const file of FILES) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), "c8 from file\n");
  }
  writeFileSync(join(root, String(index), "text"), text);
}

function readLog(path: string): ReadonlyMap<number, Executed[]> {
  const fields = readFileSync(path, "utf8").split("\0");
  const out = new Map<number, Executed[]>();
  for (let i = 0; i + 2 < fields.length; ) {
    const id = Number(fields[i]);
    const cwd = fields[i + 1] ?? "";
    const count = Number(fields[i + 2]);
    const list = out.get(id) ?? [];
    list.push({ cwd, argv: fields.slice(i + 3, i + 3 + count) });
    out.set(id, list);
    i += 3 + count;
  }
  return out;
}

function created(folder: string): readonly string[] {
  const known = new Set(FILES);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return all.filter((name) => !known.has(name) && statSync(join(folder, name)).isFile());
}
