import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { HostSigns } from "../plan/causes.ts";

/** What this host says about itself that may explain why something does not work. Nothing is decided by it. */
export function hostSigns(root = ""): HostSigns {
  const sysctl = (name: string): string | undefined => read(`${root}/proc/sys/${name}`);
  const status = read(`${root}/proc/self/status`) ?? "";
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1];
  return {
    restrictUserns: sysctl("kernel/apparmor_restrict_unprivileged_userns") === "1",
    maxUserNamespaces: number(sysctl("user/max_user_namespaces")),
    usernsClone: number(sysctl("kernel/unprivileged_userns_clone")),
    seccompFilter: field("Seccomp") === "2",
    noNewPrivs: field("NoNewPrivs") === "1",
    label: read(`${root}/proc/self/attr/apparmor/current`) ?? read(`${root}/proc/self/attr/current`),
    lsm: read(`${root}/sys/kernel/security/lsm`)?.split(","),
    coveredProc: coveredProc(read(`${root}/proc/self/mountinfo`) ?? ""),
    container: container(root),
  };
}

function read(path: string): string | undefined {
  try {
    // The kernel ends a label with a NUL byte.
    return readFileSync(path, "latin1").replaceAll("\0", "").trim();
  } catch {
    return undefined;
  }
}

function number(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** Entries of /proc that something is mounted on (proc(5), mountinfo: the fifth field is the mount point). */
function coveredProc(mountinfo: string): readonly string[] {
  const points = mountinfo.split("\n").map((line) => line.split(" ")[4] ?? "");
  // Its own automatic mount point is no cover.
  return points.filter((point) => point.startsWith("/proc/") && point !== "/proc/sys/fs/binfmt_misc");
}

function container(root: string): HostSigns["container"] {
  if (existsSync(`${root}/var/run/secrets/kubernetes.io`)) return "kubernetes";
  if (existsSync(`${root}/.dockerenv`)) return "docker";
  return existsSync(`${root}/run/.containerenv`) ? "podman" : undefined;
}

/** Processes whose command line holds the text: what a run left behind. */
export function processesNamed(text: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && (read(`/proc/${name}/cmdline`) ?? "").includes(text))
    .map(Number);
}

/** Ends processes that `doctor` itself let loose. */
export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
