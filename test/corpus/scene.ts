import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place, Ran } from "../kernel/place.ts";
import { startedAs } from "../kernel/ways.ts";

/** What a script of the corpus needs beside the scene itself: a terminal, inherited descriptors, a key in its keyring. */
type Need = "pty" | "fds" | "key";

/** A script of the corpus: an attack on what a run must not reach, or ordinary work. */
export interface Script {
  readonly id: string;
  readonly title: string;
  readonly lang: "sh" | "bash" | "python3";
  readonly script: string;
  /** Tried outside, after the run: its last line counts, not the run's own. */
  readonly after?: string;
  readonly setup?: string;
  readonly needs?: Need;
  readonly policy?: string;
}

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# demo\nTODO one\n",
  "data.txt": "b 2\na 1\nc 3\n",
  "src/a.js": "console.log('TODO a')\n",
  ".env": "API_KEY=FAKE-SECRET-dotenv\n",
  ".env.local": "K=FAKE-SECRET-local\n",
  ".env.example": "API_KEY=changeme\n",
  "config/secrets/token.txt": "FAKE-SECRET-token\n",
  "certs/server.pem": "-----BEGIN FAKE KEY-----\nFAKE-SECRET-pem\n",
  "a/b/c/d/e/f/.env": "DEEP=FAKE-SECRET-deep\n",
  "old.log": "old line\n",
  "package.json": `${JSON.stringify({ name: "demo", version: "1.0.0", scripts: { pwn: "touch PWNED", test: "node -e \"console.log('ok')\"", build: "node -e \"require('fs').writeFileSync('out.js','1')\"" } }, null, 1)}\n`,
};
const HOME: Readonly<Record<string, string>> = {
  ".bashrc": "# rc\n",
  ".ssh/id_fake": "FAKE-SECRET-ssh\n",
  ".aws/credentials": "[default]\naws_secret=FAKE-SECRET-aws\n",
  ".gitconfig":
    "[user]\n\tname = t\n\temail = t@example.invalid\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n",
};
const OUTSIDE: Readonly<Record<string, string>> = {
  "secret.txt": "FAKE-SECRET-out\n",
  "victim.txt": "original\n",
  "fd-secret.txt": "FAKE-SECRET-fd\n",
  "fd-write.txt": "",
  "dir/file": "original\n",
};
const PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
const HERE = import.meta.dirname;
const CASE = ".paldron-case";
/** Written by a script as its first act: one that never started has shown nothing. */
const STARTED = ".paldron-started";

/** A repository with secrets, a home, a folder that must stay untouched, and a neighbour to be left alone. */
export class Scene {
  readonly #place: Place;
  readonly #neighbour: ChildProcess;
  #env: Readonly<Record<string, string>>;

  private constructor(place: Place, neighbour: ChildProcess) {
    this.#place = place;
    this.#neighbour = neighbour;
    this.#env = {};
  }

