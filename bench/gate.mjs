#!/usr/bin/env node
// `node bench/gate.mjs`: how many shell commands the gate judges in a second of processor time, and what hostile ones cost.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "unbash";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const loadStart = process.cpuUsage();
const { check, loadPolicy } = await import("../dist/index.js");
const loaded = milliseconds(loadStart);
const OPTIONS = {
  policy: loadPolicy({ text: "allow_network = false\n" }),
  workspace: ROOT,
  cwd: ROOT,
  unknownTools: "allow",
};
const LENGTH = 64 * 1024;
const ROUNDS = 20;

function milliseconds(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function judge(command) {
  return check({ kind: "tool", tool: "Bash", args: { command } }, OPTIONS).decision;
}

function fill(unit, before = "", after = "") {
  return before + unit.repeat(Math.floor((LENGTH - before.length - after.length) / unit.length)) + after;
}

const HOSTILE = {
  "nested substitutions": fill("$(", "echo "),
  substitutions: fill("$(x)", "echo "),
  backticks: fill("`x` ", "echo "),
  "process substitutions": fill("<(x) ", "cat "),
  "one long word": fill("a"),
  braces: fill("{a,b}", "echo "),
  "nested braces": fill("{a,", "echo "),
  commands: fill("x;"),
  pipeline: fill("x|", "", "x"),
  "and lists": fill("x&&", "", "x"),
  assignments: fill("a=$a$a;"),
  "here-documents": fill("cat <<A\nx\nA\n"),
  "nested loops": fill("for i in 1; do "),
  functions: fill("f(){ f; f; };"),
  wrappers: fill("env ", "", "x"),
  arithmetic: fill("1+", "echo $((", "1))"),
  wildcards: fill("*/", "ls "),
  "find actions": fill("-exec x {} \\; ", "find . "),
  redirections: fill("> x ", "x "),
  patterns: fill("[", "grep -r '", "' ."),
  "compiler options": fill("-W", "CFLAGS='", "!' make"),
};

const rows = readFileSync(join(ROOT, "test/tables/shell/ordinary.jsonl"), "utf8").trimEnd().split("\n");
const commands = rows.map((row) => JSON.parse(row).command);

/** Milliseconds of processor time for every command once, warm. */
function cost(work) {
  for (let round = 0; round < ROUNDS; round += 1) for (const command of commands) work(command);
  const start = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) for (const command of commands) work(command);
  return milliseconds(start) / ROUNDS;
}

const [judging, parsing] = [cost(judge), cost(parse)];
const rate = commands.length / (judging / 1000);
console.log(`load the library: ${loaded.toFixed(1)} ms of processor time`);
console.log(
  `ordinary commands: ${Math.round(rate)} in a second of processor time, ${(judging / parsing).toFixed(1)} times what parsing them takes`,
);
const each = judging / commands.length;
for (const [name, text] of Object.entries(HOSTILE)) {
  const before = process.cpuUsage();
  const decision = judge(text);
  const spent = milliseconds(before);
  console.log(
    `${name}, 64 KiB: ${spent.toFixed(0)} ms, ${Math.round(spent / each)} ordinary commands, ${decision}`,
  );
}
