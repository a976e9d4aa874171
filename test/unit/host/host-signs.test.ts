import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { hostSigns } from "../../../src/host/host-signs.ts";

const made: string[] = [];

function host(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "paldron-signs-"));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

test("a host that says nothing", () => {
  expect(hostSigns(host({}))).toEqual({
    restrictUserns: false,
    maxUserNamespaces: undefined,
    usernsClone: undefined,
    seccompFilter: false,
    noNewPrivs: false,
    label: undefined,
    lsm: undefined,
    coveredProc: [],
    container: undefined,
  });
});

test("everything that tells", () => {
  const mounts = [
    "22 28 0:20 / /proc rw - proc proc rw",
    "23 22 0:30 / /proc/irq ro - tmpfs tmpfs ro",
    "24 22 0:31 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw",
    "25 22 0:32 / /procession rw - tmpfs none rw",
  ];
  const root = host({
    "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
    "proc/sys/user/max_user_namespaces": "0\n",
    "proc/sys/kernel/unprivileged_userns_clone": "0\n",
    "proc/self/status": "Name:\tnode\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n",
    "proc/self/attr/current": "docker-default (enforce)\n\0",
    "proc/self/mountinfo": mounts.join("\n"),
    "sys/kernel/security/lsm": "capability,landlock\n",
    ".dockerenv": "",
  });
  expect(hostSigns(root)).toEqual({
    restrictUserns: true,
    maxUserNamespaces: 0,
    usernsClone: 0,
    seccompFilter: true,
    noNewPrivs: true,
    label: "docker-default (enforce)",
    lsm: ["capability", "landlock"],
    coveredProc: ["/proc/irq"],
    container: "docker",
  });
});

describe("containers", () => {
  test.each([
    ["var/run/secrets/kubernetes.io/token", "kubernetes"],
    ["run/.containerenv", "podman"],
  ])("%s", (file, want) => expect(hostSigns(host({ [file]: "" })).container).toBe(want));
});
