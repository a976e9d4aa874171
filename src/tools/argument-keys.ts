/** What the value under a key of a tool's arguments is, when no contract says so. */
export type KeyRole = "path" | "content" | "command" | "unknown";

const CONTENT: ReadonlySet<string> = new Set([
  "answer",
  "body",
  "comment",
  "commitmessage",
  "content",
  "contents",
  "description",
  "explanation",
  "filetext",
  "html",
  "inserttext",
  "instructions",
  "markdown",
  "message",
  "newcontent",
  "newstr",
  "newstring",
  "newtext",
  "oldcontent",
  "oldstr",
  "oldstring",
  "oldtext",
  "prompt",
  "question",
  "regex",
  "pattern",
  "replacement",
  "subject",
  "summary",
  "text",
  "thought",
  "title",
  "todo",
]);

const COMMAND: ReadonlySet<string> = new Set([
  "bash",
  "cmd",
  "command",
  "commandline",
  "commands",
  "script",
  "shell",
]);

/** Last words of keys that name files. */
const PATH: ReadonlySet<string> = new Set(
  (
    "cwd dir dirname dirs directory directories file filename filenames filepath filepaths files folder folders path " +
    "pathname paths subdir workdir workspace"
  ).split(" "),
);

export function keyRole(key: string): KeyRole {
  const plain = key.toLowerCase().replace(/[^a-z]/g, "");
  if (CONTENT.has(plain)) return "content";
  if (COMMAND.has(plain)) return "command";
  const words = key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
  return PATH.has(words.at(-1) ?? "") ? "path" : "unknown";
}
