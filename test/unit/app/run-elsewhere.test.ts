import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runExec } from "../../../src/app/exec.ts";
import type { ExecResult, RunExecOptions, System } from "../../../src/app/exec-types.ts";
import { PROTECTIONS } from "../../../src/core/protection.ts";
import { parsePolicy } from "../../../src/policy/parse.ts";

const LINUX: System = { platform: "linux", launcherBuilt: false };
const WAIVED = "require_os_isolation = false\n";

let top = "";
let root = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "elsewhere-")));
  root = join(top, "ws");
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function run(
  argv: readonly string[],
  policy: string,
  over: Partial<RunExecOptions> = {},
): Promise<ExecResult> {
  return runExec({
    argv,
    policy: parsePolicy(policy, { path: "policy" }),
    source: { path: undefined, sha256: undefined },
    workspace: { root, names: [], cwd: root },
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(top, "home"), TOKEN: "t", LANG: "C" },
    output: "capture",
    stdin: "ignore",
    system: LINUX,
    ...over,
  });
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("Linux without a launcher", () => {
  test("a policy that requires isolation is told what is missing, and nothing runs", async () => {
    const result = await run(["touch", "made"], "");
    expect(result).toMatchObject({ verdict: "broken", error: "isolation", child: undefined });
    expect(result.reason.text).toBe("the launcher is not built (a C compiler is needed: `npm run build`)");
    expect(readdirSync(root)).toEqual([]);
  });

  test("a policy that waives it runs with a warning, and nothing counts as enforced", async () => {
    const said: string[] = [];
    const result = await run(["sh", "-c", "echo out; echo err >&2; touch made"], WAIVED, {
      onWarning: (warning) => said.push(warning),
    });
    expect(result).toMatchObject({
      verdict: "allow",
      setting: "none",
      child: { exit_code: 0, signal: null },
    });
    expect(said).toEqual([
      "running without OS isolation (policy gate and output scan only, no kernel boundary)",
    ]);
    expect(result.warnings).toEqual(said);
    expect([text(result.stdout), text(result.stderr)]).toEqual(["out\n", "err\n"]);
    expect(readdirSync(root)).toEqual(["made"]);
    for (const name of PROTECTIONS) expect(result.protections?.[name].enforced, name).toBe(false);
  });

  test("a protection that the policy names itself is not waived", async () => {
    const result = await run(["touch", "made"], `${WAIVED}require = ["fs-write"]\n`);
    expect(result).toMatchObject({ verdict: "broken", error: "isolation" });
    expect(result.reason.text).toBe("this machine cannot enforce fs-write (the launcher is not built)");
    expect(readdirSync(root)).toEqual([]);
  });

  test("the gate comes first", async () => {
    expect(await run(["touch", "../out"], WAIVED)).toMatchObject({ verdict: "deny", child: undefined });
    expect(readdirSync(top)).toEqual(["ws"]);
  });

  test("what is produced is found", async () => {
    writeFileSync(join(root, "old.pem"), "x");
    const script = "f=v; mkdir -p a; echo x >a/.en$f; exit 3";
    const result = await run(["sh", "-c", script], WAIVED);
    expect(result).toMatchObject({ verdict: "deny", child: { exit_code: 3 } });
    expect(result.lines).toEqual(["run produced a/.env (secret)"]);
    expect(result.warnings.at(-1)).toContain("the command can read old.pem: nothing hides files");
  });

  test("the environment and the home are the run's own, and are removed", async () => {
    const script = 'echo "$HOME|$TOKEN|$LANG"; mktemp >/dev/null';
    const result = await run(["sh", "-c", script], WAIVED);
    const [home, token, lang] = text(result.stdout).trim().split("|");
    expect([token, lang]).toEqual(["", "C"]);
    expect(home).toMatch(/\/paldron-\w+\/home$/);
    expect(readdirSync(realpathSync(tmpdir()))).not.toContain(home?.split("/").at(-2));
  });

  test("a failing command is allowed, with its status", async () => {
    const result = await run(["sh", "-c", "exit 7"], WAIVED);
    expect(result).toMatchObject({
      verdict: "allow",
      reason: { code: "command_failed" },
      child: { exit_code: 7 },
    });
  });

  test("the timeout ends it", async () => {
    const result = await run(["sleep", "30"], `${WAIVED}timeout_sec = 1\n`);
    expect(result).toMatchObject({
      verdict: "broken",
      reason: { code: "timeout" },
      child: { timed_out: true },
    });
  });

  test("an abort ends it", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(2), 200);
    const result = await run(["sleep", "30"], WAIVED, { signal: controller.signal });
    expect(result).toMatchObject({ verdict: "broken", reason: { code: "cancelled" } });
    expect(result.reason.text).toBe("command stopped by SIGINT to paldron");
    expect(await run(["touch", "made"], WAIVED, { signal: controller.signal })).toMatchObject({
      verdict: "broken",
    });
    expect(readdirSync(root)).toEqual([]);
  });

  test("a program that is not there", async () => {
    const result = await run(["no-such-program-here"], WAIVED);
    expect(result).toMatchObject({ verdict: "broken", error: "start", child: undefined });
  });
});

