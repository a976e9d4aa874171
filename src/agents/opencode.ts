import type { JsonObject } from "../core/strict-json.ts";
import { bad, folderOf, json, objectOf, refusal, SILENCE, textOf } from "./fields.ts";
import type { AgentProtocol, HookEvent } from "./types.ts";

/**
 * OpenCode, through its plugin (`examples/opencode/paldron.js`), which sends what its hooks get:
 * `{hook, input: {tool, …}, output: {args}, directory, worktree}`. Measured with 1.18.33: a thrown error blocks and its
 * text goes to the model; only a change inside `output.args` counts, so the plugin copies `args` into it.
 */
export const opencode: AgentProtocol = {
  decode,
  answer: (_, given) => {
    if (given.kind !== "allow") return refusal(given.reason);
    return given.args === undefined ? SILENCE : json({ args: given.args });
  },
  clean: (_, { text }) => json({ output: text }),
  block: refusal,
};

function decode(payload: JsonObject): HookEvent {
  const hook = textOf(payload, "hook");
  const [input, output] = [objectOf(payload, "input"), objectOf(payload, "output")];
  const tool = textOf(input, "tool");
  const folder = folderOf(payload, "directory");
  const worktree = folderOf(payload, "worktree");
  // Outside a repository the worktree is the root of the file system.
  const root = worktree === undefined || worktree === "/" ? folder : worktree;
  if (hook === "tool.execute.after")
    return { kind: "after", event: hook, output: output["output"] ?? "", root };
  if (hook !== "tool.execute.before") throw bad("its hook is not known");
  const args = objectOf(output, "args");
  return { kind: "before", event: hook, tool, args, folder, root, rewrites: true, asks: false };
}
