import { type CommandSpec, uniform } from "./spec.ts";
import { DEV } from "./table/dev.ts";
import { GIT } from "./table/git.ts";
import { LANGUAGES } from "./table/languages.ts";
import { MODULES, PROGRAM_MODULES } from "./table/python.ts";
import { REMOTE } from "./table/remote.ts";
import { RUNNERS } from "./table/runners.ts";
import { TOOLS } from "./table/tools.ts";
import { SHELLS, WRAPPERS } from "./table/wrappers.ts";

const TABLES: readonly Readonly<Record<string, CommandSpec>>[] = [
  WRAPPERS,
  SHELLS,
  TOOLS,
  DEV,
  { git: GIT },
  LANGUAGES,
  RUNNERS,
  REMOTE,
];

const ALIASES: Readonly<Record<string, string>> = {
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  gsed: "sed",
  gfind: "find",
  gtar: "tar",
  bsdtar: "tar",
  gdate: "date",
  vi: "vim",
  view: "vim",
  nvim: "vim",
  gvim: "vim",
  vimdiff: "vim",
  rvim: "vim",
  hd: "hexdump",
  gtimeout: "timeout",
  genv: "env",
  gxargs: "xargs",
  pcre2grep: "pcregrep",
  gpg2: "gpg",
  slogin: "ssh",
};

function named(name: string): CommandSpec | undefined {
  const target = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
  return TABLES.find((table) => Object.hasOwn(table, target))?.[target];
}

/** The grammar of a program, by its name with or without a version (`python3.12`, `gcc-13`). */
export function specOf(name: string): CommandSpec | undefined {
  const spec =
    named(name) ?? named(name.replace(/-?\d+(?:\.\d+)*$/, "")) ?? named(name.replace(/\.(?:exe|real)$/, ""));
  return spec === undefined ? undefined : uniform(spec);
}

/** The grammar of a module that Python runs as a program. */
export function moduleOf(name: string): CommandSpec | undefined {
  if (Object.hasOwn(MODULES, name)) return MODULES[name];
  return PROGRAM_MODULES.has(name) ? named(name) : undefined;
}
