import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProtectionTable } from "../../src/core/protection.ts";
import { attempt, type Outcomes, readOutcomes } from "./attempts.ts";
import { compile } from "./install.ts";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { startedAs } from "./ways.ts";

/** With the network off, by way of the internet and of what else the kernel has. */
const NETWORK = [
  "reach-tcp",
  "reach-tcp6",
  "reach-mapped",
  "reach-fast-open",
  "reach-mptcp",
  "reach-sctp",
  "reach-udp",
  "reach-udp6",
  "reach-icmp",
  "reach-raw",
  "reach-vsock",
  "reach-netlink",
  "reach-packet",
  "reach-alg",
  "reach-io-uring",
];
/** Sockets of other programs that have a path, where such programs put them. */
const PATHNAME = [
  "reach-unix",
  "reach-by-link",
  "reach-dbus",
  "reach-systemd",
  "reach-docker",
  "reach-ssh-agent",
  "reach-gpg-agent",
];
const OWN = ["unix-own", "abstract-own", "unix-pair"];

/** What a kernel says to one who is kept away. */
const REFUSALS = [
  "EACCES",
  "EPERM",
  "ENOENT",
  "ENOSYS",
  "EAFNOSUPPORT",
  "EPROTONOSUPPORT",
  "ECONNREFUSED",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  // Nobody answered the datagram. The two are one number.
  "EAGAIN",
  "EWOULDBLOCK",
];

/** The names under which a command finds daemons. */
const NAMES = [
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
  "XDG_RUNTIME_DIR",
];

/** Everything that listens outside of the run. */
class Outside {
  readonly conf: Record<string, string | number> = {};
  readonly #servers: Server[] = [];
  readonly #datagrams: Socket[] = [];
  #abstract: ChildProcess | undefined;

  async open(place: Place, folder: string): Promise<void> {
    await this.#tcp("TCP", "127.0.0.1");
    await this.#tcp("TCP6", "::1");
    await this.#udp("UDP", "udp4", "127.0.0.1");
    await this.#udp("UDP6", "udp6", "::1");
    const runtime = `${place.outside}/run`;
    const paths = {
      UNIX: `${place.outside}/socket`,
      DBUS: `${runtime}/bus`,
      SYSTEMD: `${runtime}/systemd/private`,
      DOCKER: `${place.home}/.docker/run/docker.sock`,
      SSH: `${place.home}/.ssh/agent`,
      GPG: `${place.home}/.gnupg/S.gpg-agent`,
    };
    for (const [key, path] of Object.entries(paths)) {
      // Makes the folder, owned by the user of the way.
      place.put(`${path}.note`);
      await this.#listen({ path });
      chmodSync(path, 0o777);
      this.conf[key] = path;
    }
    await this.#openAbstract(folder);
  }

  async #tcp(key: string, host: string): Promise<void> {
    const address = (await this.#listen({ port: 0, host })).address();
    this.conf[key] = typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  async #listen(where: { path: string } | { port: number; host: string }): Promise<Server> {
    const server = createServer((socket) => socket.on("error", () => undefined).end("x"));
    this.#servers.push(server);
    await once(server.listen(where), "listening");
    return server;
  }

  async #udp(key: string, type: "udp4" | "udp6", host: string): Promise<void> {
    const socket = createSocket(type);
    this.#datagrams.push(socket);
    socket.on("message", (_, from) => socket.send("x", from.port, from.address));
    socket.bind(0, host);
    await once(socket, "listening");
    this.conf[key] = socket.address().port;
  }

  /** Node pads abstract names, depending on its version. */
  async #openAbstract(folder: string): Promise<void> {
    const name = `paldron-reach-${process.pid}-${Math.random()}`;
    const listener = join(folder, "listen-abstract");
    compile(listener, ["listen-abstract.c"]);
    this.#abstract = spawn(listener, [name], { stdio: ["pipe", "pipe", "inherit"] });
    if (this.#abstract.stdout !== null) await once(this.#abstract.stdout, "data");
    this.conf["ABSTRACT"] = name;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#datagrams) socket.close();
    this.#abstract?.kill();
  }
}