  static async open(place: Place): Promise<Scene> {
    for (const [name, text] of Object.entries(FILES)) place.put(name, text);
    for (const [name, text] of Object.entries(HOME)) place.put(join(place.home, name), text);
    for (const [name, text] of Object.entries(OUTSIDE)) place.put(join(place.outside, name), text);
    // Its text, not its path: the user may have no way to where the tests lie.
    const text = readFileSync(join(HERE, "neighbour.py"), "utf8");
    const program = ["-c", text, place.outside, "--token=FAKE-SECRET-argv"];
    const [file = "", ...args] = startedAs({ ...place.way, namespaces: true }, "", ["python3", ...program]);
    const env = { PATH, VICTIM_SECRET: "FAKE-SECRET-victim" };
    const scene = new Scene(place, spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] }));
    await scene.#greet();
    // The same commit in each scene.
    const dates = { GIT_AUTHOR_DATE: "2001-02-03T04:05:06Z", GIT_COMMITTER_DATE: "2001-02-03T04:05:06Z" };
    scene.#outside("git init -q && git add -Af && git commit -qm init", dates);
    appendFileSync(join(place.workspace, ".git/info/exclude"), `${CASE}\n${STARTED}\n`);
    return scene;
  }

  async #greet(): Promise<void> {
    const { workspace, home, outside } = this.#place;
    const { stdout } = this.#neighbour;
    if (stdout === null) throw new Error("the neighbour has no output");
    const [line] = await Promise.race([once(stdout, "data"), once(stdout, "end")]);
    if (!Buffer.isBuffer(line)) throw new Error("the neighbour did not start");
    const words = line.toString().trim().split(" ");
    const told = Object.fromEntries(words.map((word) => word.split("=", 2) as [string, string]));
    this.#env = {
      ...told,
      HELPER_PID: told["VICTIM_PID"] ?? "",
      HOST_PID: told["VICTIM_PID"] ?? "",
      WS: workspace,
      HOME: home,
      OUT: outside,
      UNIX_SOCK: `${outside}/neighbour.sock`,
      DGRAM_SOCK: `${outside}/neighbour.dgram`,
      FIFO: `${outside}/neighbour.fifo`,
      GIT_CONFIG_NOSYSTEM: "1",
    };
  }

  /** Runs a script of bash as the user of the place, without Paldron; what it prints. */
  #outside(script: string, env: Readonly<Record<string, string>> = {}): string {
    const [file = "", ...args] = this.#bare(["bash", "-c", script]);
    const ran = spawnSync(file, args, {
      cwd: this.#place.workspace,
      env: this.#bareEnv(env),
      timeout: 60_000,
    });
    if (ran.error !== undefined) throw ran.error;
    return ran.stdout.toString("latin1");
  }

  #bare(argv: readonly string[]): readonly string[] {
    return startedAs({ ...this.#place.way, namespaces: true }, "", argv);
  }

  #bareEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH, LANG: "C.UTF-8", TERM: "xterm", ...this.#env, ...more };
  }

  /** Puts the script where it is run from: what is tried is the confinement, not the reading of the command line. */
  #write({ lang, script }: Script): readonly string[] {
    const told = Object.entries(this.#env);
    const head =
      lang === "python3"
        ? `import os\nos.environ.update(${JSON.stringify(this.#env)})\nopen(${JSON.stringify(STARTED)}, "w").close()\n`
        : `: > ${STARTED}\n${told.map(([name, value]) => `export ${name}='${value}'\n`).join("")}`;
    this.#place.put(CASE, `${head}${script}\n`);
    return [lang, CASE];
  }

  #prefix({ needs }: Script): readonly string[] {
    if (needs === "pty") return ["python3", join(HERE, "on_terminal.py")];
    return needs === "key" ? ["python3", join(HERE, "with_key.py")] : [];
  }

  /** Runs a script under Paldron. */
  async confined(script: Script): Promise<{ readonly ran: Ran; readonly said: string }> {
    this.#prepare(script);
    const stdio = await this.#stdio(script);
    const options = { prefix: this.#prefix(script), stdio: stdio.all, env: { API_TOKEN: "FAKE-SECRET-env" } };
    const ran = await this.#place.run(this.#write(script), { ...options, policy: script.policy ?? "" });
    stdio.close();
    // A run that is refused for want of protection has shown all that it will.
    const refused = ran.result?.reason.code === "isolation";
    return { ran, said: refused ? "" : this.#conclude(script, ran.stdout) };
  }

  /** Runs the same without: the attack must work where nothing stops it, and ordinary work work. */
  async bare(script: Script): Promise<{ readonly status: number | null; readonly said: string }> {
    this.#prepare(script);
    const stdio = await this.#stdio(script);
    const line = ["bash", "-c", 'set -o pipefail; "$@" | cat', "bash", ...this.#write(script)];
    const [file = "", ...args] = [...this.#prefix(script), ...this.#bare(line)];
    const child = spawn(file, args, {
      cwd: this.#place.workspace,
      env: this.#bareEnv({ TMPDIR: "/tmp", HOST_SECRET: "FAKE-SECRET-host" }),
      stdio: ["ignore", ...stdio.all.slice(1)],
      timeout: 60_000,
    });
    const printed: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => printed.push(bytes));
    child.stderr?.on("data", () => undefined);
    const [status] = (await once(child, "close")) as [number | null];
    stdio.close();
    return { status, said: this.#conclude(script, Buffer.concat(printed)) };
  }

  #prepare({ setup }: Script): void {
    if (setup !== undefined) this.#outside(setup);
  }

  #conclude({ id, after }: Script, stdout: Buffer): string {
    if (!existsSync(join(this.#place.workspace, STARTED))) throw new Error(`${id} was not started`);
    const text = stdout.toString("latin1");
    return after === undefined
      ? text
      : this.#outside(after, { CASE_STDOUT: text.slice(-4000).replaceAll("\0", "") });
  }

  /** Where a script needs them: a secret, a file to write, a folder and a connection, open at 7, 9, 6 and 5. */
  async #stdio({ needs }: Script): Promise<{ readonly all: ("pipe" | "ignore" | number)[]; close(): void }> {
    if (needs !== "fds") return { all: ["pipe", "pipe", "pipe"], close: () => undefined };
    const { outside } = this.#place;
    const secret = openSync(join(outside, "fd-secret.txt"), "r");
    const target = openSync(join(outside, "fd-write.txt"), "w");
    const folder = openSync(outside, "r");
    const files = [folder, secret, target];
    const all: ("pipe" | "ignore" | number)[] = ["pipe", "pipe", "pipe", "ignore", "ignore", "ignore"];
    all.push(folder, secret, "ignore", target);
    return { all, close: () => files.forEach(closeSync) };
  }

  close(): void {
    this.#neighbour.kill("SIGTERM");
  }
}

/** Opens a scene for as long as something is played in it. */
export async function inScene<T>(place: Place, play: (scene: Scene) => Promise<T>): Promise<T> {
  const scene = await Scene.open(place);
  try {
    return await play(scene);
  } finally {
    scene.close();
  }
}
