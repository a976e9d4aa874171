import { once } from "../core/once.ts";

/**
 * What an argument of an agent's tool is: `read`, `write` a file; `search` a folder that is searched; `folder` where
 * the tool runs; `glob` a pattern for files that are read, `names` for files that are listed; `command` shell text;
 * `patch` text in the apply_patch format; `url`; `typed` text for a program that runs already; `edits` objects that may
 * name files of their own; `text` a string, `scalar` a string, number or boolean, `data` anything: none of the three is
 * judged; `loosen` would take a protection away and must be off.
 */
export type AgentArgument =
  | "read"
  | "write"
  | "search"
  | "folder"
  | "glob"
  | "names"
  | "command"
  | "patch"
  | "url"
  | "typed"
  | "edits"
  | "text"
  | "scalar"
  | "data"
  | "loosen";

/** By exact name. */
export type AgentArguments = Readonly<Record<string, AgentArgument>>;

export function args(lines: Partial<Record<AgentArgument, string>>): AgentArguments {
  const found: Record<string, AgentArgument> = Object.create(null);
  for (const [role, names] of Object.entries(lines)) {
    for (const name of names.split(" ")) found[name] = role as AgentArgument;
  }
  return found;
}

export const PATH_KEYS = "file_path path filePath absolute_path target_file notebook_path filename";
const FOLDER_KEYS = "cwd workdir dir_path directory working_directory workingDirectory dir";
export const COMMAND_KEYS = "command cmd command_line commandLine";
export const FLAGS = "description explanation timeout timeout_ms";

export const shellArgs = once(() =>
  args({
    command: COMMAND_KEYS,
    folder: FOLDER_KEYS,
    scalar:
      `${FLAGS} run_in_background is_background background isBackground mode initial_wait delay shellId session_id tty ` +
      "login yield_time_ms max_output_tokens justification detach riskLevel riskLevelReason fireAndForget persistent " +
      "delay_ms wait_for_previous",
    loosen:
      "dangerouslyDisableSandbox dangerously_disable_sandbox with_escalated_permissions sandbox_permissions " +
      "additional_permissions require_escalated requires_approval_override",
  }),
);

export const readArgs = once(() =>
  args({
    read: `${PATH_KEYS} paths file_paths`,
    glob: "include exclude",
    scalar:
      "offset limit pages start_line end_line startLine endLine allow_large forceReadLargeFiles detail " +
      "should_read_entire_file start_line_one_indexed end_line_one_indexed_inclusive explanation description recursive",
    data: "view_range",
  }),
);

export const writeArgs = once(() =>
  args({
    write: `${PATH_KEYS} paths file_paths new_path`,
    text:
      "content contents file_text fileText old_string new_string oldString newString old_str new_str new_source " +
      "instruction instructions insert_text code_edit text old_text new_text diff",
    scalar:
      "replace_all replaceAll cell_id cell_type cell_number cell_idx edit_mode is_new_cell expected_replacements " +
      "allow_multiple insert_line command explanation description modified_by_user ai_proposed_content mode overwrite " +
      "record_as_artifact",
    data: "view_range",
    edits: "edits",
  }),
);

export const searchArgs = once(() =>
  args({
    search: `path paths dir_path directory relative_workspace_path target_directory target_directories folder root`,
    text: "pattern query regex",
    glob: "glob include include_pattern exclude_pattern file_pattern glob_pattern globPattern includePattern",
    scalar:
      "output_mode head_limit offset multiline type -A -B -C -i -n -o context case_sensitive case_insensitive " +
      "max_results total_max_matches max_matches_per_file names_only fixed_strings limit before after no_ignore " +
      "respect_git_ignore respect_gemini_ignore explanation description recursive depth isRegexp maxResults",
    data: "ignore file_filtering_options exclude",
  }),
);

export const findArgs = (): AgentArguments => ({
  ...searchArgs(),
  pattern: "names",
  query: "names",
  glob_pattern: "names",
});

export const webArgs = once(() =>
  args({
    url: "url urls",
    text: "prompt query search_term",
    scalar:
      "offset format timeout max_length start_index raw explanation description max_results toolSummary",
    data: "allowed_domains blocked_domains recency_days",
  }),
);

export const agentArgs = once(() =>
  args({
    folder: "cwd working_dir",
    text: "description prompt message content task command agent_name agent_type subagent_type name model nickname",
    scalar:
      "run_in_background resume fork_context reasoning_effort effort title readonly team_name task_id context_tier " +
      "wait_for_previous fork_turns fork_profile to target id agent_id scope summary interrupt " +
      "notify_when_idle",
    data: "items agent_ids fork_tools",
    loosen: "mode isolation",
  }),
);
