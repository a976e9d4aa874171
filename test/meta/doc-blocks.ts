import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.ts";

/** Commands that run together, and what must come of them. */
export interface Step {
  readonly script: string;
  /** Lines that standard output or standard error must have. */
  readonly lines: readonly string[];
  readonly exit: number;
}

export interface Block {
  /** `README.md:12`. */
  readonly where: string;
  /** What stands after the language: "" for a block that is run, `setup` for one that is only compared. */
  readonly mark: string;
  readonly text: string;
}

const FENCE = /^```(\S*) ?(.*)$/;
const SHELLS = new Set(["sh", "bash", "shell", "console"]);

export function markdownFiles(): string[] {
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const top = readdirSync(ROOT);
  return [...top, ...below].filter((name) => name.endsWith(".md")).sort();
}

/** The fenced blocks of shell commands in a Markdown file. */
export function shellBlocks(path: string, text = readFileSync(join(ROOT, path), "utf8")): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; mark: string; body: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = FENCE.exec(line.trim());
    if (fence === null) {
      open?.body.push(line);
    } else if (open === undefined) {
      open = { line: index + 1, language: fence[1] ?? "", mark: fence[2] ?? "", body: [] };
    } else {
      const { language, mark, body } = open;
      if (SHELLS.has(language)) blocks.push({ where: `${path}:${open.line}`, mark, text: body.join("\n") });
      open = undefined;
    }
  }
  return blocks;
}

/**
 * `# paldron: ...` under a command is a line it prints, `# exit N` how it ends (0 when absent). Either ends the step;
 * other comments are comments.
 */
export function steps(text: string): Step[] {
  const found: Step[] = [];
  let script: string[] = [];
  let lines: string[] = [];
  let exit: number | undefined;
  const flush = (): void => {
    if (script.some((line) => line.trim() !== "" && !line.startsWith("#"))) {
      found.push({ script: script.join("\n"), lines, exit: exit ?? 0 });
    }
    script = [];
    lines = [];
    exit = undefined;
  };
  for (const line of text.split("\n")) {
    const status = /^# exit (\d+)$/.exec(line);
    if (status !== null) exit = Number(status[1]);
    else if (line.startsWith("# paldron")) lines.push(line.slice(2));
    else {
      if (exit !== undefined || lines.length > 0) flush();
      script.push(line);
    }
  }
  flush();
  return found;
}
