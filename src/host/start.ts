import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { Script } from "node:vm";

type Load = (id: string) => unknown;

interface Module {
  exports: object;
}

/** What a bundled file is given, in the order of `WRAPPER`. */
type Body = (exports: object, require: Load, module: Module, filename: string, dirname: string) => void;

interface ProgramOptions {
  /** Where the files of the command line lie: `dist/`. */
  readonly folder: string;
  /** Node's own `require`: used for what is part of Node only. */
  readonly require: Load;
  /** Told of each file that was compiled (the build makes caches of them). */
  readonly onCompiled?: (compiled: Compiled) => void;
}

interface Compiled {
  readonly name: string;
  readonly source: string;
  readonly script: Script;
}

const WRAPPER = ["(function (exports, require, module, __filename, __dirname) { ", "\n})"] as const;

/** The length of V8's data, and nothing: V8 copies data that are not at a multiple of 8. */
const HEADER_BYTES = 8;

/** Two buffers for all files: memory that was never touched costs more than reading into it. */
const SCRATCH_BYTES = 2 ** 21;
const PIECE_BYTES = 2 ** 16;

/** What `cache.json` says: for which Node there are caches in `cache/`, and of which files. */
export interface CacheIndex {
  readonly node: string;
  readonly names: readonly string[];
}

/** This very Node: V8 looks at its version and flags only, and two builds of one version may differ. */
export function nodeMark(): string {
  const size = statSync(process.execPath, { throwIfNoEntry: false })?.size ?? 0;
  return `${process.version}-${process.arch}-${size}`;
}

/**
 * INVARIANT: no cache is read that the index does not name. What a confined run adds to the folder, where it lies in a
 * workspace, is not read; the files that are there, this index among them, are guarded (`later-own.ts`).
 */
export function cachedNames(folder: string): readonly string[] {
  try {
    const index: Partial<CacheIndex> = JSON.parse(readFileSync(join(folder, "cache.json"), "utf8"));
    return index.node === nodeMark() && Array.isArray(index.names) ? index.names : [];
  } catch {
    return [];
  }
}

/** A cache as it is stored: V8's data, and all of the text they belong to, because V8 compares no more than its length. */
export function packCache({ script, source }: Compiled): Buffer {
  const data = script.createCachedData();
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(data.length);
  return Buffer.concat([header, data, Buffer.from(source, "latin1")]);
}

function withFile<T>(path: string, use: (fd: number) => T): T {
  const fd = openSync(path, "r");
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

interface Code {
  readonly source: string;
  readonly cachedData?: Buffer;
}

/** Reads caches; what it returns holds until the next call. */
function cacheReader(folder: string): (filename: string, name: string) => Code | undefined {
  const names = cachedNames(folder);
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);

  function isTextOf(filename: string, text: Buffer): boolean {
    return withFile(filename, (fd) => {
      for (let at = 0; ; ) {
        const count = readSync(fd, piece);
        if (count === 0) return at === text.length;
        if (!piece.subarray(0, count).equals(text.subarray(at, at + count))) return false;
        at += count;
      }
    });
  }

  return (filename, name) => {
    if (!names.includes(name)) return undefined;
    try {
      const length = withFile(join(folder, "cache", name), (fd) => readSync(fd, scratch));
      const end = HEADER_BYTES + scratch.readUInt32LE();
      const source = scratch.subarray(end, length);
      const text = source.subarray(WRAPPER[0].length, -WRAPPER[1].length);
      if (!isTextOf(filename, text)) return undefined;
      // The bundle is ASCII (tsdown.config.ts). Of any other text this is not what was packed, and so not what is read.
      return { source: source.toString("latin1"), cachedData: scratch.subarray(HEADER_BYTES, end) };
    } catch {
      return undefined;
    }
  };
}

/**
 * Loads the bundled files as Node's CommonJS loader would, with their code caches where the build left them. A cache
 * that is missing, cut, or of another text or Node is as none: the text is compiled. Nothing is written here.
 */
export function openProgram({ folder, require, onCompiled }: ProgramOptions): Load {
  const cached = cacheReader(folder);
  const modules = new Map<string, Module>();

  function compile(filename: string, name: string): Body {
    const { source, ...options } = cached(filename, name) ?? {
      source: WRAPPER.join(readFileSync(filename, "utf8")),
    };
    // The bare name in stack traces: a cache keeps it, wherever the folder is moved to.
    const script = new Script(source, { filename: name, ...options });
    onCompiled?.({ name, source, script });
    return script.runInThisContext();
  }

  function load(id: string): unknown {
    if (isBuiltin(id)) return require(id);
    const name = id.slice(2);
    if (id !== `./${basename(name)}`) throw new Error(`'${id}' is no part of this program`);
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const filename = join(folder, name);
    const module: Module = { exports: {} };
    modules.set(name, module);
    try {
      compile(filename, name).call(module.exports, module.exports, load, module, filename, folder);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }
  return load;
}

/** Runs the command line that lies beside this file. */
export function start(require: Load): void {
  openProgram({ folder: import.meta.dirname, require })("./main.cjs");
}
