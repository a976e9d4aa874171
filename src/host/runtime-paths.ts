import { lstatSync, readdirSync, readFileSync } from "node:fs";
import {
  entryRecord,
  type Grant,
  type GrantKind,
  isWithin,
  pathRecord,
  withoutCovered,
} from "./path-record.ts";
import { DATA_PATHS, ETC_ENTRIES, PROGRAM_FOLDERS } from "./runtime-table.ts";

/** Files of /etc in which people put registry passwords; they are granted only when none is seen in them. */
const MAY_HOLD_PASSWORDS = new Set(["npmrc", "pip.conf", "wgetrc"]);
/** The same files by their paths. */
export const PASSWORD_FILES: readonly string[] = [...MAY_HOLD_PASSWORDS].map((name) => `/etc/${name}`);
const PASSWORD =
  /^[ \t]*[^#;\s].*(?:_auth|password|passwd|token|:\/\/[^/\s]*@)|^[ \t]*(?:_auth|password|passwd|token)/im;

const DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/tty",
  "/dev/ptmx",
  "/dev/pts",
];

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The names in `available` that a pattern of the table means. */
function namesOf(pattern: string, available: readonly string[]): readonly string[] {
  const star = pattern.indexOf("*");
  if (star === -1) return [pattern];
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return available.filter(
    (name) => name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail),
  );
}

function holdsPassword(path: string): boolean {
  try {
    return PASSWORD.test(readFileSync(path, "latin1"));
  } catch {
    return true;
  }
}

function etcNames(etc: string): readonly string[] {
  const available = listFolder(etc);
  const present = new Set(available);
  return ETC_ENTRIES.flatMap((pattern) => namesOf(pattern, available)).filter((name) => {
    if (!present.has(name.split("/", 1)[0] ?? "")) return false;
    return !MAY_HOLD_PASSWORDS.has(name) || !holdsPassword(`${etc}/${name}`);
  });
}

/**
 * Where a link of the fixed list may lead and still be granted. `/etc/resolv.conf` points into /run on many systems;
 * one that points into a home or to /etc/shadow would grant what the list never names.
 */
const LINK_TARGETS = [
  "/usr",
  "/etc",
  "/lib",
  "/bin",
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager",
  "/run/nscd",
  "/nix/store",
  "/gnu/store",
  "/var/lib/ca-certificates",
  "/mnt/wsl",
];
const NEVER = /^\/etc\/(?:g?shadow|sudoers|ssh|ssl\/private)/;

/** A path of the list; a link whose target lies elsewhere than in system folders is left out. */
function listed(path: string, kind: GrantKind, root: string, found = pathRecord(path)): Grant | undefined {
  if (found === undefined) return undefined;
  if (found.path !== path) {
    const inside = found.path.startsWith(root) ? found.path.slice(root.length) : found.path;
    if (!LINK_TARGETS.some((target) => isWithin(inside, target)) || NEVER.test(inside)) return undefined;
  }
  return { ...found, kind };
}

/** An entry of /etc by its name. */
function etcEntry(etc: string, name: string, root: string): Grant | undefined {
  // A path of several components may have a link in the middle.
  const record = name.includes("/") ? undefined : entryRecord(etc, name);
  return listed(`${etc}/${name}`, "read", root, record ?? pathRecord(`${etc}/${name}`));
}

/** Names of the list that are links, or lie deeper and may have one on their way: they lead to grants of other paths. */
export function runtimeNames(root = ""): readonly string[] {
  const etc = pathRecord(`${root}/etc`)?.path ?? `${root}/etc`;
  const links = linksIn(etc);
  const named = ETC_ENTRIES.flatMap((entry) => (entry.includes("/") ? [entry] : namesOf(entry, links)));
  const deep = (name: string): boolean => name.includes("/") || links.includes(name);
  return [
    ...PROGRAM_FOLDERS.map((path) => root + path),
    ...named.filter(deep).map((name) => `${etc}/${name}`),
  ];
}

/** Its entries that are links, without a look at each. */
function linksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isSymbolicLink() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}

/** A device or a folder of devices; never a link, which could stand for anything. */
function device(path: string): Grant | undefined {
  try {
    // /dev/ptmx is a link to pts/ptmx in containers; /dev/pts covers it.
    if (lstatSync(path).isSymbolicLink()) return undefined;
  } catch {
    return undefined;
  }
  const record = pathRecord(path);
  return record && { ...record, kind: "device" };
}

/**
 * What a command may reach of the system, by a fixed list of names, reduced to what exists here. Nothing in it depends
 * on the environment, the policy or the workspace.
 *
 * @param root prefix for tests; the whole list is looked up below it.
 */
export function runtimePaths(root = ""): readonly Grant[] {
  const etc = pathRecord(`${root}/etc`)?.path ?? `${root}/etc`;
  const grants = [
    ...PROGRAM_FOLDERS.map((path) => listed(root + path, "read-exec", root)),
    ...etcNames(etc).map((name) => etcEntry(etc, name, root)),
    ...DATA_PATHS.map((path) => listed(root + path, "read", root)),
    ...DEVICES.map((path) => device(root + path)),
    listed(`${root}/dev/shm`, "shared-rw", root),
    listed(`${root}/proc`, "proc", root),
  ];
  return withoutCovered(grants.filter((grant) => grant !== undefined));
}
