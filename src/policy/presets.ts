import { nearest } from "./nearest.ts";

/** The policies that come with Paldron, each a file of `presets/`. */
export const PRESETS = ["readonly", "git", "node", "python", "rust", "go"] as const;

export type Preset = (typeof PRESETS)[number];

export function isPreset(name: string): name is Preset {
  return (PRESETS as readonly string[]).includes(name);
}

/** What is wrong with an entry of `extends`: a name with a slash or `.toml` is a file, another one a preset. */
export function presetProblem(entry: string): string | undefined {
  if (entry === "") return "is empty";
  if (isPreset(entry) || entry.includes("/") || entry.endsWith(".toml")) return undefined;
  const near = nearest(entry, PRESETS);
  const hint = near === undefined ? "files are written with a slash" : `did you mean \`${near}\`?`;
  return `is no preset; ${hint}`;
}
