import { describe, expect, test } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { type SeatbeltInput, seatbeltProfile } from "../../../src/plan/seatbelt.ts";

const HOME = "/Users/u";
const WORKSPACE = "/Users/u/work";

function profile(over: Partial<SeatbeltInput> = {}): string {
  return seatbeltProfile({
    allowNetwork: false,
    writable: [WORKSPACE, "/private/tmp/scratch"],
    homes: [HOME],
    hidden: [],
    ...over,
  });
}

/** The profile as nested lists, so that its syntax is checked and strings are read as Seatbelt reads them. */
type Expression = string | Expression[];

function parse(text: string): Expression[] {
  const tokens = text.match(/#"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/gs) ?? [];
  const stack: Expression[][] = [[]];
  for (const token of tokens) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const done = stack.pop();
      if (done === undefined || stack.length === 0) throw new Error("unbalanced");
      stack.at(-1)?.push(done);
    } else stack.at(-1)?.push(token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/gs, "$1") : token);
  }
  if (stack.length !== 1) throw new Error("unbalanced");
  return stack[0] ?? [];
}

/** What the last matching rule says of a path: subpath and literal filters only. */
function decides(text: string, operation: string, path: string): string {
  let answer = "none";
  for (const expression of parse(text)) {
    const [action, name, ...filters] = expression as string[];
    if (action === "allow" && name === "default") answer = "allow";
    if (name !== operation) continue;
    const hit = filters.some((filter) => {
      const [kind, value] = filter as unknown as [string, string];
      if (kind === "literal") return path === value;
      return kind === "subpath" && (path === value || path.startsWith(`${value}/`));
    });
    if (filters.length === 0 || hit) answer = action ?? "none";
  }
  return answer;
}

describe("files", () => {
  test.each([
    ["file-write*", `${WORKSPACE}/a`, "allow"],
    ["file-write*", WORKSPACE, "allow"],
    ["file-write*", "/private/tmp/scratch/x", "allow"],
    ["file-write*", "/dev/null", "allow"],
    ["file-write*", `${WORKSPACE}2/a`, "deny"],
    ["file-write*", `${HOME}/.zshrc`, "deny"],
    ["file-write*", "/private/tmp/other", "deny"],
    ["file-write*", "/", "deny"],
    ["file-read*", "/usr/lib/libSystem.dylib", "allow"],
    ["file-read*", `${WORKSPACE}/a`, "allow"],
    ["file-read*", `${HOME}/.ssh/id_ed25519`, "deny"],
    ["file-read*", `${HOME}/.ssh`, "deny"],
    ["file-read*", `${HOME}/.sshx`, "allow"],
    ["file-read*", `${HOME}/.aws/credentials`, "deny"],
    ["file-read*", `${HOME}/.gnupg/private-keys-v1.d/a.key`, "deny"],
    ["file-read*", `${HOME}/Library/Keychains/login.keychain-db`, "deny"],
    ["file-read*", `${HOME}/.cargo/credentials.toml`, "deny"],
    ["file-read*", `${HOME}/.cargo/bin/cargo`, "allow"],
  ])("%s %s: %s", (operation, path, answer) => {
    expect(decides(profile(), operation, path)).toBe(answer);
  });

  test("a hidden file in the workspace can be neither read nor written, its neighbour can", () => {
    const text = profile({ hidden: [`${WORKSPACE}/.env`] });
    for (const operation of ["file-read*", "file-write*"]) {
      expect(decides(text, operation, `${WORKSPACE}/.env`)).toBe("deny");
      expect(decides(text, operation, `${WORKSPACE}/.envoy`)).toBe("allow");
    }
  });

  test("a vault stays closed when the home is the workspace", () => {
    const text = profile({ writable: [HOME] });
    expect(decides(text, "file-write*", `${HOME}/.ssh/config`)).toBe("deny");
    expect(decides(text, "file-write*", `${HOME}/x`)).toBe("allow");
  });

  test("no home and nothing hidden make no rule that would hold for everything", () => {
    const text = profile({ homes: [], hidden: [] });
    expect(decides(text, "file-read*", "/etc/hosts")).toBe("allow");
    expect(text).not.toContain("(deny file-read*");
  });
});

describe("the network", () => {
  test("is closed but for sockets in writable folders", () => {
    const rules = parse(profile()).filter((rule) => rule[1] === "network*");
    expect(rules[0]).toEqual(["deny", "network*"]);
    expect(rules[1]).toContainEqual(["local", "unix-socket", ["subpath", WORKSPACE]]);
    expect(rules).toHaveLength(2);
  });

  test("has no rule when the policy opens it", () => {
    expect(profile({ allowNetwork: true })).not.toContain("network");
  });
});

describe("paths", () => {
  test.each(['/w/a"b', "/w/a\\b", '/w/a\\"b', '/w/") (allow default) ("', "/w/ü #; x", "/w/(a)", "/w/'q'"])(
    "%s is one string",
    (path) => {
      const text = profile({ writable: [path] });
      expect(decides(text, "file-write*", `${path}/x`)).toBe("allow");
      expect(parse(text).map((rule) => rule[0])).toEqual(parse(profile()).map((rule) => rule[0]));
    },
  );

  test("a slash at the end does not matter", () => {
    expect(profile({ writable: [`${WORKSPACE}/`], homes: [`${HOME}/`] })).toBe(
      profile({ writable: [WORKSPACE] }),
    );
  });

  test.each([
    "/w/a\nb",
    "/w/a\rb",
    "/w/a\u0000b",
    "/w/\u001b[0m",
    "/w/\u2028",
    "/w/\udcff",
    "w",
    "",
    "/w/../x",
    "/w/.",
  ])("%j is refused wherever it stands", (path) => {
    for (const over of [{ writable: [path] }, { hidden: [path] }, { homes: [path] }]) {
      const failing = (): string => profile(over);
      expect(failing).toThrow(PaldronError);
      expect(failing).toThrow(/sandbox profile/);
    }
  });
});

test("the whole text, for review", () => {
  const text = seatbeltProfile({ allowNetwork: false, writable: ["/w"], homes: [], hidden: ["/w/.env"] });
  expect(text).toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny signal)
    (allow signal (target same-sandbox))
    (deny appleevent-send)
    (deny mach-lookup
      (global-name "com.apple.SecurityServer")
      (global-name "com.apple.coreservices.launchservicesd")
    )
    (deny network*)
    (allow network*
      (local unix-socket (subpath "/w"))
      (remote unix-socket (subpath "/w"))
    )
    (deny file-write*)
    (allow file-write*
      (subpath "/w")
      (literal "/dev/null")
      (literal "/dev/zero")
      (literal "/dev/tty")
      (literal "/dev/ptmx")
      (literal "/dev/dtracehelper")
      (subpath "/dev/fd")
      (regex #"^/dev/ttys[0-9]+$")
    )
    (deny file-write-setugid)
    (deny file-read*
      (subpath "/w/.env")
    )
    (deny file-write*
      (subpath "/w/.env")
    )
    "
  `);
});
