import { describe, expect, it } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { KEYS } from "../../../src/policy/keys.ts";
import { DEFAULT_POLICY, parsePolicy, policyJsonSchema } from "../../../src/policy/parse.ts";

const parse = (text: string) => parsePolicy(text, { path: "p.toml" });

function mistake(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof PaldronError && error.code === "policy") return error.message;
    throw error;
  }
  return "accepted";
}

describe("parsePolicy", () => {
  it("fills in the defaults", () => {
    expect(parse("")).toEqual(DEFAULT_POLICY);
    expect(DEFAULT_POLICY).toMatchObject({
      allowNetwork: false,
      requireOsIsolation: true,
      timeoutSec: 30,
      maxProcesses: 4096,
      maxMemoryMb: 8192,
      maxOpenFiles: 1024,
      cpuTimeSec: 60,
      maxFileSizeMb: 1024,
      jevThreshold: 0.7,
      jevOnError: "deny",
      unknownTools: "ask",
      writePaths: undefined,
      require: undefined,
    });
  });

  it("takes zero as the default, and not as set", () => {
    const policy = parse("timeout_sec = 0\nmax_open_files = 7\njev_threshold = 0\n");
    expect(policy.timeoutSec).toBe(30);
    expect(policy.jevThreshold).toBe(0.7);
    expect([...policy.setLimits]).toEqual(["max_open_files"]);
  });

  it("takes what confine_binaries goes with", () => {
    const text =
      'allow_binaries = ["a"]\nconfine_binaries = true\nallow_helpers = ["b", "/o/c"]\nallow_native = ["d", "/tmp", "~"]';
    expect(parse(text)).toMatchObject({
      confineBinaries: true,
      allowHelpers: ["b", "/o/c"],
      allowNative: ["d", "/tmp", "~"],
    });
    expect(parse("confine_binaries = false").confineBinaries).toBe(false);
  });

  it("keeps an empty write_paths apart from none", () => {
    expect(parse("write_paths = []").writePaths).toEqual([]);
    expect(parse("").writePaths).toBeUndefined();
  });

  it.each([
    ["confine_binaries = true", "p.toml:1: key `confine_binaries` needs a list in `allow_binaries`"],
    [
      'allow_binaries = [""]\nconfine_binaries = true',
      "p.toml:2: key `confine_binaries` needs a list in `allow_binaries`",
    ],
    [
      'allow_native = ["*.so"]',
      "p.toml:1: key `allow_native` has an entry `*.so` that is a glob; allow_native takes folders and files",
    ],
    [
      'allow_native = ["../x"]',
      "p.toml:1: key `allow_native` has an entry `../x` that lies outside the workspace",
    ],
    [
      'allow_helpers = ["a/b"]',
      "p.toml:1: key `allow_helpers` has an entry `a/b` that is neither a name nor an absolute path",
    ],
    ['allow_helpers = ["/usr"]', "p.toml:1: key `allow_helpers` has an entry `/usr` that is too wide"],
    ["bogus = 1", "p.toml:1: key `bogus` is not known"],
    ["deny_glob = []", "p.toml:1: key `deny_glob` is not known; did you mean `deny_globs`?"],
    ["Allow-Paths = []", "p.toml:1: key `Allow-Paths` is not known; did you mean `allow_paths`?"],
    ["# c\n\n'time out' = 1", "p.toml:3: key `time out` is not known"],
    ["[paldron]\nallow_paths = []", "p.toml:1: key `paldron` is not known"],
    ['"" = 1', "p.toml:1: key `` is not known"],
    ["timeout_sec = 30.0", "p.toml:1: key `timeout_sec` must be a whole number, not 30"],
    ['timeout_sec = "1"', 'p.toml:1: key `timeout_sec` must be a whole number, not "1"'],
    ["timeout_sec = -1", "p.toml:1: key `timeout_sec` must be between 0 and 9000000000 (0 means 30)"],
    ["timeout_sec = 9000000001", "p.toml:1: key `timeout_sec` must be between 0 and 9000000000 (0 means 30)"],
    ["allow_network = 1", "p.toml:1: key `allow_network` must be true or false, not 1"],
    ["allow_paths = 'src'", 'p.toml:1: key `allow_paths` must be a list of strings, not "src"'],
    ["allow_paths = ['a', 1]", "p.toml:1: key `allow_paths` must hold strings, not 1"],
    ["jev_threshold = nan", "p.toml:1: key `jev_threshold` must be a number, not NaN"],
    ["jev_threshold = -0.1", "p.toml:1: key `jev_threshold` must be between 0 and 1"],
    ["jev_on_error = 'Allow'", 'p.toml:1: key `jev_on_error` must be "deny" or "allow"'],
    [
      "require = ['fs-writes']",
      "p.toml:1: key `require` has an entry `fs-writes` that is not known; did you mean `fs-write`?",
    ],
    [
      "write_paths = ['../x']",
      "p.toml:1: key `write_paths` has an entry `../x` that lies outside the workspace",
    ],
    [
      "write_paths = ['a/../../x']",
      "p.toml:1: key `write_paths` has an entry `a/../../x` that lies outside the workspace",
    ],
    [
      "unix_sockets = ['s']",
      "p.toml:1: key `unix_sockets` has an entry `s` that is neither absolute nor starts with `~/`",
    ],
    [
      "unix_sockets = ['/run/*.sock']",
      "p.toml:1: key `unix_sockets` has an entry `/run/*.sock` that is a glob; unix_sockets takes the paths of sockets",
    ],
    ["read_paths = ['/']", "p.toml:1: key `read_paths` has an entry `/` that is the whole file system"],
    [
      "read_paths = ['x']",
      "p.toml:1: key `read_paths` has an entry `x` that is neither absolute nor starts with `~/`",
    ],
    [
      "deny_globs = ['!x']",
      "p.toml:1: key `deny_globs` has an entry `!x` that starts with `!`: patterns cannot be negated",
    ],
    ["timeout_sec =", "p.toml:1: not valid TOML"],
    ["a = 1\nb = [", "p.toml:2: not valid TOML"],
    ["timeout_sec = 1\ntimeout_sec = 2", "p.toml:2: not valid TOML"],
  ])("refuses %j", (text, message) => {
    expect(mistake(text).startsWith(message)).toBe(true);
    expect(mistake(text)).not.toContain("\n");
  });

  it("names the first mistake of the file, whatever its kind", () => {
    const text = 'deny_globs = [\n  "a", # ]\n  """\n[x]\n"""\n]\ntimeout_sec = "x"\nbogus = 1\n7 = 1\n';
    expect(mistake(text)).toMatch(/^p\.toml:7: key `timeout_sec`/);
    expect(mistake("7 = 1\nbogus = 1")).toMatch(/^p\.toml:1: key `7`/);
  });

  it("accepts every key, quoted ones and a byte order mark too", () => {
    const policy = parse(
      '\ufeff"allow_paths" = ["src"]\nrequire = ["fs-write"]\nread_paths = ["~/data", "/opt/x"]\n',
    );
    expect(policy).toMatchObject({
      allowPaths: ["src"],
      require: ["fs-write"],
      readPaths: ["~/data", "/opt/x"],
    });
  });

  it("escapes what could play tricks in a message", () => {
    expect(mistake('"a\\u001b[2J\\n" = 1')).toBe("p.toml:1: key `a\\u{1b}[2J\\n` is not known");
  });
});

describe("policyJsonSchema", () => {
  it("knows every key and nothing else", () => {
    const schema = policyJsonSchema();
    expect(Object.keys(schema["properties"] as object)).toEqual([...KEYS, "rule"]);
    expect(schema["additionalProperties"]).toBe(false);
  });
});
