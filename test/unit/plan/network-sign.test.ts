import { expect, test } from "vitest";
import { networkSign } from "../../../src/plan/network-sign.ts";
import { noProtections } from "../../../src/plan/protections-elsewhere.ts";

const NONE = noProtections("x");
const LOOPBACK = { ...NONE, "net-loopback": { enforced: true, by: "y" } } as const;
const sign = (output: string, more: Partial<Parameters<typeof networkSign>[0]> = {}) =>
  networkSign({ allowNetwork: false, protections: LOOPBACK, ended: { exitCode: 1 }, output, ...more });

test("a failed run that says so may have missed the network", () => {
  expect(sign("npm error code EAI_AGAIN\n")).toBe(
    'the command may have missed the network, which is off (allow_network): its output says "EAI_AGAIN"',
  );
  for (const line of [
    "curl: (6) Could not resolve host: example.invalid",
    "connect: Network is unreachable",
    "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    "dial tcp: lookup proxy.example: server misbehaving",
  ])
    expect(sign(line)).toContain("allow_network");
});

test("where there are no sockets at all, loopback is named", () => {
  const line = "listen EAFNOSUPPORT: address family not supported 0.0.0.0";
  expect(sign(line, { protections: NONE })).toContain("servers on loopback need a network namespace here");
  expect(sign(line)).toBeUndefined();
});

test("nothing is said of other ends", () => {
  expect(sign("EAI_AGAIN", { ended: { exitCode: 0 } })).toBeUndefined();
  expect(sign("EAI_AGAIN", { allowNetwork: true })).toBeUndefined();
  expect(sign("1 test failed")).toBeUndefined();
});
