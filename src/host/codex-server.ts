import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A hook as Codex's own server lists it. */
export interface CodexHook {
  /** `<file>:<event>:<group>:<handler>`. */
  readonly key: string;
  readonly hash: string;
  readonly trust: string;
  readonly command: string | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Asks `codex app-server` which hooks hold in a folder: it reads settings and starts no agent. Undefined where it cannot
 * be asked, or answers in another way.
 */
export async function listCodexHooks(
  program: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly CodexHook[] | undefined> {
  const child = spawn(program, ["app-server"], {
    cwd: folder,
    env: { ...env },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  const send = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const answer = new Promise<unknown>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
    const end = (value: unknown): void => {
      clearTimeout(timer);
      resolve(value);
    };
    child.on("error", () => end(undefined));
    child.on("exit", () => end(undefined));
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = parse(line);
      if (message?.["id"] === 1) {
        send({ jsonrpc: "2.0", method: "initialized" });
        send({ jsonrpc: "2.0", id: 2, method: "hooks/list", params: { cwds: [folder] } });
      } else if (message?.["id"] === 2) end(message["result"]);
    });
    send({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { clientInfo: { name: "paldron", version: "0" } },
    });
  });
  const result = await answer;
  stop();
  return hooksIn(result);
}

type Fields = Readonly<Record<string, unknown>>;

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return fields(value);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

function hooksIn(result: unknown): readonly CodexHook[] | undefined {
  const data = fields(result)?.["data"];
  if (!Array.isArray(data)) return undefined;
  return data
    .flatMap((entry: unknown): unknown[] => {
      const hooks = fields(entry)?.["hooks"];
      return Array.isArray(hooks) ? hooks : [];
    })
    .flatMap((hook) => {
      const { key, currentHash, trustStatus, command } = fields(hook) ?? {};
      return typeof key === "string" && typeof currentHash === "string"
        ? [
            {
              key,
              hash: currentHash,
              trust: String(trustStatus),
              command: typeof command === "string" ? command : undefined,
            },
          ]
        : [];
    });
}
