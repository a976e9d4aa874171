import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_REQUEST_BYTES } from "../../../src/app/agent-call.ts";
import { agentTool } from "../../../src/tools/agent-tools.ts";
import { type HookPlace, layHookPlace, outcomeOf, RECORDED } from "./recorded.ts";

let place: HookPlace;
beforeAll(() => {
  place = layHookPlace();
});
afterAll(() => place.remove());

type Fields = Record<string, unknown>;

const BEFORE = ["PreToolUse", "PreSkillShellCommand", "BeforeTool", "tool.execute.before"];
const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  1e300,
  "",
  " ",
  [],
  {},
  ["ls"],
  [["ls"]],
  { command: "ls" },
];

/** Where a protocol has what counts: the objects on the way, and the name in the last one. */
const NAMED = { event: ["hook_event_name"], tool: ["tool_name"], args: ["tool_input"] };
const CAMEL = { event: undefined, tool: ["toolName"], args: ["toolArgs"] };
const PLUGIN = { event: ["hook"], tool: ["input", "tool"], args: ["output", "args"] };

const cases = RECORDED.flatMap(({ file, agent, payloads }) =>
  payloads.flatMap((payload, index) => {
    const event = payload["hook_event_name"] ?? payload["hook"];
    const isCamel = "toolArgs" in payload && !("toolResult" in payload) && !("serverName" in payload);
    if (!isCamel && !BEFORE.includes(String(event))) return [];
    const fields = isCamel ? CAMEL : "hook" in payload ? PLUGIN : NAMED;
    return [{ name: `${file} ${index}`, agent, payload, fields }];
  }),
);

function at(payload: unknown, path: readonly string[]): Fields {
  return path.reduce((holder, key) => holder[key] as Fields, payload as Fields);
}

/** A copy in which `change` was made to the object that holds the field at `path`. */
function changed(
  payload: object,
  path: readonly string[],
  change: (holder: Fields, key: string) => void,
): Fields {
  const copy = structuredClone(payload) as Fields;
  change(at(copy, path.slice(0, -1)), path.at(-1) ?? "");
  return copy;
}

const outcome = async (agent: string, payload: unknown): Promise<string> =>
  outcomeOf(agent, await place.hook(agent, payload));

/** The arguments of a call that the gate judges: one of another type cannot be judged. */
function judgedArguments(payload: object, fields: typeof NAMED | typeof CAMEL | typeof PLUGIN): string[][] {
  const tool = String(at(payload, fields.tool));
  return Object.keys(at(payload, fields.args))
    .filter((key) =>
      ["read", "write", "command", "patch", "url"].includes(agentTool(tool)?.args?.[key] ?? ""),
    )
    .map((key) => [...fields.args, key]);
}

describe("a call, allowed or not, is not allowed", () => {
  it("there are some of every client", () => {
    expect(new Set(cases.map(({ agent }) => agent)).size).toBe(6);
  });
  it.each(cases)(
    "$name: where its tool, its arguments or its event are missing",
    async ({ agent, payload, fields }) => {
      for (const path of [fields.event, fields.tool, fields.args]) {
        if (path === undefined) continue;
        const without = changed(payload, path, (holder, key) => delete holder[key]);
        expect(await outcome(agent, without), path.join(".")).toBe("block");
      }
    },
  );
  it.each(cases)("$name: where one of them is of another type", async ({ agent, payload, fields }) => {
    for (const path of [fields.event, fields.tool, fields.args]) {
      for (const value of path === undefined ? [] : WRONG) {
        // An object is what arguments are.
        if (path === fields.args && typeof value === "object" && value !== null && !Array.isArray(value))
          continue;
        const wrong = changed(payload, path ?? [], (holder, key) => {
          holder[key] = value;
        });
        expect(await outcome(agent, wrong), `${path?.join(".")} = ${JSON.stringify(value)}`).toBe("block");
      }
    }
  });
  it.each(cases)(
    "$name: where an argument that is judged is of another type",
    async ({ agent, payload, fields }) => {
      for (const path of judgedArguments(payload, fields)) {
        for (const value of [null, true, 0, {}, { command: "ls" }, [["ls"]], [null]]) {
          const wrong = changed(payload, path, (holder, key) => {
            holder[key] = value;
          });
          expect(["block", "ask"], `${path.join(".")} = ${JSON.stringify(value)}`).toContain(
            await outcome(agent, wrong),
          );
        }
      }
    },
  );
  it.each(cases)(
    "$name: where a field stands in another spelling, beside the right one or alone",
    async ({ agent, payload, fields }) => {
      // The plugin is Paldron's own and its objects are OpenCode's: nothing else spells them.
      for (const path of agent === "opencode" ? [] : [fields.event, fields.tool, fields.args]) {
        if (path === undefined) continue;
        const beside = changed(payload, path, (holder, key) => {
          holder[key.toUpperCase()] = holder[key];
        });
        const alone = changed(beside, path, (holder, key) => delete holder[key]);
        expect([await outcome(agent, beside), await outcome(agent, alone)], path.join(".")).toEqual([
          "block",
          "block",
        ]);
      }
    },
  );
  it.each(cases)(
    "$name: where it is too large, too deep, in a list or in an object",
    async ({ agent, payload, fields }) => {
      const large = changed(payload, fields.args, (holder, key) => {
        holder[key] = { ...(holder[key] as Fields), padding: "x".repeat(MAX_REQUEST_BYTES) };
      });
      const text = JSON.stringify(payload);
      const deep = `${text.slice(0, -1)},"more":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
      for (const each of [large, deep, [payload], { payload }, `"${text.replaceAll('"', '\\"')}"`])
        expect(await outcome(agent, each)).toBe("block");
    },
  );
});
