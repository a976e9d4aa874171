import { PaldronError } from "../core/errors.ts";
import type { BrokerClass, BrokerPlan } from "./broker-types.ts";
import { watchRecords } from "./encode-watch.ts";
import { kernelBytes, MessageWriter, path, patterns } from "./message-writer.ts";
import type { MountStep, NamespacePlan } from "./namespace-types.ts";
import type { SandboxPlan, ScratchDir, TerminalPlan, TreeKill, WalkRequest } from "./types.ts";
import {
  CLEAR_RECORD,
  REQUEST,
  RUN_RECORD,
  TERMINAL_EVENTS,
  type TerminalEvent,
  WALK_RECORD,
  WIRE_VERSION,
} from "./wire.ts";

export type { WalkRequest } from "./types.ts";

const BPF_INSTRUCTION_BYTES = 8;
const BPF_MAX_INSTRUCTIONS = 4096;
const DROP_ALL_PRIVILEGES = 1;

const STEP_RECORD: Readonly<Record<MountStep["kind"], number>> = {
  folder: RUN_RECORD.rootFolder,
  bind: RUN_RECORD.rootBind,
  tmpfs: RUN_RECORD.rootTmpfs,
  proc: RUN_RECORD.rootProc,
  devpts: RUN_RECORD.rootDevpts,
  link: RUN_RECORD.rootLink,
  mask: RUN_RECORD.mask,
  guard: RUN_RECORD.guard,
  landlock: RUN_RECORD.landlockNew,
  file: RUN_RECORD.rootFile,
};

/** HELLO: the first message. */
export function encodeHello(): Uint8Array {
  const message = new MessageWriter(REQUEST.hello);
  message.body.u32(WIRE_VERSION);
  return message.finish();
}

/** WALK: names below a folder that match one of the patterns. */
export function encodeWalk(walk: WalkRequest): Uint8Array {
  const message = new MessageWriter(REQUEST.walk);
  message.body.u32(walk.id);
  message.record(WALK_RECORD.root, (out) => path(out, walk.root));
  patterns(message, WALK_RECORD.name, walk.names);
  patterns(message, WALK_RECORD.nameAlone, walk.alone);
  message.record(WALK_RECORD.limits, (out) => out.u64(walk.maxEntries).u32(walk.maxDepth));
  if (walk.odd) message.record(WALK_RECORD.odd, () => undefined);
  return message.finish();
}

/** CLEAR: removes the scratch folder of a run whose launcher was killed. */
export function encodeClear(scratch: Pick<ScratchDir, "parent" | "name">): Uint8Array {
  const message = new MessageWriter(REQUEST.clear);
  const name = kernelBytes(scratch.name, "the scratch folder's name");
  message.record(CLEAR_RECORD.parent, (out) => path(out, scratch.parent));
  message.record(CLEAR_RECORD.name, (out) => out.bytes(name));
  return message.finish();
}

/** CANCEL: `signal` to the command's process group, the tree killed after the grace; 0 kills it at once. */
export function encodeCancel(signal: number): Uint8Array {
  const message = new MessageWriter(REQUEST.cancel);
  message.body.u32(signal);
  return message.finish();
}

/** TERMINAL: what happened to the caller's terminal. */
export function encodeTerminal(event: TerminalEvent): Uint8Array {
  const message = new MessageWriter(REQUEST.terminal);
  message.body.u32(TERMINAL_EVENTS.indexOf(event) + 1);
  return message.finish();
}

/** RUN: the whole plan. */
export function encodeRun(plan: SandboxPlan): Uint8Array {
  const message = new MessageWriter(REQUEST.run);
  command(message, plan);
  confinement(message, plan);
  scratch(message, plan);
  if (plan.broker !== undefined) broker(message, plan.broker);
  if (plan.namespaces !== undefined) newRoot(message, plan.namespaces);
  supervision(message, plan);
  if (plan.watch !== undefined) watchRecords(message, plan.watch);
  const before = message.records;
  message.record(RUN_RECORD.end, (out) => out.u32(before));
  return message.finish();
}

function command(message: MessageWriter, plan: SandboxPlan): void {
  if (plan.argv.length === 0) throw new PaldronError("request", "the command has no arguments");
  const exec = kernelBytes(plan.execPath, "the program path");
  message.record(RUN_RECORD.exec, (out) => out.bytes(exec));
  message.record(RUN_RECORD.program, (out) => path(out, plan.program));
  for (const [index, arg] of plan.argv.entries()) {
    const bytes = kernelBytes(arg, `argument ${index}`);
    message.record(RUN_RECORD.arg, (out) => out.bytes(bytes));
  }
  for (const line of plan.env) {
    // The value may be a secret: only the name is said.
    const bytes = kernelBytes(line, `environment variable ${line.split("=", 1)[0]?.replaceAll("\0", "?")}`);
    message.record(RUN_RECORD.env, (out) => out.bytes(bytes));
  }
  message.record(RUN_RECORD.cwd, (out) => path(out, plan.cwd));
}

