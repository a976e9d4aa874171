import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HookReply } from "../../../src/agents/types.ts";
import { MAX_REQUEST_BYTES } from "../../../src/app/agent-call.ts";
import { type HookPlace, layHookPlace, outcomeOf } from "./recorded.ts";

let place: HookPlace;
beforeAll(() => {
  place = layHookPlace();
});
afterAll(() => place.remove());

type Payload = Readonly<Record<string, unknown>>;

const CWD = { cwd: "/tmp/probe/ws" };
const READ = { tool_name: "Read", tool_input: { file_path: "a.txt" } };
const named = (event: string, more: Payload): Payload => ({ hook_event_name: event, ...CWD, ...more });
const ROOTS = { workspace_roots: ["/tmp/probe/ws"] };
const OUTPUT = { tool_response: { text: "x" } };

/** A payload that is let through for every event of every protocol, and the fields without which it is not. */
const EVENTS: readonly (readonly [string, Payload, string])[] = [
  ...["PreToolUse", "PermissionRequest", "PreSkillShellCommand"].map(
    (event) => ["claude", named(event, READ), "hook_event_name tool_name tool_input"] as const,
  ),
  ["claude", named("PostToolUse", { ...READ, ...OUTPUT }), "hook_event_name tool_response"],
  ["claude", named("ConfigChange", { source: "user_settings" }), "hook_event_name source"],
  ["claude", named("SessionStart", {}), "hook_event_name"],
  ...["PreToolUse", "PermissionRequest"].flatMap((event) =>
    ["codex", "qwen"].map((agent) => {
      const call = { tool_name: "view_image", tool_input: { path: "a.txt" } };
      return [
        agent,
        named(event, agent === "codex" ? call : READ),
        "hook_event_name tool_name tool_input",
      ] as const;
    }),
  ),
  ["codex", named("PostToolUse", { ...READ, ...OUTPUT }), "hook_event_name tool_response"],
  ["qwen", named("PostToolUse", { ...READ, ...OUTPUT }), "hook_event_name tool_response"],
  ["gemini", named("BeforeTool", READ), "hook_event_name tool_name tool_input"],
  ["gemini", named("AfterTool", { ...READ, ...OUTPUT }), "hook_event_name tool_response"],
  ["copilot", { sessionId: "s", ...CWD, toolName: "view", toolArgs: { path: "a.txt" } }, "toolName toolArgs"],
  [
    "copilot",
    { hookName: "permissionRequest", sessionId: "s", ...CWD, toolName: "view", toolInput: { path: "a.txt" } },
    "toolName toolInput",
  ],
  ["copilot", { sessionId: "s", ...CWD, toolName: "view", toolResult: { text: "x" } }, "toolName"],
  ["copilot", named("PreToolUse", READ), "tool_name tool_input"],
  [
    "copilot",
    named("PostToolUse", { tool_name: "Read", tool_result: { text: "x" } }),
    "tool_name tool_result",
  ],
  ["cursor", named("preToolUse", { ...READ, ...ROOTS }), "hook_event_name tool_name tool_input"],
  ["cursor", named("beforeReadFile", { file_path: "a.txt", ...ROOTS }), "hook_event_name file_path"],
  ["cursor", named("beforeTabFileRead", { file_path: "a.txt", ...ROOTS }), "hook_event_name file_path"],
  ["cursor", named("beforeShellExecution", { command: "ls", ...ROOTS }), "hook_event_name command"],
  ["cursor", named("postToolUse", { tool_output: "x", ...ROOTS }), "hook_event_name"],
  [
    "opencode",
    {
      hook: "tool.execute.before",
      input: { tool: "read" },
      output: { args: { filePath: "a.txt" } },
      directory: "/tmp/probe/ws",
    },
    "hook input output",
  ],
  [
    "opencode",
    {
      hook: "tool.execute.after",
      input: { tool: "read" },
      output: { output: "x" },
      directory: "/tmp/probe/ws",
    },
    "hook input output",
  ],
  ["generic", { tool: "read_file", args: { path: "/tmp/probe/ws/a.txt" }, ...CWD }, "tool args"],
  ["generic", { ...READ, ...CWD }, "tool_name tool_input"],
  ["generic", { tool: "read_file", args: {}, output: "x", ...CWD }, "tool"],
];

const cases = EVENTS.map(([agent, payload, fields]) => ({
  name: `${agent}: ${payload["hook_event_name"] ?? payload["hook"] ?? Object.keys(payload).join(" ")}`,
  agent,
  payload,
  fields: fields.split(" "),
}));

