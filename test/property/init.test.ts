import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOOK_TABLES, hookWords } from "../../src/agents/install/hooks.ts";
import { registerJson, unregisterJson } from "../../src/agents/install/json-settings.ts";
import { jsonOf, parseJsonc } from "../../src/agents/install/jsonc.ts";
import { handlerCall } from "../../src/agents/install/own-handler.ts";
import { dropBlock, putBlock } from "../../src/agents/install/toml-settings.ts";

const OWN = { node: "/usr/bin/node", program: "/opt/paldron/bin/paldron", policy: undefined };

/** What may stand between two tokens. */
const gap = fc
  .array(
    fc.constantFrom("", " ", "\n", "\r\n", "\n    ", "\t", "/* c */", "// c\n", "/*\n*/", '// "hooks": {\n'),
    {
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(""));

const scalar = fc
  .oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  .map((value) => JSON.stringify(value));

type Text = fc.Arbitrary<string>;

function list(open: string, close: string, items: fc.Arbitrary<readonly string[]>): Text {
  return fc.tuple(items, fc.infiniteStream(gap), fc.boolean()).map(([texts, gaps, trailing]) => {
    const next = (): string => String(gaps.next().value);
    const inner = texts.map((text, index) => {
      const isLast = index === texts.length - 1;
      return `${next()}${text}${next()}${isLast && !trailing ? "" : ","}`;
    });
    return `${open}${inner.join("")}${next()}${close}`;
  });
}

function members(values: Readonly<Record<string, Text>>): fc.Arbitrary<readonly string[]> {
  const names = Object.keys(values);
  return fc
    .tuple(fc.shuffledSubarray(names), fc.record(values), fc.infiniteStream(gap))
    .map(([chosen, texts, gaps]) =>
      chosen.map(
        (name) =>
          `${JSON.stringify(name)}${String(gaps.next().value)}:${String(gaps.next().value)}${texts[name] ?? ""}`,
      ),
    );
}

const object = (values: Readonly<Record<string, Text>>): Text => list("{", "}", members(values));
const array = (items: Text): Text => list("[", "]", fc.array(items, { maxLength: 3 }));
const foreign = object({ matcher: scalar, hooks: array(object({ type: scalar, command: scalar })) });
const events = Object.values(HOOK_TABLES).flatMap((table) => table.events.map(({ event }) => event));
const hooks = object({
  ...Object.fromEntries([...new Set(events)].map((event) => [event, array(foreign)])),
  Stop: array(foreign),
});
const settings = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    gap,
    object({ hooks, version: fc.constant("1"), model: scalar, env: object({ A: scalar }) }),
    gap,
  )
  .map((parts) => parts.join(""));
const blank = fc
  .tuple(fc.constantFrom("", "\ufeff"), fc.constantFrom("", "\n", "  ", " \r\n"))
  .map((parts) => parts.join(""));

describe.each(Object.entries(HOOK_TABLES))("%s", (agent, table) => {
  const of = { agent, table, what: "settings" };
  test("init, then undo, gives back the text; init twice is init once", () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: settings }, blank), (text) => {
        const done = registerJson(text, of, OWN);
        expect(registerJson(done, of, OWN)).toBe(done);
        expect(unregisterJson(done, of)).toBe(text);
      }),
      { numRuns: 80 },
    );
  });
  test("everything foreign still says the same", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const [before, after] = [text, registerJson(text, of, OWN)].map((now) => {
          const node = parseJsonc(now, "x");
          return node === undefined
            ? {}
            : (JSON.parse(JSON.stringify(jsonOf(node))) as Record<string, unknown>);
        });
        const { hooks: old = {}, ...rest } = before ?? {};
        expect(after).toMatchObject(rest);
        for (const [event, entries] of Object.entries(old as Record<string, readonly unknown[]>)) {
          const now = (after as { hooks: Record<string, readonly unknown[]> }).hooks[event] ?? [];
          expect(now.slice(0, entries.length)).toEqual(entries);
          expect(now.length - entries.length).toBe(table.events.some((spec) => spec.event === event) ? 1 : 0);
        }
      }),
      { numRuns: 40 },
    );
  });
  test("any path is read back as it was written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (folder, policy) => {
        const own = { node: `/${folder}/node`, program: `/${folder}/bin/paldron`, policy: `/${policy}` };
        for (const { event } of table.events) {
          const call = handlerCall(table.handler(own, event));
          expect(call).toEqual({ ...own, agent, workspace: undefined });
          expect(hookWords(agent, own)).toContain(`--policy=${own.policy}`);
        }
      }),
    );
  });
});

test("a block in TOML goes again without a trace", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a = 1", "", "# c", "[t]", 'b = "x"'), { maxLength: 5 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      (lines, newline, ends) => {
        const text = lines.join(newline) + (ends ? newline : "");
        const done = putBlock(text, "x = 1\ny = 2");
        expect(putBlock(done, "x = 1\ny = 2")).toBe(done);
        expect(dropBlock(done)).toBe(text);
        expect(dropBlock(putBlock(done, "z = 3"))).toBe(text);
      },
    ),
  );
  expect(dropBlock(putBlock(undefined, "x = 1"))).toBeUndefined();
});
