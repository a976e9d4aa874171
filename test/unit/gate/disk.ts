import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Decision, describe as sentence } from "../../../src/core/decision.ts";
import type { Workspace } from "../../../src/core/request.ts";
import { evaluate } from "../../../src/gate/evaluate.ts";
import { shellJudge } from "../../../src/gate/shell.ts";
import { fileView } from "../../../src/host/file-view.ts";
import { parsePolicy } from "../../../src/policy/parse.ts";
import type { UnknownTools } from "../../../src/policy/types.ts";

/** A small tree on the real disk, and the gate over it. */
export interface Disk {
  readonly top: string;
  readonly workspace: Workspace;
  readonly tool: (args: Readonly<Record<string, unknown>>, policy?: string, tool?: string) => string;
  readonly exec: (argv: readonly string[], policy?: string) => string;
  /** The decision on a call without arguments. */
  readonly unknown: (tool: string, unknownTools: UnknownTools) => string;
  /** The outcome for a call of an agent's tool; the policy lies at `policy/p.toml`. */
  readonly agent: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
    policy?: string,
    folder?: string,
  ) => AgentOutcome;
  readonly remove: () => void;
}

export type AgentOutcome = Decision["decision"];

export function layDisk(): Disk {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-gate-")));
  const root = join(top, "ws");
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
    if (text.startsWith("#!")) chmodSync(join(top, name), 0o755);
  };
  for (const name of ["src/a.txt", "docs/x.md", ".env", "secrets/k", "notes.txt"]) put(`ws/${name}`, "x\n");
  for (const name of ["ws/ls", "ws/tool.sh", "bin/ls", "bin/sh", "bin/cat", "bin/find"])
    put(name, "#!/bin/sh\n");
  put("out.txt", "x\n");
  put("data/d.txt", "x\n");
  put("home/.ssh/id_rsa", "x\n");
  const links = {
    "ws/to_env": ".env",
    "ws/to_out": "../out.txt",
    "ws/dangling": "../new",
    "ws/loop": "loop",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(top, name));
  symlinkSync("/proc/self/cwd", join(root, "magic"));
  symlinkSync("../docs/x.md", join(root, "src/to_docs"));
  symlinkSync(Buffer.from("../out.txt"), Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]));
  symlinkSync("ws", join(top, "alias"));
  const env = { HOME: join(top, "home"), PATH: `${root}/node_modules/.bin:${top}/bin` };
  const workspace: Workspace = { root, names: [], cwd: root };
  const show = (decision: Decision): string =>
    decision.decision === "allow" ? "allow" : sentence(decision).replaceAll(root, "W").replaceAll(top, "T");
  const fill = (text: string): string => text.replaceAll("$W", root).replaceAll("$T", top);
  const load = (text: string) => parsePolicy(fill(text), { path: "p" });
  return {
    top,
    workspace,
    tool: (args, policy = "", tool = "mytool") => {
      const filled = JSON.parse(fill(JSON.stringify(args))) as Record<string, unknown>;
      return show(
        evaluate(
          { kind: "tool", tool, args: filled, workspace },
          load(policy),
          fileView({ env, workspace }),
          {
            shell: shellJudge,
          },
        ),
      );
    },
    exec: (argv, policy = "") =>
      show(
        evaluate(
          { kind: "exec", argv: argv.map(fill), workspace },
          load(policy),
          fileView({ env, workspace }),
          { shell: shellJudge },
        ),
      ),
    unknown: (tool, unknownTools) =>
      evaluate({ kind: "tool", tool, args: {}, workspace }, load(""), fileView({ env, workspace }), {
        unknownTools,
        shell: shellJudge,
      }).decision,
    agent: (tool, args, policy = "", folder = undefined) => {
      const filled = JSON.parse(fill(JSON.stringify(args))) as Record<string, unknown>;
      const request = { kind: "tool", tool, args: filled, workspace } as const;
      const read = load(policy);
      return evaluate(request, read, fileView({ env, workspace }), {
        shell: shellJudge,
        agent: true,
        unknownTools: read.unknownTools,
        folder: folder === undefined ? undefined : fill(folder),
        protectedFiles: [join(root, "policy/p.toml")],
      }).decision;
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
