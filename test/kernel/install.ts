import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsdown";
import { ROOT } from "../meta/sources.ts";

/** Paldron and the programs of the kernel tests, where every user may run them. */
export interface Installed {
  readonly folder: string;
  readonly driver: string;
  /** The command line. */
  readonly cli: string;
  /** Runs a program on what looks like a host without namespaces. */
  readonly refuse: string;
  /** Tries what is forbidden, and the allowed twins. */
  readonly attempt: string;
  readonly remove: () => void;
}

const NATIVE = join(ROOT, "test/fixtures/native");
const FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror"];

export function compile(target: string, sources: readonly string[]): void {
  execFileSync("cc", [...FLAGS, "-o", target, ...sources.map((name) => join(NATIVE, name))]);
}

/** A folder below the system's temporary folder that every user may enter; the real path. */
export function openFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  chmodSync(folder, 0o755);
  return folder;
}

export async function install(): Promise<Installed> {
  const folder = openFolder("paldron-kernel-");
  mkdirSync(join(folder, "build"));
  for (const name of ["paldron-launcher", "paldron-probe"])
    copyFileSync(join(ROOT, "build", name), join(folder, "build", name));
  await build({
    config: false,
    cwd: ROOT,
    entry: { driver: "test/kernel/driver.ts", paldron: "src/cli/main.ts" },
    outDir: join(folder, "lib"),
    format: "esm",
    platform: "node",
    target: "node20",
    dts: false,
    clean: false,
    logLevel: "error",
    deps: { alwaysBundle: ["smol-toml", "unbash", "valibot"], onlyBundle: false },
  });
  const refuse = join(folder, "no-namespaces");
  const attempt = join(folder, "attempt");
  copyFileSync(join(ROOT, "build/no-namespaces"), refuse);
  compile(
    attempt,
    readdirSync(NATIVE).filter((name) => /^attempt.*\.c$/.test(name)),
  );
  const built = (program: string): string => {
    const name = readdirSync(join(folder, "lib")).find((file) => file.replace(/\.m?js$/, "") === program);
    if (name === undefined) throw new Error(`${program} was not built`);
    return join(folder, "lib", name);
  };
  return {
    folder,
    driver: built("driver"),
    cli: built("paldron"),
    refuse,
    attempt,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
