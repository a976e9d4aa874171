import { describe, expect, test } from "vitest";
import { Questions } from "../../../../src/app/mcp/questions.ts";
import type { JsonObject } from "../../../../src/core/strict-json.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const call = (id: number, more: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "a", arguments: { id }, ...more },
});
const yes: JsonObject = { action: "accept", content: { allow: true } };

function askable(): Questions {
  const questions = new Questions();
  questions.meet({ capabilities: { elicitation: {} } });
  return questions;
}

describe("a question that is a message", () => {
  test.each([
    [yes, true],
    [{ action: "accept", content: { allow: "true" } }, false],
    [{ action: "accept", content: {} }, false],
    [{ action: "decline", content: { allow: true } }, false],
    [null, false],
  ])("answered with %j", (result, isYes) => {
    const questions = askable();
    const id = questions.about(7, call(7), "may it?")?.["id"];
    const answer = { jsonrpc: "2.0", id: id ?? null, result };
    expect(questions.answered(String(id), answer)).toMatchObject({ isYes, call: { body: call(7) } });
    // Once.
    expect(questions.answered(String(id), answer)).toBeUndefined();
  });

  test("is not asked twice for a cancelled call, nor of a client that cannot", () => {
    const questions = askable();
    const id = questions.about(7, call(7), "may it?")?.["id"];
    expect(questions.cancelled(8)).toBe(false);
    expect(questions.cancelled(7)).toBe(true);
    expect(questions.answered(String(id), { result: yes })).toBeUndefined();
    questions.meet({ capabilities: { elicitation: { url: {} } } });
    expect(questions.about(9, call(9), "may it?")).toBeUndefined();
    questions.meet({ capabilities: {} });
    expect(questions.about(9, call(9), "may it?")).toBeUndefined();
  });

  test("is one of a bounded number", () => {
    const questions = askable();
    const asked = Array.from({ length: 40 }, (_, id) => questions.about(id, call(id), "may it?"));
    expect(asked.filter((question) => question !== undefined)).toHaveLength(32);
  });
});

describe("a question that is an answer", () => {
  const meta = { _meta: { [CAPABILITIES]: { elicitation: {} } } };
  const stateOf = (question: JsonObject | undefined): string =>
    String((question?.["result"] as JsonObject | undefined)?.["requestState"]);

  test("is about the call that was made, whatever is said later", () => {
    const questions = new Questions();
    const requestState = stateOf(questions.about(1, call(1, meta), "may it?"));
    const again = call(2, { ...meta, name: "other", requestState, inputResponses: { paldron: yes } });
    const found = questions.repeated(2, again);
    expect(found).toMatchObject({ isYes: true, call: { id: 2, body: { id: 2, params: { name: "a" } } } });
    expect(questions.repeated(3, again)).toBeUndefined();
  });

  test("makes room when nobody comes back to it", () => {
    const questions = new Questions();
    const states = Array.from({ length: 40 }, (_, id) =>
      stateOf(questions.about(id, call(id, meta), "may it?")),
    );
    const back = (requestState: string | undefined) =>
      questions.repeated(
        99,
        call(99, { requestState: requestState ?? "", inputResponses: { paldron: yes } }),
      );
    expect(back(states[0])).toBeUndefined();
    expect(back(states[39])).toMatchObject({ isYes: true });
  });
});
