import type { ProgramReading } from "./code-program.ts";
import type { CommandSpec } from "./spec.ts";
import { TREE, type Word } from "./types.ts";
import { wordOf } from "./value.ts";

/** Words with which a program starts others, runs text as code, connects, or spells names in codes. */
const REACHING: Readonly<Record<string, RegExp>> = {
  ruby: /`|%x\W|\b(?:system|exec|spawn|fork|popen\w*|eval|instance_eval|class_eval|module_eval|binding|send|__send__|public_send|method|instance_method|const_get|Socket|TCPSocket|UNIXSocket|Net|URI|Open3|PTY|Fiddle|DL|Win32API|Shell|Marshal|syscall|trap|tempfile|erb|sh|RubyVM|DRb|pack|unpack\w*|chr|reverse|decode64)\b/,
  perl: /`|\bqx\b|\b(?:system|exec|fork|eval|readpipe|syscall|socket|connect|IPC|Socket|LWP|HTTP|Net|Inline|CORE|DynaLoader|XSLoader|pack|unpack|chr|reverse|decode_base64)\b|\(\?\??\{|\bopen\b[^;\n]{0,80}["']\s{0,4}(?:\||-\||\|-)|\bopen\b[^;\n]{0,80}\|\s{0,4}["']|[&*]\s*[{$]|->\s*\$/,
  php: /`|\$\$|\$\w+\s*\(|\b(?:eval|assert|exec|shell_exec|system|passthru|popen|proc_open|pcntl_\w+|curl\w*|fsockopen|pfsockopen|stream_socket\w*|socket_\w+|mail|dl|call_user_func\w*|create_function|Reflection\w*|FFI|unserialize|chr|base64_decode|hex2bin|pack|strrev|str_rot13)\b|\bnew\s+\$|(?:->|::)\s*[${]/i,
};

/** In other languages. */
const ANY =
  /`|\b(?:system2?|execute|exec\w*|popen|spawn\w*|shell\w*|run|eval\w*|load|loadstring|socket|http\w*|url|download\w*|ffi|char|decode|getfenv|interp|uplevel|subst|ccall)\b/i;

/** Words with which a program looks what files there are. */
const LISTING =
  /\b(?:Dir|Find|glob|opendir|readdir|scandir|DirectoryIterator|RecursiveDirectoryIterator|lfs|list\.files|walkdir|File::Find|Pathname)\b|<[*~./][^<>\n]{0,80}>/;

/** Pieces of strings that are put together, beside an end that a secret's name may have. */
const PIECES =
  /["'](?:[^"'\n]{0,40}\/)?(?:\.e?n?v?|e?nv|\.pe?|\.ss?h?|id_)["']\s{0,4}(?:\.\.?|\+|<<|~|\*|,)|(?:\.\.?|\+|<<|~|,)\s{0,4}["'](?:e?nv|v|pem|em|secret\w{0,8})["']/;

/** Programs in languages of which only the words are known. */
export function readOther(language: CommandSpec["language"], text: string): ProgramReading {
  const found = literalsOf(text);
  const code = withoutShebang(text);
  const reaching = REACHING[language ?? ""] ?? ANY;
  const unclear = found === undefined || text.length > 20_000 || reaching.test(code) || PIECES.test(code);
  const reads: Word[] = LISTING.test(code) ? [wordOf(["./", { glob: TREE }, { glob: "*" }])] : [];
  return { unclear, reads, writes: [], commands: [], literals: found ?? [] };
}

const withoutShebang = (text: string): string => text.replace(/^#![^\n]*/, "");

/** The strings of a text; undefined: too many to judge. */
function literalsOf(text: string): readonly string[] | undefined {
  const out: string[] = [];
  for (const match of text.matchAll(/"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'/g)) {
    out.push(match[1] ?? match[2] ?? "");
    if (out.length >= 500) return undefined;
  }
  return out;
}
