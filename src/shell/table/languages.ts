import type { CommandSpec } from "../spec.ts";

/** An interpreter or its like: options that carry code, options that load some, then a script with its arguments. */
const language = (options: string, more: CommandSpec = {}): CommandSpec => ({
  options,
  operands: "read file",
  stop: "",
  input: "code",
  language: "other",
  ...more,
});

const LONG: CommandSpec = { style: "long" };
const LISP = language(
  "-e:code -x:code -i:load -eval:code --eval:code --load:load --script:read -l:load -q -norc",
  LONG,
);
const CLOJURE = language(
  "-e:code --eval:code -i:load -f:load -m:data -M -X -T -A:data -Sdeps:opaque -J:opaque -r",
  LONG,
);
const SCHEME = language(
  "-c:code -e:code -ex:code -l:load -s:read -L:dir -q -p:code -t:load -u:load -r -f:load -i --eval:code",
);
const OCTAVE = language("--eval:code -f -q --quiet --path:dir -p:dir --persist --no-gui --silent -W --norc");
const PLOT = language("-e:code -p -c -d");
const JVM: CommandSpec = {
  options: "-e:code -script:load -d:write -cp:mention -classpath:mention",
  operands: "read",
  style: "long",
  language: "other",
};
const CSHARP: CommandSpec = {
  options: "-out:write -o:write -r:mention -target:data",
  operands: "read",
  style: "long",
};

