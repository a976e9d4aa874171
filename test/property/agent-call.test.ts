import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../src/core/request.ts";
import { evaluate } from "../../src/gate/evaluate.ts";
import type { FileView } from "../../src/gate/file-view.ts";
import { shellJudge } from "../../src/gate/shell.ts";
import { parsePolicy } from "../../src/policy/parse.ts";
import { agentTool } from "../../src/tools/agent-tools.ts";

const workspace: Workspace = { root: "/ws", names: [], cwd: "/ws" };
const view: FileView = {
  home: "/home/u",
  lexists: () => false,
  resolve: (path) => path,
  findProgram: (name) => `/usr/bin/${name}`,
  isSpecial: () => false,
  isFolder: () => false,
  list: () => undefined,
  isTracked: () => true,
  isPublicPem: () => false,
};
const policy = parsePolicy("", { path: "p" });
const outcome = (tool: string, args: Readonly<Record<string, unknown>>) =>
  evaluate({ kind: "tool", tool, args, workspace }, policy, view, {
    agent: true,
    unknownTools: "ask",
    shell: shellJudge,
  }).decision;

/** Calls that are allowed as they stand. */
const CALLS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["Bash", "command", { command: "ls src" }],
  ["run_shell_command", "command", { command: "ls src", description: "x" }],
  ["Read", "file_path", { file_path: "/ws/a" }],
  ["view", "path", { path: "/ws/a" }],
  ["Write", "file_path", { file_path: "/ws/a", content: "x" }],
  ["Edit", "file_path", { file_path: "a", old_string: "x", new_string: "y" }],
  ["apply_patch", "command", { command: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n" }],
  ["Grep", "pattern", { pattern: "x" }],
];
const call = fc.constantFrom(...CALLS);
const odd = fc.oneof(
  fc.constantFrom(null, true, 0, 1e9, [], {}, [[]]),
  fc.array(fc.string(), { minLength: 1 }),
  fc.dictionary(fc.string(), fc.string()),
);
const known = (tool: string): ReadonlySet<string> => new Set(Object.keys(agentTool(tool)?.args ?? {}));

describe("a call that is changed", () => {
  it("starts from one that is allowed", () => {
    for (const [tool, , args] of CALLS) expect([tool, outcome(tool, args)]).toEqual([tool, "allow"]);
  });
  it("is not allowed with what it needs missing or of an odd type", () => {
    fc.assert(
      fc.property(call, odd, ([tool, key, args], value) => {
        expect(outcome(tool, { ...args, [key]: value })).toBe("deny");
        const { [key]: _, ...rest } = args;
        expect(outcome(tool, rest)).toBe("deny");
      }),
    );
  });
  it("is not allowed with an argument that is not known", () => {
    fc.assert(
      fc.property(call, fc.string({ minLength: 1 }), fc.jsonValue(), ([tool, , args], name, value) => {
        fc.pre(!known(tool).has(name));
        expect(outcome(tool, { ...args, [name]: value })).not.toBe("allow");
      }),
    );
  });
  it("is not allowed under a name that is not known", () => {
    fc.assert(
      fc.property(call, fc.string(), ([, , args], name) => {
        fc.pre(agentTool(name) === undefined);
        expect(outcome(name, args)).not.toBe("allow");
      }),
    );
  });
});
