import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { ROOT } from "../meta/sources.ts";
import type { Errand, Outcome } from "./inside.ts";
import { programsIn } from "./install.ts";
import type { Call, Offered } from "./models/types.ts";
import type { Pair } from "./pairs.ts";

/** A temporary home and workspace; the workspace has a secret and what is not one. */
export interface Place {
  readonly ws: string;
  readonly home: string;
}

/** What the client asks before and after a call. */
export interface Hook {
  readonly program: string;
  readonly args: readonly string[];
  readonly timeoutSec: number;
}

type Programs = ReturnType<typeof programsIn>;

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Settings, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** A coding agent, headless, with its tools. */
export interface Client {
  /** As `--agent` takes it. */
  readonly name: string;
  readonly start: (programs: Programs, place: Place, hook: Hook | undefined) => Start;
  readonly shell: (command: string) => Call;
  readonly read: (path: string) => Call;
  readonly readable: Readable;
  /** The call that shows the model a text. */
  readonly show: (path: string) => Call;
  readonly write: (path: string, text: string) => Call;
  /** Tools, and arguments as `tool.argument`, that it offers and Paldron does not know: the policy says what becomes of them. */
  readonly unknown: readonly string[];
  /** Pattern for the tools of the server `notes`, as the client writes them. */
  readonly notesTools: string;
  /** What else it can do, each with what is denied and what is allowed of it. */
  readonly pairs: (place: Place) => readonly Pair[];
  /** Calls that let a sub-agent work to its end. */
  readonly delegate: (prompt: string) => readonly Call[];
}

/** What `read` can show: a file, a secret one, and what the model then sees. */
interface Readable {
  readonly file: string;
  readonly shows: string;
  readonly secret: string;
  readonly leaks: string;
}

export type Script = Readonly<Record<string, Call>>;

export interface Session {
  /** What the model was told about a call. An error where it was told nothing: the client never came that far. */
  readonly told: (step: string) => string;
  readonly offered: readonly Offered[];
  /** Method and path of what was asked of the model's server. */
  readonly requests: readonly string[];
  /** A file of the workspace; undefined: there is none. */
  readonly file: (name: string) => string | undefined;
  readonly remove: () => void;
}

/** A start takes some of these clients a minute on two busy cores. */
export const SESSION_MS = 400_000;
export const SECRET = "SECRET-CANARY-123";
/** A secret that is known by its form, in a file whose name says nothing. */
export const TOKEN = `AKIA${"A1B2".repeat(4)}`;

export interface Plan {
  readonly script: Script;
  /** Of sub-agents, by a word of their prompt. */
  readonly subs?: Readonly<Record<string, Script>>;
  /** Registered by hand. */
  readonly hook?: Hook;
  /** The command that registers it, run where the client's other settings are there already. */
  readonly init?: readonly string[];
}

/** One transparent pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A notebook with one cell. */
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: "code", id: "c1", metadata: {}, source: ["1"], outputs: [], execution_count: null }],
  metadata: { kernelspec: { name: "python3", language: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

function lay(): Place & { readonly top: string } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-agents-")));
  const [ws, home] = [join(top, "ws"), join(top, "home")];
  mkdirSync(join(ws, ".git/hooks"), { recursive: true });
  mkdirSync(join(ws, ".git/objects"));
  mkdirSync(join(ws, ".git/refs"));
  mkdirSync(home);
  writeFileSync(join(ws, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(ws, ".env"), `API_KEY=${SECRET}\n`);
  writeFileSync(join(ws, "a.txt"), "alpha\nbeta\n");
  writeFileSync(join(ws, "id_rsa"), `${SECRET}\n`);
  writeFileSync(join(ws, "b.txt"), "beta\n");
  mkdirSync(join(ws, ".cursor"));
  writeFileSync(join(ws, ".cursor/b.txt"), "beta\n");
  for (const name of ["n.ipynb", ".cursor/n.ipynb"]) writeFileSync(join(ws, name), NOTEBOOK);
  for (const name of ["a.png", "key.pem"]) writeFileSync(join(ws, name), Buffer.from(PIXEL, "base64"));
  writeFileSync(join(ws, "notes.txt"), `gamma\n${TOKEN}\n`);
  return { top, ws, home };
}

/** Nothing leaves the machine even where there are no namespaces: proxies that lead nowhere, loopback without them. */
const QUIET = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  DISABLE_TELEMETRY: "1",
  DO_NOT_TRACK: "1",
};

/** Starts the client once, in a place of its own, and plays the script to its end. */
export async function session(client: Client, make: (place: Place) => Plan): Promise<Session> {
  const place = lay();
  const { script, subs = {}, hook, init } = make(place);
  const programs = programsIn(inject("clients"));
  const { program, args, env, files } = client.start(programs, place, hook);
  for (const path of Object.keys(files)) mkdirSync(dirname(path), { recursive: true });
  const PATH = [dirname(programs.node), dirname(programs.codex), process.env["PATH"]].join(":");
  const errand: Errand = {
    scripts: {
      main: Object.values(script),
      subs: Object.fromEntries(Object.entries(subs).map(([word, calls]) => [word, Object.values(calls)])),
    },
    before: init ?? [],
    program,
    args,
    env: { PATH, HOME: place.home, LANG: "C.UTF-8", ...QUIET, ...env },
    cwd: place.ws,
    files,
    timeoutMs: SESSION_MS,
  };
  const outcome = await runInside(programs.node, errand);
  const told = new Map<string, string | undefined>();
  const note = (steps: Script, results: readonly string[] = []): void => {
    for (const [at, step] of Object.keys(steps).entries()) told.set(step, results[at]);
  };
  note(script, outcome.results);
  for (const [word, calls] of Object.entries(subs)) note(calls, outcome.subResults[word]);
  return {
    offered: outcome.tools,
    requests: outcome.requests,
    told: (step) => {
      const text = told.get(step);
      if (text === undefined)
        throw new Error(
          `the model was told nothing about '${step}': ${JSON.stringify(outcome, undefined, 1)}`,
        );
      return text;
    },
    file: (name) => {
      try {
        return readFileSync(join(place.ws, name), "utf8");
      } catch {
        return undefined;
      }
    },
    remove: () => rmSync(place.top, { recursive: true, force: true }),
  };
}

async function runInside(node: string, errand: Errand): Promise<Outcome> {
  const [program = node, ...args] = [
    ...inject("isolation"),
    node,
    "--no-warnings",
    join(ROOT, "test/agents/inside.ts"),
  ];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  // Beyond the client's own limit: only where `inside.ts` itself does not end.
  const timer = setTimeout(() => child.kill("SIGKILL"), errand.timeoutMs + 15_000);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.end(JSON.stringify(errand));
  await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  clearTimeout(timer);
  const text = Buffer.concat(out).toString();
  if (text === "") throw new Error(`no session: ${Buffer.concat(err)}`);
  return JSON.parse(text);
}
