import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CheckRequest,
  check,
  type ExecOptions,
  exec,
  loadPolicy,
  PaldronError,
} from "../../../src/index.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "library-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What a call throws, or its promise rejects with: code and text. */
async function failure(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof PaldronError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing was thrown";
}

/** A value that the types refuse, as a JavaScript caller can pass it. */
const wrong = <T>(value: unknown): T => value as T;

describe("loadPolicy", () => {
  test("a project's policy only tightens", () => {
    const user = { text: 'timeout_sec = 60\nallow_network = false\nallow_binaries = ["git", "npm"]' };
    const project = {
      text: 'timeout_sec = 600\nallow_network = true\nallow_binaries = ["npm", "sh"]\ndeny_globs = ["x"]',
    };
    const { policy, path } = loadPolicy(user, { project });
    expect(policy).toMatchObject({ timeoutSec: 60, allowNetwork: false, denyGlobs: ["x"] });
    expect(policy.allowBinaries).toEqual(["npm"]);
    expect(path).toBeUndefined();
    expect(loadPolicy(undefined, { project: { text: "timeout_sec = 1" } }).policy.timeoutSec).toBe(1);
    expect(() => loadPolicy(user, { project: 7 as unknown as string })).toThrow("must be an object");
    expect(() => loadPolicy(user, { project: { text: "nope = 1", name: "p" } })).toThrow("p:1");
  });

  test("the defaults, a file, and text", () => {
    expect(loadPolicy()).toMatchObject({
      path: undefined,
      policy: { requireOsIsolation: true, timeoutSec: 30 },
    });
    const path = join(root, "policy.toml");
    writeFileSync(path, "timeout_sec = 5\n");
    expect(loadPolicy(path)).toMatchObject({ path, policy: { timeoutSec: 5 } });
    expect(loadPolicy({ text: 'allow_binaries = ["git"]' }).policy.allowBinaries).toEqual(["git"]);
  });

  test.each<[string, unknown, string]>([
    ["no such file", "/no/such/file", "policy: policy `/no/such/file` not found"],
    ["an empty path", "", "policy: the name of the policy file is empty"],
    [
      "a mistake in text",
      { text: "\nallow_netwrk = true" },
      "policy: policy:2: key `allow_netwrk` is not known",
    ],
    ["a name for it", { text: "x = 1", name: "mine.toml" }, "policy: mine.toml:1: key `x` is not known"],
    ["a number", 7, "usage: the options of loadPolicy must be an object, not number"],
    ["no text", {}, "usage: loadPolicy takes a path or an object with `text`"],
    ["text that is none", { text: 7 }, "usage: text must be a string, not number"],
  ])("%s", async (_, from, message) => {
    expect(await failure(() => loadPolicy(wrong(from)))).toContain(message);
  });

  test("what it returns cannot be changed, nor made up", async () => {
    const loaded = loadPolicy();
    expect(() => Object.assign(loaded.policy, { requireOsIsolation: false })).toThrow(TypeError);
    expect(() => wrong<string[]>(loaded.policy.denyGlobs).push("x")).toThrow(TypeError);
    wrong<Set<string>>(loaded.policy.setLimits).add("timeout_sec");
    expect(loadPolicy().policy.setLimits.size).toBe(0);
    for (const policy of [{}, { ...loaded }, loaded.policy, "policy.toml", null]) {
      const message = await failure(() => check({ kind: "exec", argv: ["ls"] }, { policy: wrong(policy) }));
      expect(message).toBe("usage: policy must be what loadPolicy returned");
    }
  });
});

