import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { ExecResult } from "../../src/app/exec-types.ts";
import type { Job } from "./driver.ts";
import { type Installed, openFolder } from "./install.ts";
import { isRoot, startedAs, type Way } from "./ways.ts";

type Result = Omit<ExecResult, "stdout" | "stderr"> & { readonly stdout: string; readonly stderr: string };

export interface Ran {
  /** Undefined when the driver was killed before it had one. */
  readonly result: Result | undefined;
  /** What came through the driver's own descriptors. */
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly signal: NodeJS.Signals | null;
}

export interface RunOptions {
  readonly policy?: string;
  readonly output?: Job["output"];
  readonly landlockAbi?: number | undefined;
  readonly stdin?: string;
  readonly repeat?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before everything: `taskset -c 0`. */
  readonly prefix?: readonly string[];
  /** Descriptors 1 and 2 of the driver, or more of them. */
  readonly stdio?: readonly ("pipe" | "ignore" | number)[];
  /** Called with the driver's process id, and again and again until it returns true. */
  readonly meanwhile?: (driver: number) => boolean;
}

/** A workspace, a home and a folder that must stay untouched, all owned by the user of a way. */
export class Place {
  readonly top = openFolder("paldron-place-");
  readonly workspace = join(this.top, "ws");
  readonly home = join(this.top, "home");
  readonly outside = join(this.top, "outside");
  readonly way: Way;
  readonly #installed: Installed;
  #runs = 0;

  constructor(installed: Installed, way: Way) {
    this.#installed = installed;
    this.way = way;
    this.#own(this.top);
    for (const folder of [this.workspace, this.home, this.outside]) this.#folder(folder);
  }

  #own(path: string): void {
    if (this.way.uid !== undefined) chownSync(path, this.way.uid, this.way.uid);
  }

  #folder(path: string): void {
    if (existsSync(path)) return;
    this.#folder(dirname(path));
    mkdirSync(path);
    this.#own(path);
  }

  /** Writes a file of the user's; relative names are in the workspace. */
  put(name: string, content: string | Buffer = "content\n", mode = 0o644): string {
    const path = name.startsWith("/") ? name : join(this.workspace, name);
    this.#folder(dirname(path));
    writeFileSync(path, content);
    chmodSync(path, mode);
    this.#own(path);
    return path;
  }

  #expected(setting: string): boolean {
    if (!this.way.namespaces) return setting.startsWith("landlock");
    return setting.startsWith(isRoot && this.way.uid === undefined ? "root-mounts" : "userns");
  }

  /** Copies a program into the workspace, or to an absolute path. */
  program(name: string, from: string): void {
    const path = name.startsWith("/") ? name : join(this.workspace, name);
    this.#folder(dirname(path));
    copyFileSync(from, path);
    chmodSync(path, 0o755);
    this.#own(path);
  }

  /**
   * Runs a shell script from a file in the workspace, so that what is tried is the confinement and not the reading of
   * the command line.
   */
  async sh(script: string, options: RunOptions = {}): Promise<Ran> {
    this.put("probe.sh", `${script}\n`);
    return await this.run(["bash", "./probe.sh"], options);
  }

  /** Starts one confined run and waits for its end. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    this.#runs += 1;
    const file = join(this.top, `job-${this.#runs}.json`);
    const result = `${file}.result`;
    const job: Job = {
      argv,
      policy: options.policy ?? "",
      workspace: this.workspace,
      output: options.output ?? "stream",
      landlockAbi: options.landlockAbi,
      repeat: options.repeat ?? 1,
      result,
    };
    this.put(file, JSON.stringify(job));
    const started = await this.#start([process.execPath, this.#installed.driver, file], options);
    const outcome = existsSync(result) ? (JSON.parse(readFileSync(result, "utf8")) as Result) : undefined;
    // A test of one setting must not pass because the run had another.
    if (outcome?.setting !== undefined && !this.#expected(outcome.setting))
      throw new Error(`the run was confined by ${outcome.setting}`);
    return { ...started, result: outcome };
  }

  #start(argv: readonly string[], options: RunOptions): Promise<Omit<Ran, "result">> {
    const line = [...(options.prefix ?? []), ...startedAs(this.way, this.#installed.refuse, argv)];
    const [, out = "pipe", err = "pipe", ...more] = options.stdio ?? [];
    const child = spawn(line[0] ?? "", line.slice(1), {
      cwd: this.workspace,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.home, LANG: "C.UTF-8", ...options.env },
      stdio: ["pipe", out, err, ...more],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => stdout.push(bytes));
    child.stderr?.on("data", (bytes: Buffer) => stderr.push(bytes));
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.stdin ?? "");
    const look = (): void => {
      if (options.meanwhile?.(child.pid ?? -1) === true) clearInterval(timer);
    };
    const timer = setInterval(look, options.meanwhile === undefined ? 1 << 30 : 20);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (_, signal) => {
        clearInterval(timer);
        resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), signal });
      });
    });
  }

  remove(): void {
    // Folders may be closed, and paths longer than Node takes.
    execFileSync("chmod", ["-R", "u+rwX", this.top]);
    execFileSync("rm", ["-rf", this.top]);
  }
}
