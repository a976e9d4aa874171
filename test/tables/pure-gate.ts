import type { Decision } from "../../src/core/decision.ts";
import type { Request, Workspace } from "../../src/core/request.ts";
import { evaluate } from "../../src/gate/evaluate.ts";
import type { FileView } from "../../src/gate/file-view.ts";
import { ruleJudge } from "../../src/gate/rules/judge.ts";
import { shellJudge } from "../../src/gate/shell.ts";
import { loadPolicyText } from "../../src/host/policy-file.ts";
import { cleanPath } from "../../src/policy/paths.ts";
import type { Policy } from "../../src/policy/types.ts";

/** A request as the tables write it: shell text as an agent's tool call, an argument vector, or a tool call. */
export type Asked =
  | string
  | readonly string[]
  | { readonly tool: string; readonly args?: Readonly<Record<string, unknown>> };

const WORKSPACE: Workspace = { root: "/ws", names: [], cwd: "/ws" };

/** Files and links of a disk that is not there: `python` is a link to `python3.12`, `tool` in the workspace to git. */
const LINKS: Readonly<Record<string, string>> = {
  "/usr/bin/python": "/usr/bin/python3.12",
  "/ws/tool": "/usr/bin/git",
};
const FILES = new Set(["/ws/infra/main.tf", "/ws/README.md", "/ws/scripts/deploy.sh", "/ws/tool"]);

const VIEW: FileView = {
  home: "/home/u",
  lexists: (path) => FILES.has(cleanPath(path) ?? ""),
  resolve: (path) => LINKS[path] ?? cleanPath(path) ?? path,
  findProgram: (name, cwd) => {
    if (!name.includes("/")) return `/usr/bin/${name}`;
    return cleanPath(name.startsWith("/") ? name : `${cwd}/${name}`);
  },
  isSpecial: () => false,
  isFolder: (path) => ["/", "/ws", "/ws/src", "/ws/infra"].includes(path),
  list: () => undefined,
  isTracked: () => true,
  isPublicPem: () => false,
};

function requestOf(asked: Asked): Request {
  if (typeof asked === "string")
    return { kind: "tool", tool: "Bash", args: { command: asked }, workspace: WORKSPACE };
  if ("tool" in asked)
    return { kind: "tool", tool: asked.tool, args: asked.args ?? {}, workspace: WORKSPACE };
  return { kind: "exec", argv: asked, workspace: WORKSPACE };
}

/** The decision of the whole gate on a machine that is the same everywhere. */
export function decide(asked: Asked, policy: string | Policy): Decision {
  const read = typeof policy === "string" ? loadPolicyText(policy, "p").policy : policy;
  // Shell text is what counts there, not whether the tool that carries it is known.
  const unknownTools = typeof asked === "string" ? "allow" : read.unknownTools;
  return evaluate(requestOf(asked), read, VIEW, {
    shell: shellJudge,
    rules: ruleJudge,
    unknownTools,
    agent: true,
  });
}
