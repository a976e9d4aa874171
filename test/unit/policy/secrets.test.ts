import { describe, expect, it } from "vitest";
import { secretMatcher } from "../../../src/policy/secrets.ts";

const none = { denyGlobs: [], secretExceptions: [] };
const builtin = secretMatcher(none);
const codes = (paths: readonly string[], matcher = builtin) =>
  paths.filter((path) => matcher.match(path)?.code === "secret");

describe("built-in secrets", () => {
  const secret = [
    ".env",
    "a/.ENV",
    ".env/x",
    ".env.local",
    ".env.production.local",
    ".env.example/.env.local",
    ".env~",
    ".envrc",
    "tls/key.pem",
    "DATA.PEM",
    "x.pem/y",
    "secrets",
    "a/Secrets/up.txt",
    "id_rsa",
    "ID_ED25519",
    ".ssh/id_rsa.pub",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".aws/credentials",
    "x/.aws/credentials",
    ".pypirc",
    "cert.p12",
    "cert.pfx",
    ".docker/config.json",
    ".kube/config",
    ".config/gcloud/x.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
  ];
  const ordinary = [
    "",
    "env",
    "prod.env",
    ".environment",
    ".env.example",
    "a/.env.sample",
    ".ENV.TEMPLATE",
    ".env.dist",
    ".env.production.example",
    "a.pem.txt",
    "secrets.txt",
    "src/secrets.py",
    "id_rsa.pub",
    "id_ed25519.pub",
    ".aws/config",
    "docker/config.json",
    "credentials",
    ".npmrc",
    ".git/config",
  ];
  it("are found under any case and above or below", () => expect(codes(secret)).toEqual(secret));
  it("leave ordinary names alone", () => expect(codes(ordinary)).toEqual([]));
});

describe("secretMatcher", () => {
  it("puts deny_globs first, and lets no exception lift them", () => {
    const matcher = secretMatcher({ denyGlobs: ["x", ".env"], secretExceptions: ["**"] });
    expect(matcher.match("a/.env")).toMatchObject({
      rule: "deny_globs[1]",
      code: "deny_glob",
      byContent: false,
    });
    expect(matcher.match("k.pem")).toBeUndefined();
  });

  it("lifts exceptions in their own case only", () => {
    const matcher = secretMatcher({
      denyGlobs: [],
      secretExceptions: ["tests/fixtures/", "/docs/secrets/README.md"],
    });
    expect(matcher.match("tests/fixtures/key.pem")).toBeUndefined();
    expect(matcher.match("docs/secrets/README.md")).toBeUndefined();
    expect(matcher.match("Tests/fixtures/key.pem")?.code).toBe("secret");
    expect(matcher.match("docs/secrets/x")?.code).toBe("secret");
    expect(matcher.match("x/docs/secrets/README.md")?.code).toBe("secret");
  });

  it("takes patterns that start with the workspace's name", () => {
    const matcher = secretMatcher({ denyGlobs: ["/w/src/a.txt"], secretExceptions: [] }, ["/w"]);
    expect(matcher.match("src/a.txt")?.code).toBe("deny_glob");
    expect(matcher.match("x/src/a.txt")).toBeUndefined();
  });

  it.each([
    ["tls/key.pem", "public-pem", false],
    ["node_modules/x/key.pem", "public-pem", true],
    ["v/lib/SITE-PACKAGES/certifi/cacert.pem", "public-pem", true],
    ["vendor/x/secrets/index.js", "no-private-key", true],
    ["secrets/node_modules/x.js", undefined, false],
    ["node_modules/x/.env", undefined, false],
    ["node_modules", "none", false],
  ])("judges %s by content: %s", (path, content, inDependency) => {
    const match = builtin.match(path);
    if (content === "none") expect(match).toBeUndefined();
    else expect(match).toMatchObject({ content, inDependency, byContent: content !== undefined });
  });

  it("holds deny_globs in dependency folders too", () => {
    const matcher = secretMatcher({ denyGlobs: ["*.pem"], secretExceptions: [] });
    expect(matcher.match("node_modules/x/key.pem")).toMatchObject({
      code: "deny_glob",
      byContent: false,
      inDependency: false,
    });
  });

  it("does not judge lone words by patterns of wildcards alone", () => {
    const matcher = secretMatcher({ denyGlobs: ["*", "build"], secretExceptions: [] });
    expect(matcher.match("hello")?.rule).toBe("deny_globs[0]");
    expect(matcher.matchWord("hello")).toBeUndefined();
    expect(matcher.matchWord("build")?.code).toBe("deny_glob");
    expect(matcher.matchWord(".env")?.code).toBe("secret");
  });
});