/** Interpreters beside those of the usual languages, and compilers that also run what they compile. */
export const LANGUAGES: Readonly<Record<string, CommandSpec>> = {
  ghc: {
    options:
      "-e:code -o:write -odir:write -hidir:write -stubdir:write -dumpdir:write -outputdir:write -ddump-file-prefix:write -F -pgmF:program -pgmL:program -pgmP:program -pgmc:program -pgml:program -pgmlm:program -pgma:program -pgms:program -pgmwindres:program -pgmi:program -fplugin:opaque -plugin-package:opaque -ghci-script:load -ignore-dot-ghci -package:data -package-db:dir -i:dir -I:dir -L:dir -l:data --make -c -v -O --interactive!opaque --run!opaque",
    operands: "read",
    language: "other",
    style: "long",
  },
  ghci: { always: "opaque", operands: "read" },
  runghc: language("-f:program -e:code --ghc-arg:opaque"),
  runhaskell: language("-f:program -e:code --ghc-arg:opaque"),
  erlc: { options: "-o:write -I:dir -pa:dir -pz:dir -D:data", operands: "read" },
  escript: language("-c -d -i -n -s"),
  iex: {
    ...language("-e:code --eval:code -r:load -S:data --rpc-eval:opaque --dot-iex:load", LONG),
    always: "opaque",
  },
  ocaml: language(
    "-init:load -e:code -I:dir -open:data -ppx:program -pp:program -nopervasives -noinit",
    LONG,
  ),
  utop: language("-init:load -e:code -I:dir", LONG),
  ...Object.fromEntries(
    ["ocamlopt", "ocamlc", "ocamlcp", "ocamldep", "ocamldoc"].map((name): [string, CommandSpec] => [
      name,
      {
        options:
          "-o:write -pp:program -ppx:program -cc:program -ccopt:opaque -plugin:load -impl:read -intf:read -I:dir -dump-into-file -save-ir-after:data -args:load -args0:load -i -c -a -g -package:data -linkpkg -ccopt:opaque -d:write",
        operands: "read",
        style: "long",
        makes: "program",
      },
    ]),
  ),
  sbcl: LISP,
  clisp: LISP,
  ecl: LISP,
  ccl: LISP,
  abcl: LISP,
  guile: SCHEME,
  racket: SCHEME,
  csi: SCHEME,
  "chicken-csi": SCHEME,
  gsi: SCHEME,
  scheme: SCHEME,
  mzscheme: SCHEME,
  clojure: CLOJURE,
  clj: CLOJURE,
  bb: CLOJURE,
  nbb: CLOJURE,
  joker: CLOJURE,
  swipl: language("-g:code -t:code -s:load -f:load -l:load -x:load -o:write -c -q"),
  gprolog: language("--query-goal:code --entry-goal:code --init-goal:code --consult-file:load"),
  gforth: language("-e:code --evaluate:code -m:data"),
  octave: OCTAVE,
  "octave-cli": OCTAVE,
  matlab: language("-r:code -batch:code -nodisplay -nosplash -logfile:write", LONG),
  scilab: language("-e:code -f:load -l:data -nb -nw -nwni", LONG),
  "scilab-cli": language("-e:code -f:load -nb", LONG),
  maxima: language(
    "--batch-string:code --batch:load -b:load -r:code --run-string:code --init-lisp:load --preload-lisp:load -p:load --very-quiet",
  ),
  gp: language("-q -f -s:data -D:data -p:data"),
  sage: language("-c:code -python -sh!opaque"),
  gnuplot: PLOT,
  crystal: {
    operands: "data read",
    language: "other",
    commands: {
      eval: { operands: "code", language: "other" },
      build: { options: "-o:write --release --link-flags:opaque -D:data", operands: "read" },
      "*": { options: "-o:write --link-flags:opaque", operands: "read file" },
    },
  },
  swift: language("-e:code -I:dir -L:dir -o:write -load-plugin-library:load", LONG),
  swiftc: {
    options: "-o:write -I:dir -L:dir -module-name:data -load-plugin-library:load -Xlinker:opaque -Xcc:opaque",
    operands: "read",
    style: "long",
    makes: "program",
  },
  kotlin: language("-e:code -cp:mention -classpath:mention", LONG),
  kotlinc: JVM,
  dmd: {
    options: "-of:write -od:write -run:read -I:dir -J:dir -L:opaque -conf:load",
    operands: "read",
    style: "long",
  },
  rdmd: language("--eval:code --loop:code --compiler:program -of:write -I:dir", LONG),
  nim: {
    operands: "data read",
    options:
      "-o:write --out:write --outdir:write --gcc.exe:program --passC:opaque --passL:opaque -r --run --eval:code",
    style: "long",
    language: "other",
  },
  zig: {
    operands: "data read",
    commands: {
      cc: {
        options:
          "-o:write -wrapper:program -B:load -fplugin:load -MF:write -c -I:dir -L:dir -l:data -target:data",
        operands: "read",
        style: "long",
      },
      "*": {
        options:
          "-femit-bin:write -target:data -O:data --cache-dir:dir --global-cache-dir:dir --prefix:write",
        operands: "read file",
        style: "long",
      },
    },
  },
  dart: language("--enable-asserts --packages:read"),
  lli: language("-load:load --extra-archive:load", LONG),
  opt: {
    options: "-load:load -load-pass-plugin:load --load-pass-plugin:load --load:load -o:write -S -passes:data",
    operands: "read",
    style: "long",
  },
  llc: {
    options: "-load:load --load:load -o:write -filetype:data -march:data",
    operands: "read",
    style: "long",
  },
  "clang-tidy": {
    options:
      "-load:load --load:load -checks:data --checks:data -p:dir -export-fixes:write --export-fixes:write -fix --fix -config-file:read --config-file:read -vfsoverlay:read",
    operands: "read",
    style: "long",
  },
  "clang-format": {
    options: "-i -style:data --style:data -n -Werror --dry-run -lines:data -assume-filename:name",
    operands: "both",
    style: "long",
  },
  mono: language("--config:load --agent:opaque --debug --aot -V", LONG),
  mcs: CSHARP,
  csc: CSHARP,
  fsc: CSHARP,
  fsi: language("--exec --use:load --load:load --quiet", LONG),
  fsharpi: language("--exec --use:load --load:load --quiet", LONG),
  csharp: language("-e:code"),
  dotnet: {
    operands: "data name",
    commands: {
      fsi: language("--exec --use:load --load:load --quiet"),
      script: language("eval:opaque"),
      tool: { operands: "data name", fetches: true },
      "*": {
        options:
          "-o:write --output:write -c:data -f:data -v:data -r:data --artifacts-path:write --results-directory:write --test-adapter-path:load --additionalprobingpath:dir --project:read --framework:data --configuration:data --logger:data --filter:data --settings:read --diag:write",
        operands: "name file",
      },
    },
  },
  jrunscript: language("-e:code -f:load -l:data -cp:mention", LONG),
  jjs: language("-scripting -strict --language:data", LONG),
  phpdbg: language("-e:read -c:load -d:opaque -r -q", LONG),
  "php-cgi": language("-d:opaque -c:load -f:read -z:load -b:data"),
  "babel-node": language(
    "-e:code --eval:code -p:code --print:code --presets:load --plugins:load --config-file:load",
    { language: "js" },
  ),
  coffee: language("-e:code --eval:code -r:load --require:load -p -c -o:write"),
  electron: language("-r:load --require:load -e:code --eval:code -i", { language: "js" }),
  bpython: language("-i -q -p:data", { language: "python" }),
  texlua: language(""),
  ...Object.fromEntries(
    ["tex", "latex", "pdftex", "pdflatex", "xetex", "xelatex", "luatex", "lualatex", "etex", "context"].map(
      (name): [string, CommandSpec] => [
        name,
        {
          options:
            "-shell-escape!opaque --shell-escape!opaque -enable-write18!opaque --enable-write18!opaque -shell-restricted -no-shell-escape -output-directory:write --output-directory:write -jobname:write --jobname:write -cnf-line:opaque --cnf-line:opaque -interaction:data -halt-on-error -file-line-error -synctex:data -fmt:load -ini -recorder -aux-directory:write --lua:load --luaonly:load --luaconly:load",
          operands: "read",
          style: "long",
        },
      ],
    ),
  ),
  latexmk: {
    options:
      "-e:opaque -r:load -outdir:write -output-directory:write -auxdir:write -pdf -shell-escape!opaque -pdflatex:program -latex:program -lualatex:program -xelatex:program -c -C -cd -f -g -silent -pvc -norc -usepretex:opaque",
    operands: "read",
    style: "long",
  },
  asy: language("-c:code -o:write -f:data"),
  povray: { operands: "read" },
  bpftrace: {
    options: "-e:code -c:program -p:data -o:write -f:data -l -v -d --unsafe!opaque -I:dir --include:read",
    operands: "load",
    language: "other",
  },
  stap: {
    options: "-e:code -E:code -c:program -x:data -o:write -m:data -p:data -g -v -k -I:dir --remote:elsewhere",
    operands: "load",
    language: "other",
  },
  dtrace: {
    options: "-n:code -s:load -c:program -p:data -o:write -q -w",
    operands: "data",
    language: "other",
  },
  prove: {
    options:
      "-e:program --exec:program -I:dir -M:load -P:load -l -b -v -q -r -s -j:data -a:write --archive:write --source:opaque --harness:opaque --formatter:opaque --rc:load -c -f",
    operands: "name",
  },
  plackup: {
    ...language("-e:code -M:load -I:dir -a:read -p:data -l:data -s:data -E:data -r"),
    input: undefined,
  },
  perldoc: {
    options: "-m -F -T -l -f:data -q:data -v:data -U -M:opaque -w:data -d:write -o:data -n:program",
    operands: "name",
  },
  erb: { options: "-r:load -x -n -v -T:data -P -E:data -K:data", operands: "read" },
};
