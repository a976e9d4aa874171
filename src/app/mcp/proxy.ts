import type { Decision } from "../../core/decision.ts";
import { PaldronError } from "../../core/errors.ts";
import { protocolStdio } from "../../host/protocol-stdio.ts";
import { connectedServer, connection, plainServer, type ServerProcess } from "../../host/server-process.ts";
import type { Policy } from "../../policy/types.ts";
import { runCheckCommand } from "../check.ts";
import { runExec } from "../exec.ts";
import { type Desk, viewOf } from "./desk.ts";
import { ProxySession } from "./proxy-session.ts";
import { MAX_MESSAGE_BYTES } from "./wire.ts";

export interface RunProxyOptions {
  readonly desk: Desk;
  readonly argv: readonly string[];
  readonly name: string;
  /** The server runs with nothing around it. */
  readonly unconfined: boolean;
  /** Variables that a confined server gets beside those that every command gets. */
  readonly variables: readonly string[];
  /** Ends the session, as the end of standard input does. */
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
}

export type ProxyEnd =
  | { readonly kind: "refused"; readonly decision: Decision }
  /** The client has left. */
  | { readonly kind: "done" }
  | { readonly kind: "server-ended"; readonly how: string };

/** Starts another server and stands between it and the client until one of them is gone. */
export async function runProxy(options: RunProxyOptions): Promise<ProxyEnd> {
  const { desk, argv, name, unconfined, signal, say } = options;
  const decision = await runCheckCommand({ ...desk, argv });
  if (decision.decision !== "allow") return { kind: "refused", decision };
  const client = protocolStdio(MAX_MESSAGE_BYTES);
  const server = unconfined ? plain(desk, argv) : await confined(options);
  const session = new ProxySession({ desk, name, toClient: client.write, toServer: server.write, say });
  signal.addEventListener("abort", client.close, { once: true });
  if (signal.aborted) client.close();
  const down = (async () => {
    for await (const line of server.lines) await session.fromServer(line);
  })();
  const up = (async () => {
    for await (const line of client.lines) await session.fromClient(line);
    return undefined;
  })();
  const first = await Promise.race([up, server.ended]);
  await server.stop();
  await down;
  const { how, ran } = await server.ended;
  const isDone = first === undefined && ran;
  await session.serverGone(how);
  await client.flush();
  return isDone ? { kind: "done" } : { kind: "server-ended", how };
}

function plain(desk: Desk, argv: readonly string[]): ServerProcess {
  const name = argv[0] ?? "";
  const program = viewOf(desk).findProgram(name, desk.workspace.cwd);
  if (program === undefined)
    throw new PaldronError("start", `the server cannot be started: ${name} is not found`);
  return plainServer(program, argv, MAX_MESSAGE_BYTES);
}

/** Under `exec`, with a connection for its standard input and output. */
async function confined({ desk, argv, variables, say }: RunProxyOptions): Promise<ServerProcess> {
  const ends = await connection();
  return connectedServer(ends, MAX_MESSAGE_BYTES, async (signal) => {
    const result = await runExec({
      ...desk,
      policy: forServer(desk.policy),
      argv,
      stdin: ends.theirs,
      output: "stream",
      server: { stdout: ends.theirs, variables },
      signal,
      onWarning: (warning) => say(`warning: ${warning}`),
    });
    for (const finding of result.findings) {
      if (finding.code === "runs-later")
        say(`warning: ${finding.path}, which runs later, changed while the server ran`);
    }
    if (result.verdict === "deny") for (const line of result.lines) say(`deny: ${line}`);
    const ran = result.child !== undefined;
    return { how: `${ran ? "ended" : "did not run"}: ${result.reason.text}`, ran };
  });
}

/** A server lives as long as its client, and nobody waits for its output as a whole. */
function forServer(policy: Policy): Policy {
  const FOREVER = 9_000_000_000;
  const cpuTimeSec = policy.setLimits.has("cpu_time_sec") ? policy.cpuTimeSec : FOREVER;
  return { ...policy, timeoutSec: FOREVER, cpuTimeSec, jevVerdict: false };
}
