// Writes inputs for the fuzzer to start from: a plan with one record of each kind, a walk, a clearing, and messages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const u16 = (value) => Buffer.from(Uint16Array.of(value).buffer);
const u32 = (value) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const record = (type, ...parts) => {
  const payload = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([u16(type), u16(0), u32(payload.length), payload]);
};
const path = (text, type = 0o40000) =>
  Buffer.concat([u64(1), u64(2), u32(type), u32(text.length), Buffer.from(text)]);

const records = [
  record(1, "/bin/true"),
  record(2, path("/bin/true", 0o100000)),
  record(3, "true"),
  record(4, "PATH=/bin"),
  record(5, path("/tmp")),
  record(6, u64(0xffff), u64(3), u64(3), u32(0)),
  record(7, u64(0xf), path("/usr")),
  record(8, u64(0x7fff000000000006n)),
  record(9, u32(1)),
  record(10, u32(7), u64(64), u64(64)),
  record(11, u64(0xf), path("/tmp")),
  record(12, "scratch"),
  record(13, "home"),
  record(19, u32(6), "home/a", "/b"),
  record(14, u64(1000), u32(10)),
  record(15, u32(1)),
  record(16, u32(50), u64(1 << 20), u32(9)),
  record(21, u64(1 << 20), u64(9), path("/tmp")),
  record(17, u64(100), u64(0)),
  record(18, u32(1000)),
  record(20, u32(7), u32(7)),
  record(43, u32(7)),
  record(44, path("/tmp")),
  record(45, path("/run/s", 0o140000)),
  record(46, u32(2), u32(1), u32(9), u64(1 << 20), path("/tmp")),
  record(47, "*.PEM"),
  record(48, ".ENV"),
];
const steps = [
  record(32, u32(0x2002_0000)),
  record(35, u32(15), u32(0o755), u64(1 << 20), u64(99), "/"),
  record(33, u32(0o755), "/repo"),
  record(34, u32(1), u32(5), "/repo", path("/tmp")),
  record(36, u32(15), "/proc"),
  record(37, u32(8), "/dev/pts"),
  record(38, u32(4), "/bin", "usr/bin"),
  record(42, u32(0o644), u32(7), "/etc/os", "ID=x"),
  record(40, u32(1), path("/repo")),
  record(39, path("/repo/.env", 0o100000)),
  record(41, u64(0xf), "/repo"),
];
const isBroker = (bytes) => [43, 44, 45].includes(bytes[0]);
const inside = [
  ...records.filter((bytes) => !isBroker(bytes) && bytes[0] !== 15),
  record(15, u32(3)),
  ...steps,
];
const message = (list) => Buffer.concat([...list, record(255, u32(list.length))]);
const plan = message(records);
const walk = Buffer.concat([
  u32(1),
  record(1, path("/")),
  record(2, "*.PEM"),
  record(3, u64(9), u32(9)),
  record(5),
]);

for (const [name, bytes] of Object.entries({
  plan,
  newRoot: message(inside),
  walk,
  clear: Buffer.concat([record(1, path("/tmp")), record(2, "scratch")]),
  run: record(3, plan),
  hello: record(1, u32(1)),
})) {
  writeFileSync(join(folder, name), bytes);
}
