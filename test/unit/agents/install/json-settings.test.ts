import { describe, expect, test } from "vitest";
import { HOOK_TABLES } from "../../../../src/agents/install/hooks.ts";
import {
  freshJson,
  type JsonSettings,
  registerJson,
  unregisterJson,
} from "../../../../src/agents/install/json-settings.ts";

const OWN = { node: "/usr/bin/node", program: "/opt/paldron/bin/paldron", policy: undefined };

function settings(agent: string): JsonSettings {
  const table = HOOK_TABLES[agent];
  if (table === undefined) throw new Error(agent);
  return { agent, table, what: "settings.json" };
}

const gemini = settings("gemini");
const register = (text: string, of = gemini): string => registerJson(text, of, OWN);
const undo = (text: string, of = gemini): string | undefined => unregisterJson(text, of);

const command = "/usr/bin/node /opt/paldron/bin/paldron hook --agent=gemini";
const before = { matcher: "*", hooks: [{ type: "command", name: "paldron", command, timeout: 20000 }] };
const after = { matcher: "*", hooks: [{ type: "command", name: "paldron-output", command, timeout: 20000 }] };
const printed = (value: unknown, indent: string, base: string, newline = "\n"): string =>
  JSON.stringify(value, undefined, indent).split("\n").join(`${newline}${base}`);
const HOOKS = { BeforeTool: [before], AfterTool: [after] };

describe("what becomes of a file, to the last byte", () => {
  const rows: readonly [name: string, text: string, becomes: string][] = [
    ["blank", "", ` ${printed({ hooks: HOOKS }, "  ", "")}`],
    ["blank, with a line break", "\n", `\n ${printed({ hooks: HOOKS }, "  ", "")}`],
    ["an empty object", "{}\n", `{"hooks": ${printed(HOOKS, "  ", "  ")}}\n`],
    ["one other key", '{\n  "a": 1\n}\n', `{\n  "a": 1,\n  "hooks": ${printed(HOOKS, "  ", "  ")}\n}\n`],
    ["tabs", '{\n\t"a": 1\n}', `{\n\t"a": 1,\n\t"hooks": ${printed(HOOKS, "\t", "\t")}\n}`],
    [
      "CRLF and three spaces",
      '{\r\n   "a": 1\r\n}\r\n',
      `{\r\n   "a": 1,\r\n   "hooks": ${printed(HOOKS, "   ", "   ", "\r\n")}\r\n}\r\n`,
    ],
    ["on one line", '{"a": 1}', `{"a": 1, "hooks": ${printed(HOOKS, "  ", "  ")}}`],
    ["a byte order mark", '\ufeff{"a": 1}', `\ufeff{"a": 1, "hooks": ${printed(HOOKS, "  ", "  ")}}`],
    [
      "comments",
      '{\n  // first\n  "a": 1 /* one */ // end\n  // last\n}',
      `{\n  // first\n  "a": 1, /* one */ // end\n  // last\n  "hooks": ${printed(HOOKS, "  ", "  ")}\n}`,
    ],
    ["a trailing comma", '{\n  "a": 1,\n}', `{\n  "a": 1,\n  "hooks": ${printed(HOOKS, "  ", "  ")},\n}`],
    [
      "a foreign hook and an empty list",
      '{\n  "hooks": {\n    "BeforeTool": [{ "hooks": [{ "command": "./x" }] }],\n    "AfterTool": []\n  }\n}',
      `{\n  "hooks": {\n    "BeforeTool": [{ "hooks": [{ "command": "./x" }] }, ${printed(before, "  ", "      ")}],\n    "AfterTool": [${printed(after, "  ", "      ")}]\n  }\n}`,
    ],
  ];
  test.each(rows)("%s", (_, text, becomes) => {
    expect(register(text)).toBe(becomes);
    expect(register(becomes)).toBe(becomes);
    expect(undo(becomes)).toBe(text);
    expect(undo(text)).toBe(text);
  });
});

describe.each(Object.keys(HOOK_TABLES))("%s", (agent) => {
  const of = settings(agent);
  test("a file that is made goes again", () => {
    const fresh = freshJson(of, OWN);
    expect(register(fresh, of)).toBe(fresh);
    expect(undo(fresh, of)).toBeUndefined();
    expect(undo(`${fresh}\n`, of)).toBeUndefined();
  });
  test("what somebody adds to it stays", () => {
    const fresh = freshJson(of, OWN);
    const added = fresh.replace("{\n", '{\n  "b": 2,\n');
    expect(undo(added, of)).toBe('{\n  "b": 2\n}\n');
  });
  test("a file with its own version keeps it", () => {
    const text = '{\n  "version": 1,\n  "hooks": {}\n}\n';
    expect(undo(register(text, of), of)).toBe(text);
  });
  test("another path is put in the place of the old one", () => {
    const old = registerJson('{\n  "a": 1\n}\n', of, {
      node: "/old/node",
      program: "/old/paldron",
      policy: undefined,
    });
    expect(register(old, of)).toBe(register('{\n  "a": 1\n}\n', of));
    expect(undo(old, of)).toBe('{\n  "a": 1\n}\n');
  });
});

