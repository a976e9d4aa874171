import { grantedAccess } from "./landlock-abi.ts";
import type { LinkRecord, MountStep } from "./namespace-types.ts";
import type { PathRecord } from "./types.ts";

/** `MOUNT_ATTR_*` of mount_setattr(2). */
const ATTR = { readOnly: 1, noSuid: 2, noDevices: 4, noExec: 8 } as const;

/** Places that are private to a run with a new root. */
export const PRIVATE = {
  home: "/run/home",
  tmp: "/tmp",
  shm: "/dev/shm",
  caches: "/var/cache/paldron",
} as const;

/** Masks cost little up to here (1,000: 11 ms) and much beyond (5,000: 0.9 s). */
export const MASK_LIMIT = 1000;

/** What a new root is made of. Every path is resolved. */
export interface MountInput {
  readonly workspace: PathRecord;
  /** Undefined: all of the workspace. */
  readonly writePaths: readonly PathRecord[] | undefined;
  /** System runtime, toolchains, configuration, `read_paths`. */
  readonly readOnly: readonly PathRecord[];
  /** Git directories outside the workspace that git has to write in. */
  readonly writable: readonly PathRecord[];
  /** Device nodes. */
  readonly devices: readonly PathRecord[];
  /** Links to be made again so that names lead where they did. */
  readonly links: readonly LinkRecord[];
  /** Links in the fresh home, relative to it. */
  readonly homeLinks: readonly LinkRecord[];
  /** The folder around the caches that are kept. */
  readonly caches: PathRecord | undefined;
  /** What is hidden: files, links and folders of the workspace. */
  readonly masks: readonly PathRecord[];
  /** Files and folders that stay readable and become read-only, in what is writable. */
  readonly guarded: readonly PathRecord[];
  /** Folders above masks and guarded paths; none may be renamed. */
  readonly ancestors: readonly PathRecord[];
  /** `/proc` of the host where no new one can be mounted. */
  readonly hostProc: PathRecord | undefined;
  /** Bytes that the run may fill in all its private places together. */
  readonly privateBytes: bigint;
  /** Landlock rights that are handled, 0 without Landlock. */
  readonly handledFs: bigint;
}

const MIB = 1024n * 1024n;
const BYTES_PER_INODE = 4096n;
const SEALED = ATTR.readOnly | ATTR.noSuid | ATTR.noDevices;
const OPEN = ATTR.noSuid | ATTR.noDevices;
const S_IFDIR = 0o040000;

/** Links that every /dev has, null(4), pts(4). */
const DEVICE_LINKS: readonly LinkRecord[] = [
  { path: "/dev/ptmx", text: "pts/ptmx" },
  { path: "/dev/fd", text: "/proc/self/fd" },
  { path: "/dev/stdin", text: "/proc/self/fd/0" },
  { path: "/dev/stdout", text: "/proc/self/fd/1" },
  { path: "/dev/stderr", text: "/proc/self/fd/2" },
];

/**
 * The steps that make the new root: private places first, then what is bound into it with folders before what lies in
 * them, links, guards and masks, Landlock rules for what has no path outside.
 */
export function mountSteps(input: MountInput): readonly MountStep[] {
  const binds = bindSteps(input);
  return [
    ...privateSteps(input),
    ...binds,
    ...linkSteps(input, binds),
    ...coverSteps(input),
    ...landlockSteps(input.handledFs),
  ];
}

/**
 * Why what is granted cannot be had in a new root: one of its own places would be covered by it. Undefined where it
 * can.
 */
export function unfitForNewRoot({
  workspace,
  readOnly,
}: Pick<MountInput, "workspace" | "readOnly">): string | undefined {
  const covers = ({ path }: PathRecord, places: readonly string[]): boolean =>
    places.some((place) => isWithin(place, path));
  if (covers(workspace, ["/run", "/dev", "/proc"])) return `the workspace is ${workspace.path}`;
  const wide = readOnly.find((record) => covers(record, ["/tmp", "/run", "/dev", "/proc"]));
  return wide && `read_paths opens ${wide.path}`;
}

function tmpfs(target: string, mode: number, bytes: bigint, attributes: number = OPEN): MountStep {
  return { kind: "tmpfs", attributes, mode, bytes, inodes: bytes / BYTES_PER_INODE, target };
}

