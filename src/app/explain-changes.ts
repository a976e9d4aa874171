import type { Decision } from "../core/decision.ts";
import type { Policy } from "../policy/types.ts";

/** By the code of a decision: what a person can do about it. `…` stands for what was judged. */
const BY_CODE: Readonly<Record<string, string>> = {
  secret: "if it holds no secret, `secret_exceptions` can lift it: a glob that matches `…`",
  outside_workspace:
    "a workspace that holds it (`--workspace`); for what a command under `exec` reads, `read_paths`",
  outside_allow_paths: "an entry of `allow_paths` that covers `…`",
  binary: "the program's name in `allow_binaries`",
  network: "`allow_network = true`",
  unknown_tool: 'a `[[rule]]` that allows it, or `unknown_tools = "allow"`',
  opaque:
    "a `[[rule]]` that allows each command of the request, or running it under `paldron exec`, which bounds it",
  shell: "writing the command so that the names of programs and files stand in it",
  variable: "running it under `paldron exec`, which bounds it, or leaving the variable alone",
  argument:
    "arguments that follow the tool's contract: `paldron schema --tool NAME` prints that of a built-in tool",
  path: "a path that can be resolved",
};

/** What would change a decision, one line each. */
export function changes(decision: Decision, policy: Policy): readonly string[] {
  if (decision.decision === "allow")
    return ["a `[[rule]]` that asks or denies, or a stricter key of the policy"];
  const approval = decision.decision === "ask" ? ["a person's yes"] : [];
  return [...approval, change(decision, policy)];
}

function change(decision: Decision, policy: Policy): string {
  const rule = policy.rules.find((one) => one.id === decision.rule);
  if (rule !== undefined) {
    const { path, line } = rule.origin;
    return `the rule \`${rule.id}\` in ${line === undefined ? path : `${path}:${line}`}: no other rule outweighs it`;
  }
  const glob = /^deny_globs\[(\d+)\]$/.exec(decision.rule)?.[1];
  if (glob !== undefined)
    return `\`deny_globs\` without its entry \`${policy.denyGlobs[Number(glob)] ?? ""}\`: nothing outweighs it`;
  const known = Object.hasOwn(BY_CODE, decision.code) ? BY_CODE[decision.code] : undefined;
  return known?.replace("…", () => decision.what) ?? "nothing in the policy: do it outside, by a person";
}
