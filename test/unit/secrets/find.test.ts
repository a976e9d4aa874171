import { describe, expect, it } from "vitest";
import { Redactor, secretValues } from "../../../src/secrets/find.ts";

const MARK = "[secret removed by paldron]";
const clean = (text: string, values: readonly string[] = []) => {
  const redactor = new Redactor(values);
  return { text: redactor.clean(text), count: redactor.count };
};

describe("by their form", () => {
  // Put together here, so that no scanner of this repository takes them for real.
  const repeated = (start: string, part: string, times: number) => start + part.repeat(times);
  it.each([
    ["an AWS key", repeated("AKIA", "ABCD", 4)],
    ["a GitHub token", repeated("ghp_", "aB1c", 9)],
    ["a fine-grained GitHub token", repeated("github_pat_", "aB1c_", 12)],
    ["a GitLab token", repeated("glpat-", "aB1c-", 4)],
    ["an API key", repeated("sk-ant-", "aB1c", 10)],
    ["a Slack token", repeated("xoxb-", "1234-", 4)],
    ["a Google key", repeated("AIza", "aB1cd", 7)],
    ["an npm token", repeated("npm_", "aB1c", 9)],
    [
      "a web token",
      `${repeated("eyJ", "aB1c", 4)}.${repeated("eyJ", "aB1c", 4)}.${repeated("x", "aB1c", 6)}`,
    ],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----"],
  ])("%s", (_, secret) => expect(clean(`a ${secret} b`)).toEqual({ text: `a ${MARK} b`, count: 1 }));
  it.each(["sk-learn is fine", "AKIA is short", "-----BEGIN CERTIFICATE-----", "ghp_short", "eyJhbGciOi"])(
    "%s stays",
    (text) => expect(clean(text)).toEqual({ text, count: 0 }),
  );
});

describe("by their value", () => {
  it("wherever it stands, the longest first", () => {
    expect(clean("x=hunter22hunter22; hunter22", ["hunter22", "hunter22hunter22"])).toEqual({
      text: `x=${MARK}; ${MARK}`,
      count: 2,
    });
  });
  it("what a file like .env holds", () => {
    const text = [
      "API_KEY=SECRET-CANARY-123",
      'export DB_PASSWORD="two words here"',
      "token: 'abcdefgh' ",
      "SHORT_KEY=abc",
      "NODE_ENV=development",
      "HOST=localhost.localdomain",
      "URL=postgres://u:pw@h/db",
      "PUBLIC=https://example.com/aaaaaaaaaaaaaaaaaaaaaaA1",
      "BLOB=aGVsbG8gd29ybGQgMTIzNDU2Nzg5MA",
      "# COMMENT_KEY=abcdefghijkl",
      "A_TOKEN=abcdefgh # why",
    ].join("\n");
    expect(secretValues(text)).toEqual([
      "SECRET-CANARY-123",
      "two words here",
      "abcdefgh",
      "postgres://u:pw@h/db",
      "aGVsbG8gd29ybGQgMTIzNDU2Nzg5MA",
      "abcdefgh",
    ]);
  });
});
