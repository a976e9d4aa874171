import type { CommandSpec } from "../spec.ts";

const read = (options = ""): CommandSpec => ({ options, operands: "read" });

/** `python3 -m NAME …`: modules whose arguments are code, or files that they write. */
export const MODULES: Readonly<Record<string, CommandSpec>> = {
  timeit: {
    options:
      "-s:code -n:data -r:data -u:data -p -v -h --setup:code --number:data --repeat:data --unit:data --process --verbose",
    operands: "code",
    stop: "",
    language: "python",
  },
  pdb: { options: "-c:opaque -m:data --command:opaque", operands: "read data", stop: "" },
  pty: { always: "opaque" },
  code: { always: "opaque" },
  asyncio: { always: "opaque" },
  idlelib: { always: "opaque" },
  cProfile: {
    options: "-o:write -s:data -m:data --outfile:write --sort:data",
    operands: "read data",
    stop: "",
  },
  profile: {
    options: "-o:write -s:data -m:data --outfile:write --sort:data",
    operands: "read data",
    stop: "",
  },
  trace: {
    options:
      "-f:both -C:write -c -t -l -r -s -m -g -T -R --file:both --coverdir:write --count --trace --listfuncs --report --summary --missing --ignore-module:data --ignore-dir:data --module",
    operands: "read data",
    stop: "",
  },
  zipfile: {
    options: "-c:write -e:read -l:read -t:read --create:write --extract:read --list:read",
    operands: "both",
  },
  tarfile: {
    options: "-c:write -e:read -l:read -t:read -v --create:write --extract:read --list:read",
    operands: "both",
  },
  zipapp: {
    options: "-o:write -p:data -m:data -c --output:write --python:data --main:data",
    operands: "read",
  },
  compileall: read("-d:data -s:data -p:data -x:data -i:read -j:data -q -f -b -l -r:data"),
  base64: read("-d -e -u -t"),
  gzip: { options: "-d --fast --best --decompress", operands: "write" },
  "json.tool": {
    options: "--sort-keys --json-lines --indent:data --tab --no-indent --compact --no-ensure-ascii",
    operands: "read write",
  },
  "http.server": {
    options: "-d:dir -b:data -p:data --directory:dir --bind:data --cgi!opaque --protocol:data",
    operands: "data",
  },
};

/** Modules that are the program of the same name. */
export const PROGRAM_MODULES: ReadonlySet<string> = new Set(["pip", "pytest", "ipython"]);
