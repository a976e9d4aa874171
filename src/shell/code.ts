import { readAwk } from "./code-awk.ts";
import { readSed } from "./code-sed.ts";
import type { CommandSpec } from "./spec.ts";

/** What a piece of code in another language does, as far as a light reading tells. */
export interface CodeReading {
  /** It can only compute and print: it reaches no file, program or network. */
  readonly harmless: boolean;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Shell text that it runs. */
  readonly commands: readonly string[];
  /** String literals, among which there may be paths. */
  readonly literals: readonly string[];
}

const verdict = (harmless: boolean, text: string, reads: readonly string[] = []): CodeReading => ({
  harmless,
  reads,
  writes: [],
  commands: [],
  literals: literalsOf(text),
});

/** Contents of the quoted strings in a text of any language. */
function literalsOf(text: string): string[] {
  const out: string[] = [];
  for (const match of text.matchAll(
    /"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'|`([^`\\\n]{1,400})`/g,
  )) {
    out.push(match[1] ?? match[2] ?? match[3] ?? "");
    if (out.length >= 200) break;
  }
  return out;
}

export function readCode(language: CommandSpec["language"], text: string): CodeReading {
  if (text.length > 20_000) return verdict(false, "");
  switch (language) {
    case "js":
      return readJs(text);
    case "python":
      return verdict(isHarmlessPython(text), text);
    case "perl":
      return verdict(isHarmlessPerl(text), text);
    case "awk":
      return { ...readAwk(text), literals: literalsOf(text) };
    case "sed":
      return readSed(text);
    case "sql":
      return verdict(
        text.split("\n").every((line) => !/^\s*\./.test(line) || SQL_HARMLESS.test(line.trim())) &&
          !/[\\]|\b(?:attach|load_extension|readfile|writefile|edit|fts3_tokenizer|copy|outfile|dumpfile|load|load_file|pg_\w+|lo_\w+|program|system|source|tee|pager|fsdir|zipfile|sqlar\w*)\b|\bvacuum\b[^;]*\binto\b/i.test(
            text,
          ),
        text,
        SQL_FILES.test(text) ? literalsOf(text) : [],
      );
    case "gdb":
      return verdict(
        text.split("\n").every((line) => GDB_HARMLESS.test(line.trim())),
        text,
      );
    case "yq":
      return verdict(!/\b(?:load|env|strenv|envsubst|system)/.test(text), text);
    case "m4":
      return verdict(
        !/syscmd|debugfile|maketemp|mkstemp|include|undivert|defn|indir|builtin|changequote/.test(text),
        text,
      );
    case "rename":
      return verdict(RENAME_HARMLESS.test(text), text);
    default:
      return verdict(false, text);
  }
}

/** A plain name for the `rename` of util-linux, or one substitution for that of perl. */
const RENAME_HARMLESS = /^(?:[\w. -]*|(?:s\/[^/$@`]*\$?\/[^/$@`]*\/[gi]*|(?:y|tr)\/[^/]*\/[^/]*\/[cds]*))$/;

