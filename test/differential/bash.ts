import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PALDRON } from "../cli/paldron.ts";
import { ROOT } from "../meta/sources.ts";
import { ODD, PLAIN } from "./words.ts";

/** A program as bash really started it. */
export interface Started {
  readonly cwd: string;
  readonly name: string;
  readonly argv: readonly string[];
  /** Files on its descriptors. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What became of one text. */
export interface Ran {
  readonly started: readonly Started[];
  /** Files that were made or changed. */
  readonly written: readonly string[];
  /** It was ended at the time limit. */
  readonly late: boolean;
}

const REAL = "env nice nohup timeout xargs find sh bash cat tee seq head setsid stdbuf".split(" ");
const FLAGS = ["-static", "-O1", "-Wall", "-Wextra", "-Werror"];

/** Where texts are run: a folder of programs that write down how they were started, and a folder that is laid afresh. */
export class Bench {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-bash-")));
  readonly home = join(this.top, "w/home");
  readonly cwd = join(this.top, "w");

  constructor() {
    const source = (name: string): string => join(ROOT, "test/fixtures/differential", `${name}.c`);
    mkdirSync(join(this.top, "bin"));
    execFileSync("cc", [...FLAGS, "-o", join(this.top, "drive"), source("drive")]);
    execFileSync("cc", [...FLAGS, "-o", join(this.top, "record"), source("record")]);
    for (const name of [...PLAIN, ...ODD, ...REAL])
      linkSync(join(this.top, "record"), join(this.top, "bin", name));
    writeFileSync(join(this.top, "policy.toml"), "timeout_sec = 3600\nrequire_os_isolation = false\n");
  }

  /** Runs every text with bash, confined by Paldron itself to the folder. */
  run(texts: readonly string[]): readonly Ran[] {
    const [commands, log] = [join(this.top, "commands"), join(this.top, "log")];
    writeFileSync(commands, texts.map((text) => `${text}\0`).join(""));
    rmSync(log, { force: true });
    const argv = [join(this.top, "drive"), this.top, commands, log];
    const run = spawnSync(PALDRON, ["exec", `--policy=${join(this.top, "policy.toml")}`, "--", ...argv], {
      cwd: this.top,
      encoding: "utf8",
    });
    const ran = readLog(readFileSync(log, "utf8").split("\0"));
    if (ran.length !== texts.length) throw new Error(`only ${ran.length} texts were run: ${run.stderr}`);
    return ran;
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

function readLog(fields: readonly string[]): readonly Ran[] {
  const all: Ran[] = [];
  let started: Started[] = [];
  let written: string[] = [];
  let at = 0;
  const take = (): string => fields[at++] ?? "";
  for (;;) {
    const mark = take();
    if (mark === "X") started.push(readStart(take));
    else if (mark === "W") written.push(take());
    else if (mark === "E") {
      all.push({ started, written, late: take() === "late" });
      started = [];
      written = [];
    } else return all;
  }
}

function readStart(take: () => string): Started {
  const cwd = take();
  const name = take();
  const files: string[] = [];
  for (let file = take(); file !== ""; file = take()) files.push(file);
  const argv = Array.from({ length: Number(take()) }, take);
  const of = (kind: string): string[] =>
    files.filter((file) => file.startsWith(kind)).map((file) => file.slice(1));
  return { cwd, name, argv, reads: of("r"), writes: of("w") };
}
