import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attempt, type Outcomes } from "./attempts.ts";
import { compile } from "./install.ts";
import { eachWay } from "./suite.ts";

const FOREIGN = [
  "old-packet",
  "packet",
  "vsock",
  "alg",
  "bluetooth",
  "can",
  "tipc",
  "rds",
  "kcm",
  "xdp",
  "smc",
  "mctp",
  "netlink-diag",
  "netlink-audit",
  "netlink-uevent",
];
const INTERNET = ["tcp", "udp", "tcp6", "udp6", "mptcp", "sctp", "icmp", "raw", "raw6"];
const USED = ["connect-tcp", "send-udp", "serve-tcp"];
/** Work whatever the policy says of the network. */
const ALWAYS = ["unix-stream", "unix-pair", "unix-own", "abstract-own", "netlink-route"];

/** With the network off in a network namespace of its own: what is not EAFNOSUPPORT. */
const OWN: Readonly<Record<string, string>> = {
  tcp: "ok",
  udp: "ok",
  tcp6: "ok",
  udp6: "ok",
  "serve-tcp": "ok",
  "connect-tcp": "ECONNREFUSED",
  // To nobody: the loopback is its own.
  "send-udp": "ok",
  mptcp: "EPROTONOSUPPORT",
  sctp: "EPROTONOSUPPORT",
  icmp: "EPROTONOSUPPORT",
  raw: "EPERM",
  raw6: "EPERM",
  "old-packet": "EPERM",
};

eachWay("network", (way, makePlace, installed) => {
  const tcp = createServer((socket) => socket.on("error", () => undefined).end("hello\n"));
  let abstract: ChildProcess;
  const name = `paldron-kernel-outside-${process.pid}-${Math.random()}`;
  const all = [...FOREIGN, ...INTERNET, ...USED, ...ALWAYS, "abstract-outside"];
  let off: Outcomes;
  let on: Outcomes;
  beforeAll(async () => {
    await once(tcp.listen(0, "127.0.0.1"), "listening");
    // Node pads abstract names, depending on its version.
    const listener = join(installed().folder, "listen-abstract");
    compile(listener, ["listen-abstract.c"]);
    abstract = spawn(listener, [name], { stdio: ["pipe", "pipe", "inherit"] });
    if (abstract.stdout !== null) await once(abstract.stdout, "data");
    const address = tcp.address();
    const conf = { PORT: typeof address === "object" ? (address?.port ?? 0) : 0, ABSTRACT: name };
    off = (await attempt(makePlace(), installed().attempt, conf, all)).outcomes;
    const policy = "allow_network = true\n";
    on = (await attempt(makePlace(), installed().attempt, conf, all, { policy })).outcomes;
  });
  afterAll(() => {
    tcp.close();
    abstract.kill();
  });

  describe("off", () => {
    test.each([...FOREIGN, ...INTERNET, ...USED])("%s reaches nothing", (what) => {
      expect(off.get(what)).toBe((way.namespaces ? OWN[what] : undefined) ?? "EAFNOSUPPORT");
    });
    test.each(ALWAYS)("%s works", (what) => expect(off.get(what)).toBe("ok"));
    test("an abstract socket of another program is out of reach", () => {
      expect(off.get("abstract-outside")).toBe(way.namespaces ? "ECONNREFUSED" : "EPERM");
    });
  });

  describe("on", () => {
    test.each(["tcp", "udp", ...USED, ...ALWAYS])("%s works", (what) => expect(on.get(what)).toBe("ok"));
    test.each(["raw", "raw6", "old-packet"])("%s is EPERM", (what) => expect(on.get(what)).toBe("EPERM"));
    test.each(FOREIGN.filter((what) => what !== "old-packet"))("%s is EAFNOSUPPORT", (what) => {
      expect(on.get(what)).toBe("EAFNOSUPPORT");
    });
    test("an abstract socket of another program is EPERM", () => {
      expect(on.get("abstract-outside")).toBe("EPERM");
    });
  });

  test("a failed run that missed it is told so", async () => {
    const place = makePlace();
    const script = `python3 -c 'import socket; socket.create_connection(("192.0.2.1", 80))'`;
    const { result } = await place.sh(script);
    const missed = way.namespaces
      ? 'the command may have missed the network, which is off (allow_network): its output says "Network is unreachable"'
      : 'the command may have missed the network, which is off (allow_network): its output says "Address family not supported"; servers on loopback need a network namespace here';
    expect([result?.child?.exit_code, result?.warnings]).toEqual([1, expect.arrayContaining([missed])]);
    const { result: other } = await place.sh("echo failed; exit 1");
    expect(other?.warnings.join()).not.toContain("network");
  });
});
