import type { ProgramReading } from "./code-program.ts";
import type { CommandSpec } from "./spec.ts";

/** Words with which a program may reach what its text does not show, wherever they stand. */
const REACHING: Readonly<Record<string, RegExp>> = {
  ruby: /[`$]|%x\W|\b(?:system|exec|spawn|fork|popen\w*|eval|instance_eval|class_eval|module_eval|binding|send|__send__|public_send|method|instance_method|const_get|define_method|open|IO|File|Dir|Pathname|Kernel|Process|Socket|TCPSocket|UNIXSocket|Net|URI|Open3|PTY|Fiddle|DL|Win32API|Shell|FileUtils|Marshal|ObjectSpace|ENV|ARGF|STDIN|gets|readlines?|load|autoload|syscall|trap|test|tempfile|erb|yaml|psych|rake|sh|ruby|Ripper|RubyVM|TracePoint|DRb|WEBrick)\b/i,
  perl: /`|\bqx\b|<\$?\w{0,40}>|<[*~./]|\b(?:system|exec|fork|open|opendir|sysopen|eval|do|require|readpipe|glob|kill|syscall|socket|connect|unlink|rename|link|symlink|IO|IPC|File|POSIX|Socket|LWP|HTTP|Net|DBI|Inline|CORE|BEGIN|END|__DATA__|__END__|ARGV|STDIN|DynaLoader|XSLoader|B|overload|can|ENV|tie|dbmopen|pipe|local|glob|chdir|mkdir|rmdir|read|readline|sysread|pack|unpack|chr|reverse)\b|\(\?\??\{|\$\{|@\{|[&*]\s*[{$]|->\s*\$/,
  php: /`|\$\$|\$\{|\$\w+\s*\(|\b(?:eval|assert|exec|shell_exec|system|passthru|popen|proc_open|pcntl_\w+|include\w*|require\w*|fopen|f(?:gets|read|passthru|write|puts|scanf)|file\w*|readfile|glob|scandir|opendir|dir|unlink|copy|rename|link|symlink|tempnam|curl\w*|fsockopen|pfsockopen|stream_\w+|socket_\w+|mail|dl|putenv|ini_set|call_user_func\w*|func_\w+|create_function|array_map|array_filter|array_walk\w*|usort|uasort|uksort|preg_replace_callback\w*|register_\w+|Reflection\w*|SplFile\w*|DirectoryIterator|FFI|PDO|SQLite3|mysqli|unserialize|chr|base64_decode|hex2bin|pack|strrev|str_rot13|highlight_file|show_source|php_strip_whitespace|parse_ini_file|simplexml_load_file|DOMDocument|XMLReader|ZipArchive|Phar\w*|imap_\w+|apache_\w+|extract|parse_str)\b|\bnew\s+\$|(?:->|::)\s*[${]/i,
};

/** In other languages. */
const ANY =
  /`|\b(?:system|exec|popen|spawn|process|shell|command|run|open|io|os|file|path|dir|glob|read|write|slurp|load|source|import|require|include|eval|parse|call|socket|connect|http|url|download|env|ffi|native|unsafe|dofile|debug|char|decode|bytes|package|unlink|list|scan|cd|_G|_ENV|getfenv|interp|uplevel|subst|namespace|ccall|Base|Core|Meta|using|code|port|node)/i;

/** Programs in languages of which only the words are known. */
export function readOther(language: CommandSpec["language"], text: string): ProgramReading {
  const found = literalsOf(text);
  const reaching = REACHING[language ?? ""] ?? ANY;
  const unclear = found === undefined || text.length > 20_000 || reaching.test(withoutShebang(text));
  return { unclear, reads: [], writes: [], commands: [], literals: found ?? [] };
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
