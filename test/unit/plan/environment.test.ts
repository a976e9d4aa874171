import { describe, expect, test } from "vitest";
import { buildEnvironment, type EnvironmentInput } from "../../../src/plan/environment.ts";

function build(over: Partial<EnvironmentInput> = {}): Record<string, string> {
  const lines = buildEnvironment({
    env: {},
    variables: [],
    scratchHome: "/scratch/home",
    scratchTmp: "/scratch/tmp",
    cwd: "/w/sub",
    network: false,
    toolchains: {},
    caches: {},
    sockets: [],
    gitConfig: undefined,
    ...over,
  });
  const names = lines.map((line) => line.slice(0, line.indexOf("=")));
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain("");
  return Object.fromEntries(
    lines.map((line, i) => [names[i] ?? "", line.slice((names[i] ?? "").length + 1)]),
  );
}

describe("passed on", () => {
  test.each([
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "TZ",
    "USER",
    "LOGNAME",
    "SHELL",
    "CI",
    "COLUMNS",
    "LINES",
    "GOROOT",
    "RUSTUP_HOME",
    "JAVA_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "NVM_DIR",
    "VOLTA_HOME",
    "ASDF_DIR",
    "MISE_DATA_DIR",
    "VIRTUAL_ENV",
  ])("%s", (name) => {
    expect(build({ env: { [name]: "a=b \n" } })[name]).toBe("a=b \n");
  });
});

describe("kept back", () => {
  test.each([
    "GITHUB_TOKEN",
    "ANTHROPIC_API_KEY",
    "JEV_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_PROFILE",
    "DATABASE_URL",
    "SSH_AUTH_SOCK",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DOCKER_HOST",
    "KUBECONFIG",
    "XDG_RUNTIME_DIR",
    "WAYLAND_DISPLAY",
    "DISPLAY",
    "http_proxy",
    "HTTPS_PROXY",
    "no_proxy",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "PYTHON",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_ls%%",
    "PROMPT_COMMAND",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "GOFLAGS",
    "MAKEFLAGS",
    "GIT_DIR",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_COUNT",
    "npm_config_userconfig",
    "NPM_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "OLDPWD",
    "IFS",
    "LC_",
    "LC_x",
    "__proto__",
    "",
  ])("%s", (name) => {
    const value = "must-not-pass";
    const env = Object.fromEntries([[name, value]]);
    expect(Object.values(build({ env }))).not.toContain(value);
    // The twin: the same value under a name that passes.
    expect(Object.values(build({ env: { ...env, LANG: value } }))).toContain(value);
  });
});

describe("set", () => {
  test("home, temporary files and caches lie in the scratch folder, whatever the caller had", () => {
    const env = {
      HOME: "/home/u",
      TMPDIR: "/tmp",
      XDG_CONFIG_HOME: "/home/u/.config",
      CARGO_HOME: "/home/u/.cargo",
      GOPATH: "/home/u/go",
    };
    const built = build({ env });
    expect(built["HOME"]).toBe("/scratch/home");
    expect(built["TMPDIR"]).toBe("/scratch/tmp");
    expect(Object.entries(built).filter(([, value]) => value.includes("/home/u"))).toEqual([]);
    for (const name of [
      "GOCACHE",
      "GOPATH",
      "CARGO_HOME",
      "XDG_CACHE_HOME",
      "XDG_CONFIG_HOME",
      "XDG_DATA_HOME",
      "npm_config_cache",
      "PIP_CACHE_DIR",
    ]) {
      expect(built[name]).toMatch(/^\/scratch\/home\//);
    }
    expect(built["PWD"]).toBe("/w/sub");
  });

  test("offline settings, only without the network", () => {
    expect(build()).toMatchObject({ CARGO_NET_OFFLINE: "true", GOPROXY: "off", npm_config_offline: "true" });
    const online = Object.keys(build({ network: true }));
    for (const name of ["CARGO_NET_OFFLINE", "GOPROXY", "npm_config_offline", "PIP_RETRIES", "UV_OFFLINE"]) {
      expect(online).not.toContain(name);
    }
  });

  test("the git configuration, where there is one, never the caller's variable", () => {
    expect(build({ gitConfig: "/home/u/.gitconfig" })["GIT_CONFIG_GLOBAL"]).toBe("/home/u/.gitconfig");
    expect(build({ env: { GIT_CONFIG_GLOBAL: "/x" } })).not.toHaveProperty("GIT_CONFIG_GLOBAL");
  });

  test("toolchains that were found, unless the caller says otherwise", () => {
    const toolchains = { RUSTUP_HOME: "/root/.rustup" };
    expect(build({ toolchains })["RUSTUP_HOME"]).toBe("/root/.rustup");
    expect(build({ toolchains, env: { RUSTUP_HOME: "/usr/local/rustup" } })["RUSTUP_HOME"]).toBe(
      "/usr/local/rustup",
    );
  });
});

describe("PATH", () => {
  const fallback = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  test.each([
    ["/a/bin:/b/bin", "/a/bin:/b/bin"],
    [":/a/bin:", "/a/bin"],
    [".:/a/bin:..:node_modules/.bin:~/bin:bin", "/a/bin"],
    ["", fallback],
    [".", fallback],
    ["::", fallback],
    [undefined, fallback],
  ])("%j becomes %j", (path, expected) => {
    expect(build({ env: { PATH: path } })["PATH"]).toBe(expected);
  });
});

describe("sockets that the policy names", () => {
  const env = {
    SSH_AUTH_SOCK: "/run/a",
    DOCKER_HOST: "unix:///run/d",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/b",
    OTHER: "/run/a",
  };

  test("pass with the variable that names them", () => {
    const sockets = ["/run/a", "/run/d", "/run/b"];
    const { OTHER: _, ...passed } = env;
    expect(build({ env, sockets })).toMatchObject(passed);
    expect(build({ env, sockets })["OTHER"]).toBeUndefined();
  });

  test("only they", () => {
    const built = build({ env, sockets: ["/run/d"] });
    expect(Object.keys(env).filter((name) => name in built)).toEqual(["DOCKER_HOST"]);
    expect(
      build({ env: { DOCKER_HOST: "tcp://h/run/d" }, sockets: ["/run/d"] })["DOCKER_HOST"],
    ).toBeUndefined();
  });
});
