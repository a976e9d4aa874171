import { once } from "../core/once.ts";
import type { ConfigEntry } from "./git-config.ts";

/** Where a configuration lies, as far as it decides what a value means. */
export interface ConfigPlace {
  /** Whether `core.worktree` may hold this value: that of a submodule's git directory, inside the workspace. */
  readonly worktreeInside: (value: string) => boolean;
  /** Entries that the policy leaves to the run. */
  readonly excepted?: (entry: ConfigEntry) => boolean;
}

/** Matches entries as a policy writes them: `core.hooksPath=.husky/_`. The case of a subsection and of a value counts. */
export function entryMatcher(given: readonly string[]): (entry: ConfigEntry) => boolean {
  const entries = new Set(
    given.map((text) => {
      const at = text.indexOf("=");
      const [section = "", ...rest] = text.slice(0, at).split(".");
      const name = rest.pop() ?? "";
      return [section.toLowerCase(), ...rest, name.toLowerCase()].join(".") + text.slice(at);
    }),
  );
  return ({ key, value }) => entries.has(`${key}=${value}`);
}

/** Keys with any value: nothing in them is a program, a place of programs, or leads to another configuration. */
const HARMLESS_KEYS = {
  user: "name email signingkey useconfigonly",
  author: "name email",
  committer: "name email",
  core: `abbrev autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar compression
      deltabasecachelimit eol excludesfile filemode hidedotfiles ignorecase ignorestat logallrefupdates longpaths
      loosecompression maxtreedepth multipackindex commitgraph notesref packedgitlimit packedgitwindowsize
      precomposeunicode preloadindex protecthfs protectntfs quotepath repositoryformatversion safecrlf
      sharedrepository sparsecheckout sparsecheckoutcone splitindex symlinks trustctime untrackedcache
      warnambiguousrefs whitespace`,
  remote: "pushdefault",
  init: "defaultbranch",
  push: "default autosetupremote followtags recursesubmodules usebitmaps negotiate",
  pull: "rebase ff twohead octopus",
  fetch:
    "prune prunetags parallel recursesubmodules writecommitgraph unpacklimit fsckobjects showforcedupdates",
  merge: "conflictstyle ff log renames renamelimit stat autostash directoryrenames branchdesc verbosity",
  rebase:
    "autosquash autostash updaterefs stat abbreviatecommands forkpoint missingcommitscheck rebasemerges",
  diff: `algorithm renames renamelimit colormoved colormovedws context dirstat ignoresubmodules indentheuristic
      interhunkcontext mnemonicprefix noprefix relative statgraphwidth statnamewidth submodule suppressblankempty
      wordregex wserrorhighlight`,
  log: "date decorate abbrevcommit follow showroot mailmap excludedecoration",
  format: "pretty",
  commit: "verbose status cleanup gpgsign",
  tag: "sort gpgsign forcesignannotated",
  gc: `auto autodetach autopacklimit aggressivedepth aggressivewindow bigpackthreshold cruftpacks logexpiry
      packrefs pruneexpire reflogexpire reflogexpireunreachable rerereresolved rerereunresolved
      worktreepruneexpire writecommitgraph`,
  maintenance: "auto strategy autodetach",
  index: "version threads sparse skiphash recordendofindexentries recordoffsettable",
  feature: "manyfiles experimental",
  extensions: `worktreeconfig objectformat compatobjectformat partialclone preciousobjects noop refstorage
      relativeworktrees`,
  submodule: "recurse fetchjobs active propagatebranches alternatelocation alternateerrorstrategy",
  rerere: "enabled autoupdate",
  receive:
    "denycurrentbranch denynonfastforwards denydeletes fsckobjects unpacklimit autogc updateserverinfo",
  transfer: "fsckobjects unpacklimit hiderefs",
  checkout: "defaultremote guess workers thresholdforparallelism",
  clone: "defaultremotename filtersubmodules rejectshallow",
  worktree: "guessremote userelativepaths",
  branch: "autosetupmerge autosetuprebase sort",
  apply: "whitespace ignorewhitespace",
  am: "threeway keepcr",
  gpg: "format",
  lfs: "repositoryformatversion",
};

const harmlessKeys = once(
  (): ReadonlySet<string> =>
    new Set(
      Object.entries(HARMLESS_KEYS).flatMap(([section, names]) =>
        names.split(/\s+/).map((name) => `${section}.${name}`),
      ),
    ),
);

/** Sections in which every key is harmless. */
const HARMLESS_SECTIONS = ["advice", "color", "column", "status", "stash", "grep", "blame", "pack", "notes"];

