import { PROTECTIONS } from "../core/protection.ts";
import { choice, flag, list, probability, whole, wordList } from "./fields.ts";
import { gitEntryProblem } from "./git-entry.ts";
import { globProblem } from "./glob.ts";
import { helperProblem, nativeProblem, readPathProblem, socketProblem, writePathProblem } from "./paths.ts";
import { presetProblem } from "./presets.ts";

/** Every key of the policy file, in the order of docs/policy.md. The one table: parser and JSON Schema read it. */
export const FIELDS = {
  extends: list({
    about: "Policies to start from: names of presets, or files relative to this one.",
    problem: presetProblem,
  }),
  allow_paths: list({
    about: "What requests may name inside the workspace: folders, files or globs. Empty: all of it.",
    problem: globProblem,
  }),
  deny_globs: list({
    about:
      "Globs that no request may name, no run may read where the kernel can hide it, and no run may produce.",
    problem: globProblem,
  }),
  secret_exceptions: list({
    about: "Globs lifted from the built-in secrets; never from deny_globs.",
    problem: globProblem,
  }),
  later_exceptions: list({
    about: "Globs of files that a run may change although something runs or obeys them later.",
    problem: globProblem,
  }),
  git_config_exceptions: list({
    about:
      "Entries of git's configuration that a run may set although git may run something for them: key=value.",
    problem: gitEntryProblem,
  }),
  allow_network: flag({ preset: false, about: "Whether tools and commands may use the network." }),
  allow_binaries: list({ about: "Programs that may be started, by name or path. Empty: all." }),
  confine_binaries: flag({
    preset: false,
    about: "Whether the kernel holds allow_binaries for everything that a run starts.",
  }),
  allow_helpers: list({
    about: "Under confine_binaries: programs that a run may start beside allow_binaries.",
    problem: helperProblem,
  }),
  allow_native: list({
    about: "Under confine_binaries: writable places whose native code may be loaded and run.",
    problem: nativeProblem,
  }),
  require_os_isolation: flag({
    preset: true,
    about: "Refuse to run where a required protection cannot be enforced by the operating system.",
  }),
  require: wordList({ values: PROTECTIONS, about: "Protections that must be enforced for a run to start." }),
  timeout_sec: whole({
    preset: 30,
    max: 9_000_000_000,
    about: "Wall-clock seconds after which a run is ended.",
  }),
  max_processes: whole({ preset: 4096, max: 4_194_304, about: "Processes and threads of a run." }),
  max_memory_mb: whole({ preset: 8192, max: 1_073_741_824, about: "Memory of a run, in MiB." }),
  max_open_files: whole({ preset: 1024, max: 1_073_741_816, about: "Open files of each process." }),
  cpu_time_sec: whole({ preset: 60, max: 9_000_000_000, about: "CPU seconds of each process." }),
  max_file_size_mb: whole({
    preset: 1024,
    max: 1_073_741_824,
    about: "Size of a file that a run writes, in MiB.",
  }),
  write_paths: list({
    about:
      "What a run may write inside the workspace: folders and files. Not given: all of it. Empty: nothing.",
    problem: writePathProblem,
  }),
  read_paths: list({
    about: "What a run may read outside the workspace, beside the system: absolute paths or ~/….",
    problem: readPathProblem,
  }),
  unix_sockets: list({
    about: "Unix sockets of other programs that a run may connect to: absolute paths or ~/….",
    problem: socketProblem,
  }),
  terminal: choice({
    values: ["pass", "filter"],
    preset: "pass",
    about: "What reaches a terminal of a command's output: all of it, or text and colours only.",
  }),
  unknown_tools: choice({
    values: ["allow", "ask", "deny"],
    preset: "ask",
    about: "What becomes of a tool that is not known, for agents' hooks and check --stdin.",
  }),
  jev_verdict: flag({ preset: false, about: "Ask the Jev service about the output of every run." }),
  jev_threshold: probability({ preset: 0.7, about: "Probability from which an answer denies." }),
  jev_on_error: choice({
    values: ["deny", "allow"],
    preset: "deny",
    about: "What a failed question to the Jev service means.",
  }),
} as const;

export type Key = keyof typeof FIELDS;

export const KEYS = Object.keys(FIELDS) as Key[];

export function isKey(name: string): name is Key {
  return Object.hasOwn(FIELDS, name);
}
