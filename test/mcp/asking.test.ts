import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect, type Place, place, type Session, type SessionOptions } from "./session.ts";

let where: Place;
let session: Session | undefined;

beforeEach(() => {
  where = place();
});
afterEach(async () => {
  await session?.close();
  where.remove();
});

async function settings(
  options: SessionOptions,
): Promise<{ readonly isError: boolean; readonly text: string }> {
  session = await connect(where, options);
  return await session.call("write_file", { path: where.path(".vscode/settings.json"), content: "{}" });
}

describe.each(["legacy", "auto"] as const)("a call that needs approval (%s)", (mode) => {
  test("is carried out after a yes, once", async () => {
    const asked: string[] = [];
    const answer = (message: string): boolean => asked.push(message) < 2;
    expect(await settings({ mode, answer })).toMatchObject({ isError: false });
    expect(existsSync(where.path(".vscode/settings.json"))).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(where.path(".vscode/settings.json"));
    const again = { path: where.path(".vscode/settings.json"), content: "{}" };
    expect(await session?.call("write_file", again)).toMatchObject({ isError: true });
    expect(asked).toHaveLength(2);
  });

  test("is not after a no", async () => {
    expect(await settings({ mode, answer: () => false })).toMatchObject({ isError: true });
    expect(existsSync(where.path(".vscode"))).toBe(false);
  });

  test("is not where nobody can be asked", async () => {
    const { text } = await settings({ mode });
    expect(text).toContain("needs approval, and this client cannot ask for it here");
    expect(existsSync(where.path(".vscode"))).toBe(false);
  });
});

test("rules and `write_paths` bind the tools", async () => {
  const policy = where.write(
    "policy.toml",
    'write_paths = ["out"]\n[[rule]]\ntool = "execute_code"\ndecision = "ask"\n',
  );
  where.write("out/keep", "");
  session = await connect(where, { args: ["--policy", policy], answer: () => false });
  const write = (name: string) => session?.call("write_file", { path: where.path(name), content: "x" });
  expect(await write("out/a")).toMatchObject({ isError: false });
  expect(await write("b")).toMatchObject({ isError: true });
  expect(existsSync(where.path("b"))).toBe(false);
  const run = { command: "node -e 1", dir: where.root };
  expect(await session.call("execute_code", run)).toMatchObject({ isError: true });
});
