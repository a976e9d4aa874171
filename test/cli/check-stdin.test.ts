import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, paldron, type Ran } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
beforeAll(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(cwd, ".env"), "KEY=x\n");
  writeFileSync(join(cwd, "policy.toml"), "");
});
afterAll(() => folder.remove());

const check = (input: unknown, ...options: string[]): Ran =>
  paldron(["check", "--stdin", ...options], {
    cwd,
    input: input instanceof Uint8Array || typeof input === "string" ? input : JSON.stringify(input),
  });
const bash = (command: unknown) => ({ tool_name: "Bash", tool_input: { command }, cwd });

describe("the decision", () => {
  test("allow", () =>
    expect(check(bash("ls src"))).toEqual({ exit: 0, stdout: "paldron: allow Bash\n", stderr: "" }));
  test("deny", () =>
    expect(check(bash("cat .env"))).toEqual({
      exit: 2,
      stdout: "",
      stderr: "paldron: deny: .env (secret)\n",
    }));
  test("ask", () =>
    expect(check({ tool: "New" })).toEqual({
      exit: 2,
      stdout: "",
      stderr: "paldron: deny: tool 'New' (unknown tool) needs approval\n",
    }));
  test("both forms say the same", () => {
    expect(check({ tool: "Read", args: { file_path: ".env" } })).toMatchObject({ exit: 2 });
    expect(check({ tool_name: "Read", tool_input: { file_path: ".env" } })).toMatchObject({ exit: 2 });
    expect(check({ tool: "Read", args: { file_path: "src/a" }, cwd: join(cwd, "src") })).toMatchObject({
      exit: 0,
    });
  });
  test("what else an agent sends is not in the way", () => {
    const more = { session_id: "x", hook_event_name: "PreToolUse", effort: { level: "high" } };
    expect(check({ ...more, ...bash("ls") })).toMatchObject({ exit: 0 });
  });
  test("a folder outside is not where a call may start", () => {
    expect(check({ ...bash("ls"), cwd: folder.path })).toMatchObject({ exit: 2 });
  });
  test("the policy that judges is not for writing", () => {
    const write = { tool: "Write", args: { file_path: "policy.toml", content: "" } };
    expect(check(write)).toMatchObject({ exit: 0 });
    expect(check(write, "--policy=policy.toml")).toMatchObject({ exit: 2 });
  });
});

describe("--json", () => {
  test("decision, rule, reason and effects", () => {
    const run = check(bash("cat .env > out.txt"), "--json");
    expect(run.exit).toBe(2);
    expect(JSON.parse(run.stdout)).toEqual({
      decision: "deny",
      rule: "builtin:secrets[0]",
      code: "secret",
      reason: ".env (secret)",
      effects: expect.arrayContaining([
        { kind: "command", what: "cat .env" },
        { kind: "write", what: "out.txt" },
      ]),
    });
  });
  test("of a patch", () => {
    const command = "*** Begin Patch\n*** Add File: n\n+x\n*** Delete File: o\n*** End Patch\n";
    const run = check({ tool: "apply_patch", args: { command } }, "--json");
    expect(JSON.parse(run.stdout)).toMatchObject({
      decision: "allow",
      reason: null,
      effects: [
        { kind: "write", what: "n" },
        { kind: "write", what: "o" },
      ],
    });
  });
});

describe("what is no request is broken, with nothing on stdout", () => {
  const text = JSON.stringify({ tool_name: "Bash", tool_input: { command: "ls" } });
  test.each([
    ["nothing", ""],
    ["text", "ls"],
    ["a list", "[]"],
    ["two documents", `${text}${text}`],
    ["a key twice", '{"tool_name":"Bash","tool_input":{"command":"ls","command":"ls"}}'],
    ["a byte order mark", `\ufeff${text}`],
    ["UTF-16", Buffer.from(text, "utf16le")],
    ["bytes that are no text", Buffer.from('{"tool":"\xff"}', "latin1")],
    ["two forms", '{"tool":"Bash","tool_input":{"command":"ls"},"args":{}}'],
    [
      "another spelling",
      '{"tool_name":"Bash","tool_input":{"command":"ls"},"Tool_Input":{"command":"cat .env"}}',
    ],
    ["no tool", '{"args":{}}'],
    ["an empty tool", '{"tool":" "}'],
    ["a tool of an odd type", '{"tool":["Bash"],"args":{"command":"ls"}}'],
    ["no arguments", '{"tool_name":"Bash"}'],
    ["arguments of an odd type", '{"tool_name":"Bash","tool_input":"{\\"command\\":\\"ls\\"}"}'],
    ["a relative folder", '{"tool":"Bash","args":{"command":"ls"},"cwd":"."}'],
    ["a folder of an odd type", '{"tool":"Bash","args":{"command":"ls"},"cwd":null}'],
  ])("%s", (_, input) => expect(check(input, "--json")).toMatchObject({ exit: 1, stdout: "" }));
  test("nor is a tool on the command line beside it", () =>
    expect(paldron(["check", "--stdin", "--", "Bash"], { cwd, input: text })).toMatchObject({
      exit: 1,
      stdout: "",
    }));
  test("the message does not repeat it", () =>
    expect(check('{"tool":"Bash","tool":"hunter2"}').stderr).toBe(
      "paldron: the request cannot be read: a key stands twice in one object at character 22\n",
    ));
});