describe("check", () => {
  const judge = (request: CheckRequest, text = ""): string => {
    const options = text === "" ? { workspace: root } : { workspace: root, policy: loadPolicy({ text }) };
    return check(request, options).decision;
  };

  test("tool calls", () => {
    const read = (path: string): CheckRequest => ({ kind: "tool", tool: "read_file", args: { path } });
    expect(judge(read(join(root, "a.txt")))).toBe("allow");
    expect(judge(read(join(root, ".env")))).toBe("deny");
    expect(judge(read("/etc/shadow"))).toBe("deny");
    expect(check(read(join(root, ".env")), { workspace: root })).toMatchObject({ code: "secret" });
  });

  test("commands", () => {
    expect(judge({ kind: "exec", argv: ["cat", "a.txt"] })).toBe("allow");
    expect(judge({ kind: "exec", argv: ["cat", ".env"] })).toBe("deny");
    expect(judge({ kind: "exec", argv: ["cat", "a.txt"] }, 'allow_binaries = ["git"]')).toBe("deny");
  });

  test("a tool that is not known is for the policy, or the caller, to decide", () => {
    const request: CheckRequest = { kind: "tool", tool: "my_own_tool" };
    expect(judge(request)).toBe("ask");
    expect(judge(request, 'unknown_tools = "allow"')).toBe("allow");
    expect(check(request, { workspace: root, unknownTools: "deny" }).decision).toBe("deny");
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "usage: a request has a kind"],
    ["a kind that is none", { kind: "shell" }, "usage: a request has a kind"],
    ["a tool without a name", { kind: "tool" }, "usage: a request has a kind"],
    ["a name that is no string", { kind: "tool", tool: 1 }, "usage: tool must be a string, not number"],
    [
      "a misspelt key",
      { kind: "tool", tool: "x", arg: {} },
      "usage: a request: `arg` is not known; did you mean `args`?",
    ],
    ["no argv", { kind: "exec" }, "usage: argv must be an array of strings, not undefined"],
    ["an empty argv", { kind: "exec", argv: [] }, "usage: the command is empty"],
    ["a number in argv", { kind: "exec", argv: ["a", 1] }, "usage: argv[1] must be a string, not number"],
    ["half a character", { kind: "exec", argv: ["\ud800"] }, "usage: argv[0] holds half a character"],
    [
      "args that are a list",
      { kind: "tool", tool: "x", args: [] },
      "request: bad arguments: must be one object",
    ],
    [
      "a date",
      { kind: "tool", tool: "x", args: { a: new Date() } },
      "request: bad arguments: a value is no JSON",
    ],
    [
      "a function",
      { kind: "tool", tool: "x", args: { a: () => 1 } },
      "request: bad arguments: a value is no JSON",
    ],
    [
      "NaN",
      { kind: "tool", tool: "x", args: { a: [Number.NaN] } },
      "request: bad arguments: a number is out of",
    ],
  ])("%s", async (_, request, message) => {
    expect(await failure(() => check(wrong(request)))).toContain(message);
  });

  test("arguments that hold themselves end in an error", async () => {
    const args: Record<string, unknown> = {};
    args["self"] = args;
    expect(await failure(() => check({ kind: "tool", tool: "x", args }))).toContain("nested deeper than");
  });

  test("a value that answers differently the second time is read once", () => {
    let reads = 0;
    const args = {
      get path() {
        reads += 1;
        return join(root, reads === 1 ? ".env" : "a.txt");
      },
    };
    expect(judge({ kind: "tool", tool: "read_file", args })).toBe("deny");
    expect(reads).toBe(1);
  });

  test("what lies on Object.prototype is no option", () => {
    const polluted = Object.prototype as Record<string, unknown>;
    polluted["unknownTools"] = "allow";
    try {
      expect(judge({ kind: "tool", tool: "my_own_tool" })).toBe("ask");
    } finally {
      delete polluted["unknownTools"];
    }
  });
});

describe("wrong options of exec run nothing", () => {
  test.each<[string, unknown, string]>([
    ["null", null, "usage: the options of exec must be an object, not null"],
    [
      "a misspelt name",
      { polcy: 1 },
      "usage: the options of exec: `polcy` is not known; did you mean `policy`?",
    ],
    ["a workspace that is no string", { workspace: 1 }, "usage: workspace must be a string, not number"],
    ["an unknown stdin", { stdin: "pipe" }, 'usage: stdin must be "ignore" or "inherit"'],
    ["an unknown output", { output: 1 }, 'usage: output must be "capture" or "stream"'],
    ["an env that is none", { env: "A=1" }, "usage: env must be an object, not string"],
    ["an env with a number", { env: { A: 1 } }, "usage: env.A must be a string, not number"],
    ["a signal that is none", { signal: {} }, "usage: signal must be an AbortSignal, not object"],
    ["a callback that is none", { onWarning: "x" }, "usage: onWarning must be a function, not string"],
    ["an empty workspace", { workspace: "" }, "workspace: the name of the workspace is empty"],
    [
      "no such workspace",
      { workspace: "/no/such" },
      "workspace: workspace `/no/such` cannot be used: ENOENT",
    ],
    ["the root", { workspace: "/" }, "workspace: `/` is the whole file system"],
    ["the home", { workspace: homedir() }, "is a home folder; work in a folder below it"],
    [
      "the home of env",
      { workspace: tmpdir(), env: { HOME: tmpdir() } },
      "is a home folder; work in a folder",
    ],
  ])("%s", async (_, options, message) => {
    const made = join(root, "made");
    expect(await failure(() => exec(["touch", made], wrong<ExecOptions>(options)))).toContain(message);
    expect(readdirSync(root)).toEqual([]);
  });
});

