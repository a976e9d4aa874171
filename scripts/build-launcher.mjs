#!/usr/bin/env node
// Builds build/paldron-launcher from native/*.c, build/paldron-probe (what `doctor` runs) from native/probe/*.c, and for
// tests build/no-namespaces from native/tools/no-namespaces.c, if this is Linux and there is a C compiler. Without one
// the rest of Paldron installs and works; `exec` then says that the launcher is missing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");
/** What is built, and from which sources. */
const PROGRAMS = {
  "paldron-launcher": () => filesIn(native),
  "paldron-probe": () => filesIn(join(native, "probe")),
  "no-namespaces": () => [join(native, "tools", "no-namespaces.c")],
};

// A warning stops only who works on it (`npm run build`, the tests): a newer compiler, which warns of more, must not
// keep an install from working.
const strict = process.argv.includes("--strict");
const WARNINGS = ["-Wall", "-Wextra", ...(strict ? ["-Werror"] : [])];
// Some distributions define _FORTIFY_SOURCE themselves; a second definition would be a warning.
const HARDENING = [
  "-fstack-protector-strong",
  "-U_FORTIFY_SOURCE",
  "-D_FORTIFY_SOURCE=2",
  "-Wl,-z,relro,-z,now",
];
const FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2", ...WARNINGS, ...HARDENING];

// A static program starts in half the time and depends on nothing inside the sandbox; not every host has libc.a.
const LINKING = [["-static-pie", "-fPIE"], ["-static"], ["-pie", "-fPIE"]];

/** `compiler` may carry arguments, as in CC="ccache gcc". */
function compilerRun(compiler, args, options) {
  const [program, ...own] = compiler.split(/\s+/);
  return spawnSync(program, [...own, ...args], options);
}

function works(compiler) {
  return compilerRun(compiler, ["--version"], { stdio: "ignore" }).status === 0;
}

function filesIn(folder) {
  const names = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function contentHash(compiler, files) {
  const hash = createHash("sha256").update(JSON.stringify([compiler, process.arch, FLAGS, LINKING]));
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function upToDate(target, hash) {
  const program = read(target);
  return program !== undefined && read(`${target}.hash`) === `${hash} ${digest(program)}`;
}

const digest = (text) => createHash("sha256").update(text, "latin1").digest("hex");

/** Compiles to a temporary name first, so that a half-written program is never found. */
function compile(compiler, target, files) {
  const temporary = `${target}.${process.pid}.tmp`;
  const inputs = files.filter((file) => file.endsWith(".c"));
  let output = "";
  for (const linking of LINKING) {
    const built = compilerRun(compiler, [...FLAGS, ...linking, "-o", temporary, ...inputs], {
      encoding: "utf8",
    });
    if (built.status === 0) {
      renameSync(temporary, target);
      if (linking.includes("-pie")) {
        console.warn(
          `paldron: no static libc found, ${basename(target)} is linked dynamically (slower to start)`,
        );
      }
      return;
    }
    output = built.stderr;
  }
  rmSync(temporary, { force: true });
  throw new Error(`${compiler} could not build ${basename(target)}:\n${output}`);
}

function build() {
  if (process.platform !== "linux") return;
  if (process.arch !== "x64" && process.arch !== "arm64") {
    console.warn(`paldron: no launcher for ${process.arch}, \`exec\` will not work`);
    return;
  }
  const candidates = process.env.CC ? [process.env.CC.trim()] : ["cc", "gcc", "clang"];
  const compiler = candidates.find(works);
  if (compiler === undefined) {
    console.warn(
      `paldron: no C compiler (${candidates.join(", ")}), the launcher is not built and \`exec\` will not work`,
    );
    return;
  }
  mkdirSync(join(root, "build"), { recursive: true });
  for (const [name, sources] of Object.entries(PROGRAMS))
    make(compiler, join(root, "build", name), sources());
}

function make(compiler, target, files) {
  const hash = contentHash(compiler, files);
  if (upToDate(target, hash)) return;
  compile(compiler, target, files);
  writeFileSync(`${target}.hash`, `${hash} ${digest(read(target) ?? "")}`);
}

build();
