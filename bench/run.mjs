#!/usr/bin/env node
// `npm run bench`: everything side by side in one run, so that differences mean something. Needs hyperfine.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PALDRON = join(ROOT, "bin/paldron");
const RUNS = Number(process.env["BENCH_RUNS"] ?? 30);
const TREES = [1_000, 10_000, 100_000];
const FILES_PER_FOLDER = 100;

function onPath(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** A workspace with `count` small files, a hundred to a folder. */
function makeTree(parent, count) {
  const root = join(parent, `tree-${count}`);
  for (let made = 0; made < count; made += FILES_PER_FOLDER) {
    const folder = join(root, `d${Math.floor(made / 10_000)}`, `e${made / FILES_PER_FOLDER}`);
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < FILES_PER_FOLDER; i += 1) writeFileSync(join(folder, `file${i}.txt`), "");
  }
  return root;
}

function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs all programs in one hyperfine call; medians in milliseconds by name. */
function hyperfine(cases, dir) {
  const json = join(dir, "hyperfine.json");
  const args = [
    "--shell=none",
    "--warmup",
    "3",
    "--runs",
    String(RUNS),
    "--style",
    "none",
    "--export-json",
    json,
  ];
  for (const { name, argv } of cases) args.push("--command-name", name, argv.map(quote).join(" "));
  const run = spawnSync("hyperfine", args, { cwd: join(dir, "empty"), encoding: "utf8" });
  if (run.status !== 0) throw new Error(`hyperfine: ${run.stderr.trim() || run.stdout.trim()}`);
  const { results } = JSON.parse(readFileSync(json, "utf8"));
  return new Map(results.map((result) => [result.command, result.median * 1000]));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function medianOf(work) {
  const times = [];
  for (let i = 0; i < RUNS + 3; i += 1) {
    const start = performance.now();
    await work();
    if (i >= 3) times.push(performance.now() - start);
  }
  return median(times);
}

function plainSpawn(cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn("true", { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

/** The library in a warm process, where only the launcher is paid for. */
async function library(cwd) {
  const { exec } = await import(join(ROOT, "dist/index.js"));
  return {
    spawn: await medianOf(() => plainSpawn(cwd)),
    exec: await medianOf(async () => {
      const result = await exec(["true"], { workspace: cwd });
      if (result.verdict !== "allow") throw new Error(`library exec: ${result.reason.text}`);
    }),
  };
}

function cases(dir) {
  const empty = join(dir, "empty");
  const exec = (workspace) => [PALDRON, "exec", `--workspace=${workspace}`, "--", "true"];
  const list = [
    { name: "true", argv: ["true"] },
    { name: "node -e 0", argv: [process.execPath, "-e", "0"] },
    { name: "paldron check", argv: [PALDRON, "check", "--", "mytool", "{}"], over: "node -e 0" },
    { name: "paldron exec -- true", argv: exec(empty), over: "node -e 0" },
    ...TREES.map((count) => ({
      name: `  in ${count} files`,
      argv: exec(makeTree(dir, count)),
      over: "paldron exec -- true",
    })),
  ];
  if (!onPath("bwrap")) return list;
  const bwrap = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"];
  if (spawnSync(bwrap[0], bwrap.slice(1), { stdio: "ignore" }).status !== 0) return list;
  return [list[0], { name: "bwrap --unshare-all true", argv: bwrap, over: "true" }, ...list.slice(1)];
}

function print(rows) {
  const table = [["program", "median ms", "over", "difference", "ratio"], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, i) => (i === 0 || i === 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join("  "),
    );
  }
}

function row(name, ms, baseName, base) {
  if (base === undefined) return [name, ms.toFixed(1), "", "", ""];
  return [
    name,
    ms.toFixed(1),
    baseName,
    `+${(ms - base).toFixed(1)}`.replace("+-", "-"),
    (ms / base).toFixed(2),
  ];
}

async function main() {
  if (!onPath("hyperfine")) throw new Error("hyperfine is not installed (apt-get install hyperfine)");
  if (!existsSync(join(ROOT, "dist/main.cjs"))) throw new Error("not built (npm run build)");
  const dir = mkdtempSync(join(tmpdir(), "paldron-bench-"));
  try {
    const empty = join(dir, "empty");
    mkdirSync(empty);
    const list = cases(dir);
    const medians = hyperfine(list, dir);
    const warm = await library(empty);
    console.log(
      `Node ${process.version}, Linux ${release()}, ${cpus().length} × ${cpus()[0].model}, ${RUNS} runs each`,
    );
    print([
      ...list.map(({ name, over }) => row(name, medians.get(name), over, medians.get(over))),
      row("library: child_process.spawn", warm.spawn),
      row("library: exec", warm.exec, "library: child_process.spawn", warm.spawn),
    ]);
    spawnSync(process.execPath, [join(ROOT, "bench/gate.mjs")], { stdio: "inherit" });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const run = process.argv.includes("--compare") ? async () => (await import("./compare.mjs")).compare() : main;
run().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
