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

const PATH_END = /(?:paths?|files?|filenames?|dir|dirs|directory|directories|folders?|cwd)$/;

export function keyRole(key: string): KeyRole {
  const plain = key.toLowerCase().replace(/[^a-z]/g, "");
  if (CONTENT.has(plain)) return "content";
  if (COMMAND.has(plain)) return "command";
  return PATH_END.test(plain) ? "path" : "unknown";
}
