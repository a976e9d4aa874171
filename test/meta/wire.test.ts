import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as wire from "../../src/plan/wire.ts";
import { ROOT } from "./sources.ts";

const doc = readFileSync(join(ROOT, "docs/wire.md"), "utf8");

/** The text below a heading, up to the next one. */
function section(title: string): string {
  const start = doc.indexOf(`# ${title}`);
  if (start === -1) throw new Error(`docs/wire.md has no heading "${title}"`);
  const rest = doc.slice(doc.indexOf("\n", start));
  const end = rest.search(/\n#+ /);
  return end === -1 ? rest : rest.slice(0, end);
}

/** `| 12 | SCRATCH_NAME | ...` rows as numbers by name. */
function numbers(title: string): Record<string, number> {
  const rows = section(title).matchAll(/^\| (\d+) \| ([A-Z_]+)\*? \|/gm);
  return Object.fromEntries([...rows].map(([, number, name]) => [name ?? "", Number(number)]));
}

function constantCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function asInDoc(table: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(table).map(([name, number]) => [constantCase(name), number]));
}

/** `1 wire, 2 path, ...` after a phrase, up to the full stop. */
function list(phrase: string): Map<number, string> {
  const start = doc.indexOf(phrase);
  if (start === -1) throw new Error(`docs/wire.md has no "${phrase}"`);
  const sentence = doc.slice(start + phrase.length).split(/\.\s/, 1)[0] ?? "";
  return new Map(
    [...sentence.matchAll(/(\d+) ([^,(]+)/g)].map(([, n, text]) => [Number(n), (text ?? "").trim()]),
  );
}

describe("docs/wire.md says what src/plan/wire.ts has", () => {
  test.each([
    ["Paldron to launcher (fd 3)", wire.REQUEST],
    ["Records of WALK", wire.WALK_RECORD],
    ["Records of RUN", wire.RUN_RECORD],
    ["Launcher to Paldron (fd 4)", wire.REPLY],
  ])("%s", (title, table) => expect(numbers(title)).toEqual(asInDoc(table)));

  test("version", () =>
    expect(section("Paldron to launcher (fd 3)")).toContain(`\`u32 version\` (${wire.WIRE_VERSION})`));
  test("largest payload", () =>
    expect(doc).toContain(`A payload is at most ${wire.MAX_PAYLOAD_BYTES >> 20} MiB`));
  test("causes", () => expect([...list("Causes:").keys()]).toEqual(wire.CAUSES.map((_, i) => i)));
  test("stages", () => {
    const words = (text: string): string => text.replaceAll(/ domain$/g, "");
    const stages = [...list("Stages of FAILED:")].map(([number, text]) => [number, words(text)]);
    expect(stages).toEqual(Object.entries(wire.STAGES).map(([number, name]) => [Number(number), name]));
  });
});

function native(file: string): string {
  return readFileSync(join(ROOT, "native", file), "utf8");
}

/** `{12, false, false, "SCRATCH_NAME", ...}` rows of the launcher's decoders, `*` where a record may repeat. */
function nativeRecords(file: string): Record<string, number> {
  const rows = native(file).matchAll(/\{(\d+), (true|false), (?:true|false), "([A-Z_]+)"/g);
  return Object.fromEntries(
    [...rows].map(([, number, many, name]) => [`${name}${many === "true" ? "*" : ""}`, Number(number)]),
  );
}

/** As in the document, with its `*`. */
function documented(title: string): Record<string, number> {
  const rows = section(title).matchAll(/^\| (\d+) \| ([A-Z_]+\*?) \|/gm);
  return Object.fromEntries([...rows].map(([, number, name]) => [name ?? "", Number(number)]));
}

/** `PREFIX_NAME = 12,` lines of an enumeration, without the prefix. */
function nativeEnum(file: string, prefix: string): Record<string, number> {
  const rows = native(file).matchAll(new RegExp(`^\\s+${prefix}_([A-Z_]+) = (\\d+),`, "gm"));
  return Object.fromEntries([...rows].map(([, name, number]) => [name ?? "", Number(number)]));
}

describe("the launcher has the same numbers", () => {
  test("messages", () => {
    expect(nativeEnum("wire.h", "MESSAGE")).toEqual({ ...asInDoc(wire.REQUEST), ...asInDoc(wire.REPLY) });
  });
  test("version and header", () => {
    expect(native("wire.h")).toContain(`#define WIRE_VERSION ${wire.WIRE_VERSION}u`);
    expect(native("wire.h")).toContain(`#define WIRE_HEADER ${wire.HEADER_BYTES}u`);
    expect(native("wire.h")).toContain(`#define WIRE_MAX_PAYLOAD (${wire.MAX_PAYLOAD_BYTES >> 20}u << 20)`);
  });
  test("records of RUN", () => expect(nativeRecords("plan.c")).toEqual(documented("Records of RUN")));
  test("records of WALK", () => {
    expect(nativeRecords("walk_request.c")).toMatchObject({ ROOT: 1, LIMITS: 3 });
    expect(Object.values(nativeRecords("walk_request.c")).sort()).toEqual(Object.values(wire.WALK_RECORD));
  });
  test("stages", () => {
    const { NONE, ...stages } = nativeEnum("failure.h", "STAGE");
    expect(NONE).toBe(0);
    const named = Object.entries(wire.STAGES).map(([number, name]) => [
      name.replace("-", "_").toUpperCase(),
      Number(number),
    ]);
    expect(stages).toEqual(Object.fromEntries(named));
  });
  test("causes", () => {
    expect(Object.values(nativeEnum("supervise.h", "CAUSE"))).toEqual(wire.CAUSES.map((_, i) => i));
  });
});

test("the fuzzer of the decoder is built from all of it", () => {
  const script = readFileSync(join(ROOT, "native/fuzz/fuzz.sh"), "utf8");
  const decoder = readdirSync(join(ROOT, "native")).filter((name) => /^plan(_\w+)?\.c$/.test(name));
  expect(decoder.length).toBeGreaterThan(3);
  for (const name of [...decoder, "walk_request.c"]) expect(script).toContain(`native/${name}`);
});
