import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Place, place, SECRET, type Session } from "./session.ts";

let where: Place;
let session: Session;

beforeAll(async () => {
  where = place();
  symlinkSync(".env", where.path("to-secret"));
  symlinkSync("plain.txt", where.path("to-plain"));
  symlinkSync("/etc", where.path("to-etc"));
  linkSync(where.path(".env"), where.path("other-name"));
  linkSync(where.path("plain.txt"), where.path("plain-other-name"));
  where.write("dir/inner.txt", "inner\n");
  where.write("token.txt", `the token is ${SECRET}\n`);
  spawnSync("mkfifo", [where.path("pipe")]);
  session = await connect(where);
});
afterAll(async () => {
  await session.close();
  where.remove();
});

const read = (name: string) =>
  session.call("read_file", { path: name.startsWith("/") ? name : where.path(name) });

describe("what is read", () => {
  test.each([
    ["a file", "plain.txt", "plain\n"],
    ["through a link", "to-plain", "plain\n"],
    ["by ..", "dir/../plain.txt", "plain\n"],
    ["with two names", "plain-other-name", "plain\n"],
    ["in a folder", "dir/inner.txt", "inner\n"],
  ])("%s", async (_, name, text) => {
    expect(await read(name)).toEqual({ text, isError: false });
  });

  test.each([
    ["a secret", ".env"],
    ["a secret through a link", "to-secret"],
    ["a secret by ..", "dir/../.env"],
    ["a secret by its other name", "other-name"],
    ["a file outside", "/etc/hostname"],
    ["a file outside through a link", "to-etc/hostname"],
    ["a file outside through /proc", "/proc/self/environ"],
    ["a pipe", "pipe"],
    ["a device", "/dev/zero"],
    ["a folder", "dir"],
    ["nothing", "missing"],
  ])("not %s", async (_, name) => {
    const { text, isError } = await read(name);
    expect(isError).toBe(true);
    expect(text).not.toContain(SECRET);
  });

  test("without the secrets in it, which do not come back as text", async () => {
    expect((await read("token.txt")).text).toBe("the token is [secret removed by paldron]\n");
    const path = where.path("token.txt");
    const back = { path, content: "the token is [secret removed by paldron]\nand more\n" };
    expect(await session.call("write_file", back)).toMatchObject({ isError: true });
    expect(readFileSync(path, "utf8")).toContain(SECRET);
    const edit = { path, old_text: "the token", new_text: "a token" };
    expect(await session.call("edit_file", edit)).toMatchObject({ isError: false });
    expect(readFileSync(path, "utf8")).toBe(`a token is ${SECRET}\n`);
  });

  test("neither too much nor what is no text", async () => {
    where.write("large.txt", "x".repeat(1024 * 1024 + 1));
    where.write("largest.txt", "x".repeat(1024 * 1024));
    spawnSync("sh", ["-c", "printf '\\377' > bytes"], { cwd: where.root });
    expect((await read("large.txt")).isError).toBe(true);
    expect((await read("largest.txt")).text.length).toBe(1024 * 1024);
    expect(await read("bytes")).toEqual({ text: "it is not UTF-8 text", isError: true });
  });
});

