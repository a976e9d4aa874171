/**
 * Where a request is judged from. All paths are absolute, without `.` and `..`.
 * `names` are the other spellings under which the workspace is known (a symlinked `$PWD`).
 */
export interface Workspace {
  readonly root: string;
  readonly names: readonly string[];
  /** Where relative paths start: the workspace root or a folder in it. */
  readonly cwd: string;
}

/** A command to be run, as its argument vector (strings decoded by `core/bytes`). */
interface ExecRequest {
  readonly kind: "exec";
  readonly argv: readonly string[];
  readonly workspace: Workspace;
}

/** A tool call of an agent: a name and JSON arguments. */
export interface ToolRequest {
  readonly kind: "tool";
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly workspace: Workspace;
}

export type Request = ExecRequest | ToolRequest;
