import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookPlace, layHookPlace, outcomeOf, RECORDED } from "../unit/agents/recorded.ts";

let place: HookPlace;
const refused: { readonly agent: string; readonly payload: Readonly<Record<string, unknown>> }[] = [];
beforeAll(async () => {
  place = layHookPlace();
  for (const { agent, payloads } of RECORDED) {
    for (const payload of payloads) {
      if (outcomeOf(agent, await place.hook(agent, payload)) === "block") refused.push({ agent, payload });
    }
  }
});
afterAll(() => place.remove());

type Path = readonly string[];

/** Every place in a payload. */
function placesOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))].filter(
    (path) => path.length > 0,
  );
}

function changed(
  payload: object,
  path: Path,
  change: (holder: Record<string, unknown>, key: string) => void,
): object {
  const copy = structuredClone(payload) as Record<string, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  change(holder, path.at(-1) ?? "");
  return copy;
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, [], {}, [[]], ["ls"], { command: "ls" }),
  fc.constant(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i]))),
);
const mutation = fc.oneof(
  fc.constant((holder: Record<string, unknown>, key: string) => {
    delete holder[key];
  }),
  odd.map((value) => (holder: Record<string, unknown>, key: string) => {
    holder[key] = value;
  }),
  fc.tuple(fc.string(), odd).map(([name, value]) => (holder: Record<string, unknown>) => {
    holder[`${name} extra`] = value;
  }),
  odd.map((value) => (holder: Record<string, unknown>, key: string) => {
    holder[key.toUpperCase()] = value;
  }),
  odd.map((value) => (holder: Record<string, unknown>, key: string) => {
    holder[`_${key}`] = value;
  }),
);

describe("a payload that is refused", () => {
  it("there are some of every client", () => {
    expect(new Set(refused.map(({ agent }) => agent)).size).toBe(6);
    expect(refused.length).toBeGreaterThan(20);
  });
  it("is never let through for a part that is missing, doubled, odd or huge", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), mutation, async (which, where, change) => {
        const { agent, payload } = refused[which % refused.length] ?? { agent: "", payload: {} };
        const places = placesOf(payload);
        const path = places[where % places.length] ?? [];
        const outcome = outcomeOf(agent, await place.hook(agent, changed(payload, path, change)));
        expect(["block", "ask"]).toContain(outcome);
      }),
      { numRuns: 600 },
    );
  });
  it("is never let through where its text is cut or has more behind it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.string({ minLength: 1 }), async (which, at, more) => {
        const { agent, payload } = refused[which % refused.length] ?? { agent: "", payload: {} };
        const text = JSON.stringify(payload);
        fc.pre(more.trim() !== "");
        for (const broken of [
          text.slice(0, at % text.length),
          `${text}${more}`,
          `${text}${text}`,
          `\ufeff${text}`,
        ]) {
          expect(outcomeOf(agent, await place.hook(agent, broken))).toBe("block");
        }
      }),
      { numRuns: 100 },
    );
  });
});