describe("what is written", () => {
  test("new files with their folders, and old ones with their mode", async () => {
    const path = where.path("new/deep/a.txt");
    expect(await session.call("write_file", { path, content: "one" })).toMatchObject({ isError: false });
    expect(readFileSync(path, "utf8")).toBe("one");
    where.write("run.sh", "old");
    spawnSync("chmod", ["755", where.path("run.sh")]);
    await session.call("write_file", { path: where.path("run.sh"), content: "new" });
    expect(readFileSync(where.path("run.sh"), "utf8")).toBe("new");
    expect(statSync(where.path("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("one place of a text, which must be there once", async () => {
    const path = where.write("edit.txt", "a b a");
    const edit = (old_text: string, new_text: string) =>
      session.call("edit_file", { path, old_text, new_text });
    expect((await edit("a", "x")).isError).toBe(true);
    expect((await edit("z", "x")).isError).toBe(true);
    expect((await edit("", "x")).isError).toBe(true);
    expect((await edit("b", "$&")).isError).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("a $& a");
  });

  test.each([
    ["a secret", ".env"],
    ["a secret through a link", "to-secret"],
    ["a hook of git", ".git/hooks/pre-commit"],
    ["a setting that asks, for a client that cannot", ".vscode/settings.json"],
    ["a file outside through a link", "to-etc/paldron-test"],
    ["a pipe", "pipe"],
  ])("not %s", async (_, name) => {
    const answer = await session.call("write_file", { path: where.path(name), content: "x" });
    expect(answer.isError).toBe(true);
    expect(readFileSync(where.path(".env"), "utf8")).toContain(SECRET);
  });
});

test("in a workspace that is the whole file system, what is denied is told for what it is", async () => {
  const policy = where.write(
    "wide.toml",
    `allow_paths = ["/"]\nwrite_paths = [${JSON.stringify(where.root)}]\n`,
  );
  const wide = await connect(where, { args: ["--workspace=/", `--policy=${policy}`] });
  try {
    const write = (path: string) => wide.call("write_file", { path, content: "x" });
    for (const path of ["/paldron-none", "/paldron-none/a/b"])
      expect(await write(path)).toEqual({
        text: `denied by paldron: ${path} (outside write_paths)`,
        isError: true,
      });
    const path = where.path("wide/new.txt");
    expect(await write(path)).toEqual({ text: `created ${path}`, isError: false });
  } finally {
    await wide.close();
  }
});

test("a folder is listed by names alone", async () => {
  const { text } = await session.call("list_dir", { path: "." });
  expect(text.split("\n")).toEqual(expect.arrayContaining([".env", "dir/", "plain.txt", "to-etc@", "pipe?"]));
  expect((await session.call("list_dir", { path: "to-etc" })).isError).toBe(true);
  expect((await session.call("list_dir", { path: where.path("plain.txt") })).isError).toBe(true);
});

test("a link that changes all the time never leads to the secret", async () => {
  const script =
    "while :; do ln -sfn plain.txt swap; ln -sfn .env swap; ln -sfn dir ways; ln -sfn secrets ways; done";
  where.write("secrets/inner.txt", `${SECRET}\n`);
  const racer = spawn("sh", ["-c", script], { cwd: where.root, stdio: "ignore" });
  const seen = new Set<string>();
  try {
    for (let i = 0; i < 150; i += 1) {
      for (const name of ["swap", "ways/inner.txt"]) seen.add((await read(name)).text);
    }
  } finally {
    racer.kill("SIGKILL");
    await once(racer, "exit");
  }
  expect([...seen].filter((text) => text.includes(SECRET))).toEqual([]);
  // The twin: it was not refused throughout.
  expect(seen).toContain("plain\n");
});

test("a folder that changes all the time is never written through", async () => {
  const outside = place();
  const script = `while :; do ln -sfn good out; ln -sfn '${outside.root}' out; done`;
  where.write("good/kept.txt", "");
  const racer = spawn("sh", ["-c", script], { cwd: where.root, stdio: "ignore" });
  const results: boolean[] = [];
  try {
    for (let i = 0; i < 100; i += 1) {
      const path = where.path("out/written.txt");
      results.push((await session.call("write_file", { path, content: "w" })).isError);
    }
  } finally {
    racer.kill("SIGKILL");
    await once(racer, "exit");
  }
  const made = spawnSync("ls", ["-A", outside.root], { encoding: "utf8" }).stdout;
  outside.remove();
  expect(made.split("\n").filter(Boolean).sort()).toEqual([".env", "plain.txt"]);
  expect(results).toContain(false);
});
