import type { Owner } from "./emit.ts";
import { treesBelow } from "./find.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import { textOf, wordOf } from "./value.ts";

const SEARCHES = /^(?:[efz]?grep|rg|diff|git)$/;
const RECURSIVE: Readonly<Record<string, readonly string[]>> = {
  rg: ["--hidden", "-.", "-u", "--unrestricted"],
  git: ["--no-index"],
};
/** A pattern that fits any line, or is made for what a secret holds. */
const SEEKS_ANYTHING = /^(?:[\^.$*+?()[\]|-]|\\[sSwWbBd])*$/;
const SEEKS_SECRETS =
  /SECRET|PASSW|TOKEN|API_?KEY|PRIVATE|CREDENTIAL|AKIA|BEGIN|_KEY|KEY=|(?:secret|passw\w*|token|key)\w*\s*[=:]|\bsk-|ghp_/;

/** `grep -r`, `diff -r`: what they print of the files below a folder, where they may print anything. */
export function searchedFolders(session: Session, { name }: Owner, { given, found }: ParsedCommand): void {
  if (!SEARCHES.test(name)) return;
  const options = RECURSIVE[name] ?? ["-r", "-R", "--recursive", "--dereference-recursive"];
  const recurses = found.some(
    ({ option, word }) => /^(?:-d|--directories)$/.test(option ?? "") && textOf(word) === "recurse",
  );
  if (!recurses && !options.some((option) => given.has(option))) return;
  const isDiff = name === "diff" || name === "git";
  if (
    !isDiff &&
    (["--include", "-g", "--glob", "-l", "-c"].some((option) => given.has(option)) || !seeks(found))
  )
    return;
  const files = found.filter(({ role, option }) => option === undefined && role !== "data");
  if (files.length === 0 && name === "git") return;
  const base = { from: "operand", look: "path", command: name, option: undefined } as const;
  for (const below of treesBelow(files.map(({ word }) => word)))
    session.emit({ kind: "read", path: wordOf([...below, { glob: "*" }]), ...base });
}

/** Whether a search finds the lines of any file, or those of secrets above all. */
export function seeks(found: ParsedCommand["found"]): boolean {
  const patterns = found.filter(({ role, option }) =>
    option === undefined ? role === "data" : /^(?:-e|--regexp)$/.test(option),
  );
  return patterns.some(({ word }) => {
    const text = textOf(word);
    return text !== undefined && (SEEKS_ANYTHING.test(text) || SEEKS_SECRETS.test(text));
  });
}
