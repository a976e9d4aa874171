import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What is not UTF-8. */
export interface Bytes {
  readonly bytes_hex: string;
}

/** One recorded behaviour: what was asked, and what must come out. */
export interface Row {
  readonly id: string;
  readonly policy: string | Bytes | null;
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  readonly setup?: string;
  readonly prefix?: readonly string[];
  readonly stdin?: string;
  readonly runas?: string;
  /** A command, and what it prints after the run. */
  readonly probe?: string;
  readonly after?: string | null;
  readonly stdout?: string | null;
  readonly stderr: string | null;
  readonly want: { readonly exit: number | null; readonly same: boolean; readonly why: string };
}

/** A row whose words may be bytes. */
export type ExecRow = Omit<Row, "argv"> & { readonly argv: readonly (string | Bytes)[] };

interface Spec {
  readonly base_env: Readonly<Record<string, string>>;
  readonly ws_files: Readonly<Record<string, string>>;
  readonly ws_dirs: readonly string[];
  readonly executable: readonly string[];
  readonly ws_symlinks: Readonly<Record<string, string>>;
  readonly top_files: Readonly<Record<string, string>>;
}

const REFERENCE = join(import.meta.dirname, "reference");

export function readRows<R = Row>(file: string): readonly R[] {
  return readFileSync(join(REFERENCE, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as R);
}

/** The tree that the rows speak of, in a folder of its own. */
export interface Fixture {
  readonly top: string;
  readonly workspace: string;
  /** Fills in `$WS`, `$TOP`, `$POLICY` and `$REALHOME`. */
  readonly fill: (text: string) => string;
  readonly remove: () => void;
}

function readSpec(): Spec {
  return JSON.parse(readFileSync(join(REFERENCE, "fixture.json"), "utf8")) as Spec;
}

/** The environment that the rows were recorded in, unfilled. */
export function baseEnvironment(): Spec["base_env"] {
  return readSpec().base_env;
}

export function layFixture(
  extra: { readonly files?: Row["files"]; readonly setup?: string | undefined } = {},
): Fixture {
  const spec = readSpec();
  const top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-table-")));
  const workspace = join(top, "ws");
  const fill = (text: string): string =>
    text
      .replaceAll("$WS", workspace)
      .replaceAll("$TOP", top)
      .replaceAll("$POLICY", join(top, "policy.toml"))
      .replaceAll("$REALHOME", homedir());
  const put = (root: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), fill(text));
      if (text.startsWith("#!")) chmodSync(join(root, name), 0o755);
    }
  };
  put(top, spec.top_files);
  put(workspace, spec.ws_files);
  for (const folder of spec.ws_dirs) mkdirSync(join(workspace, folder), { recursive: true });
  put(workspace, extra.files ?? {});
  for (const [name, target] of Object.entries(spec.ws_symlinks)) symlinkSync(target, join(workspace, name));
  if (extra.setup !== undefined) execFileSync("/bin/sh", ["-c", extra.setup], { cwd: workspace });
  return {
    top,
    workspace,
    fill,
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
