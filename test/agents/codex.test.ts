import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codex } from "./clients/codex.ts";
import { hiddenRead, initOf, provesGate } from "./gate.ts";
import type { Call } from "./models/types.ts";
import { type Client, SESSION_MS, type Session, session } from "./session.ts";

provesGate(codex, {
  confines: true,
  fate: { hangs: "ran", dies: "ran", fails: "ran", "is missing": "ran" },
});

/** Newer models have one tool, which takes a script that calls the others. */
const codeMode: Client = {
  ...codex,
  start: (programs, place, hook) => {
    const { args, ...rest } = codex.start(programs, place, hook);
    return { ...rest, args: args.map((arg) => (arg === "gpt-5.5" ? "gpt-6.2-sol" : arg)) };
  },
};

function script(body: string): Call {
  const freeform = `try { ${body} } catch (error) { text("refused: " + error) }`;
  return { tool: "exec", namespace: "functions", input: {}, freeform };
}

const runs = (cmd: string): Call =>
  script(`text(JSON.stringify(await tools.exec_command({ cmd: ${JSON.stringify(cmd)} })))`);

const typed = `
  const started = await tools.exec_command({ cmd: "bash --norc", tty: true, yield_time_ms: 500 });
  text(JSON.stringify(await tools.write_stdin({ session_id: started.session_id, chars: "cat .env > typed.txt\\n" })));`;

describe("codex: code mode, registered by init", () => {
  let done: Session | undefined;
  beforeAll(async () => {
    done = await session(codeMode, () => ({
      script: {
        denied: runs("cat .env > leaked.txt"),
        allowed: runs("echo ran > ran.txt; cat a.txt"),
        hidden: runs(hiddenRead([".e", "nv"], "stolen.txt")),
        typed: script(typed),
      },
      init: initOf(codex),
    }));
  }, SESSION_MS + 30_000);
  afterAll(() => done?.remove());
  it("a denied command does not run, and the script gets the reason", () => {
    expect(done?.told("denied")).toContain("paldron: .env (secret)");
    expect(done?.file("leaked.txt")).toBeUndefined();
  });
  it("an allowed one runs confined", () => {
    expect(done?.told("allowed")).toContain("alpha");
    expect(done?.file("ran.txt")).toBe("ran\n");
    expect(done?.told("hidden")).toContain("over");
    expect(done?.file("stolen.txt")).toBe("");
  });
  it("a shell that would wait for text does not start", () => {
    expect(done?.told("typed")).toContain("paldron: bash (waits for input");
    expect(done?.file("typed.txt")).toBeUndefined();
  });
});
