import { expect, it } from "vitest";
import { agentTool } from "../../src/tools/agent-tools.ts";
import type { Offered } from "./models/types.ts";
import { happened, type Pair, toldOfDenial } from "./pairs.ts";
import { type Client, type Place, SECRET, type Session } from "./session.ts";

/** For the names of pairs, which no place changes. */
const NOWHERE: Place = { ws: "/nowhere/ws", home: "/nowhere/home" };

/** What the policy will deny happens where nobody asks it. */
export function ungated(client: Client, run: () => Session): void {
  it.each(client.pairs(NOWHERE).filter(({ unseen }) => unseen !== true))("$what happens", (pair) => {
    expect(happened(run(), pair, "denied")).toBe(true);
  });
  it("a sub-agent does what it likes", () => {
    expect(run().file("sub-leaked.txt")).toContain(SECRET);
  });
}

/** What else the client can do: denied by the policy, and allowed. */
export function abilities(client: Client, run: () => Session): void {
  const pairs = client.pairs(NOWHERE);
  it.each(pairs)("$what does not happen where it is denied, and the model is told why", (pair) => {
    expect(happened(run(), pair, "denied")).toBe(false);
    if (pair.denied.silent !== true) expect(toldOfDenial(run(), pair)).toContain("paldron: ");
  });
  it.each(pairs.filter((pair): pair is Pair => pair.allowed !== undefined))(
    "$what happens where it is allowed",
    (pair) => {
      expect(happened(run(), pair, "allowed")).toBe(true);
    },
  );
  it("the commands of a sub-agent are judged", () => {
    expect(run().told("denied")).toContain("paldron: .env (secret)");
    expect(run().file("sub-leaked.txt")).toBeUndefined();
    expect(run().file("sub-ran.txt")).toBe("ran\n");
  });
  it("every tool that is offered is known to its last argument, but for those that are asked about", () => {
    expect(unknownOf(run().offered)).toEqual(client.unknown);
  });
}

/** Tools, and arguments of tools, that no table has; those of the tests' servers left out. */
function unknownOf(offered: readonly Offered[]): readonly string[] {
  return offered
    .filter(({ name }) => !/(?:notes|other)[-_]+(?:keep|forget)$|^(?:keep|forget)$/.test(name))
    .flatMap(({ name, args }) => {
      const tool = agentTool(name);
      if (tool === undefined) return [name];
      return tool.args === undefined
        ? []
        : args.filter((arg) => !(arg in (tool.args ?? {}))).map((arg) => `${name}.${arg}`);
    })
    .sort();
}
