import { describe, expect, test } from "vitest";
import { MAX_MESSAGE_BYTES, readMessage } from "../../../../src/app/mcp/wire.ts";

const read = (text: string) => readMessage(new TextEncoder().encode(text));

describe("messages", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', "request"],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}', "request"],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', "notification"],
    ['{"jsonrpc":"2.0","id":1,"result":{}}\r', "response"],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', "response"],
  ])("%s is a %s", (text, kind) => expect(read(text)?.kind).toBe(kind));

  test.each(["", "  \r"])("a blank line is none: %j", (text) => expect(read(text)).toBeUndefined());

  test.each([
    "x",
    "1",
    "[]",
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","param\\u017f":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":null,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
    '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
  ])("%s is refused", (text) => expect(() => read(text)).toThrow(/message/));

  test("one that was too long is refused", () => {
    expect(() => readMessage(undefined)).toThrow(`longer than ${MAX_MESSAGE_BYTES}`);
  });
});
