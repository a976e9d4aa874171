import { expect, test } from "vitest";
import { type Source, sources } from "./sources.ts";

const MOST_LINES = 250;

/** Longer files, each with its reason. Only tables and generated lists belong here. */
const LONGER: Readonly<Record<string, string>> = {
  "src/shell/table/dev.ts": "the table of development tools",
  "src/shell/table/git.ts": "the table of git commands",
  "src/shell/table/languages.ts": "the table of interpreters and their tools",
  "src/shell/table/runners.ts": "the table of programs that run what others wrote",
  "src/shell/table/tools.ts": "the table of ordinary tools",
  "src/shell/table/wrappers.ts": "the table of programs that start others",
  "src/cli/commands.ts": "the table of commands and options",
  "src/plan/seccomp-rules.ts": "the table of filtered system calls",
  "src/plan/syscalls-aarch64.ts": "system call numbers",
  "src/plan/syscalls-x86_64.ts": "system call numbers",
};

const FILES: readonly Source[] = [...sources("src", [".ts"]), ...sources("native", [".c", ".h"])];

function lines(source: Source): number {
  return source.text.split("\n").length - 1;
}

test("no source file is longer than one can read at a sitting", () => {
  const long = FILES.filter((source) => lines(source) > MOST_LINES && LONGER[source.path] === undefined);
  expect(long.map((source) => `${source.path}: ${lines(source)} lines`)).toEqual([]);
});

test("every exception is still needed", () => {
  const needed = FILES.filter((source) => lines(source) > MOST_LINES).map((source) => source.path);
  expect(Object.keys(LONGER).filter((path) => !needed.includes(path))).toEqual([]);
});
