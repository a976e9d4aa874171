import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../meta/sources.ts";
import { abilities, ungated } from "./abilities.ts";
import { ERRAND, errandScript, serverRules, stepsOf } from "./pairs.ts";
import {
  type Client,
  type Hook,
  type Place,
  type Plan,
  type Script,
  SECRET,
  SESSION_MS,
  type Session,
  session,
  TOKEN,
} from "./session.ts";

/** What becomes of a call whose hook ends in a way that is no answer. */
type Fate = "blocked" | "ran";
const FAILURES = ["hangs", "dies", "fails", "is missing"] as const;

export interface Facts {
  /** Where the client takes a changed command back. */
  readonly confines: boolean;
  readonly fate: Readonly<Record<(typeof FAILURES)[number], Fate>>;
}

const PALDRON = join(ROOT, "bin/paldron");
/** Long enough for Paldron on a busy machine, short enough to wait for. */
const FAILING_SECONDS = 10;

function paldronHook(client: Client, ...options: string[]): Hook {
  const args = [PALDRON, "hook", `--agent=${client.name}`, ...options];
  return { program: process.execPath, args, timeoutSec: FAILING_SECONDS };
}

/** The command that registers the hooks; `more`: further options. */
export function initOf(client: Client, ...more: readonly string[]): readonly string[] {
  return [process.execPath, PALDRON, "init", client.name, "--yes", ...more];
}

/** Prints a file whose name the text of the command does not hold. */
export function hiddenRead(parts: readonly string[], into: string): string {
  const words = parts.map((part) => `'${part}'`).join(",");
  return `node -e "process.stdout.write(require('fs').readFileSync([${words}].join('')))" > ${into} 2>/dev/null; echo over`;
}

const OBEYED = ".mcp.json";

function policyPlan(client: Client, place: Place): Plan {
  const delegated = client.delegate(`${ERRAND}: do your errand`);
  return {
    script: {
      ...policyScript(client, place),
      ...stepsOf(client.pairs(place)),
      ...Object.fromEntries(delegated.map((call, at) => [`errand ${at}`, call])),
    },
    subs: { [ERRAND]: errandScript(client) },
  };
}

function policyScript({ shell, read, readable, show, write }: Client, { ws }: Place): Script {
  return {
    shell: shell("echo ran > shell.txt; cat a.txt"),
    deniedShell: shell("cat .env > leaked.txt; echo over"),
    read: read(join(ws, readable.file)),
    deniedRead: read(join(ws, readable.secret)),
    write: write(join(ws, "new.txt"), "delta\n"),
    deniedWrite: write(join(ws, OBEYED), "planted\n"),
    hidden: shell(hiddenRead(["a.", "txt"], "seen.txt")),
    hiddenSecret: shell(hiddenRead([".e", "nv"], "stolen.txt")),
    output: show(join(ws, "notes.txt")),
  };
}

/** The gate in a real client. Each denied call has its allowed twin, and happens where there is no hook. */
export function provesGate(client: Client, facts: Facts): void {
  const start = (make: Parameters<typeof session>[1]): (() => Session) => {
    let done: Session | undefined;
    beforeAll(async () => {
      done = await session(client, make);
    }, SESSION_MS + 30_000);
    afterAll(() => done?.remove());
    return () => done ?? fail();
  };
  describe(`${client.name}: without a hook`, () => {
    withoutHook(
      client,
      start((place) => policyPlan(client, place)),
    );
  });
  describe(`${client.name}: registered by init, under the default policy with rules for servers`, () => {
    const run = start((place) => {
      const policy = join(place.home, "policy.toml");
      writeFileSync(policy, serverRules(client.notesTools));
      return { ...policyPlan(client, place), init: initOf(client, `--policy=${policy}`) };
    });
    underPolicy(client, run);
    abilities(client, run);
    if (facts.confines) confined(run);
    else unconfined(run);
  });
  describe(`${client.name}: with a hook that fails`, () => failing(client, facts, start));
}

function fail(): never {
  throw new Error("there was no session");
}

