import { describe, expect, test } from "vitest";
import { abiRights } from "../../../src/plan/landlock-abi.ts";
import { type MountInput, mountSteps, unfitForNewRoot } from "../../../src/plan/mounts.ts";
import type { MountStep } from "../../../src/plan/namespace-types.ts";
import { DEVICE, FILE, record } from "./sample-plan.ts";

const INPUT: MountInput = {
  workspace: record("/home/u/w"),
  writePaths: undefined,
  readOnly: [record("/usr"), record("/etc/passwd", FILE), record("/home/u/.pyenv")],
  writable: [],
  data: [],
  programs: undefined,
  devices: ["null", "tty", "ptmx", "kvm"].map((name) => record(`/dev/${name}`, DEVICE)),
  links: [],
  homeLinks: [],
  caches: undefined,
  masks: [],
  guarded: [],
  ancestors: [],
  hostProc: undefined,
  privateBytes: 8192n * 1024n * 1024n,
  handledFs: abiRights(7).fs,
};

function steps(changes: Partial<MountInput> = {}): readonly MountStep[] {
  return mountSteps({ ...INPUT, ...changes });
}

/** One line for each step: what, attributes, where. */
function lines(changes: Partial<MountInput> = {}, kinds?: readonly MountStep["kind"][]): readonly string[] {
  return steps(changes)
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .map((step) => {
      const attributes = "attributes" in step ? ` ${step.attributes}` : "";
      const place = "target" in step ? step.target : step.path.path;
      return `${step.kind}${attributes} ${place}`;
    });
}

const RO = 7; // read-only, nosuid, nodev
const RW = 6;

