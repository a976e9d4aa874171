import { once } from "../core/once.ts";
import {
  type AgentArguments,
  agentArgs,
  args,
  COMMAND_KEYS,
  FLAGS,
  findArgs,
  PATH_KEYS,
  readArgs,
  searchArgs,
  shellArgs,
  webArgs,
  writeArgs,
} from "./agent-arguments.ts";

type AgentToolKind =
  | "shell"
  | "read"
  | "write"
  | "patch"
  | "search"
  | "network"
  | "typed"
  | "agent"
  | "harmless";

export interface AgentTool {
  readonly kind: AgentToolKind;
  /** By exact name; any other argument is not known. Undefined: takes anything and does nothing with it. */
  readonly args: AgentArguments | undefined;
  /** Of each group exactly one must be given. */
  readonly oneOf: readonly (readonly string[])[];
  /** The command may be a list of words, as one argument vector. */
  readonly argv?: boolean;
}

const shell = once((): AgentTool => ({ kind: "shell", args: shellArgs(), oneOf: [COMMAND_KEYS.split(" ")] }));
const argvShell = once((): AgentTool => ({ ...shell(), argv: true }));
const read = once(
  (): AgentTool => ({
    kind: "read",
    args: readArgs(),
    oneOf: [[...PATH_KEYS.split(" "), "paths", "include"]],
  }),
);
const write = once((): AgentTool => ({ kind: "write", args: writeArgs(), oneOf: [PATH_KEYS.split(" ")] }));
const search = once(
  (): AgentTool => ({ kind: "search", args: searchArgs(), oneOf: [["pattern", "query", "regex"]] }),
);
const find = once(
  (): AgentTool => ({ kind: "search", args: findArgs(), oneOf: [["pattern", "query", "glob_pattern"]] }),
);
const list = once((): AgentTool => ({ kind: "search", args: searchArgs(), oneOf: [] }));
const web = once(
  (): AgentTool => ({
    kind: "network",
    args: webArgs(),
    oneOf: [["url", "urls", "query", "search_term", "prompt"]],
  }),
);
const agent = once((): AgentTool => ({ kind: "agent", args: agentArgs(), oneOf: [] }));
const harmless = once((): AgentTool => ({ kind: "harmless", args: undefined, oneOf: [] }));
const patch = once(
  (): AgentTool => ({
    kind: "patch",
    args: args({ patch: "command input patch patchText patch_text", folder: "workdir cwd" }),
    oneOf: [["command", "input", "patch", "patchText", "patch_text"]],
  }),
);
const typed = once(
  (): AgentTool => ({
    kind: "typed",
    args: args({
      typed: "chars input text data",
      scalar: "session_id shellId delay yield_time_ms max_output_tokens id explanation",
    }),
    oneOf: [],
  }),
);
/** Code for another interpreter than a shell. */
const code = once(
  (): AgentTool => ({
    kind: "typed",
    args: args({ typed: `${COMMAND_KEYS} code script`, scalar: FLAGS }),
    oneOf: [],
  }),
);
/** What a language server says about a place in a file. */
const symbols = once(
  (): AgentTool => ({
    kind: "read",
    args: args({
      read: PATH_KEYS,
      scalar: "operation line character endLine endCharacter query limit includeDeclaration",
    }),
    oneOf: [],
  }),
);
/** Shows files to people. */
const show = once(
  (): AgentTool => ({
    kind: "read",
    args: args({ read: `files image ${PATH_KEYS}`, scalar: "caption title alt status description" }),
    oneOf: [["files", "image", ...PATH_KEYS.split(" ")]],
  }),
);
/** Puts a file on the web. */
const publish = once(
  (): AgentTool => ({
    kind: "network",
    args: args({ read: PATH_KEYS, scalar: "title description favicon label", url: "url" }),
    oneOf: [],
  }),
);
/** Watches the output of a command, or a socket. */
const monitor = once(
  (): AgentTool => ({
    kind: "shell",
    args: { ...shellArgs(), ws: "url" },
    oneOf: [["command", "ws"]],
  }),
);

const NAMES: readonly (readonly [() => AgentTool, string])[] = [
  [
    shell,
    "bash run_shell_command run_terminal_cmd run_terminal_command run_in_terminal execute_bash execute_command " +
      "run_command terminal execute",
  ],
  [argvShell, "shell local_shell exec_command shell_command container.exec unified_exec"],
  [monitor, "monitor"],
  [code, "powershell write_powershell repl js_repl"],
  [symbols, "lsp"],
  [show, "senduserfile display_image show_file"],
  [publish, "artifact"],
  [read, "read read_file view view_image read_many_files notebookread notebook_read fs_read readfile"],
  [
    write,
    "write write_file create create_file edit edit_file multiedit multi_edit replace str_replace insert insert_edit " +
      "search_replace delete delete_file notebookedit notebook_edit edit_notebook str_replace_editor " +
      "str_replace_based_edit_tool fs_write writefile",
  ],
  [patch, "apply_patch applypatch patch"],
  [search, "grep grep_search search_file_content ripgrep rg codebase_search semsearch"],
  [find, "glob file_search find_files glob_file_search"],
  [list, "ls list list_dir list_directory list_files"],
  [web, "webfetch web_fetch websearch web_search google_web_search fetch fetchurl fetch_url fetch_webpage"],
  [typed, "write_stdin write_bash send_terminal_input"],
  [
    agent,
    "agent task spawn_agent invoke_agent subagent delegate_to_agent sendmessage send_message send_input write_agent " +
      "followup_task multi_agent_v1spawn_agent multi_agent_v1send_input",
  ],
  [
    harmless,
    "todowrite todo_write todoread todo_read write_todos update_plan update_todos exitplanmode exit_plan_mode " +
      "enterplanmode enter_plan_mode askuserquestion ask_user question taskstop taskoutput bashoutput bash_output " +
      "killshell kill_shell killbash kill_bash read_bash stop_bash list_bash toolsearch tool_search report_intent " +
      "wait_agent close_agent resume_agent interrupt_agent list_agents listagents read_agent multi_agent_v1wait_agent " +
      "multi_agent_v1close_agent multi_agent_v1resume_agent taskcreate taskget taskupdate tasklist task_create " +
      "task_update task_list task_stop get_goal create_goal update_goal propose_goal request_user_input " +
      "get_context_remaining update_topic tracker_create_task tracker_update_task tracker_get_task " +
      "tracker_list_tasks tracker_add_dependency tracker_visualize list_background_processes " +
      "read_background_output get_internal_docs listmcpresourcestool list_mcp_resources " +
      "list_mcp_resource_templates cronlist cron_list schedulewakeup loop_wakeup reportfindings report_findings " +
      "structured_output read_powershell stop_powershell list_powershell complete_task task_complete structuredoutput skill " +
      "activate_skill think",
  ],
];

const BY_NAME = once(
  () => new Map(NAMES.flatMap(([tool, names]) => names.split(" ").map((name) => [name, tool] as const))),
);

/** The tool of a coding agent by the name that it calls it. A tool is not another one for being shouted. */
export function agentTool(name: string): AgentTool | undefined {
  return BY_NAME().get(name.trim().toLowerCase())?.();
}
