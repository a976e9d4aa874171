import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { COMMANDS, SHELLS } from "../../../src/cli/commands.ts";
import { completionScript } from "../../../src/cli/completion-scripts.ts";

function bashCompletes(line: string): string[] {
  const words = line.split(/[ ]/);
  const script = `${completionScript("bash")}
compopt() { :; }
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${words.map((w) => `'${w}'`).join(" ")}) COMP_CWORD=${words.length - 1}
_paldron
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  return run.stdout.split("\n").filter((word) => word !== "");
}

describe("bash", () => {
  test("commands", () => expect(bashCompletes("paldron c")).toEqual(["check", "completion"]));
  test("options", () => expect(bashCompletes("paldron exec --p")).toEqual(["--policy="]));
  test("choices, without what bash has already", () => {
    expect(bashCompletes("paldron exec --exit=c")).toEqual(["child"]);
  });
  test("operands", () => expect(bashCompletes("paldron completion z")).toEqual(["zsh"]));
  test("nothing of ours after --", () => expect(bashCompletes("paldron exec -- --p")).toEqual([]));
});

test.each(SHELLS)("%s knows every command and option", (shell) => {
  const script = completionScript(shell);
  for (const { name, options } of Object.values(COMMANDS)) {
    expect(script).toContain(name);
    for (const option of options)
      expect(script).toContain(shell === "fish" ? option.name.slice(2) : option.name);
  }
});