describe("Jev", () => {
  // Without a key there is no verdict: denied, or allowed with a warning.
  const jev = `${WAIVED}jev_verdict = true\n`;
  const scripts = ["sh", "-c", "echo printed"];

  test("output of a denied run is handed to nobody", async () => {
    const result = await run(scripts, jev);
    expect(result).toMatchObject({ verdict: "deny", outputShown: false, stdoutBytes: 8 });
    expect(text(result.stdout)).toBe("");
  });
  test("output of an allowed run is", async () => {
    const result = await run(scripts, `${jev}jev_on_error = "allow"\n`);
    expect(result).toMatchObject({ verdict: "allow", outputShown: true });
    expect(text(result.stdout)).toBe("printed\n");
    expect(result.warnings.some((warning) => warning.includes("jev"))).toBe(true);
  });
});

describe("other systems", () => {
  test("Windows: isolation that is required is refused before anything runs", async () => {
    const system: System = { platform: "windows", launcherBuilt: false };
    const result = await run(["touch", "made"], "", { system });
    expect(result).toMatchObject({ verdict: "broken", error: "isolation" });
    expect(result.reason.text).toContain("no isolation is available on Windows");
    expect(await run(["touch", "made"], WAIVED, { system })).toMatchObject({
      verdict: "allow",
      setting: "none",
    });
  });

  interface Spawned {
    readonly program: string;
    readonly args: readonly string[];
  }

  /** Runs what stands behind sandbox-exec's options, without it. */
  function mac(calls: Spawned[]): System {
    return {
      platform: "darwin",
      launcherBuilt: false,
      spawn: (program: string, args: readonly string[], options: SpawnOptions): ChildProcess => {
        calls.push({ program, args });
        return spawn(args[3] ?? "", args.slice(4), { ...options, argv0: "x" });
      },
    };
  }

  test("macOS: the command runs under a profile made for this run", async () => {
    writeFileSync(join(root, ".env"), "x");
    const calls: Spawned[] = [];
    const result = await run(["touch", "made"], "", { system: mac(calls) });
    expect(result).toMatchObject({ verdict: "allow", setting: "seatbelt", warnings: [] });
    const { program, args } = calls[0] ?? {};
    expect([program, args?.[0], args?.[2]]).toEqual(["/usr/bin/sandbox-exec", "-p", "--"]);
    const profile = args?.[1] ?? "";
    expect(profile).toContain(`(subpath "${root}")`);
    expect(profile).toContain(`(subpath "${root}/.env")`);
    expect(profile).toContain("(deny network*)");
    expect(profile).toMatch(/\(subpath "[^"]*\/paldron-\w+"\)/);
    expect(result.protections).toMatchObject({
      "fs-write": { enforced: true },
      "net-tcp": { enforced: true },
      "fs-read": { enforced: false },
      "tree-kill": { enforced: false },
    });
  });

  test("macOS: write_paths narrow what may be written; the network may be on", async () => {
    mkdirSync(join(root, "out"));
    const calls: Spawned[] = [];
    const result = await run(["true"], 'write_paths = ["out"]\nallow_network = true\n', {
      system: mac(calls),
    });
    expect(result.verdict).toBe("allow");
    const profile = calls[0]?.args[1] ?? "";
    expect(profile).toContain(`(subpath "${root}/out")`);
    expect(profile).not.toContain(`(subpath "${root}")`);
    expect(profile).not.toContain("(deny network*)");
    expect(result.protections?.["net-tcp"]).toEqual({
      enforced: false,
      why_not: "the policy allows the network",
    });
  });

  test("macOS: what the profile cannot do is refused where the policy names it", async () => {
    const calls: Spawned[] = [];
    const result = await run(["true"], 'require = ["fs-read", "fs-write"]\n', { system: mac(calls) });
    expect(result.reason.text).toBe(
      "this machine cannot enforce fs-read (only credential vaults are closed)",
    );
    expect(calls).toEqual([]);
  });
});
