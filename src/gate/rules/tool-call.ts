import type { ToolRequest } from "../../core/request.ts";
import { cleanPath } from "../../policy/paths.ts";
import type { RuleAccess } from "../../policy/rules/types.ts";
import type { Look, Word, WordPart } from "../../shell/types.ts";
import type { AgentArgument } from "../../tools/agent-arguments.ts";
import { agentTool } from "../../tools/agent-tools.ts";
import { embeddedPatches, patchFiles } from "../../tools/apply-patch.ts";
import { toolKey } from "../../tools/network.ts";
import type { GateContext } from "../context.ts";
import { toolStrings } from "../tool-strings.ts";

interface CallFile {
  readonly word: Word;
  /** Undefined: it is not known whether it is read or written. */
  readonly access: RuleAccess | undefined;
  readonly look: Look;
}

/** What a tool call names. */
interface Call {
  readonly cwd: string;
  readonly files: readonly CallFile[];
  /** Shell text, or argument vectors. */
  readonly commands: readonly (string | readonly string[])[];
}

const UNKNOWN: Word = { kind: "unknown", source: "unknown", many: false };

/** Reads a call by the table of the agents' tools where it is in there, and by the names of its arguments otherwise. */
export function readCall(request: ToolRequest, { workspace }: GateContext): Call {
  const reader = new CallReader(workspace.cwd);
  const roles = agentTool(request.tool)?.args;
  const others: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(request.args)) {
    const role = roles !== undefined && Object.hasOwn(roles, name) ? roles[name] : undefined;
    if (role === undefined || role === "edits") others[name] = value;
    else reader.take(role, value);
  }
  const isEdit = roles !== undefined && Object.values(roles).includes("edits");
  reader.takeOthers({ ...request, args: others }, isEdit ? "write" : accessOf(request.tool));
  return reader;
}

/** Words that begin the names of tools which change nothing. */
const READERS = /^(?:read|view|open|get|list|ls|glob|grep|search|find|cat|stat|head|tail|tree|fetch|show)/;

function accessOf(tool: string): RuleAccess | undefined {
  return READERS.test(toolKey(tool).split("__").at(-1) ?? "") ? "read" : undefined;
}

class CallReader implements Call {
  cwd: string;
  readonly files: CallFile[] = [];
  readonly commands: (string | readonly string[])[] = [];

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** An argument that the table of tools knows. */
  take(role: AgentArgument, value: unknown): void {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = values.filter((text) => typeof text === "string");
    if (role === "command" && Array.isArray(value)) {
      this.#argv(texts);
      return;
    }
    for (const text of texts) this.#text(role, text);
  }

  #argv(words: readonly string[]): void {
    this.commands.push(words);
    this.#patches(words.join(" "));
  }

  #text(role: AgentArgument, text: string): void {
    switch (role) {
      case "read":
      case "search":
        this.#file({ kind: "literal", text }, "read");
        return;
      case "write":
        this.#file({ kind: "literal", text }, "write");
        return;
      case "glob":
      case "names":
        this.#file(globWord(text), "read");
        return;
      case "folder":
        this.cwd = cleanPath(text.startsWith("/") ? text : `${this.cwd}/${text}`) ?? this.cwd;
        return;
      case "command":
        this.commands.push(text);
        this.#patches(text);
        return;
      case "typed":
        this.commands.push(text);
        return;
      case "patch":
        this.#patch(text);
        return;
      default:
        return;
    }
  }

  #file(word: Word, access: RuleAccess): void {
    this.files.push({ word, access, look: "path" });
  }

  #patches(text: string): void {
    if (/\bapply_?patch\b/i.test(text)) for (const patch of embeddedPatches(text)) this.#patch(patch);
  }

  #patch(text: string): void {
    const files = patchFiles(text);
    if (files === undefined) this.#file(UNKNOWN, "write");
    else for (const { path } of files) this.#file({ kind: "literal", text: path }, "write");
  }

  /** Arguments that no table knows: by their names and looks. */
  takeOthers(request: ToolRequest, access: RuleAccess | undefined): void {
    for (const { role, value, argv } of toolStrings(request)) {
      if (role === "command") this.commands.push(value);
      else if (role === "argv") this.commands.push(argv ?? [value]);
      else if (role !== "content") {
        const look = role === "path" || role === "folder" ? "path" : "plain";
        this.files.push({ word: { kind: "literal", text: value }, access, look });
      }
    }
  }
}

/** A pattern for files as a word of which only some characters are known. */
function globWord(text: string): Word {
  const parts = text
    .split(/(\{[^}]*\}|\[[^\]]*\]|\*+|\?)/)
    .map(
      (part, index): WordPart =>
        index % 2 === 0 ? part : /^(?:\*\*|\{)/.test(part) ? { hole: "listing" } : { glob: part },
    )
    .filter((part) => part !== "");
  return parts.some((part) => typeof part !== "string")
    ? { kind: "partial", parts, many: false }
    : { kind: "literal", text };
}
