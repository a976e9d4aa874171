import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { markdownFiles, shellBlocks, steps } from "./doc-blocks.ts";
import { ROOT } from "./sources.ts";

const FILES = markdownFiles();
const BLOCKS = FILES.flatMap((path) => shellBlocks(path));
const RUN = BLOCKS.filter((block) => block.mark === "");
const SETUP = BLOCKS.filter((block) => block.mark !== "");

/** Runs a block in a fresh copy of the example, with this build of paldron first on PATH. */
function runBlock(text: string): void {
  const dir = mkdtempSync(join(tmpdir(), "paldron-docs-"));
  try {
    cpSync(join(ROOT, "examples/paldron-exec"), dir, { recursive: true });
    const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${join(ROOT, "bin")}:${process.env["PATH"]}` };
    delete env["PALDRON_POLICY"];
    for (const step of steps(text)) {
      const run = spawnSync("sh", ["-euc", step.script], { cwd: dir, env, encoding: "utf8", input: "" });
      const printed = `${run.stdout}${run.stderr}`.split("\n");
      expect({
        script: step.script,
        exit: run.status,
        missing: step.lines.filter((line) => !printed.includes(line)),
        printed,
      }).toEqual({
        script: step.script,
        exit: step.exit,
        missing: [],
        printed,
      });
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

describe("every command in the documents runs", () => {
  test("there are some, the quickstart among them", () => {
    expect(RUN.some((block) => block.text.includes("python3 src/leak.py"))).toBe(true);
    expect(RUN.some((block) => block.where.startsWith("README.md"))).toBe(true);
  });
  test.each(RUN)("$where", ({ text }) => runBlock(text));
});

describe("blocks that set the project up are not run inside its own tests", () => {
  const scripts: Record<string, string> = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ).scripts;
  test.each(SETUP)("$where", ({ mark, text }) => {
    expect(mark).toBe("setup");
    for (const command of text.split(/\n|&&/).map((part) => part.trim())) {
      const script = /^npm (?:run )?(\S+)$/.exec(command)?.[1] ?? command;
      expect([...Object.keys(scripts), "ci"], `${command} is no script of package.json`).toContain(script);
    }
  });
  test("continuous integration does what the README says", () => {
    const ci = readFileSync(join(ROOT, ".ci/run"), "utf8");
    const said = SETUP.find(
      (block) => block.where.startsWith("README.md") && block.text.includes("npm test"),
    );
    for (const command of said?.text.split("&&") ?? ["(the README has no such block)"]) {
      expect(ci.split("\n")).toContain(command.trim());
    }
  });
});

test("every relative link in the documents leads somewhere", () => {
  const dead = FILES.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
      .map((target) => `${path}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test("every file that the documents name exists", () => {
  const missing = FILES.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return [...text.matchAll(/`((?:src|native|test|docs|scripts|examples|bench)\/[\w./-]*)`/g)]
      .map(([, name]) => name ?? "")
      .filter((name) => !existsSync(join(ROOT, name)))
      .map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});

describe("how a block is read", () => {
  test("expectations end a step", () => {
    expect(steps("a\nb\n# paldron: x\n# exit 2\n# a comment\nc")).toEqual([
      { script: "a\nb", lines: ["paldron: x"], exit: 2 },
      { script: "# a comment\nc", lines: [], exit: 0 },
    ]);
  });
  test("a block that fails is noticed", () => {
    expect(() => runBlock("false")).toThrow();
    expect(() => runBlock("true\n# paldron: never printed")).toThrow();
    expect(() => runBlock("true\n# exit 1")).toThrow();
  });
});
