// `npm run bench -- --compare`: Paldron beside other sandboxes, each round all of them in turn, so that what else the
// machine does falls on all alike. Those of npm are installed into a cache outside the repository.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, homedir, loadavg, release, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = Number(process.env.BENCH_RUNS ?? 10);
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "paldron-bench");
const PACKAGES = ["@anthropic-ai/sandbox-runtime", "@openai/codex"];

/** What is measured; the first is the start alone. */
const WORK = [
  { title: "start", args: ["none"] },
  { title: "20,000 opens", args: ["opens", "20000"] },
  { title: "2,000 creates", args: ["creates", "2000"] },
  { title: "500 spawns", args: ["spawns", "500"] },
];

function installed(name) {
  return join(CACHE, "node_modules/.bin", name);
}

/** Installs what is not there; without a network the comparison goes on without it. */
function install() {
  const missing = PACKAGES.filter((name) => !existsSync(join(CACHE, "node_modules", name)));
  if (missing.length === 0) return;
  mkdirSync(CACHE, { recursive: true });
  console.log(`installing ${missing.join(", ")} into ${CACHE}`);
  const args = ["install", "--prefix", CACHE, "--no-audit", "--no-fund", ...missing];
  const run = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  if (run.status !== 0) console.log("npm could not install them; the comparison goes on without");
}

/** The sandboxes, each as what stands before a command. */
function runners(dir, workspace) {
  const settings = join(dir, "settings.json");
  const allow = { allowWrite: [workspace], denyRead: [], denyWrite: [] };
  const closed = { allowedDomains: [], deniedDomains: [] };
  writeFileSync(settings, JSON.stringify({ network: closed, filesystem: allow }));
  const places = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  return [
    { name: "bare", before: [] },
    { name: "paldron exec", before: [join(ROOT, "bin/paldron"), "exec", "--"] },
    { name: "bubblewrap", before: ["bwrap", ...places, "--bind", workspace, workspace, "--unshare-all"] },
    { name: "sandbox-runtime", before: [installed("srt"), "--settings", settings] },
    {
      name: "codex sandbox",
      before: [installed("codex"), "sandbox", "-c", 'sandbox_mode="workspace-write"', "--"],
    },
  ];
}

/** One run: milliseconds of the whole, and of the work alone. */
function measure({ before }, program, args, cwd) {
  const [name, ...rest] = [...before, program, ...args];
  const start = performance.now();
  const run = spawnSync(name, rest, { cwd, encoding: "utf8", timeout: 120_000 });
  const whole = performance.now() - start;
  const took = /^took (\d+)$/m.exec(run.stdout ?? "");
  if (run.status === 0 && took !== null) return { whole, work: Number(took[1]) / 1000 };
  const said = `${run.stderr ?? ""}`.trim().split("\n").at(-1);
  throw new Error(run.error?.code ?? (said || `exit ${run.status}`));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Those that can run at all here, and why the others cannot. */
function able(all, program, cwd) {
  return all.filter((runner) => {
    try {
      measure(runner, program, ["none"], cwd);
      return true;
    } catch (error) {
      console.log(`${runner.name} is left out: ${error.message}`);
      return false;
    }
  });
}

function rows(list, program, cwd) {
  const times = new Map(list.map(({ name }) => [name, WORK.map(() => [])]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const runner of list) {
      for (const [at, { args }] of WORK.entries()) {
        const { whole, work } = measure(runner, program, args, cwd);
        times.get(runner.name)[at].push(at === 0 ? whole : work);
      }
    }
  }
  const medians = new Map([...times].map(([name, columns]) => [name, columns.map(median)]));
  const bare = medians.get("bare");
  return [...medians].map(([name, columns]) => [
    name,
    ...columns.map((ms, at) => `${ms.toFixed(1)} (${(ms / bare[at]).toFixed(2)})`),
  ]);
}

export function compare() {
  if (!existsSync(join(ROOT, "dist/main.cjs"))) throw new Error("not built (npm run build)");
  install();
  const dir = mkdtempSync(join(realpathSync(tmpdir()), "paldron-bench-"));
  try {
    const workspace = join(dir, "workspace");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "opened"), "");
    const program = join(workspace, "work");
    const built = spawnSync("cc", ["-O2", "-o", program, join(ROOT, "bench/work.c")], { encoding: "utf8" });
    if (built.status !== 0) throw new Error(`cc: ${built.stderr ?? built.error?.code}`);
    const load = loadavg()[0].toFixed(1);
    const table = rows(able(runners(dir, workspace), program, workspace), program, workspace);
    const machine = `${cpus().length} × ${cpus()[0].model}`;
    console.log(
      `\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, Linux ${release()}, ${machine}`,
    );
    console.log(
      `${ROUNDS} rounds, load ${load} before and ${loadavg()[0].toFixed(1)} after; milliseconds, medians (ratio to bare)\n`,
    );
    console.log(`| | ${WORK.map(({ title }) => title).join(" | ")} |`);
    console.log(`| --- |${" --- |".repeat(WORK.length)}`);
    for (const row of table) console.log(`| ${row.join(" | ")} |`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
