import { spawnSync } from "node:child_process";

/** Brings loopback up (netdevice(7): SIOCSIFFLAGS with IFF_UP and IFF_RUNNING) and goes on as the program that follows. */
const LOOPBACK_UP = `
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh", b"lo", 0x41))
os.execvp(sys.argv[1], sys.argv[1:])
`;
const NAMESPACES = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const INSIDE = ["--", "python3", "-c", LOOPBACK_UP];

/**
 * The words before a command that put it into namespaces of its own: of its network only loopback is left, and what it
 * leaves behind ends with it. None where the host has no such namespaces: there only proxies that lead nowhere and the
 * clients' own settings keep them from the network.
 */
export function isolationThatWorks(): readonly string[] {
  const ways = [
    ["unshare", ...NAMESPACES, ...INSIDE],
    ["unshare", "--map-root-user", ...NAMESPACES, ...INSIDE],
  ];
  const works = ([program = "", ...args]: readonly string[]): boolean =>
    spawnSync(program, [...args, "true"]).status === 0;
  return ways.find(works) ?? [];
}
