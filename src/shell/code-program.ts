import { callOf, commandOf, type ProgramCommand } from "./code-calls.ts";
import { fold } from "./code-fold.ts";
import { importsOf } from "./code-imports.ts";
import { Listings } from "./code-listings.ts";
import {
  attributeNamed,
  isEncoding,
  isImport,
  isJoin,
  isOfValue,
  isOwner,
  isPlainConstructor,
  LOOPBACK,
  staysHere,
} from "./code-shapes.ts";
import { type Lexed, type Token, tokensOf } from "./code-tokens.ts";
import { JS_WORDS, PYTHON_WORDS, type Vocabulary } from "./code-words.ts";
import type { Word } from "./types.ts";
import { known, wordOf } from "./value.ts";

/** What a whole program does, as far as its own text tells. */
export interface ProgramReading {
  /** It reaches what its text does not show: it may do anything. */
  readonly unclear: boolean;
  readonly reads: readonly Word[];
  readonly writes: readonly Word[];
  readonly commands: readonly ProgramCommand[];
  /** Texts in it that may name a file. */
  readonly literals: readonly string[];
}

/** Strings that are judged; a program with more of them was made to hide some. */
const LITERALS = 2_000;

/**
 * Reads a program that a file holds. What it opens, runs and loads by a name that stands in it is listed; whatever could
 * do the same by a name that does not makes it unclear. What it calls in modules of the workspace is theirs.
 */
export function readProgram(language: Lexed, text: string): ProgramReading {
  const { segments, sure } = tokensOf(language, text);
  const reader = new Reader(language);
  if (!sure) reader.unclear = true;
  const folded = segments.map((tokens) => fold(language, tokens));
  for (const tokens of folded) reader.imports(tokens);
  for (const tokens of folded) reader.read(tokens);
  return reader.finish();
}

/** What a name of a secret may be put together from. */
const ENDS_OF_NAMES = /(?:^|\/)\.\w{0,6}$|^e?nv(?:$|\.)|\.pe?$|secret|\.ssh|\bid_/i;

class Reader {
  unclear = false;
  private readonly words: Vocabulary;
  private readonly language: Lexed;
  private readonly reads: Word[] = [];
  private readonly writes: Word[] = [];
  private readonly commands: ProgramCommand[] = [];
  private readonly literals = new Set<string>();
  /** Names that stand for a module. */
  private readonly modules = new Map<string, string>();
  /** Names that stand for a member of a module. */
  private readonly taken = new Map<string, { readonly module: string; readonly member: string }>();
  /** It opens a file by a name that is worked out: from a list of what there is, from codes, from pieces. */
  private opens = false;
  private readonly listings = new Listings();
  private decodes = false;
  private pieces = false;
  private computes = false;
  /** It has a client that connects to any URL. */
  private connects = false;

  constructor(language: Lexed) {
    this.language = language;
    this.words = language === "python" ? PYTHON_WORDS : JS_WORDS;
  }

  imports(tokens: readonly Token[]): void {
    for (const { module, alias, members } of importsOf(this.language, tokens)) {
      if (module === undefined || this.isClosed(module)) this.unclear = true;
      const name = module?.replace(/^node:/, "") ?? "";
      if (this.words.clients.has(name.split(/[./]/)[0] ?? "")) this.connects = true;
      if (alias !== undefined) this.modules.set(alias, name);
      for (const [local, member] of members) {
        this.taken.set(local, { module: name, member });
        if (this.words.forbidden.has(member) || this.isForeign(name, member)) this.unclear = true;
      }
    }
  }

  /** A module that must not be loaded, or a part of one. */
  private isClosed(module: string): boolean {
    const name = module.replace(/^node:/, "");
    const [top = "", part] = this.language === "python" ? name.split(".") : [name];
    if (this.words.modules.has(top)) return true;
    return part !== undefined && this.isForeign(top, part);
  }

  /** Whether only some members of a module are known, and this is none of them. */
  private isForeign(module: string, member: string): boolean {
    const { members } = this.words;
    return Object.hasOwn(members, module) && members[module]?.has(member) !== true;
  }

  read(tokens: readonly Token[]): void {
    for (const [at, token] of tokens.entries()) {
      if (token.kind === "string") this.string(tokens, at, token);
      else if (token.kind === "word") this.word(tokens, at, token.text);
      else if (token.text === "[" && at > 0 && isOwner(tokens[at - 1])) this.index(tokens, at);
    }
  }

  private string(tokens: readonly Token[], at: number, token: Token): void {
    const text = known(token.value);
    const beside = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    if (text !== undefined && text.length <= 400) this.literals.add(text);
    for (const part of token.value)
      if (typeof part === "string" && text === undefined && part.length <= 400) this.literals.add(part);
    const isPiece = text === undefined || beside.some((mark) => mark === "+" || mark === "%");
    if (isPiece && token.value.some((part) => typeof part === "string" && ENDS_OF_NAMES.test(part)))
      this.pieces = true;
    if (text === "" && isJoin(tokens, at)) this.decodes = true;
    if (this.language === "python" && beside[1] === "[") this.decodes = true;
    if (isEncoding(tokens, at, text ?? "")) this.decodes = true;
  }