function confinement(message: MessageWriter, plan: SandboxPlan): void {
  const { landlock, seccomp } = plan;
  if ((landlock !== undefined || seccomp !== undefined) && !plan.dropPrivileges) {
    throw new PaldronError("internal", "Landlock and seccomp need dropped privileges");
  }
  if (landlock !== undefined) {
    message.record(RUN_RECORD.landlock, (out) =>
      out.u64(landlock.handledFs).u64(landlock.handledNet).u64(landlock.scoped).u32(landlock.restrictFlags),
    );
    for (const rule of landlock.paths) {
      message.record(RUN_RECORD.landlockPath, (out) => path(out.u64(rule.access), rule.path));
    }
  }
  if (seccomp !== undefined) {
    const count = seccomp.length / BPF_INSTRUCTION_BYTES;
    if (!Number.isInteger(count) || count < 1 || count > BPF_MAX_INSTRUCTIONS) {
      throw new PaldronError("internal", `a seccomp program of ${seccomp.length} bytes`);
    }
    message.record(RUN_RECORD.seccomp, (out) => out.bytes(seccomp));
  }
  if (plan.dropPrivileges) {
    message.record(RUN_RECORD.privileges, (out) => out.u32(DROP_ALL_PRIVILEGES));
  }
  for (const limit of plan.limits) {
    message.record(RUN_RECORD.limit, (out) => out.u32(limit.resource).u64(limit.soft).u64(limit.hard));
  }
}

function scratch(message: MessageWriter, plan: SandboxPlan): void {
  const dir = plan.scratch;
  if (dir === undefined) return;
  message.record(RUN_RECORD.scratch, (out) => path(out.u64(dir.access), dir.parent));
  const name = kernelBytes(dir.name, "the scratch folder's name");
  message.record(RUN_RECORD.scratchName, (out) => out.bytes(name));
  for (const folder of dir.folders) {
    const bytes = kernelBytes(folder, "a scratch folder's name");
    message.record(RUN_RECORD.scratchFolder, (out) => out.bytes(bytes));
  }
  for (const link of dir.links) {
    const bytes = kernelBytes(link.path, "a path");
    const text = kernelBytes(link.text, "a link");
    message.record(RUN_RECORD.scratchLink, (out) => out.u32(bytes.length).bytes(bytes).bytes(text));
  }
}

const BROKER_CLASS: Readonly<Record<BrokerClass, number>> = { metadata: 1, sockets: 2, processes: 4 };

function broker(message: MessageWriter, { classes, places, sockets }: BrokerPlan): void {
  const bits = classes.reduce((sum, name) => sum | BROKER_CLASS[name], 0);
  message.record(RUN_RECORD.broker, (out) => out.u32(bits));
  for (const place of places) message.record(RUN_RECORD.brokerPlace, (out) => path(out, place));
  for (const socket of sockets) message.record(RUN_RECORD.brokerSocket, (out) => path(out, socket));
}

function newRoot(message: MessageWriter, { flags, steps }: NamespacePlan): void {
  message.record(RUN_RECORD.namespaces, (out) => out.u32(flags));
  for (const step of steps) mountStep(message, step);
}

function mountStep(message: MessageWriter, step: MountStep): void {
  const target = "target" in step ? kernelBytes(step.target, "a path") : new Uint8Array(0);
  const text = step.kind === "link" ? kernelBytes(step.text, "a link") : new Uint8Array(0);
  message.record(STEP_RECORD[step.kind], (out) => {
    switch (step.kind) {
      case "folder":
        out.u32(step.mode).bytes(target);
        break;
      case "bind":
        path(out.u32(step.attributes).u32(target.length).bytes(target), step.source);
        break;
      case "tmpfs":
        out.u32(step.attributes).u32(step.mode).u64(step.bytes).u64(step.inodes).bytes(target);
        break;
      case "proc":
      case "devpts":
        out.u32(step.attributes).bytes(target);
        break;
      case "link":
        out.u32(target.length).bytes(target).bytes(text);
        break;
      case "mask":
        path(out, step.path);
        break;
      case "guard":
        path(out.u32(step.attributes), step.path);
        break;
      case "file":
        out.u32(step.mode).u32(target.length).bytes(target).bytes(step.bytes);
        break;
      case "landlock":
        out.u64(step.access).bytes(target);
        break;
    }
  });
}

function supervision(message: MessageWriter, plan: SandboxPlan): void {
  const { watchdog, oomScoreAdj, terminal } = plan;
  message.record(RUN_RECORD.timing, (out) => out.u64(plan.timeoutMs).u32(plan.graceMs));
  message.record(RUN_RECORD.treeKill, (out) => out.u32(treeKillNumber(plan.treeKill)));
  if (watchdog !== undefined) {
    message.record(RUN_RECORD.watchdog, (out) =>
      out.u32(watchdog.intervalMs).u64(watchdog.memoryBytes).u32(watchdog.processes),
    );
  }
  if (watchdog?.room !== undefined) {
    const { bytes, inodes, folder } = watchdog.room;
    message.record(RUN_RECORD.room, (out) => path(out.u64(bytes).u64(inodes), folder));
  }
  message.record(RUN_RECORD.output, (out) =>
    out.u64(BigInt(plan.output.copyBytes)).u64(plan.output.relayBytes),
  );
  if (oomScoreAdj !== undefined) message.record(RUN_RECORD.oomScore, (out) => out.i32(oomScoreAdj));
  message.record(RUN_RECORD.terminal, (out) => out.u32(terminal.streams).u32(terminalFlags(terminal)));
}

function terminalFlags({ foreground, shown, filter }: TerminalPlan): number {
  return (foreground ? 1 : 0) | (shown ? 2 : 0) | (filter ? 4 : 0);
}

function treeKillNumber(mode: TreeKill): number {
  switch (mode) {
    case "scope":
      return 1;
    case "sweep":
      return 2;
    case "pid-namespace":
      return 3;
  }
}
