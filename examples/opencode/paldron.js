// OpenCode plugin: every tool call goes to `paldron hook --agent opencode` before it runs, and its output after it.
// `paldron init opencode` writes this file with absolute paths; by hand, put it into .opencode/plugins/ or
// ~/.config/opencode/plugins/ and name Paldron by its absolute path below.
import { spawnSync } from "node:child_process";

const COMMAND = ["paldron", "hook", "--agent", "opencode"];
/** OpenCode waits for a plugin for ever; the hook's own deadline is shorter than this one. */
const TIMEOUT_MS = 15_000;

function ask(payload) {
  const [program, ...args] = COMMAND;
  const run = spawnSync(program, args, {
    input: JSON.stringify(payload),
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Anything but a plain yes is a no: a hook that is missing, killed or confused, too.
  if (run.status !== 0) {
    throw new Error(run.stderr?.trim() || `paldron: the hook failed (${run.error?.code ?? run.signal})`);
  }
  return run.stdout.trim() === "" ? {} : JSON.parse(run.stdout);
}

/** Only a change inside the object counts for OpenCode. */
function replace(target, source) {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}

// Nothing here may throw: OpenCode drops a plugin that does, without a word.
export const Paldron = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const { args } = ask({
      hook: "tool.execute.before",
      input,
      output: { args: output.args },
      directory,
      worktree,
    });
    if (args !== undefined) replace(output.args, args);
  },
  "tool.execute.after": async (input, output) => {
    if (typeof output?.output !== "string") return;
    const text = { output: output.output };
    const answer = ask({
      hook: "tool.execute.after",
      input: { tool: input.tool },
      output: text,
      directory,
      worktree,
    });
    if (answer.output !== undefined) output.output = answer.output;
  },
});