  /** `x[y]`: a member by a name that is worked out. */
  private index(tokens: readonly Token[], at: number): void {
    const key = tokens[at + 1];
    const isWhole = tokens[at + 2]?.text === "]";
    const owner = tokens[at - 1]?.text ?? "";
    if (this.language === "python") return;
    if (this.modules.has(owner) || owner === "process" || owner === "globalThis" || owner === "global")
      this.unclear ||= !/^(?:fixtures|cache)$/.test(owner);
    if (key?.kind === "number" && isWhole) return;
    const text = key?.kind === "string" && isWhole ? known(key.value) : undefined;
    if (text === undefined) this.computes = true;
    else if (this.isBad(text) || text === "constructor" || this.words.runs.has(text)) this.unclear = true;
    else if (this.words.reads.has(text)) this.opens = true;
  }

  private isBad(name: string): boolean {
    return this.words.forbidden.has(name) || this.words.forbiddenAlone.has(name);
  }

  private word(tokens: readonly Token[], at: number, name: string): void {
    const { words } = this;
    const isMember =
      tokens[at - 1]?.text === "." && !/^(?:globalThis|global|window|self)$/.test(tokens[at - 2]?.text ?? "");
    if (words.forbidden.has(name)) this.unclear = true;
    else if (!isMember && words.forbiddenAlone.has(name) && tokens[at + 1]?.text !== "=") this.unclear = true;
    if (words.sources.has(name)) this.decodes = true;
    if (words.lists.has(name)) this.listings.add(tokens, at);
    if (this.language === "python" && this.isRemote(tokens, at, name)) this.unclear = true;
    if (!isMember) this.whole(tokens, at, name);
    if (name === "constructor" && this.language === "js" && !isPlainConstructor(tokens, at))
      this.unclear = true;
    const call = callOf(tokens, at, { modules: this.modules, taken: this.taken, language: this.language });
    if (call !== undefined) this.call(tokens, at, call);
  }

  /** A name that stands for itself: of some modules only known members may be used. */
  private whole(tokens: readonly Token[], at: number, name: string): void {
    const next = tokens[at + 1]?.text;
    const module = this.modules.get(name) ?? (name === "process" || name === "Deno" ? name : undefined);
    if (module !== undefined && Object.hasOwn(this.words.members, module) && !isImport(tokens, at)) {
      const member = tokens[next === "?" ? at + 3 : at + 2];
      if (!/^[.?]$/.test(next ?? "") || this.isForeign(module, member?.text ?? "")) this.unclear = true;
    }
    if (this.language === "python") {
      if (name === "vars" && isOfValue(tokens, at, this.modules)) return;
      if (name === "vars") this.unclear = true;
      if (/^(?:get|set|del|has)attr$/.test(name) && !this.isPlainAttribute(tokens, at)) this.unclear = true;
      return;
    }
    const member = tokens[at + 2]?.text ?? "";
    if (name === "require" && next !== "(" && !(next === "." && /^(?:resolve|main)$/.test(member)))
      this.unclear = true;
    if (name === "module" && next === "." && !/^(?:exports|id|filename|path)$/.test(member))
      this.unclear = true;
    if (/^(?:globalThis|global)$/.test(name) && next !== ".") this.unclear = true;
  }

  /** A module by a name that is worked out or that does more than can be told; a connection to another machine. */
  private isRemote(tokens: readonly Token[], at: number, name: string): boolean {
    const first = tokens[at + 2];
    if (name === "import_module" && tokens[at + 1]?.text === "(") {
      const module = first?.kind === "string" ? known(first.value) : undefined;
      return (
        module === undefined ||
        this.isClosed(module) ||
        /^(?:os|io|sys|subprocess|shutil|pathlib)\b/.test(module)
      );
    }
    if (!/^(?:connect|connect_ex|sendto)$/.test(name) || ![...this.modules.values()].includes("socket"))
      return false;
    const host = tokens[at + 3];
    const text = host?.kind === "string" ? known(host.value) : undefined;
    return first?.text !== "(" || !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(text ?? "");
  }

  /** `getattr(x, "name")`; of a value that is no module, any name. */
  private isPlainAttribute(tokens: readonly Token[], at: number): boolean {
    if (isOfValue(tokens, at, this.modules)) return true;
    const name = attributeNamed(tokens, at);
    return name !== undefined && !this.isBad(name) && !this.words.runs.has(name);
  }

  private call(tokens: readonly Token[], at: number, call: NonNullable<ReturnType<typeof callOf>>): void {
    if (call.does === "none") return;
    if (call.does === "unclear") this.unclear = true;
    else if (call.does === "run") {
      const command = commandOf(this.language, tokens, at);
      if (command === undefined) this.unclear = true;
      else this.commands.push(command);
    } else if (call.does === "connect") {
      this.unclear ||= !LOOPBACK.test(call.prefix);
    } else if (call.word === undefined) this.opens ||= call.does === "read";
    else (call.does === "write" ? this.writes : this.reads).push(wordOf(call.word));
  }

  finish(): ProgramReading {
    const literals = [...this.literals];
    if (literals.length > LITERALS) this.unclear = true;
    if (this.opens && (this.decodes || this.pieces)) this.unclear = true;
    if (this.opens) this.reads.push(...this.listings.words(literals));
    const names = (text: string): boolean =>
      this.isBad(text) || text === "constructor" || text === "child_process";
    if (this.computes && (this.decodes || literals.some(names))) this.unclear = true;
    if (this.connects && !staysHere(literals)) this.unclear = true;
    const { unclear, reads, writes, commands } = this;
    return { unclear, reads, writes, commands, literals: literals.slice(0, LITERALS) };
  }
}
