import type { ProgramPaths } from "./build-input.ts";
import { type Grant, grantedAccess } from "./landlock-abi.ts";
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
  /** System runtime and toolchains. */
  readonly readOnly: readonly PathRecord[];
  /** Configuration, `read_paths`. */
  readonly data: readonly PathRecord[];
  /** Undefined: any program may be started. */
  readonly programs: ProgramPaths | undefined;
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
const S_IFREG = 0o100000;

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
    ...loaderSteps(input),
    ...coverSteps(input),
    ...landlockSteps(input),
  ];
}

/**
 * Why what is granted cannot be had in a new root: one of its own places would be covered by it. Undefined where it
 * can.
 */
export function unfitForNewRoot({
  workspace,
  data,
}: Pick<MountInput, "workspace" | "data">): string | undefined {
  const covers = ({ path }: PathRecord, places: readonly string[]): boolean =>
    places.some((place) => isWithin(place, path));
  if (covers(workspace, ["/run", "/dev", "/proc"])) return `the workspace is ${workspace.path}`;
  const wide = data.find((record) => covers(record, ["/tmp", "/run", "/dev", "/proc"]));
  return wide && `read_paths opens ${wide.path}`;
}

function tmpfs(target: string, mode: number, bytes: bigint, attributes: number = OPEN): MountStep {
  return { kind: "tmpfs", attributes, mode, bytes, inodes: bytes / BYTES_PER_INODE, target };
}

/** What `confine_binaries` takes away from a place that is written or read as data. */
function noExec({ programs }: MountInput, place?: string): number {
  return programs === undefined || (place !== undefined && programs.nativePlaces.includes(place))
    ? 0
    : ATTR.noExec;
}

function privateSteps(input: MountInput): readonly MountStep[] {
  const { privateBytes, hostProc, devices } = input;
  // A quarter for each of three, so that no place can take all of it.
  const share = privateBytes / 4n > MIB ? privateBytes / 4n : MIB;
  const proc: MountStep =
    hostProc === undefined
      ? { kind: "proc", attributes: SEALED | ATTR.noExec, target: "/proc" }
      : { kind: "bind", attributes: SEALED | ATTR.noExec, target: "/proc", source: hostProc };
  return [
    tmpfs("/", 0o755, 16n * MIB, SEALED),
    tmpfs(PRIVATE.tmp, 0o1777, share, OPEN | noExec(input, "/tmp")),
    tmpfs("/run", 0o755, 16n * MIB, OPEN | noExec(input)),
    tmpfs(PRIVATE.home, 0o700, share, OPEN | noExec(input, "~")),
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

/** A path and the folders above it, the nearest first. */
function upwards(path: string): readonly string[] {
  const folders = [path];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    folders.push(path.slice(0, end));
  }
  return path === "/" ? folders : [...folders, "/"];
}

interface Wanted {
  readonly source: PathRecord;
  readonly attributes: number;
}

/** Folders before what lies in them; what a folder with the same attributes already shows is left out. */
function bindSteps(input: MountInput): readonly MountStep[] {
  const { workspace, writePaths, programs } = input;
  const [open, data] = [OPEN | noExec(input), SEALED | noExec(input)];
  const isWritten = ({ path }: PathRecord): boolean =>
    writePaths === undefined || writePaths.some((written) => isWithin(path, written.path));
  const wanted = new Map<string, Wanted>();
  const want = (attributes: number) => (source: PathRecord) =>
    wanted.set(source.path, { source, attributes });
  // Later ones win where both name the same path; nothing read-only is laid over the workspace.
  const isOutside = ({ path }: PathRecord): boolean => !isWithin(path, workspace.path);
  input.readOnly.filter(isOutside).forEach(want(SEALED));
  input.data.filter(isOutside).forEach(want(data));
  input.writable.filter(isOutside).forEach(want(open));
  want(writePaths === undefined ? open : data)(workspace);
  writePaths?.forEach(want(open));
  for (const place of programs?.native ?? []) want(isWritten(place) ? OPEN : SEALED)(place);
  // A program of the workspace stays what it is.
  programs?.executable.forEach(want(SEALED));
  const sorted = [...wanted.values()].sort((a, b) => (a.source.path < b.source.path ? -1 : 1));
  const kept = new Map<string, Wanted>();
  for (const entry of sorted) {
    const nearest = upwards(entry.source.path).find((folder) => kept.has(folder));
    const around = nearest === undefined ? undefined : kept.get(nearest);
    if (around?.attributes !== entry.attributes) kept.set(entry.source.path, entry);
  }
  const caches: MountStep[] =
    input.caches === undefined ? [] : [{ ...bind(input.caches, open), target: PRIVATE.caches }];
  return [...[...kept.values()].map(({ source, attributes }) => bind(source, attributes)), ...caches];
}

/** Links that no bound folder brings along already. */
function linkSteps(input: MountInput, binds: readonly MountStep[]): readonly MountStep[] {
  const bound = new Set(binds.flatMap((step) => (step.kind === "bind" ? [step.target] : [])));
  const leadsToBound = new Set([...bound].flatMap(upwards));
  const taken = ["/proc", "/dev", PRIVATE.tmp, "/run", "/var/tmp"];
  const made = input.links.filter(
    ({ path }) => !upwards(path).some((folder) => bound.has(folder)) && !taken.includes(path),
  );
  const inHome = input.homeLinks.map(({ path, text }) => ({ path: `${PRIVATE.home}/${path}`, text }));
  return [...DEVICE_LINKS, { path: "/var/tmp", text: "/tmp" }, ...made, ...inHome]
    .filter(({ path }) => !leadsToBound.has(path))
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

/** After what they are laid over. */
function loaderSteps({ programs }: MountInput): readonly MountStep[] {
  const loaders = programs?.guardedLoaders ?? [];
  return loaders.map(({ target, bytes }) => ({ kind: "file", mode: 0o555, target, bytes }));
}

/** Listing folders is harmless where only what is allowed exists. */
function landlockSteps({ handledFs, programs }: MountInput): readonly MountStep[] {
  const change = (place: string): Grant =>
    programs === undefined || programs.nativePlaces.includes(place) ? "change" : "store";
  const grants: readonly (readonly [Grant, string])[] = [
    ["list", "/"],
    [change("/tmp"), PRIVATE.tmp],
    [change("~"), "/run"],
    ["store", PRIVATE.shm],
    ["device", "/dev/pts"],
    ["read", "/proc"],
  ];
  const rule = (grant: Grant, target: string, type: number): readonly MountStep[] => {
    const access = grantedAccess(grant, type, handledFs);
    return access === 0n ? [] : [{ kind: "landlock", access, target }];
  };
  const loaders = programs?.guardedLoaders ?? [];
  return [
    ...grants.flatMap(([grant, target]) => rule(grant, target, S_IFDIR)),
    ...loaders.flatMap(({ target }) => rule("run", target, S_IFREG)),
  ];
}