/** Tables that are files, as duckdb and clickhouse have them. */
const SQL_FILES = /\bread_\w+\s?\(|\bfrom\s{1,9}'|\b(?:file|s3)\s?\(/i;

/** Commands of the sqlite3 shell that only print or change how things are printed. */
const SQL_HARMLESS =
  /^\.(?:tables?|schema|indexes|indices|databases|dbinfo|dump|headers?|mode|separator|nullvalue|width|timer|stats|explain|show|help|quit|exit|version|fullschema|lint|changes|echo|bail)(?:\s+[\w%*"'., -]*)?$/;

const GDB_HARMLESS =
  /^(?:|r|run|start|bt|bt full|backtrace|where|q|quit|c|continue|n|next|s|step|finish|up|down|info [\w $%*.-]*|(?:b|break|tbreak|delete|clear|until|advance|list|l) ?[\w.:*-]*|(?:p|print|x|display)(?:\/\w+)? [\w $.>*&[\]+-]*|thread apply all bt(?: full)?|(?:thread|frame) ?\d*|disassemble ?\w*|set (?:confirm|pagination|width|height|print|disassembly-flavor)\b[\w -]*)$/;

const JS_MODULES = new Set(
  "path util os assert assert/strict crypto url querystring events string_decoder buffer perf_hooks timers".split(
    " ",
  ),
);
const JS_FORBIDDEN =
  /\b(?:require|import|process|eval|this|prepareStackTrace|Function|constructor|globalThis|global|module|exports|WebAssembly|fetch|WebSocket|EventSource|Worker|__\w+|prototype|Reflect|Proxy|with|Deno|Bun|self|setEngine|getOwnPropertyDescriptors?|getPrototypeOf|arguments|callee|caller|createRequire|dlopen|binding|mainModule|child_process)\b/;
const JS_PROCESS =
  /\bprocess\.(?:env\.[A-Z][A-Z0-9_]*|versions?|argv|platform|arch|pid|uptime|memoryUsage|hrtime|exit|exitCode|cwd|release|title|stdout\.write|stdout|stderr)\b(?!\s*\.\s*(?:constructor|__))/g;

/** Strings become `""`; everything that could reach out must then be visible as a name. */
function readJs(text: string): CodeReading {
  const reads: string[] = [];
  let bare = text.replace(
    /\brequire\(\s*(["'])(node:)?([\w./-]+)\1\s*\)/g,
    (whole, _quote, _scheme, name: string) => {
      if (JS_MODULES.has(name)) return " MODULE ";
      if (!/^\.{0,2}\/?[\w./-]+\.json$/.test(name)) return whole;
      reads.push(name);
      return " MODULE ";
    },
  );
  bare = bare.replace(JS_PROCESS, " VALUE ");
  // A template with an expression in it keeps the expression.
  bare = bare.replace(
    /`([^`\\]*)`/g,
    (_whole, body: string) => ` "" ${[...body.matchAll(/\$\{([^}]*)\}/g)].map((m) => `;${m[1]};`).join("")}`,
  );
  const strings = literalsOf(bare);
  bare = bare.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, ' "" ');
  // `{["pro" + "cess"]: p}` takes a member by a name that is put together.
  const isComputed = /[{,]\s*\[/.test(bare) && /\]\s*[:(]/.test(bare);
  const isIndexed = /[\w)\]"]\s*(?:\?\.)?\[(?!\s*\d*\s*\])/.test(bare);
  const harmless =
    !/[\\`]/.test(bare) &&
    !JS_FORBIDDEN.test(bare) &&
    !isIndexed &&
    !isComputed &&
    !strings.some((s) => JS_FORBIDDEN.test(s) || /\\/.test(s.replace(/\\[nrt'"\\]/g, "")));
  return { ...verdict(harmless, text, reads), literals: literalsOf(text) };
}

const PY_MODULES = new Set(
  "sys json math cmath re datetime time collections itertools functools string random statistics textwrap base64 hashlib platform decimal fractions operator pprint typing dataclasses enum csv struct calendar uuid unicodedata binascii html bisect heapq secrets copy zlib keyword".split(
    " ",
  ),
);
const PY_FORBIDDEN =
  /\b(?:open|exec|eval|compile|getattr|setattr|delattr|globals|locals|vars|breakpoint|importlib|help|modules|system|popen|spawn\w*|os|codecs|builtins|subprocess|io|nt|posix|ctypes|linecache|settrace|setprofile|meta_path|path_hooks|[a-z]{2}_frame|f_\w+|gi_\w+|tb_\w+|co_\w+|mro|loads?_module|attrgetter|methodcaller|input|quit_|site|runpy|code|pdb|path_importer_cache|loader|find_spec|get_data|detach|main|get_type_hints|ForwardRef|remote_exec|\w*__\w*|_\w+)\b/;

function isHarmlessPython(text: string): boolean {
  if (/\\\n|[^\t\n -~]/.test(text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, ""))) return false;
  let bare = text.replace(
    /\b[fF][rR]?("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g,
    (_whole, body: string) =>
      [...body.matchAll(/\{([^{}]*)\}/g)].map((m) => `(${m[1]?.replace(/[:!][^:!]*$/, "")})`).join(" ") ||
      '""',
  );
  bare = bare.replace(
    /\b[rRbBuU]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g,
    ' "" ',
  );
  bare = bare.replace(/#[^\n]*/g, "");
  bare = bare.replace(
    /\b(?:from\s+([\w.]+)\s+import\s+[\w*, ()]+|import\s+([\w., ]+))/g,
    (whole, from?: string, names?: string) => {
      const list =
        from !== undefined
          ? [from]
          : (names ?? "").split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? "");
      return list.every((name) => PY_MODULES.has(name)) ? "" : `${whole} __forbidden__`;
    },
  );
  // The type of what lies below a stream opens files.
  if (/\.\s*raw\b|\bcase\b[^\n]*\braw\b/.test(bare)) return false;
  return !/\\/.test(bare) && !/["']\s*%?\s*\.\s*format\b.*__/.test(text) && !PY_FORBIDDEN.test(bare);
}

const PERL_HARMLESS =
  /^\s*(?:(?:s([/|#,!])(?:(?!\1).)*\1(?:(?!\1).)*\1[gimsx]*|(?:tr|y)\/[^/]*\/[^/]*\/[cds]*|print(?:\s+(?:if|unless)\s+\/[^/]*\/i?)?|print\s+"[^"$@\\]*(?:\\n)?"|print\s+\$_|chomp|next\s+(?:if|unless)\s+\/[^/]*\/i?|1)\s*(?:;\s*|$))+$/;

function isHarmlessPerl(text: string): boolean {
  return PERL_HARMLESS.test(text) && !/\(\?+\{|[@$][{(]|`|\\E/.test(text);
}
