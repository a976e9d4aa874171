import { PaldronError } from "../core/errors.ts";

/** What a macOS sandbox profile is made from. All paths are absolute and resolved: Seatbelt judges real paths. */
export interface SeatbeltInput {
  readonly allowNetwork: boolean;
  /** What the command may write: the workspace or the policy's `write_paths`, the scratch home and temp folder. */
  readonly writable: readonly string[];
  /** Home folders whose credential vaults are closed: the real one, never the scratch one. */
  readonly homes: readonly string[];
  /** Files and folders that exist and match a secret or deny glob: neither read nor written. */
  readonly hidden: readonly string[];
}

/** Folders and files under a home that hold credentials. */
const CREDENTIAL_VAULTS = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".password-store",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".config/op",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  "Library/Keychains",
  "Library/Cookies",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
] as const;

/** Devices that ordinary programs write to. Terminals are pseudo-terminals of this user. */
const WRITABLE_DEVICES = [
  '(literal "/dev/null")',
  '(literal "/dev/zero")',
  '(literal "/dev/tty")',
  '(literal "/dev/ptmx")',
  '(literal "/dev/dtracehelper")',
  '(subpath "/dev/fd")',
  '(regex #"^/dev/ttys[0-9]+$")',
];

/** Services that would start programs outside the sandbox, or hand out keychain items. */
const REFUSED_SERVICES = ["com.apple.SecurityServer", "com.apple.coreservices.launchservicesd"];

/**
 * A path as a string of the profile language. A control character, or a byte that is not UTF-8, has no safe spelling
 * there, so such a path stops the run instead of changing what the profile says.
 */
function quote(path: string): string {
  const parts = path.split("/");
  const plain = path.startsWith("/") && !parts.some((part) => part === "." || part === "..");
  if (!plain)
    throw new PaldronError("isolation", "a path for the sandbox profile is not absolute and resolved");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u.test(path)) {
    throw new PaldronError("isolation", "a path holds characters that a sandbox profile cannot express");
  }
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  return `"${trimmed.replace(/[\\"]/g, "\\$&")}"`;
}

function rule(action: "allow" | "deny", operation: string, filters: readonly string[]): string[] {
  // Without a filter a rule would hold for everything.
  return filters.length === 0
    ? []
    : [`(${action} ${operation}`, ...filters.map((filter) => `  ${filter}`), ")"];
}

const subpath = (path: string): string => `(subpath ${quote(path)})`;

/** Unix sockets in the workspace stay; everything else that leaves the process tree is closed. */
function networkRules({ allowNetwork, writable }: SeatbeltInput): string[] {
  if (allowNetwork) return [];
  const sockets = writable.map(quote);
  return [
    "(deny network*)",
    ...rule(
      "allow",
      "network*",
      sockets.flatMap((path) => [
        `(local unix-socket (subpath ${path}))`,
        `(remote unix-socket (subpath ${path}))`,
      ]),
    ),
  ];
}

/**
 * The text of a Seatbelt profile for `sandbox-exec -p`. In this language the last rule that matches decides, so the
 * order is: everything, then what is closed, then what is open for writing, then what stays closed even there.
 *
 * Untested on macOS: the text is checked by unit tests only.
 * @throws PaldronError `isolation` for a path that the language cannot express.
 */
export function seatbeltProfile(input: SeatbeltInput): string {
  const vaults = input.homes.flatMap((home) => {
    // A home that is no path must not turn into the root.
    quote(home);
    return CREDENTIAL_VAULTS.map((name) => subpath(`${home.replace(/\/+$/, "")}/${name}`));
  });
  const closed = [...vaults, ...input.hidden.map(subpath)];
  return `${[
    "(version 1)",
    "(allow default)",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny appleevent-send)",
    ...rule(
      "deny",
      "mach-lookup",
      REFUSED_SERVICES.map((name) => `(global-name "${name}")`),
    ),
    ...networkRules(input),
    "(deny file-write*)",
    ...rule("allow", "file-write*", [...input.writable.map(subpath), ...WRITABLE_DEVICES]),
    "(deny file-write-setugid)",
    ...rule("deny", "file-read*", closed),
    ...rule("deny", "file-write*", closed),
  ].join("\n")}\n`;
}
