import { join } from "node:path";
import { ROOT } from "../meta/sources.ts";
import type { Call } from "./models/types.ts";
import { type Client, type Place, SECRET, type Session } from "./session.ts";

/** What shows that a call has happened. */
type Trace =
  /** A file of the workspace, with a text in it. */
  | { readonly file: string; readonly holds: string }
  /** What the model was told. */
  | { readonly shows: string }
  /** A request to the model's server. */
  | { readonly asks: string };

interface Half {
  /** The last one counts; the others prepare it. */
  readonly calls: readonly Call[];
  readonly trace: Trace;
}

/** Something that an agent can do, where the policy denies it and where it does not. */
export interface Pair {
  readonly what: string;
  readonly denied: Half & {
    /** Where the model is not told that it was denied. */
    readonly silent?: boolean;
  };
  /** Undefined: the policy denies all of it. */
  readonly allowed: Half | undefined;
  /** What is denied leaves no trace where it happens. */
  readonly unseen?: boolean;
}

/** How a client starts the servers of the tests. */
export function servers(node: string, { ws }: Place): Readonly<Record<string, readonly string[]>> {
  const program = join(ROOT, "test/agents/notes-server.mjs");
  return { notes: [node, program, ws, "notes"], other: [node, program, ws, "other"] };
}

/** What the policy says about them; `allowed`: a pattern, as the client writes the tools. */
export function serverRules(allowed: string): string {
  return `
[[rule]]
tool = "mcp__other__*"
decision = "deny"
reason = "not this server"
[[rule]]
tool = "mcp__notes__forget"
decision = "deny"
reason = "not this tool"
[[rule]]
tool = "mcp__notes__*"
args = { note = "no-*" }
decision = "deny"
reason = "not this note"
[[rule]]
tool = ${JSON.stringify(allowed)}
decision = "allow"
`;
}

type McpCall = (server: string, tool: string, note: string) => Call;

/** The tools of MCP servers: denied by the server, the tool, an argument. */
export function mcpPairs(call: McpCall): readonly Pair[] {
  const half = (server: string, tool: string, note: string): Half => ({
    calls: [call(server, tool, note)],
    trace: { file: `${server}-${tool}-${note}.txt`, holds: "called" },
  });
  return [
    {
      what: "a tool of an MCP server, by its server",
      denied: half("other", "keep", "one"),
      allowed: half("notes", "keep", "one"),
    },
    {
      what: "a tool of an MCP server, by its name",
      denied: half("notes", "forget", "two"),
      allowed: half("notes", "keep", "two"),
    },
    {
      what: "a tool of an MCP server, by an argument",
      denied: half("notes", "keep", "no-three"),
      allowed: half("notes", "keep", "three"),
    },
  ];
}

/** An edit of a file that was read before, as most clients want it. */
export function editPair(
  { ws }: Place,
  read: (path: string) => Call,
  edit: (path: string, from: string, to: string) => Call,
): Pair {
  const half = (file: string): Half => ({
    calls: [read(join(ws, file)), edit(join(ws, file), "beta", "edited")],
    trace: { file, holds: "edited" },
  });
  return { what: "an edit", denied: half(".cursor/b.txt"), allowed: half("b.txt") };
}

export function notebookPair(
  { ws }: Place,
  read: (path: string) => Call,
  edit: (path: string) => Call,
): Pair {
  const half = (file: string): Half => ({
    calls: [read(join(ws, file)), edit(join(ws, file))],
    trace: { file, holds: "edited" },
  });
  return { what: "an edit of a notebook", denied: half(".cursor/n.ipynb"), allowed: half("n.ipynb") };
}

/** A search in one file. */
export function searchPair({ ws }: Place, search: (pattern: string, path: string) => Call): Pair {
  return {
    what: "a search in a file",
    denied: { calls: [search("SECRET", join(ws, "id_rsa"))], trace: { shows: SECRET } },
    allowed: { calls: [search("alpha", join(ws, "a.txt"))], trace: { shows: "alpha" } },
  };
}

/** A page of the model's own server. */
export function fetchPair(call: (url: string) => Call): Pair {
  const denied: Half = { calls: [call("http://127.0.0.1:{port}/page")], trace: { asks: "GET /page" } };
  return { what: "a fetch from the network", denied, allowed: undefined };
}

/** What a sub-agent is told to do, and does. */
export const ERRAND = "SUB-ERRAND-1";

export function errandScript({ shell }: Client): Readonly<Record<"denied" | "allowed", Call>> {
  return {
    denied: shell("cat .env > sub-leaked.txt; echo over"),
    allowed: shell("echo ran > sub-ran.txt; cat a.txt"),
  };
}

/** The steps of pairs, named so that {@link happened} finds them. */
export function stepsOf(pairs: readonly Pair[]): Readonly<Record<string, Call>> {
  const named = pairs.flatMap(({ what, denied, allowed }) =>
    Object.entries({ denied, allowed }).flatMap(([half, given]) =>
      (given?.calls ?? []).map(
        (call, at, { length }) => [stepOf(what, half, length - 1 - at), call] as const,
      ),
    ),
  );
  return Object.fromEntries(named);
}

/** `left`: how many follow of the same half. */
function stepOf(what: string, half: string, left = 0): string {
  return `${what}: ${half}${left === 0 ? "" : `, ${left} before`}`;
}

/** Whether one half of a pair came true. */
export function happened(run: Session, { what, ...halves }: Pair, half: "denied" | "allowed"): boolean {
  const trace = halves[half]?.trace;
  // Without an answer nothing is known.
  const told = run.told(stepOf(what, half));
  if (trace === undefined) return false;
  if ("file" in trace) return run.file(trace.file)?.includes(trace.holds) === true;
  return "asks" in trace ? run.requests.includes(trace.asks) : told.includes(trace.shows);
}

/** Everything that the model was told about what is denied. */
export function toldOfDenial(run: Session, { what, denied }: Pair): string {
  return denied.calls.map((_, at) => run.told(stepOf(what, "denied", at))).join("\n");
}
