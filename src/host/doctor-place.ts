import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PaldronError } from "../core/errors.ts";
import { isWithin } from "./path-record.ts";

/** A workspace with secrets in it and a folder outside of it, for the attempts of `paldron-probe`. */
export interface DoctorPlace {
  readonly workspace: string;
  readonly outside: string;
  /** For the caches that a run keeps, so that none of them outlives the attempts. */
  readonly caches: string;
  /** Where the workspace may be written: itself, or the one folder that `write_paths` names. */
  readonly writable: string;
  /** Tells the probe what to try. */
  instruct(lines: Readonly<Record<string, string | number>>): void;
  /** Attempts whose effect can be seen on the disk. */
  effects(): ReadonlySet<string>;
  remove(): void;
}

export interface DoctorPlaceInput {
  readonly probe: string;
  readonly home: string | undefined;
  /** Folders that the policy opens; nothing outside of the workspace may lie in one of them. */
  readonly opened: readonly string[];
  /** Name of the one folder that may be written, where the policy has `write_paths`. */
  readonly writable: string | undefined;
}

/** What the probe reads its settings from. */
const INSTRUCTIONS = "paldron-doctor";
const CONTENT = "content\n";
const MODE = 0o644;
/** A time that no file has by itself; the probe sets it. */
const OLD_SECONDS = 1;

const OUTSIDE = ["written", "cut", "removed", "renamed", "read", "mode"] as const;
const INSIDE = [
  "plain",
  ".env",
  "removed/.env",
  "parent/.env",
  ".git/HEAD",
  ".git/hooks/pre-commit",
  ".claude/settings.json",
] as const;

/** Makes the place in a folder that the policy does not open. */
export function makeDoctorPlace(input: DoctorPlaceInput): DoctorPlace {
  const top = makeTop(input);
  const workspace = join(top, "ws");
  const outside = join(top, "outside");
  const caches = join(top, "caches");
  mkdirSync(caches, { mode: 0o700 });
  const writable = input.writable === undefined ? workspace : join(workspace, input.writable);
  for (const name of INSIDE) put(workspace, name, contentOf(name));
  // Git runs no other, so that changing it would be harmless.
  chmodSync(join(workspace, ".git/hooks/pre-commit"), 0o755);
  for (const name of OUTSIDE) put(outside, name, CONTENT);
  put(writable, "plain", CONTENT);
  copyFileSync(input.probe, join(writable, "other"));
  return {
    workspace,
    outside,
    caches,
    writable,
    instruct: (lines) => {
      const text = Object.entries(lines).map(([key, value]) => `${key}=${value}\n`);
      writeFileSync(join(workspace, INSTRUCTIONS), text.join(""));
    },
    effects: () => new Set([...outsideEffects(outside), ...insideEffects(workspace)]),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function makeTop({ home, opened }: DoctorPlaceInput): string {
  const parents = [tmpdir(), "/var/tmp", ...(home === undefined ? [] : [join(home, ".cache"), home])];
  for (const parent of parents) {
    try {
      const real = realpathSync(parent);
      if (opened.some((folder) => isWithin(real, folder)) || /[\n=]/.test(real)) continue;
      return mkdtempSync(join(real, "paldron-doctor-"));
    } catch {
      // It cannot be written; another may.
    }
  }
  throw new PaldronError("io", `no folder for the canaries can be made (tried ${parents.join(", ")})`);
}

function contentOf(name: (typeof INSIDE)[number]): string {
  return name === ".git/HEAD" ? "ref: refs/heads/main\n" : CONTENT;
}

function put(folder: string, name: string, content: string): void {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content, { mode: MODE });
}

function changed(folder: string, name: string): boolean {
  const path = join(folder, name);
  return !existsSync(path) || readFileSync(path, "utf8") !== CONTENT;
}

function outsideEffects(folder: string): readonly string[] {
  const { mode, mtimeMs } = statSync(join(folder, "mode"));
  const seen: Readonly<Record<string, boolean>> = {
    "write-outside": changed(folder, "written"),
    "create-outside": existsSync(join(folder, "created")),
    "truncate-outside": changed(folder, "cut"),
    "remove-outside": changed(folder, "removed"),
    "rename-outside": changed(folder, "renamed"),
    "mode-outside": (mode & 0o777) !== MODE,
    "times-outside": mtimeMs === OLD_SECONDS * 1000,
  };
  return Object.keys(seen).filter((name) => seen[name]);
}

function insideEffects(workspace: string): readonly string[] {
  const claude = join(workspace, ".claude");
  const seen: Readonly<Record<string, boolean>> = {
    "secret-rename": !existsSync(join(workspace, ".env")),
    "secret-remove": !existsSync(join(workspace, "removed/.env")),
    "secret-parent": !existsSync(join(workspace, "parent")),
    "later-hook": changed(workspace, ".git/hooks/pre-commit"),
    // A folder that was taken away takes its settings with it; one that was put back has its own again.
    "later-settings": changed(workspace, `${existsSync(claude) ? ".claude" : ".claude-taken"}/settings.json`),
    "later-rename": !existsSync(claude),
  };
  return Object.keys(seen).filter((name) => seen[name]);
}

/** Attempts whose effect {@link DoctorPlace.effects} would see. */
export const SEEN_ON_DISK: ReadonlySet<string> = new Set([
  "write-outside",
  "create-outside",
  "truncate-outside",
  "remove-outside",
  "rename-outside",
  "mode-outside",
  "times-outside",
  "secret-rename",
  "secret-remove",
  "secret-parent",
  "later-hook",
  "later-settings",
  "later-rename",
]);
