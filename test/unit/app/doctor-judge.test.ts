import { describe, expect, test } from "vitest";
import { allHold, type JudgeInput, judgeRows, type Observed } from "../../../src/app/doctor-judge.ts";
import { TRIES } from "../../../src/app/doctor-tries.ts";
import type { DoctorRow } from "../../../src/app/doctor-types.ts";
import { PROTECTIONS, type Protection, type ProtectionState } from "../../../src/core/protection.ts";

type Outcomes = Readonly<Record<string, string>>;

function observed(
  outcomes: Outcomes,
  effects: readonly string[] = [],
  hits: readonly string[] = [],
): Observed {
  return { outcomes: new Map(Object.entries(outcomes)), effects: new Set(effects), hits: new Set(hits) };
}

function row(
  name: Protection,
  inside: Observed,
  outside: Observed,
  { enforced = true, required = true, onDisk = [] as readonly string[] } = {},
): DoctorRow {
  const state: ProtectionState = enforced
    ? { enforced, by: "a mechanism" }
    : { enforced, why_not: "not here" };
  const input: JudgeInput = {
    protections: Object.fromEntries(PROTECTIONS.map((each) => [each, state])) as Record<
      Protection,
      ProtectionState
    >,
    required: required ? [name] : [],
    inside,
    outside,
    seenOnDisk: new Set(onDisk),
    remedy: () => "another kernel",
  };
  const found = judgeRows(input).find(({ protection }) => protection === name);
  if (found === undefined) throw new Error(`no row for ${name}`);
  return found;
}

const READ = { "read-outside": "ok", "list-outside": "ok", "read-inside": "ok" };
const REFUSED = { "read-outside": "EACCES", "list-outside": "ENOENT", "read-inside": "ok" };

describe("a row", () => {
  test("holds where all that works outside is refused inside and the twin works", () => {
    const found = row("fs-read", observed(REFUSED), observed(READ));
    expect(found).toMatchObject({ result: "held", note: undefined, required: true, remedy: undefined });
    expect(found.tried).toContainEqual({
      name: "read-outside",
      kind: "forbidden",
      inside: "EACCES",
      outside: "ok",
    });
  });
  test("is open where one attempt got through, whatever became of the others", () => {
    const inside = observed({ ...REFUSED, "list-outside": "ok" });
    expect(row("fs-read", inside, observed(READ))).toMatchObject({
      result: "open",
      note: "got through: list-outside",
    });
  });
  test.each([["SIGSEGV"], ["broken"], ["EINVAL"], ["ETIMEDOUT"]])(
    "is broken where an attempt ends in %s",
    (end) => {
      const inside = observed({ ...REFUSED, "read-outside": end });
      expect(row("fs-read", inside, observed(READ))).toMatchObject({ result: "broken" });
    },
  );
  test("is broken where an attempt says nothing, as when the probe did not start", () => {
    expect(row("fs-read", observed({}), observed(READ))).toMatchObject({ result: "broken" });
  });
  test("is broken where the allowed twin fails, though all is refused", () => {
    const inside = observed({ ...REFUSED, "read-inside": "EACCES" });
    expect(row("fs-read", inside, observed(READ))).toMatchObject({
      result: "broken",
      note: "should work and does not: read-inside",
    });
  });
  test("takes no refusal for proof that would be a refusal anyway", () => {
    const outside = observed({ ...REFUSED });
    expect(row("fs-read", observed(REFUSED), outside)).toMatchObject({ result: "untried" });
    const partly = observed({ ...READ, "list-outside": "EACCES" });
    expect(row("fs-read", observed(REFUSED), partly)).toMatchObject({
      result: "held",
      note: "not possible here in any case: list-outside",
    });
  });
  test("is missing where nothing is claimed, with what got through", () => {
    const inside = observed({ ...REFUSED, "read-outside": "ok" });
    expect(row("fs-read", inside, observed(READ), { enforced: false })).toMatchObject({
      result: "missing",
      note: "got through: read-outside",
      remedy: "another kernel",
    });
  });
});

describe("an attempt with a witness is judged by it", () => {
  const names = TRIES["net-udp"].forbidden;
  const said = { "udp-outside": "ok", "unix-pair": "ok" };
  test("a datagram that reached nobody is no way out", () => {
    expect(names).toEqual(["udp-outside"]);
    const found = row("net-udp", observed(said), observed(said, [], ["udp"]));
    expect(found.result).toBe("held");
    expect(found.tried[0]?.inside).toBe("no effect");
  });
  test("one that arrived is", () => {
    expect(row("net-udp", observed(said, [], ["udp"]), observed(said, [], ["udp"])).result).toBe("open");
  });
  test("a change on the disk counts, whatever the call said", () => {
    const outcomes = {
      "later-hook": "EPERM",
      "later-settings": "EPERM",
      "later-rename": "EPERM",
      "write-inside": "ok",
    };
    const onDisk = TRIES["later-exec"].forbidden;
    const outside = observed(outcomes, onDisk);
    expect(row("later-exec", observed(outcomes), outside, { onDisk }).result).toBe("held");
    expect(row("later-exec", observed(outcomes, ["later-hook"]), outside, { onDisk }).result).toBe("open");
  });
  test("a change that was taken back counts as refused", () => {
    const outcomes = {
      "later-hook": "ok",
      "later-settings": "ok",
      "later-rename": "ok",
      "write-inside": "ok",
    };
    const onDisk = TRIES["later-exec"].forbidden;
    expect(row("later-exec", observed(outcomes), observed(outcomes, onDisk), { onDisk }).result).toBe("held");
  });
});

test("a service without forbidden attempts is judged by what it allows", () => {
  const ok = observed({ "tcp-own": "ok" });
  expect(row("net-loopback", ok, ok).result).toBe("held");
  expect(row("net-loopback", observed({ "tcp-own": "EACCES" }), ok).result).toBe("broken");
  expect(row("net-loopback", observed({}), observed({})).result).toBe("untried");
});

test("a scan that does not find what it stands in for is open, claimed or not", () => {
  const outside = observed({ "unseen-by-scan": "ok", "secret-late": "ok" });
  const state = { enforced: false };
  expect(row("secrets-late", observed({ "unseen-by-scan": "refused" }), outside, state).result).toBe(
    "missing",
  );
  expect(row("secrets-late", observed({ "unseen-by-scan": "ok" }), outside, state).result).toBe("open");
});

describe("the whole", () => {
  const rows = (result: DoctorRow["result"], required: boolean): readonly DoctorRow[] => [
    { ...row("fs-read", observed(REFUSED), observed(READ)), result, required },
  ];
  test.each<[DoctorRow["result"], boolean, boolean]>([
    ["held", true, true],
    ["missing", true, false],
    ["missing", false, true],
    ["broken", true, false],
    ["broken", false, true],
    ["untried", true, false],
    ["open", true, false],
    ["open", false, false],
  ])("%s, required %s: %s", (result, required, want) => {
    expect(allHold(rows(result, required))).toBe(want);
  });
});

test("every attempt is made in one of the runs", async () => {
  const { LIMIT_TRIES, MAIN_TRIES, TIME_TRY } = await import("../../../src/app/doctor-tries.ts");
  const made = new Set([...MAIN_TRIES, ...LIMIT_TRIES, TIME_TRY]);
  const named = Object.values(TRIES).flatMap(({ forbidden, allowed }) => [...forbidden, ...allowed]);
  expect(named.filter((name) => !made.has(name))).toEqual([]);
});