describe("hooks of Paldron's that a person wrote", () => {
  const group = (commands: readonly string[]): unknown => ({
    matcher: "shell",
    hooks: commands.map((text) => ({ type: "command", command: text })),
  });
  const file = (groups: readonly unknown[]): string =>
    JSON.stringify({ hooks: { BeforeTool: groups, AfterTool: [after] } }, undefined, 2);
  const hooksIn = (text: string): unknown => JSON.parse(text).hooks.BeforeTool;

  test("one becomes what init writes, where it stands", () => {
    const text = file([group(["paldron hook --agent gemini"]), group(["./x"])]);
    expect(hooksIn(register(text))).toEqual([before, group(["./x"])]);
  });
  test("two become one", () => {
    const text = file([group([command]), group(["./x"]), group(["'/p/paldron' hook --agent=gemini"])]);
    expect(hooksIn(register(text))).toEqual([before, group(["./x"])]);
  });
  test("a right one is kept and the other goes", () => {
    const text = file([group([command]), before]);
    expect(hooksIn(register(text))).toEqual([before]);
  });
  test("one among others leaves them", () => {
    const text = file([group(["./x", command, "./y"])]);
    expect(hooksIn(register(text))).toEqual([group(["./x", "./y"]), before]);
  });
  test("undo leaves them", () => {
    const text = file([group(["paldron hook --agent gemini"])]);
    expect(hooksIn(undo(text) ?? "")).toEqual([group(["paldron hook --agent gemini"])]);
  });
  test("another agent's, and what only looks like it, are not touched", () => {
    const others = [
      "/n /p/paldron hook --agent=claude",
      "X=1 /n /p/paldron hook --agent=gemini",
      "/n /p/paldron hook --agent=gemini; rm x",
      "/n /p/paldron hook --agent=gemini $(x)",
      "/n /p/paldron exec -- hook",
      "/n /p/other hook --agent=gemini",
    ];
    const text = file([group(others)]);
    expect(hooksIn(register(text))).toEqual([group(others), before]);
    expect(undo(register(text))).toBe(undo(text));
  });
});

describe("refused, with nothing of the text in the message", () => {
  test.each([
    ["no object", "[]", "settings.json: it holds no object"],
    ["text", '"SECRET"', "settings.json: it holds no object"],
    ["cut off", '{"a": "SECRET', "settings.json:1: not valid JSON"],
    ["two values", '{}\n{"a": "SECRET"}', "settings.json:2: not valid JSON"],
    ["only a comment", "// SECRET", "settings.json:1: not valid JSON"],
    ["no comma", '{"a": 1 "b": 2}', "settings.json:1: not valid JSON"],
    ["a key twice", '{"hooks": {}, "hooks": {}}', "settings.json:1: a key stands twice in one object"],
    [
      "a key twice, spelled apart",
      '{"a": {"h": 1, "\\u0068": 2}}',
      "settings.json:1: a key stands twice in one object",
    ],
    ["hooks is a list", '{"hooks": []}', "settings.json: `hooks` is no object"],
    ["hooks is null", '{"hooks": null}', "settings.json: `hooks` is no object"],
    [
      "an event is an object",
      '{"hooks": {"BeforeTool": {}}}',
      "settings.json: `hooks.BeforeTool` is no list",
    ],
    ["too deep", "[".repeat(100_000), "settings.json:1: nested deeper than 100 levels"],
  ])("%s", (_, text, message) => {
    expect(() => register(text)).toThrow(`${message}; nothing was changed`);
  });
});

test("paths with blanks and quotes are one word each", () => {
  const odd = { node: "/n o/node", program: "/it's/bin/paldron", policy: '/a "b" $c/p.toml' };
  const text = registerJson("{}", gemini, odd);
  expect(JSON.parse(text).hooks.BeforeTool[0].hooks[0].command).toBe(
    `'/n o/node' '/it'\\''s/bin/paldron' hook --agent=gemini '--policy=/a "b" $c/p.toml'`,
  );
  expect(registerJson(text, gemini, odd)).toBe(text);
  expect(undo(text)).toBe("{}");
});