/** The same to the eye: letters of another script. */
function lookAlike(field: string): string {
  return field.replace(
    /[aeoip]/,
    (letter) => ({ a: "\u0430", e: "\u0435", o: "\u043e", i: "\u0456", p: "\u0440" })[letter] ?? "",
  );
}

/** JSON in which some keys are written in a way of their own. */
function written(payload: Payload, keys: Readonly<Record<string, string>>): string {
  const parts = Object.entries(payload).map(
    ([key, value]) => `${keys[key] ?? JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{${parts.join(",")}}`;
}

const escaped = (key: string): string =>
  `"\\u${key.charCodeAt(0).toString(16).padStart(4, "0")}${key.slice(1)}"`;

/** Texts that are not one JSON object, or that two readers may read differently. */
function broken(payload: Payload): Readonly<Record<string, string | Uint8Array>> {
  const text = JSON.stringify(payload);
  const more = (extra: string): string => `${text.slice(0, -1)},${extra}}`;
  const [first = ""] = Object.keys(payload);
  const key = JSON.stringify(first);
  return {
    nothing: "",
    blanks: " \n",
    "a byte order mark": `\ufeff${text}`,
    "two documents": `${text}\n${text}`,
    "something behind it": `${text}x`,
    "a NUL behind it": `${text}\0`,
    "a NUL before it": `\0${text}`,
    "a NUL between": text.replace(":", ":\0"),
    "a list": `[${text}]`,
    "a string": JSON.stringify(text),
    null: "null",
    "the first half": text.slice(0, text.length / 2),
    "a key twice": more(`${key}:${JSON.stringify(payload[first])}`),
    "a key twice, once escaped": more(`${escaped(first)}:${JSON.stringify(payload[first])}`),
    "a key twice further down": more(`"more":{"a":1,"a":2}`),
    "a comma too many": `${text.slice(0, -1)},}`,
    "a comment": `${text.slice(0, -1)}/* */}`,
    "single quotes": text.replaceAll('"', "'"),
    "a raw line break in a string": more(`"more":"a\nb"`),
    "half a character": more(`"more":"\\ud800"`),
    "bytes that are not UTF-8": new Uint8Array([
      ...new TextEncoder().encode(more(`"more":"x`).slice(0, -1)),
      0xff,
      0x22,
      0x7d,
    ]),
    "a number without end": more(`"more":1e999`),
    NaN: more(`"more":NaN`),
    "too deep in objects": more(`"more":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`),
    "too deep in lists": more(`"more":${"[".repeat(5000)}${"]".repeat(5000)}`),
    "too long": more(`"more":"${"x".repeat(MAX_REQUEST_BYTES)}"`),
  };
}

/** Exactly what stops this client where nothing could be judged: one line for people, and nothing that looks like another answer. */
function expectBlock(agent: string, { exit, stdout, stderr }: HookReply, what: string): void {
  expect([what, exit]).toEqual([what, 2]);
  expect(stderr, what).toMatch(/^paldron: the call could not be judged: [^\n]+\n$/);
  expect(stderr, what).not.toMatch(/internal error|\bat \S+ \(|\.[cm]?[jt]s:\d/);
  const reason = stderr.trimEnd();
  const said =
    agent === "cursor"
      ? { permission: "deny", user_message: reason, agent_message: reason }
      : agent === "generic"
        ? { decision: "deny", reason }
        : undefined;
  expect(stdout, what).toBe(said === undefined ? "" : `${JSON.stringify(said)}\n`);
}

describe("a payload that is let through as it stands", () => {
  it.each(cases)(
    "$name is, also with keys that are written in escapes",
    async ({ agent, payload, fields }) => {
      const keys = Object.fromEntries(fields.map((field) => [field, escaped(field)]));
      for (const text of [JSON.stringify(payload), written(payload, keys)])
        expect(["silent", "rewrite", "ask"]).toContain(outcomeOf(agent, await place.hook(agent, text)));
    },
  );
  it.each(cases)("$name is blocked as a text that is not one plain object", async ({ agent, payload }) => {
    for (const [what, text] of Object.entries(broken(payload)))
      expectBlock(agent, await place.hook(agent, text), what);
  });
  it.each(cases)(
    "$name is blocked without what counts, or with it in other letters",
    async ({ agent, payload, fields }) => {
      for (const field of fields) {
        const { [field]: value, ...rest } = payload;
        const others = [`${field}\0`, ` ${field}`, field.toUpperCase(), lookAlike(field)];
        for (const other of [undefined, ...others]) {
          const reply = await place.hook(agent, other === undefined ? rest : { ...rest, [other]: value });
          expect([`${field} as ${other}`, outcomeOf(agent, reply)]).toEqual([
            `${field} as ${other}`,
            "block",
          ]);
        }
      }
    },
  );
});
