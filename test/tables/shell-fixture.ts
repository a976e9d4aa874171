import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkTool } from "../../src/app/check.ts";
import { runExplain, type Trace } from "../../src/app/explain.ts";
import type { Decision } from "../../src/core/decision.ts";
import { ruleJudge } from "../../src/gate/rules/judge.ts";
import { shellJudge } from "../../src/gate/shell.ts";
import { fileView } from "../../src/host/file-view.ts";
import { loadPolicyText } from "../../src/host/policy-file.ts";
import type { Policy } from "../../src/policy/types.ts";

/** One shell command, as an agent sends it. */
export interface ShellRow {
  readonly command: string;
  /** `refuse`: deny or ask. */
  readonly want: "allow" | "deny" | "refuse";
  /** Prepares the tree, in bash. */
  readonly setup?: string;
  /** Binaries that the policy lists beside the usual ones. */
  readonly also?: readonly string[];
  /** Judged only without `allow_binaries`. */
  readonly open?: boolean;
  /** Holds only under a policy without rules. */
  readonly ruleless?: boolean;
}

const READERS =
  "ls cat head tail wc grep find sed awk sort uniq cut tr echo printf pwd true test git diff date".split(" ");
const TOOLS = [
  ...READERS,
  ...(
    "rg bash sh env node npm npx python3 make gcc cp mv rm mkdir rmdir touch chmod ln tee xargs timeout sleep kill seq " +
    "mktemp basename dirname readlink realpath tar gzip jq which command type cd export set exit wait read source"
  ).split(" "),
];

export function readShellRows(file: string): readonly ShellRow[] {
  const text = readFileSync(join(import.meta.dirname, "shell", file), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ShellRow);
}

export interface ShellFixture {
  readonly judge: (row: ShellRow, allow: readonly string[] | undefined, extend?: string) => Decision;
  /** What `explain` tells of the same request. */
  readonly explain: (row: ShellRow, allow: readonly string[] | undefined) => Promise<Trace>;
  readonly remove: () => void;
}

const FILES: Readonly<Record<string, string>> = {
  "ws/README.md": "# demo\n",
  "ws/data.txt": "a 1\n",
  "ws/src/a.js": "console.log(1)\n",
  "ws/.env": "API_KEY=made-up\n",
  "ws/.env.local": "K=made-up\n",
  "ws/.env.example": "API_KEY=changeme\n",
  "ws/config/secrets/token.txt": "made-up\n",
  "ws/certs/server.pem": "made-up\n",
  "ws/a/b/c/d/e/f/.env": "D=made-up\n",
  "ws/x": "#!/bin/sh\nexec cat\n",
  "ws/old.log": "old\n",
  "ws/package.json": '{"name":"demo","version":"1.0.0","scripts":{"test":"node -e 0"}}\n',
  "home/.bashrc": "# rc\n",
  "home/.ssh/id_fake": "made-up\n",
  "home/.aws/credentials": "made-up\n",
  "home/.gitconfig": "[user]\n\tname = t\n\temail = t@example.invalid\n",
  "out/secret.txt": "made-up\n",
  "out/victim.txt": "original\n",
};

const policies = new Map<string, Policy>();

function policyOf(allow: readonly string[] | undefined, extend: string | undefined): Policy {
  const binaries = allow === undefined ? "" : `allow_binaries = ${JSON.stringify(allow)}\n`;
  const extended = extend === undefined ? "" : `extends = ["${extend}"]\n`;
  const text = `${extended}allow_network = false\n${binaries}`;
  const have = policies.get(text);
  if (have !== undefined) return have;
  const { policy } = loadPolicyText(text, "p");
  policies.set(text, policy);
  return policy;
}

export function layShellFixture(setup?: string): ShellFixture {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-shell-")));
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(top, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith("#!")) chmodSync(path, 0o755);
  }
  const root = join(top, "ws");
  const env = {
    HOME: join(top, "home"),
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    WS: root,
    OUT: join(top, "out"),
    TMPDIR: top,
  };
  const bash = (text: string): void => {
    execFileSync("bash", ["-c", text], { cwd: root, env, stdio: "ignore" });
  };
  bash("git init -q && git add -A -f && git commit -qm init");
  if (setup !== undefined) bash(`${setup}\ntrue`);
  const workspace = { root, names: [], cwd: root };
  return {
    judge: ({ command }, allow, extend) => {
      const policy = policyOf(allow, extend);
      const view = fileView({ env, workspace });
      return checkTool(
        { tool: "Bash", args: { command }, policy, workspace, env, view, unknownTools: "allow" },
        { shell: shellJudge, rules: ruleJudge },
      );
    },
    explain: ({ command }, allow) =>
      runExplain({
        request: { form: "tool", tool: "Bash", argsText: JSON.stringify({ command }) },
        policy: policyOf(allow, undefined),
        source: { path: undefined, sha256: undefined },
        workspace,
        env,
      }),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** What the policy lists: nothing, then the usual binaries. A row that must be refused has only readers. */
export function listsFor(row: ShellRow): readonly (readonly string[] | undefined)[] {
  if (row.open === true) return [undefined];
  const also = row.also ?? [];
  return row.want === "allow" ? [undefined, [...TOOLS, ...also]] : [[...READERS, ...also]];
}
