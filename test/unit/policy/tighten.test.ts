import { describe, expect, it } from "vitest";
import { mergeParts } from "../../../src/policy/combine.ts";
import { parsePolicy } from "../../../src/policy/parse.ts";
import { parsePart } from "../../../src/policy/part.ts";
import { tighten } from "../../../src/policy/tighten.ts";

function tightened(user: string, project: string) {
  const part = parsePart(project, { path: "project" });
  return tighten(parsePolicy(user, { path: "user" }), mergeParts([part]));
}

describe("a project's policy under the user's", () => {
  it("changes nothing by what it does not say", () => {
    const user =
      "allow_network = true\ntimeout_sec = 99\nread_paths = ['/opt']\nwrite_paths = ['src']\nallow_binaries = ['git']";
    expect(tightened(user, "")).toEqual(parsePolicy(user, { path: "user" }));
  });

  it("only lowers limits, and what it lowers is hard", () => {
    const policy = tightened(
      "timeout_sec = 60",
      "timeout_sec = 90\nmax_open_files = 10\nmax_processes = 5000",
    );
    expect([policy.timeoutSec, policy.maxOpenFiles, policy.maxProcesses]).toEqual([60, 10, 4096]);
    expect([...policy.setLimits].sort()).toEqual(["max_open_files", "timeout_sec"]);
  });

  it("turns off, never on", () => {
    expect(tightened("", "allow_network = true").allowNetwork).toBe(false);
    expect(tightened("allow_network = true", "allow_network = false").allowNetwork).toBe(false);
    expect(tightened("require_os_isolation = false", "require_os_isolation = true").requireOsIsolation).toBe(
      true,
    );
    expect(tightened("", "require_os_isolation = false").requireOsIsolation).toBe(true);
    expect(tightened("", "jev_verdict = true").jevVerdict).toBe(false);
    expect(tightened("jev_verdict = true", "jev_verdict = false").jevVerdict).toBe(true);
    expect(tightened("unknown_tools = 'deny'", "unknown_tools = 'allow'").unknownTools).toBe("deny");
    expect(tightened("jev_on_error = 'allow'", "jev_on_error = 'deny'").jevOnError).toBe("deny");
    expect(tightened("jev_threshold = 0.5", "jev_threshold = 0.9").jevThreshold).toBe(0.5);
  });

  it("takes names, folders and exceptions away, and adds what is denied or required", () => {
    const policy = tightened(
      "allow_binaries = ['git', 'npm']\nwrite_paths = ['src', 'out/a']\nread_paths = ['/opt', '/srv/x']\nunix_sockets = ['/run/a', '/run/b']\nsecret_exceptions = ['a.pem']\ndeny_globs = ['a']",
      "allow_binaries = ['npm', 'curl']\nwrite_paths = ['src/b', 'out', 'docs']\nread_paths = ['/opt/t', '/srv', '~/x']\nunix_sockets = ['/run/b', '/run/c']\nsecret_exceptions = ['.env']\ndeny_globs = ['b']\nrequire = ['fs-read']\nallow_paths = ['src']",
    );
    expect(policy).toMatchObject({
      allowBinaries: ["npm"],
      writePaths: ["out/a", "src/b"],
      readPaths: ["/srv/x", "/opt/t"],
      unixSockets: ["/run/b"],
      secretExceptions: ["a.pem"],
      denyGlobs: ["a", "b"],
      require: undefined,
      alsoRequire: ["fs-read"],
      allowPaths: [],
      alsoAllowPaths: [["src"]],
    });
    expect(tightened("allow_binaries = ['git']", "allow_binaries = ['curl']").allowBinaries).toEqual([""]);
    expect(tightened("", "allow_binaries = ['curl']").allowBinaries).toEqual(["curl"]);
    expect(tightened("", "write_paths = []").writePaths).toEqual([]);
    expect(tightened("write_paths = ['src']", "write_paths = ['.']").writePaths).toEqual(["src"]);
  });

  it("confines programs, and opens nothing where the user confines them", () => {
    const own =
      "allow_binaries = ['git']\nconfine_binaries = true\nallow_helpers = ['a']\nallow_native = ['b']";
    const other =
      "allow_binaries = ['git']\nconfine_binaries = true\nallow_helpers = ['c']\nallow_native = ['d']";
    const user = { confineBinaries: true, allowHelpers: ["a"], allowNative: ["b"] };
    expect(tightened(own, other)).toMatchObject(user);
    expect(tightened(own, "confine_binaries = false")).toMatchObject(user);
    expect(tightened("", other)).toMatchObject({
      confineBinaries: true,
      allowHelpers: ["c"],
      allowNative: ["d"],
    });
    expect(tightened("", "allow_helpers = ['c']").allowHelpers).toEqual([]);
  });

  it("adds rules that ask and deny, none that allow", () => {
    const rule = (decision: string): string =>
      `[[rule]]\nid = '${decision}'\ntool = 'x'\ndecision = '${decision}'\n`;
    const policy = tightened(
      "[[rule]]\nid = 'own'\ntool = 'y'\ndecision = 'allow'",
      rule("allow") + rule("ask") + rule("deny"),
    );
    expect(policy.rules.map((one) => one.id)).toEqual(["own", "ask", "deny"]);
  });
});