function privateSteps({ privateBytes, hostProc, devices }: MountInput): readonly MountStep[] {
  // A quarter for each of three, so that no place can take all of it.
  const share = privateBytes / 4n > MIB ? privateBytes / 4n : MIB;
  const proc: MountStep =
    hostProc === undefined
      ? { kind: "proc", attributes: SEALED | ATTR.noExec, target: "/proc" }
      : { kind: "bind", attributes: SEALED | ATTR.noExec, target: "/proc", source: hostProc };
  return [
    tmpfs("/", 0o755, 16n * MIB, SEALED),
    tmpfs(PRIVATE.tmp, 0o1777, share),
    tmpfs("/run", 0o755, 16n * MIB),
    tmpfs(PRIVATE.home, 0o700, share),
    { kind: "folder", mode: 0o755, target: "/dev" },
    tmpfs(PRIVATE.shm, 0o1777, share, OPEN | ATTR.noExec),
    { kind: "devpts", attributes: ATTR.noSuid | ATTR.noExec, target: "/dev/pts" },
    ...devices
      .filter(({ path }) => /^\/dev\/(?:null|zero|full|random|urandom|tty)$/.test(path))
      .map((device) => bind(device, ATTR.noSuid | ATTR.noExec)),
    proc,
  ];
}

function bind(source: PathRecord, attributes: number): Extract<MountStep, { kind: "bind" }> {
  return { kind: "bind", attributes, target: source.path, source };
}

function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

interface Wanted {
  readonly source: PathRecord;
  readonly attributes: number;
}

/** Folders before what lies in them; what a folder with the same attributes already shows is left out. */
function bindSteps(input: MountInput): readonly MountStep[] {
  const { workspace, writePaths } = input;
  const wanted = new Map<string, Wanted>();
  const want = (attributes: number) => (source: PathRecord) =>
    wanted.set(source.path, { source, attributes });
  // Later ones win where both name the same path; nothing read-only is laid over the workspace.
  input.readOnly.filter(({ path }) => !isWithin(path, workspace.path)).forEach(want(SEALED));
  input.writable.filter(({ path }) => !isWithin(path, workspace.path)).forEach(want(OPEN));
  want(writePaths === undefined ? OPEN : SEALED)(workspace);
  writePaths?.forEach(want(OPEN));
  const sorted = [...wanted.values()].sort((a, b) => (a.source.path < b.source.path ? -1 : 1));
  const kept: Wanted[] = [];
  for (const entry of sorted) {
    const around = kept.findLast(({ source }) => isWithin(entry.source.path, source.path));
    if (around === undefined || around.attributes !== entry.attributes) kept.push(entry);
  }
  const caches: MountStep[] =
    input.caches === undefined ? [] : [{ ...bind(input.caches, OPEN), target: PRIVATE.caches }];
  return [...kept.map(({ source, attributes }) => bind(source, attributes)), ...caches];
}

/** Links that no bound folder brings along already. */
function linkSteps(input: MountInput, binds: readonly MountStep[]): readonly MountStep[] {
  const bound = binds.flatMap((step) => (step.kind === "bind" ? [step.target] : []));
  const taken = ["/proc", "/dev", PRIVATE.tmp, "/run", "/var/tmp"];
  const made = input.links.filter(
    ({ path }) => !bound.some((folder) => isWithin(path, folder)) && !taken.includes(path),
  );
  const inHome = input.homeLinks.map(({ path, text }) => ({ path: `${PRIVATE.home}/${path}`, text }));
  return [...DEVICE_LINKS, { path: "/var/tmp", text: "/tmp" }, ...made, ...inHome]
    .filter(({ path }) => !bound.some((folder) => isWithin(folder, path)))
    .map(({ path, text }) => ({ kind: "link", target: path, text }));
}

/** Folders from the outside in, then what is read-only, then what is hidden: a cover goes on top of everything. */
function coverSteps({ ancestors, guarded, masks }: MountInput): readonly MountStep[] {
  const byPath = (a: PathRecord, b: PathRecord): number => (a.path < b.path ? -1 : 1);
  return [
    ...[...new Map(ancestors.map((record) => [record.path, record])).values()]
      .sort(byPath)
      .map((path): MountStep => ({ kind: "guard", attributes: 0, path })),
    ...[...guarded]
      .sort(byPath)
      .map((path): MountStep => ({ kind: "guard", attributes: ATTR.readOnly, path })),
    ...[...masks].sort(byPath).map((path): MountStep => ({ kind: "mask", path })),
  ];
}

/** Listing folders is harmless where only what is allowed exists. */
function landlockSteps(handled: bigint): readonly MountStep[] {
  const grants = [
    ["list", "/"],
    ["change", PRIVATE.tmp],
    ["change", "/run"],
    ["store", PRIVATE.shm],
    ["device", "/dev/pts"],
    ["read", "/proc"],
  ] as const;
  return grants.flatMap(([grant, target]): MountStep[] => {
    const access = grantedAccess(grant, S_IFDIR, handled);
    return access === 0n ? [] : [{ kind: "landlock", access, target }];
  });
}