describe("a new root", () => {
  test("begins with itself, sealed, and private places of limited size", () => {
    const [root, ...rest] = steps();
    expect(root).toMatchObject({ kind: "tmpfs", target: "/", attributes: RO });
    const places = rest.flatMap((step) => (step.kind === "tmpfs" ? [step] : []));
    expect(places.map(({ target, mode }) => `${target} ${mode.toString(8)}`)).toEqual([
      "/tmp 1777",
      "/run 755",
      "/run/home 700",
      "/dev/shm 1777",
    ]);
    const total = places.reduce((sum, { bytes }) => sum + bytes, 0n);
    expect(total).toBeLessThan(INPUT.privateBytes);
    for (const place of places) {
      expect(place.attributes & RW).toBe(RW);
      expect(place.inodes).toBeGreaterThan(0n);
    }
  });

  test("shows the kept caches in a place of their own, and the home's links", () => {
    const found = steps({
      caches: record("/home/u/.cache/x/caches"),
      homeLinks: [{ path: ".npm/_cacache", text: "/var/cache/paldron/npm" }],
    });
    const bound = found.find((step) => step.kind === "bind" && step.source.path.endsWith("/caches"));
    expect(bound).toMatchObject({ target: "/var/cache/paldron", attributes: RW });
    expect(found).toContainEqual({
      kind: "link",
      target: "/run/home/.npm/_cacache",
      text: "/var/cache/paldron/npm",
    });
  });

  test("has the common devices and no other", () => {
    const devices = lines({}, ["bind"]).filter((line) => line.includes(" /dev/"));
    expect(devices).toEqual(["bind 10 /dev/null", "bind 10 /dev/tty"]);
    expect(lines({}, ["devpts"])).toEqual(["devpts 10 /dev/pts"]);
  });

  test("has a /proc of its own, or the host's, read-only either way", () => {
    expect(lines({}, ["proc"])).toEqual(["proc 15 /proc"]);
    const host = lines({ hostProc: record("/proc") });
    expect(host).toContain("bind 15 /proc");
    expect(host.some((line) => line.startsWith("proc "))).toBe(false);
  });

  test.each<[string, Partial<MountInput>, readonly string[]]>([
    [
      "folders come before what lies in them",
      {},
      [`bind ${RO} /etc/passwd`, `bind ${RO} /home/u/.pyenv`, `bind ${RW} /home/u/w`, `bind ${RO} /usr`],
    ],
    [
      "what is covered already is left out",
      { readOnly: [record("/usr/lib"), record("/usr"), record("/usr/share/x", FILE)] },
      [`bind ${RW} /home/u/w`, `bind ${RO} /usr`],
    ],
    [
      "nothing read-only is laid over the workspace",
      { readOnly: [record("/home/u/w/node_modules"), record("/home/u/w")] },
      [`bind ${RW} /home/u/w`],
    ],
    [
      "a workspace in a read-only folder stays writable",
      { readOnly: [record("/home/u"), record("/home/u/w2")] },
      [`bind ${RO} /home/u`, `bind ${RW} /home/u/w`],
    ],
    [
      "names that only begin alike do not cover each other",
      { readOnly: [record("/opt/a"), record("/opt/ab")] },
      [`bind ${RW} /home/u/w`, `bind ${RO} /opt/a`, `bind ${RO} /opt/ab`],
    ],
    [
      "write_paths leave the rest read-only",
      { readOnly: [], writePaths: [record("/home/u/w/build"), record("/home/u/w/build/x")] },
      [`bind ${RO} /home/u/w`, `bind ${RW} /home/u/w/build`],
    ],
    [
      "git directories outside are writable",
      { readOnly: [], writable: [record("/home/u/repo/.git")] },
      [`bind ${RW} /home/u/repo/.git`, `bind ${RW} /home/u/w`],
    ],
  ])("%s", (_, changes, want) => {
    const binds = lines({ ...changes, devices: [] }, ["bind"]);
    expect(binds).toEqual(want);
  });

  test("links are made where no bound folder brings them along", () => {
    const links = [
      { path: "/bin", text: "usr/bin" },
      { path: "/usr/bin/python3", text: "python3.11" },
      { path: "/home/u/w/link", text: "x" },
      { path: "/home/u/l", text: "w" },
      { path: "/tmp", text: "private/tmp" },
      { path: "/etc", text: "somewhere" },
    ];
    const made = steps({ links }).flatMap((step) =>
      step.kind === "link" ? [`${step.target} ${step.text}`] : [],
    );
    expect(made).toEqual([
      "/dev/ptmx pts/ptmx",
      "/dev/fd /proc/self/fd",
      "/dev/stdin /proc/self/fd/0",
      "/dev/stdout /proc/self/fd/1",
      "/dev/stderr /proc/self/fd/2",
      "/var/tmp /tmp",
      "/bin usr/bin",
      "/home/u/l w",
    ]);
  });

  test("covers come after everything they lie on, from the outside in", () => {
    const changes = {
      ancestors: [record("/home/u/w/a/b"), record("/home/u/w/a")],
      guarded: [record("/home/u/repo/.git/config", FILE)],
      masks: [record("/home/u/w/a/b/.env", FILE), record("/home/u/w/.env", FILE)],
    };
    const all = lines(changes);
    expect(all.filter((line) => /^(?:guard|mask)/.test(line))).toEqual([
      "guard 0 /home/u/w/a",
      "guard 0 /home/u/w/a/b",
      "guard 1 /home/u/repo/.git/config",
      "mask /home/u/w/.env",
      "mask /home/u/w/a/b/.env",
    ]);
    const last = all.findLastIndex((line) => /^(?:bind|link|tmpfs)/.test(line));
    expect(all.findIndex((line) => /^(?:guard|mask)/.test(line))).toBeGreaterThan(last);
  });

  test("Landlock allows its own places, and never more than is handled", () => {
    const rules = steps().flatMap((step) => (step.kind === "landlock" ? [step] : []));
    expect(rules.map(({ target }) => target)).toEqual(["/", "/tmp", "/run", "/dev/shm", "/dev/pts", "/proc"]);
    expect(rules[0]?.access).toBe(8n);
    for (const { access } of rules) expect(access & ~INPUT.handledFs).toBe(0n);
    expect(lines({ handledFs: 0n }, ["landlock"])).toEqual([]);
  });
});

test.each<[string, readonly string[], string | undefined]>([
  ["/home/u/w", ["/opt/data", "/run/data", "/tmp/x"], undefined],
  ["/tmp", [], undefined],
  ["/tmp/w", [], undefined],
  ["/", [], "the workspace is /"],
  ["/w", ["/"], "read_paths opens /"],
  ["/w", ["/opt", "/tmp"], "read_paths opens /tmp"],
  ["/w", ["/run"], "read_paths opens /run"],
])("workspace %s, read_paths %j: %s", (workspace, paths, want) => {
  const data = paths.map((path) => record(path));
  expect(unfitForNewRoot({ workspace: record(workspace), data })).toBe(want);
});