eachWay("reach with the network off", (way, makePlace, installed) => {
  const outside = new Outside();
  let place: Place;
  let inside: Outcomes;
  let bare: Outcomes;
  let protections: ProtectionTable | undefined;
  beforeAll(async () => {
    place = makePlace();
    await outside.open(place, installed().folder);
    const all = [...NETWORK, "reach-abstract", ...PATHNAME, ...OWN];
    const { outcomes, ran } = await attempt(place, installed().attempt, outside.conf, all);
    inside = outcomes;
    protections = ran.result?.protections;
    // The control: the same program with nothing around it.
    const line = startedAs({ ...way, namespaces: true }, installed().refuse, ["./attempt", ...all]);
    const child = spawn(line[0] ?? "", line.slice(1), {
      cwd: place.workspace,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const said: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => said.push(bytes));
    await once(child, "close");
    bare = readOutcomes(Buffer.concat(said).toString());
  });
  afterAll(() => outside.close());

  describe("the network", () => {
    test.each(NETWORK)("%s is refused", (name) => expect(REFUSALS).toContain(inside.get(name)));
    test("what a host has at least is there to be refused", () => {
      for (const name of ["reach-tcp", "reach-udp", "reach-mapped"])
        expect([name, bare.get(name)]).toEqual([name, "ok"]);
    });
  });

  test("an abstract socket of another program is refused, and is there", () => {
    expect(REFUSALS).toContain(inside.get("reach-abstract"));
    expect(bare.get("reach-abstract")).toBe("ok");
  });

  describe("sockets with a path", () => {
    test.each(PATHNAME)("%s is there, and refused wherever that is reported as enforced", (name) => {
      expect(bare.get(name)).toBe("ok");
      if (way.namespaces) expect(protections?.["net-unix"].enforced).toBe(true);
      if (protections?.["net-unix"].enforced === true) expect(REFUSALS).toContain(inside.get(name));
      else expect(protections?.["net-unix"].why_not).toMatch(/./);
    });
  });

  test.each(OWN)("%s works: sockets of the run's own", (name) => expect(inside.get(name)).toBe("ok"));

  test("the run is not told where daemons are", async () => {
    const env = Object.fromEntries(NAMES.map((name) => [name, String(outside.conf["UNIX"])]));
    const { stdout } = await place.sh("printenv", { env });
    const told = stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0] ?? "");
    expect(told).toContain("PATH");
    expect(told.filter((name) => NAMES.includes(name))).toEqual([]);
  });

  test("real agents: their clients find nobody, where net-unix is enforced", async (context) => {
    const agent = join(place.home, "real-agent");
    const started = startedAs({ ...way, namespaces: true }, "", ["ssh-agent", "-D", "-a", agent]);
    const child = spawn(started[0] ?? "", started.slice(1), { stdio: ["ignore", "pipe", "ignore"] });
    const up = await Promise.race([
      once(child.stdout, "data").then(() => true),
      once(child, "error").then(() => false),
    ]);
    if (!up) return context.skip("ssh-agent is not installed");
    try {
      const client = `SSH_AUTH_SOCK=${agent} ssh-add -l`;
      const { result, stdout } = await place.sh(`${client} 2>&1; echo $?`);
      // 1: it answered that it holds nothing. 2: nobody answered.
      if (result?.protections?.["net-unix"].enforced === true) expect(stdout.toString()).toMatch(/\n2\n$/);
      else expect(result?.protections?.["net-unix"].why_not).toMatch(/./);
      const outsideLine = startedAs({ ...way, namespaces: true }, "", [
        "sh",
        "-c",
        `${client} || test $? = 1`,
      ]);
      execFileSync(outsideLine[0] ?? "", outsideLine.slice(1), { stdio: "ignore" });
    } finally {
      child.kill();
    }
  });
});