const LAUNCHER = fileURLToPath(new URL("../../../build/paldron-launcher", import.meta.url));
const noLauncher = !existsSync(LAUNCHER) && process.env["PALDRON_MUST_WORK"] !== "1";
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe.skipIf(noLauncher)("exec (skipped where the launcher is not built)", () => {
  test("a run, its copies and its receipt", async () => {
    const result = await exec(["sh", "-c", "echo out; echo err >&2; exit 3"], { workspace: root });
    expect(result).toMatchObject({
      verdict: "allow",
      reason: { code: "command_failed" },
      child: { exit_code: 3 },
    });
    expect([text(result.stdout), text(result.stderr)]).toEqual(["out\n", "err\n"]);
    expect(result.receipt).toMatchObject({ receipt: 1, verdict: "allow", workspace: root, cwd: root });
    expect(JSON.stringify(result.receipt)).not.toContain("out\\n");
  });

  test("cwd is where it starts; one outside the workspace is not used", async () => {
    mkdirSync(join(root, "a"));
    const at = async (cwd: string): Promise<string> =>
      text((await exec(["pwd"], { workspace: root, cwd })).stdout).trim();
    expect(await at(join(root, "a"))).toBe(join(root, "a"));
    expect(await at("/usr")).toBe(root);
  });

  test("the gate's deny and what is produced", async () => {
    expect(await exec(["cat", ".env"], { workspace: root })).toMatchObject({
      verdict: "deny",
      child: undefined,
    });
    const produced = await exec(["sh", "-c", "f=v; echo x >.en$f"], { workspace: root });
    expect(produced).toMatchObject({ verdict: "deny", reason: { code: "produced_secret" } });
    expect(produced.receipt).toMatchObject({ denials: ["run produced .env (secret)"] });
  });

  test("an empty command is broken, not thrown", async () => {
    expect(await exec([], { workspace: root })).toMatchObject({ verdict: "broken", error: "usage" });
  });

  test("only an allow-list of the environment reaches the command", async () => {
    const env = { PATH: "/usr/bin:/bin", LANG: "C", TOKEN: "t", GONE: undefined };
    const shown = text((await exec(["env"], { workspace: root, env })).stdout);
    expect(shown).toContain("LANG=C\n");
    expect(shown).not.toContain("TOKEN");
  });

  test.each([
    [undefined, "SIGTERM"],
    [2, "SIGINT"],
    [1e9, "SIGTERM"],
    [new Error("enough"), "SIGTERM"],
  ])("an abort with the reason %s", async (reason, name) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 300);
    const result = await exec(["sleep", "30"], { workspace: root, signal: controller.signal });
    expect(result).toMatchObject({ verdict: "broken", reason: { code: "cancelled" } });
    expect(result.reason.text).toContain(name);
  });

  test("warnings are told before the run and kept", async () => {
    const told: string[] = [];
    const policy = loadPolicy({ text: "require_os_isolation = false" });
    const onWarning = (warning: string): void => void told.push(warning);
    const result = await exec(["true"], { workspace: root, policy, onWarning });
    expect(told).toHaveLength(1);
    expect(result.warnings).toEqual(told);
  });

  test("runs side by side do not disturb each other", async () => {
    const words = ["a", "b", "c", "d"];
    const results = await Promise.all(words.map((word) => exec(["echo", word], { workspace: root })));
    expect(results.map((result) => text(result.stdout))).toEqual(words.map((word) => `${word}\n`));
  });
});