/** Keys that carry the name of something: `section.NAME.key`. */
const HARMLESS_NAMED: Readonly<Record<string, ReadonlySet<string>>> = {
  remote: new Set(
    "fetch push tagopt mirror prune prunetags skipdefaultupdate skipfetchall promisor partialclonefilter gh-resolved".split(
      " ",
    ),
  ),
  submodule: new Set(["active", "branch", "ignore", "shallow", "fetchrecursesubmodules"]),
  maintenance: new Set(["enabled", "schedule"]),
  lfs: new Set(["access", "locksverify"]),
};

/** What `git lfs install` writes: a program that a person has installed, by its name. */
const LFS: ReadonlySet<string> = new Set([
  "filter.lfs.clean=git-lfs clean -- %f",
  "filter.lfs.smudge=git-lfs smudge -- %f",
  "filter.lfs.process=git-lfs filter-process",
  "filter.lfs.required=true",
]);

/** Whether an entry can make git neither run something nor read another configuration. */
export function isHarmlessEntry({ key, value }: ConfigEntry, place: ConfigPlace): boolean {
  if (harmlessKeys().has(key) || LFS.has(`${key}=${value}`)) return true;
  if (key === "core.fsmonitor" || key === "core.usebuiltinfsmonitor") return isBoolean(value);
  if (key === "core.worktree") return value !== undefined && place.worktreeInside(value);
  const dot = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, dot);
  if (HARMLESS_SECTIONS.includes(section)) return true;
  if (last === dot) return false;
  const name = key.slice(last + 1);
  if (HARMLESS_NAMED[section]?.has(name) === true) return true;
  if (section === "branch") return !/::/.test(value ?? "");
  if (section === "remote" && (name === "url" || name === "pushurl")) return isHarmlessUrl(value ?? "");
  if (section === "submodule" && name === "url") return isHarmlessUrl(value ?? "");
  return section === "submodule" && name === "update" && /^(?:checkout|rebase|merge|none)$/.test(value ?? "");
}

function isBoolean(value: string | undefined): boolean {
  return value === undefined || /^(?:true|false|yes|no|on|off|1|0|)$/i.test(value);
}

/** Transports that git carries out itself; a `helper::address` runs `git-remote-helper`. */
function isHarmlessUrl(url: string): boolean {
  if (/^[a-z0-9+.-]*::|[\0\n]/i.test(url)) return false;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.?)/i.exec(url);
  if (scheme !== null) return /^(?:https?|ssh|git|file)$/i.test(scheme[1] ?? "") && scheme[2] !== "-";
  return !url.startsWith("-");
}

/**
 * The entries of `after` that may make git run something and were not there before, by key. What may run something
 * must be a part of what was there, in its order: the last of several values counts.
 */
export function newHarmfulKeys(
  before: readonly ConfigEntry[],
  after: readonly ConfigEntry[],
  place: ConfigPlace,
): readonly string[] {
  const harmful = (entry: ConfigEntry): boolean => !isHarmlessEntry(entry, place);
  const known = before.filter(harmful);
  const added: string[] = [];
  let at = 0;
  for (const entry of after.filter((each) => harmful(each) && place.excepted?.(each) !== true)) {
    const found = known.findIndex((old, i) => i >= at && old.key === entry.key && old.value === entry.value);
    if (found === -1) added.push(entry.key);
    else at = found + 1;
  }
  return added;
}

/** Drivers that a configuration defines by a command: `filter.x`, `diff.y`, `merge.z`. */
export function commandDrivers(entries: readonly ConfigEntry[]): readonly string[] {
  return entries.flatMap(({ key, value }) => {
    const driver =
      /^((?:filter\..+)(?=\.(?:clean|smudge|process)$)|(?:diff\..+)(?=\.(?:textconv|command)$)|(?:merge\..+)(?=\.driver$))/s.exec(
        key,
      )?.[1];
    return driver === undefined || LFS.has(`${key}=${value}`) ? [] : [driver];
  });
}

/** Lines of an attributes file (gitattributes(5)) that put one of `drivers` to use. */
export function driverLines(text: string, drivers: ReadonlySet<string>): readonly string[] {
  return text.split(/\r?\n/).filter((line) => {
    if (/^\s*#/.test(line)) return false;
    return [...line.matchAll(/[ \t](filter|diff|merge)=([^ \t]+)/g)].some(([, kind, name]) =>
      drivers.has(`${kind}.${name}`),
    );
  });
}
