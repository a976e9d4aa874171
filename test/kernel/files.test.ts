import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { attempt, type Outcomes } from "./attempts.ts";
import { eachWay } from "./suite.ts";

/** Attempts on files outside the workspace, and the errno that each must meet. */
const DENIED: readonly (readonly [string, string])[] = [
  ["read-outside", "EACCES"],
  ["read-relative", "EACCES"],
  ["read-ssh", "EACCES"],
  ["read-shadow", "EACCES"],
  ["list-outside", "EACCES"],
  ["write-outside", "EACCES"],
  ["append-outside", "EACCES"],
  ["create-outside", "EACCES"],
  ["truncate-outside", "EACCES"],
  ["open-truncate-outside", "EACCES"],
  ["unlink-outside", "EACCES"],
  ["rmdir-outside", "EACCES"],
  ["mkdir-outside", "EACCES"],
  ["fifo-outside", "EACCES"],
  ["symlink-outside", "EACCES"],
  ["rename-out", "EACCES"],
  ["rename-in", "EACCES"],
  ["link-out", "EACCES"],
  ["link-in", "EXDEV"],
  ["exchange", "EACCES"],
  ["symlink-read", "EACCES"],
  ["symlink-write", "EACCES"],
  ["symlink-relative", "EACCES"],
  ["exec-outside", "EACCES"],
];
/** The same on the workspace's own files, in the same run. */
const ALLOWED = [
  "read-own",
  "write-own",
  "truncate-own",
  "unlink-own",
  "rename-own",
  "link-own",
  "symlink-made",
  "symlink-own",
  "exec-own",
  "exec-system",
];

eachWay("files", (way, makePlace, installed) => {
  let outcomes: Outcomes;
  let left: string[];
  let victim: string;
  beforeAll(async () => {
    const place = makePlace();
    const out = (name: string): string => `${place.outside}/${name}`;
    place.put(out("secret"));
    place.put(out("victim"), "victim\n");
    place.put(out("folder/.keep"), "");
    mkdirSync(out("empty"));
    place.program(out("program"), "/bin/true");
    place.program("program", "/bin/true");
    place.put(`${place.top}/outside.txt`);
    const ssh = place.put(`${place.home}/.ssh/id_ed25519`, "key\n", 0o600);
    const conf = { OUT: place.outside, SSH: ssh };
    const all = [...DENIED.map(([name]) => name), ...ALLOWED];
    const policy = 'secret_exceptions = ["**"]';
    ({ outcomes } = await attempt(place, installed().attempt, conf, all, { policy }));
    left = readdirSync(place.outside).sort();
    victim = readFileSync(out("victim"), "utf8");
  });

  // In a new root what is outside has no name.
  test.each(DENIED)("%s is %s (or ENOENT in a new root)", (name, errno) => {
    expect(outcomes.get(name)).toBe(way.namespaces ? "ENOENT" : errno);
  });
  test.each(ALLOWED)("%s works", (name) => expect(outcomes.get(name)).toBe("ok"));
  test("nothing outside has changed", () => {
    expect([left, victim]).toEqual([["empty", "folder", "program", "secret", "victim"], "victim\n"]);
  });
});