function withoutHook(client: Client, run: () => Session): void {
  const { readable } = client;
  it("what the policy denies happens", () => {
    expect(run().told("deniedRead")).toContain(readable.leaks);
    expect(run().told("output")).toContain(TOKEN);
    expect(run().file("leaked.txt")).toContain(SECRET);
    expect(run().file("stolen.txt")).toContain(SECRET);
    expect(run().file(OBEYED)).toContain("planted");
  });
  ungated(client, run);
}

function underPolicy({ readable }: Client, run: () => Session): void {
  it("an allowed command runs, and the model sees its output", () => {
    expect(run().told("shell")).toContain("alpha");
    expect(run().file("shell.txt")).toBe("ran\n");
  });
  it("a denied command does not run, and the model is told why", () => {
    expect(run().told("deniedShell")).toContain("paldron: .env (secret)");
    expect(run().file("leaked.txt")).toBeUndefined();
  });
  it("a file that is no secret is read", () => {
    expect(run().told("read")).toContain(readable.shows);
  });
  it("a secret file is not read, and the model is told why", () => {
    expect(run().told("deniedRead")).toMatch(/paldron: \S+ \(secret\)/);
    expect(run().told("deniedRead")).not.toContain(readable.leaks);
  });
  it("a file is written", () => {
    run().told("write");
    expect(run().file("new.txt")).toBe("delta\n");
  });
  it("settings of an agent are not written, and the model is told why", () => {
    expect(run().told("deniedWrite")).toContain("(settings of an agent)");
    expect(run().file(OBEYED)).toBeUndefined();
  });
  it("what came out is shown without the secret in it", () => {
    expect(run().told("output")).toContain("gamma");
    expect(run().told("output")).toContain("[secret removed by paldron]");
    expect(run().told("output")).not.toContain(TOKEN);
  });
}

function confined(run: () => Session): void {
  it("an allowed command reads no secret, whatever its text hides", () => {
    expect(run().told("hidden")).toContain("over");
    expect(run().file("seen.txt")).toBe("alpha\nbeta\n");
    expect(run().told("hiddenSecret")).toContain("over");
    expect(run().file("stolen.txt")).toBe("");
  });
}

function unconfined(run: () => Session): void {
  it("a command that cannot be read is not run, because nothing would confine it", () => {
    expect(run().told("hiddenSecret")).toContain("paldron: ");
    expect([run().file("seen.txt"), run().file("stolen.txt")]).toEqual([undefined, undefined]);
  });
}

/** A hook that fails in the way that the call names; what `fails` also removes it, so that the next one is missing. */
function failingHook({ program, args }: Hook): string {
  const broken = [program, ...args].map((word) => `'${word}'`).join(" ");
  return `#!/bin/sh
call=$(cat)
case "$call" in
*broken.txt*) printf %s "$call" | ${broken} ;;
*hangs.txt*) exec sleep 60 ;;
*dies.txt*) kill -9 $$ ;;
*fails.txt*) rm -- "$0"; exit 1 ;;
esac
`;
}

function failing(
  client: Client,
  { fate }: Facts,
  start: (make: Parameters<typeof session>[1]) => () => Session,
): void {
  const run = start(({ ws, home }) => {
    const program = join(home, "bin/failing-hook");
    mkdirSync(join(home, "bin"));
    writeFileSync(program, failingHook(paldronHook(client, "--policy=none.toml")), { mode: 0o755 });
    const touch = (name: string) => client.shell(`echo ran > '${name}.txt'`);
    const script = {
      brokenShell: touch("broken"),
      brokenWrite: client.write(join(ws, "other-broken.txt"), "delta\n"),
      ...Object.fromEntries(FAILURES.map((way) => [way, touch(way)])),
    };
    return { script, hook: { program, args: [], timeoutSec: FAILING_SECONDS } };
  });
  it.each([
    ["brokenShell", "broken.txt"],
    ["brokenWrite", "other-broken.txt"],
  ])("a policy that is broken: %s is blocked, and the model is told why", (step, file) => {
    expect(run().told(step)).toContain("the call could not be judged: policy `none.toml` not found");
    expect(run().file(file)).toBeUndefined();
  });
  it.each(FAILURES)("a hook that %s", (way) => {
    run().told(way);
    const found: Fate = run().file(`${way}.txt`) === undefined ? "blocked" : "ran";
    expect(found).toBe(fate[way]);
  });
}
