import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PALDRON } from "../cli/paldron.ts";
import { type Bytes, baseEnvironment, type ExecRow, type Fixture, layFixture } from "./fixture.ts";

const execute = promisify(execFile);
/** What the fixture's entries are dated; the run's own are later. */
const LONG_AGO = "@1577836800";
const PATIENCE_MS = 60_000;

export interface RowResult {
  /** Undefined when it had to be killed. */
  readonly exit: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What the row's probe printed afterwards. */
  readonly probed: string | undefined;
}

/** Runs one row against the built program, in a tree of its own. */
export async function runRow(row: ExecRow, jevPort: number): Promise<RowResult> {
  const fixture = layFixture({ files: row.files ?? {} });
  try {
    const fill = (text: string): string => fixture.fill(text).replaceAll("$PORT", String(jevPort));
    const own = Object.fromEntries(
      Object.entries(baseEnvironment()).map(([name, text]) => [name, fill(text)]),
    );
    own["PATH"] = `${own["PATH"]}:${dirname(process.execPath)}`;
    await prepare(row, fixture, own);
    const env: Record<string, string> = { ...own };
    for (const [name, value] of Object.entries(row.env ?? {})) {
      if (value === null) delete env[name];
      else env[name] = fill(value);
    }
    const ran = await start({ row, fixture, env, fill });
    const probed = row.probe === undefined ? undefined : await shell(row.probe, fixture.workspace, own);
    const shown = probed?.replaceAll(fixture.workspace, "$WS").replaceAll(fixture.top, "$TOP");
    return { ...ran, probed: shown };
  } finally {
    execFileSync("chmod", ["-R", "u+rwX", fixture.top]);
    fixture.remove();
  }
}

async function prepare(row: ExecRow, fixture: Fixture, env: Readonly<Record<string, string>>): Promise<void> {
  if (row.policy !== null) {
    const { policy } = row;
    const bytes = typeof policy === "string" ? fixture.fill(policy) : Buffer.from(policy.bytes_hex, "hex");
    writeFileSync(join(fixture.top, "policy.toml"), bytes);
  }
  if (row.setup !== undefined) await shell(row.setup, fixture.workspace, env);
  await execute("find", [fixture.top, "-exec", "touch", "-h", "-d", LONG_AGO, "{}", "+"]);
  if (row.runas !== undefined) {
    await execute("chown", ["-R", "-h", row.runas, fixture.top]);
    chmodSync(fixture.top, 0o755);
  }
}

/** Both streams of a script that may fail. */
async function shell(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await execute("/bin/sh", ["-c", `exec 2>&1 </dev/null\n${script}\n:`], {
    cwd,
    env: { ...env },
  });
  return stdout;
}

interface Start {
  readonly row: ExecRow;
  readonly fixture: Fixture;
  readonly env: Readonly<Record<string, string>>;
  readonly fill: (text: string) => string;
}

function start({ row, fixture, env, fill }: Start): Promise<Omit<RowResult, "probed">> {
  const runas =
    row.runas === undefined
      ? []
      : ["setpriv", `--reuid=${row.runas}`, "--regid=nogroup", "--clear-groups", "--"];
  const words = [...runas, ...(row.prefix ?? []).map(fill), PALDRON, ...row.argv];
  const line = words.some((word) => typeof word !== "string")
    ? ["/bin/sh", bytesScript(words, fixture, fill)]
    : words.map((word) => fill(String(word)));
  const cwd = row.cwd?.startsWith("/") === true ? row.cwd : join(fixture.workspace, row.cwd ?? ".");
  return new Promise((resolve, reject) => {
    const child = spawn(line[0] ?? "", line.slice(1), { cwd, env: { ...env }, stdio: "pipe" });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => err.push(bytes));
    child.stdin.on("error", () => undefined);
    child.stdin.end(row.stdin ?? "");
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();
      resolve({ exit: code ?? undefined, stdout: text(out), stderr: text(err) });
    });
  });
}

/** Node passes only text as arguments; a script file can hold any bytes. */
function bytesScript(
  words: readonly (string | Bytes)[],
  fixture: Fixture,
  fill: (text: string) => string,
): string {
  const quoted = words.map((word) => {
    const bytes = typeof word === "string" ? Buffer.from(fill(word)) : Buffer.from(word.bytes_hex, "hex");
    return Buffer.concat([
      Buffer.from("'"),
      Buffer.from(bytes.toString("latin1").replaceAll("'", "'\\''"), "latin1"),
      Buffer.from("' "),
    ]);
  });
  const script = join(fixture.top, "bytes.sh");
  writeFileSync(script, Buffer.concat([Buffer.from("exec "), ...quoted]));
  return script;
}
