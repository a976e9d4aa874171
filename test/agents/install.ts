import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../meta/sources.ts";

const run = promisify(execFile);
const PINS = join(ROOT, "test/agents/pins");
const FILES = ["package.json", "package-lock.json"] as const;
const HALF_DONE = ".part-";
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The folder with the pinned clients, outside of the repository and kept from run to run; installed where it is missing.
 * Whatever goes wrong is an error: a client that cannot be installed fails the run.
 */
export async function installClients(): Promise<string> {
  if (process.platform !== "linux")
    throw new Error("the clients are pinned for Linux: npm run test:quick leaves them out");
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "paldron-agents");
  const folder = join(cache, pinned());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeLeftovers(cache);
  const part = `${folder}${HALF_DONE}${process.pid}`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part);
  for (const name of FILES) copyFileSync(join(PINS, name), join(part, name));
  console.log(`installing the coding agents of test/agents into ${folder} (1.8 GB, once)`);
  // Not `npm ci`: it refuses a lock without the packages of other platforms, which not every registry has. The lock and
  // its checksums hold for `npm install` as well. Scripts of packages stay off: the programs are started directly.
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: part,
  });
  for (const program of Object.values(programsIn(part)))
    if (!existsSync(program)) throw new Error(`the clients are incomplete: ${program} is missing`);
  try {
    renameSync(part, folder);
  } catch (error) {
    // Another run was first. What it installed is the same.
    if (!existsSync(folder)) throw error;
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

function pinned(): string {
  const hash = createHash("sha256").update(process.arch);
  for (const name of FILES) hash.update(readFileSync(join(PINS, name)));
  return hash.digest("hex").slice(0, 16);
}

/** What a run that was killed left there. */
function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.includes(HALF_DONE) && Date.now() - statSync(path).mtimeMs > DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** What is started, by name. Claude Code and others come as a package for each platform. */
export function programsIn(folder: string) {
  const modules = join(folder, "node_modules");
  const platform = `linux-${process.arch}`;
  return {
    node: join(modules, `node-${platform}`, "bin/node"),
    claude: join(modules, `@anthropic-ai/claude-code-${platform}`, "claude"),
    codex: join(modules, ".bin/codex"),
    gemini: join(modules, ".bin/gemini"),
    copilot: join(modules, `@github/copilot-${platform}`, "copilot"),
    qwen: join(modules, ".bin/qwen"),
    opencode: join(modules, `opencode-${platform}`, "bin/opencode"),
    opencodePlugin: join(modules, "@opencode-ai/plugin/package.json"),
  };
}
