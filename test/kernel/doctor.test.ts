import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Protection } from "../../src/core/protection.ts";
import { ROOT } from "../meta/sources.ts";
import { type Installed, openFolder } from "./install.ts";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { alive } from "./survivors.ts";
import { isRoot, namespaceWays, refusedWays, startedAs, type Way } from "./ways.ts";

interface Attempt {
  readonly name: string;
  readonly kind: "forbidden" | "allowed";
  readonly inside: string;
  readonly outside: string | null;
}

interface Report {
  readonly ok: boolean;
  readonly setting: string;
  readonly protections: Readonly<
    Record<
      Protection,
      { result: string; required: boolean; remedy: string | null; tried: readonly Attempt[] }
    >
  >;
  readonly settings: readonly { setting: string; works: boolean; used: boolean; cause: string | null }[];
  readonly problems: readonly unknown[];
}

interface Run {
  readonly exit: number | null;
  readonly report: Report;
  readonly temporary: readonly string[];
}

/** Hold in every setting. */
const EVERYWHERE: readonly Protection[] = [
  "fs-write",
  "fs-read",
  "net-tcp",
  "net-udp",
  "net-other",
  "signals",
  "ptrace",
  "limits",
  "tree-kill",
  "output",
];
const WITH_NAMESPACES: readonly Protection[] = [
  "secrets-read",
  "net-unix",
  "proc-others",
  "tty-others",
  "metadata",
  "net-loopback",
];

function doctor(place: Place, way: Way, { folder, cli, refuse }: Installed, policy = ""): Run {
  const file = place.put(`${place.top}/policy.toml`, policy);
  const installed = { cli: join(folder, "lib", cli.slice(cli.lastIndexOf("/") + 1)) };
  const line = startedAs(way, refuse, [
    process.execPath,
    installed.cli,
    "doctor",
    "--json",
    "--policy",
    file,
  ]);
  const { status, stdout, stderr } = spawnSync(line[0] ?? "", line.slice(1), {
    cwd: place.workspace,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home, TMPDIR: place.outside },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(alive(place.outside)).toEqual([]);
  return { exit: status, report: JSON.parse(stdout) as Report, temporary: readdirSync(place.outside) };
}

function results(report: Report, names: readonly Protection[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, report.protections[name].result]));
}

function all(names: readonly Protection[], result: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, result]));
}

eachWay(
  "doctor, namespaces allowed",
  (way, makePlace, installed) => {
    const first = way.uid === undefined && isRoot ? "root-mounts" : "userns";

    test("everything that namespaces bring is shown to hold, and every setting is tried", () => {
      const { exit, report, temporary } = doctor(makePlace(), way, installed());
      expect(report.setting).toBe(first);
      const names = [...EVERYWHERE, ...WITH_NAMESPACES];
      expect(results(report, names)).toEqual(all(names, "held"));
      expect(report.problems).toEqual([]);
      expect([exit, report.ok, temporary]).toEqual([0, true, []]);
      const works = Object.fromEntries(report.settings.map((row) => [row.setting, row.works]));
      expect(works).toEqual({
        "root-mounts": first === "root-mounts",
        userns: true,
        "landlock-broker": true,
        landlock: true,
      });
      expect(report.settings.filter(({ used }) => used).map(({ setting }) => setting)).toEqual([first]);
    });

    test("a policy that opens the network is seen to open it", () => {
      const { exit, report } = doctor(makePlace(), way, installed(), "allow_network = true\n");
      const tcp = report.protections["net-tcp"];
      expect(tcp).toMatchObject({ result: "missing", required: false, remedy: "allow_network = false" });
      expect(tcp.tried.find(({ name }) => name === "tcp-outside")?.inside).toBe("ok");
      expect([exit, report.protections["net-unix"].result]).toEqual([0, "held"]);
    });

    test("nothing in a policy keeps what it leaves alone from being tried", () => {
      const policy = [
        'write_paths = ["src"]',
        'read_paths = ["/opt"]',
        'allow_binaries = ["git"]',
        'allow_paths = ["src"]',
        'deny_globs = ["*"]',
        "max_processes = 1",
        "max_open_files = 3",
        "timeout_sec = 1",
      ];
      const { exit, report } = doctor(makePlace(), way, installed(), `${policy.join("\n")}\n`);
      expect(results(report, EVERYWHERE)).toEqual(all(EVERYWHERE, "held"));
      expect(exit).toBe(0);
    });
  },
  { which: namespaceWays },
);

eachWay(
  "doctor, namespaces refused",
  (way, makePlace, installed) => {
    test("what holds without them is shown to hold; the rest is named, with cause and remedy", () => {
      const { exit, report, temporary } = doctor(makePlace(), way, installed());
      expect(report.setting).toBe("landlock-broker");
      expect(results(report, EVERYWHERE)).toEqual(all(EVERYWHERE, "held"));
      expect(report.protections["secrets-read"]).toMatchObject({ result: "missing", required: false });
      expect(report.protections["secrets-read"].remedy).toContain("namespaces");
      const userns = report.settings.find(({ setting }) => setting === "userns");
      expect(userns).toMatchObject({ works: false, cause: expect.stringContaining("seccomp filter") });
      expect([exit, report.ok, temporary]).toEqual([0, true, []]);
    });

    test("what the policy requires and cannot have is exit 1", () => {
      const policy = 'require = ["secrets-read"]\n';
      const { exit, report } = doctor(makePlace(), way, installed(), policy);
      expect([exit, report.ok]).toEqual([1, false]);
      expect(report.protections["secrets-read"]).toMatchObject({ result: "missing", required: true });
    });

    describe("a launcher that leaves out Landlock and the filter", () => {
      let broken: Installed;
      beforeAll(() => {
        const folder = openFolder("paldron-broken-");
        cpSync(installed().folder, folder, { recursive: true });
        const sources = readdirSync(join(ROOT, "native")).filter((name) => name.endsWith(".c"));
        execFileSync("cc", [
          "-std=c11",
          "-D_GNU_SOURCE",
          "-Wl,--wrap=landlock_enter,--wrap=seccomp_load",
          "-o",
          join(folder, "build/paldron-launcher"),
          ...sources.map((name) => join(ROOT, "native", name)),
          join(ROOT, "test/fixtures/native/open-launcher.c"),
        ]);
        broken = { ...installed(), folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
      });
      afterAll(() => broken.remove());

      test("is found out: what it claims is open", () => {
        const { exit, report } = doctor(makePlace(), way, broken);
        const open: Protection[] = ["fs-write", "fs-read", "net-tcp", "net-udp", "net-other"];
        expect(results(report, open)).toEqual(all(open, "open"));
        // What does not hang on them is not blamed.
        expect(results(report, ["limits", "output"])).toEqual(all(["limits", "output"], "held"));
        expect([exit, report.ok]).toEqual([1, false]);
      });
    });
  },
  { which: refusedWays },
);
