import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Disk, layDisk } from "./disk.ts";

let disk: Disk;
beforeAll(() => {
  disk = layDisk();
});
afterAll(() => disk.remove());

const path = (text: string, policy?: string) => disk.tool({ path: text }, policy);

describe("a path, however it is spelled", () => {
  it.each([
    ".env",
    "./.env",
    "src/../.env",
    "$W/.env",
    "$W//.env/",
    "$W/./src/..//.env",
    ".ENV",
    ".env/",
    "nosuch/../.env",
    "to_env",
    "file://$W/.env",
    "FILE:///$W/%2eenv",
    "secrets",
    "SECRETS/new",
    ".\\.env",
  ])("%s is a secret", (text) => expect(path(text)).toMatch(/\(secret\)$/));

  it.each([
    "..",
    "../out.txt",
    "src/../../out.txt",
    "$T/out.txt",
    "$W/../out.txt",
    "$WX/a",
    "to_out",
    "dangling",
    "~",
    "~/x",
    "$HOME/x",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text, judged as it stands
    "${HOME}/x",
    "~root/x",
    "file:///etc",
    "/proc/self/cwd/src/a.txt",
    "/dev/fd/3",
    "/dev/zero",
    "/proc/self/environ",
  ])("%s lies outside", (text) => expect(path(text)).toMatch(/\(outside workspace\)$/));

  it.each(["loop", "magic/src/a.txt", "a\0b", "a/".repeat(3000), "x".repeat(256)])(
    "%.20s cannot be known",
    (text) => {
      expect(path(text)).toMatch(/\((path cannot be resolved|not a path|path too long)\)$/);
    },
  );

  it.each([
    "src/a.txt",
    "$W",
    ".",
    "src/..",
    "new/deep/file",
    "$T/alias/src/a.txt",
    "../ws/src/a.txt",
    "-x",
    "",
    " ",
  ])("%s is fine", (text) => expect(path(text)).toBe("allow"));

  it("keeps control characters out of the message", () => {
    expect(path("/etc/\u001b[31m\nx")).toBe("argument 'path': /etc/\\u{1b}[31m\\nx (outside workspace)");
  });
});

describe("allow_paths and deny_globs", () => {
  it.each([
    ["src/a.txt", 'allow_paths = ["src"]', "allow"],
    ["docs/x.md", 'allow_paths = ["src"]', "docs/x.md (outside allow_paths)"],
    ["src/to_docs", 'allow_paths = ["src"]', "src/to_docs (outside allow_paths)"],
    ["src/to_docs", 'allow_paths = ["src", "docs"]', "allow"],
    ["docs/src/x", 'allow_paths = ["src"]', "docs/src/x (outside allow_paths)"],
    ["SRC/a.txt", 'allow_paths = ["src"]', "SRC/a.txt (outside allow_paths)"],
    ["~/x", 'allow_paths = ["**"]', "~/x (outside allow_paths)"],
    ["src/a.txt", 'allow_paths = ["$W/src"]', "allow"],
    ["src/a.txt", 'allow_paths = ["/src"]', "src/a.txt (outside allow_paths)"],
    ["$T/out.txt", 'allow_paths = ["$T"]', "T/out.txt (outside workspace)"],
    [".env", 'allow_paths = [".env"]', ".env (secret)"],
    [".env", 'secret_exceptions = [".env"]', "allow"],
    [".env", 'secret_exceptions = [".env"]\ndeny_globs = [".env"]', ".env (policy deny_glob)"],
    ["src/A.TXT", 'deny_globs = ["a.txt"]', "src/A.TXT (policy deny_glob)"],
    ["to_env", 'deny_globs = ["/.env"]', "to_env (policy deny_glob)"],
  ])("%s under %s", (text, policy, expected) => expect(path(text, policy)).toBe(expected));
});

describe("arguments of a tool", () => {
  it.each([
    [{ paths: ["src/a.txt", ".env"] }, ".env (secret)"],
    [{ a: { b: [{ c: { path: ".env" } }] } }, ".env (secret)"],
    [{ files: { ".env": "text" } }, ".env (secret)"],
    [{ x: "--file=.env" }, "--file=.env (secret)"],
    [{ x: "cat x/.env" }, "cat x/.env (secret)"],
    [{ x: "-/../../out.txt" }, "argument 'x': -/../../out.txt (outside workspace)"],
    [{ command: "cat < ../out.txt" }, "argument 'command': ../out.txt (outside workspace)"],
    [{ command: "echo x > new.pem" }, "new.pem (secret)"],
    [{ command: ["sh", "-c", "cat .env"] }, ".env (secret)"],
    [{ command: ["cat", [".env"]] }, ".env (secret)"],
    [{ command: ["cat", 1, "/etc/shadow"] }, "argument 'command': /etc/shadow (outside workspace)"],
    [{ command: { run: "cat", with: [".env"] } }, ".env (secret)"],
    [
      {
        commands: [
          ["cat", "notes.txt"],
          ["echo", "hello"],
        ],
      },
      "allow",
    ],
    [{ command: ["cat", ["notes.txt"], 1] }, "allow"],
    [{ x: "https://h.invalid/.env" }, "https://h.invalid/.env (secret)"],
    [{ content: "../ /etc/passwd .env", path: "src/n" }, "allow"],
    [{ message: "fix .env" }, "allow"],
    [{ todos: [{ content: "rm -rf / and .env" }] }, "allow"],
    [{ x: "lodash@4.17.21", y: "1.5", z: "user@host.com", n: 3, w: null }, "allow"],
    [{ x: "hello world" }, "allow"],
  ])("%j", (args, expected) => expect(disk.tool(args)).toBe(expected));
});

describe("unknown_tools", () => {
  const choose = (tool: string, unknownTools: "allow" | "ask" | "deny") => disk.unknown(tool, unknownTools);
  it.each([
    ["nosuch", "allow", "allow"],
    ["nosuch", "ask", "ask"],
    ["nosuch", "deny", "deny"],
    ["git_ops", "deny", "allow"],
    ["__proto__", "ask", "ask"],
  ] as const)("%s under %s: %s", (tool, choice, expected) => expect(choose(tool, choice)).toBe(expected));
});
