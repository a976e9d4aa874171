import { accessSync, constants, type Stats, statSync } from "node:fs";
import { constants as system } from "node:os";
import { programHead, startOfProgram } from "./program-file.ts";

/** Offset of `e_machine` in an ELF file, elf(5). */
const E_MACHINE = 18;
const MACHINES: Readonly<Record<number, string>> = {
  3: "i386",
  8: "mips",
  20: "ppc",
  21: "ppc64",
  22: "s390",
  40: "arm",
  62: "x86_64",
  183: "aarch64",
  243: "riscv",
  258: "loongarch",
};

/** The name of an error of the kernel; libuv, whose names Node gives, does not know all of them. */
export function errnoName(errno: number): string {
  const found = Object.entries(system.errno).find(([, value]) => value === errno);
  return found === undefined ? `errno ${errno}` : found[0];
}

/** Why a name leads to no program: `what` is what was asked for, `path` where that would lie, if it is one path. */
export function whyNoProgram(what: string, path: string | undefined): string {
  if (path === undefined) return `${what} is not found on PATH`;
  const seen = statOf(path);
  if (seen === undefined) return `${what} is not found`;
  if (seen.isDirectory()) return `${what} is a folder`;
  if (!seen.isFile()) return `${what} is no regular file`;
  return `${what} may not be executed (no x permission)`;
}

/** Why execve refused a program that lies on the host and that the caller could start, one line. */
export function whyNotStarted(path: string, errno: number): string {
  const name = errnoName(errno);
  const seen = statOf(path);
  if (seen === undefined) return `${path} does not exist (${name})`;
  if (name === "ENOEXEC") return `${path} ${notExecutable(path)} (${name})`;
  if (name === "ESTALE") return `${path} is another file for the run (${name})`;
  if (name !== "ENOENT" && name !== "EACCES") return `${path} (${name})`;
  return throughStarter(path, name) ?? hidden(path, name);
}

/** The interpreter or loader that the kernel starts in the program's place. */
function throughStarter(path: string, errno: string): string | undefined {
  const head = programHead(path)?.toString("latin1") ?? "";
  const line = head.startsWith("#!") ? (head.split("\n", 1)[0] ?? "") : undefined;
  if (line?.endsWith("\r") === true)
    return `the first line of ${path} ends with a carriage return (${errno})`;
  const start = startOfProgram(path);
  if (start === undefined || start.by === "itself")
    return line === undefined ? undefined : `the first line of ${path} names no absolute path (${errno})`;
  const [what, starter] =
    start.by === "script" ? ["interpreter", start.interpreter] : ["loader", start.loader];
  const seen = statOf(starter);
  if (seen === undefined) return `the ${what} of ${path}, ${starter}, does not exist (${errno})`;
  if (!mayExecute(starter, seen)) return `the ${what} of ${path}, ${starter}, may not be executed (${errno})`;
  // It can be started where it lies, so it is one of the two that is out of reach; most is in the system.
  return SYSTEM.test(starter)
    ? undefined
    : `the ${what} of ${path} is out of reach: ${hidden(starter, errno)}`;
}

const SYSTEM = /^\/(?:usr|lib\w*|s?bin)\//;

function hidden(path: string, errno: string): string {
  const folder = path.slice(0, path.lastIndexOf("/")) || path;
  return `${path} lies outside of what the run can see and execute; read_paths = [${JSON.stringify(folder)}] in the policy shows it (${errno})`;
}

function notExecutable(path: string): string {
  const head = programHead(path);
  if (head === undefined || head.length === 0) return "is empty or cannot be read";
  if (head.subarray(0, 4).toString("latin1") !== "\x7fELF") return "is no program and has no #! line";
  const machine = head.length > E_MACHINE + 1 ? head.readUInt16LE(E_MACHINE) : 0;
  const name = MACHINES[machine] ?? `machine ${machine}`;
  return `is a program for another system (${name}), or a damaged one`;
}

function mayExecute(path: string, seen: Stats): boolean {
  if (!seen.isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
