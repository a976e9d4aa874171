import type { CommandSpec } from "../spec.ts";

const argv = (options = "", before = ""): CommandSpec => ({
  options,
  operands: `${before} argv`.trim(),
  strict: true,
});

/** `TOOL exec CMD`, `TOOL run CMD`; what other commands of the tool do, their operands tell. */
const verbs = (names: string, options = "", other: CommandSpec = {}): CommandSpec => ({
  operands: "data name",
  ...other,
  commands: {
    ...Object.fromEntries(names.split(" ").map((name) => [name, argv(options)])),
    "*": { operands: "name", fetches: true, ...other.commands?.["*"] },
  },
});

/** Its operands are command lines, each by itself. */
const lines = (options: string): CommandSpec => ({ options, operands: "shell", strict: true });

const ELSEWHERE: CommandSpec = { operands: "name", always: "elsewhere" };

const DEBUGGER = "-v -q -a -d -o:write --output:write -p:data --pid:data";

/** Programs beside the usual ones that start the command in their own arguments. */
export const RUNNERS: Readonly<Record<string, CommandSpec>> = {
  cpulimit: argv(
    "-l:data -p:data -e:data -P:data -c:data -z -v -i -b -f -m --limit:data --lazy --include-children --background --foreground",
  ),
  softlimit: argv("-a:data -c:data -d:data -f:data -l:data -m:data -o:data -p:data -r:data -s:data -t:data"),
  chpst: argv(
    "-u:data -U:data -b:data -e:dir -/:opaque -C:chdir -n:data -l:write -L:write -m:data -d:data -o:data -p:data -f:data -c:data -t:data -v -P -0 -1 -2",
  ),
  setuidgid: argv("-s", "data"),
  "s6-setuidgid": argv("", "data"),
  envuidgid: argv("", "data"),
  "s6-envuidgid": argv("", "data"),
  envdir: argv("-i", "dir"),
  "s6-envdir": argv("-I -i -f -n", "dir"),
  setlock: argv("-n -N -x -X -d -D", "write"),
  "s6-setlock": argv("-n -N -t:data -w -r", "write"),
  pgrphack: argv(),
  fghack: argv(),
  multilog: { operands: "opaque" },
  execlineb: { options: "-c:opaque -p -P -S:data -s:data -e -W -w", operands: "load" },
  tini: argv("-s -v -g -w -p:data -e:data -l"),
  "dumb-init": argv("-c -v -r:data --single-child --verbose --rewrite:data"),
  catatonit: argv("-g -P -L -V"),
  runuser: {
    options:
      "-u:data -g:data -G:data -c:shell -l -m -p -P -f -T -s:program -w:data --user:data --command:shell --shell:program --login --session-command:shell --group:data --supp-group:data --pty --whitelist-environment:data",
    operands: "data argv",
    always: "opaque",
  },
  sudoedit: { operands: "both", options: "-u:data -g:data -n -A -S -k", always: "opaque" },
  ...Object.fromEntries(
    [
      "please",
      "calife",
      "super",
      "gksudo",
      "gksu",
      "kdesu",
      "kdesudo",
      "beesu",
      "lxqt-sudo",
      "lxsu",
      "sesudo",
      "dzdo",
      "pfexec",
    ].map((name): [string, CommandSpec] => [
      name,
      { ...argv("-u:data -g:data -E -n -k -d -m:data --user:data"), always: "opaque" },
    ]),
  ),
  sg: { options: "-c:shell -", operands: "data shell" },
  sem: argv("-j:data --id:data --fg --bg --wait --jobs:data --timeout:data -u"),
  rush: lines("-j:data -i:read -o:write -k -d:data -n:data -r:data -t:data -v:data"),
  viddy: lines("-n:data -d -t -b -e -p --shell:program --shell-options:data -x"),
  hwatch: lines(
    "-n:data -d -b -e -c -s:program -A:program -l:write --shell:program --logfile:write --aftercommand:program",
  ),
  i386: argv("-R -v -3 -B -I -L -S -T -X -Z -F"),
  x86_64: argv("-R -v -3 -B -I -L -S -T -X -Z -F"),
  uname26: argv(),
  choom: argv("-n:data -p:data --adjust:data --pid:data"),
  uclampset: argv("-m:data -M:data -a -p:data -R -s -v"),
  coresched: {
    operands: "data",
    commands: {
      exec: argv(),
      new: argv("-t:data -s:data -d:data"),
      copy: argv("-t:data -s:data -d:data"),
      "*": argv(),
    },
  },
  setpgid: argv("-f --foreground"),
  ...Object.fromEntries(
    [
      "fakechroot",
      "fakeroot-ng",
      "pseudo",
      "eatmydata",
      "nocache",
      "torify",
      "tsocks",
      "socksify",
      "caffeinate",
      "ledit",
      "rlfe",
      "fep",
      "ddtrace-run",
      "opentelemetry-instrument",
      "aoss",
      "padsp",
      "pasuspender",
      "optirun",
      "primusrun",
      "prime-run",
      "gamemoderun",
      "mangohud",
      "strangle",
      "apulse",
      "winpty",
    ].map((name): [string, CommandSpec] => [
      name,
      argv("-v -d -i -s -m -u -t:data -w:data -f -l:load -Xallow-non-tty -Xplain"),
    ]),
  ),
  proot: {
    ...argv("-r:data -b:data -m:data -w:data -q:program -0 -S:data -R:data -k:data -v:data"),
    always: "opaque",
  },
  nsjail: { ...argv("-M:data -C:load --config:load -R:data -B:data -T:data -q -Q"), always: "opaque" },
  minijail0: { ...argv("-u:data -g:data -n -p -v -l -S:load -C:data -b:data -T:data -i"), always: "opaque" },
  ...Object.fromEntries(
    ["schroot", "dchroot", "landrun"].map((name): [string, CommandSpec] => [
      name,
      { operands: "argv", options: "-c:data -u:data -d:data -p -q -r -b -e -a", always: "opaque" },
    ]),
  ),
  "sandbox-exec": argv("-p:data -f:load -n:data -D:data"),
  "nix-shell": {
    options:
      "-p:data --run:shell --command:shell -A:data -E:opaque --expr:opaque -I:data -i:data --pure --arg:data --argstr:data --packages:data",
    operands: "load",
  },
  "nix-build": { options: "-E:opaque -A:data -o:write --expr:opaque", operands: "load" },
  "nix-instantiate": {
    options: "-E:opaque -A:data --eval --expr:opaque --strict --json --parse",
    operands: "load",
  },
  "nix-env": { operands: "name", always: "net" },
  nix: {
    operands: "data name",
    commands: Object.fromEntries([
      ...["shell", "develop"].map((name): [string, CommandSpec] => [
        name,
        {
          options: "-c:argv --command:argv -f:load --expr:opaque --impure --file:load",
          operands: "name",
          always: "opaque",
        },
      ]),
      ...["run", "eval", "build", "repl", "profile", "flake", "bundle", "copy"].map(
        (name): [string, CommandSpec] => [
          name,
          { options: "--expr:opaque -f:load", operands: "name", always: "opaque" },
        ],
      ),
      ["*", { operands: "name" }],
    ]),
  },
  guix: {
    operands: "data name",
    always: "opaque",
    commands: { shell: { operands: "name", always: "opaque" }, "*": { operands: "name", always: "opaque" } },
  },
  ...Object.fromEntries(
    [
      "asdf",
      "rbenv",
      "pyenv",
      "nodenv",
      "goenv",
      "jenv",
      "plenv",
      "phpenv",
      "luaenv",
      "tfenv",
      "sdk",
      "fnm",
      "vfox",
      "proto",
    ].map((name): [string, CommandSpec] => [name, verbs("exec run", "--using:data --version:data -v:data")]),
  ),
  n: verbs("exec run", "", {}),
  volta: verbs("run", "--node:data --npm:data --yarn:data --env:assign --bundled-npm --no-yarn"),
  rvm: { operands: "data", commands: { do: argv(), "*": { operands: "data argv" } } },
  "chruby-exec": { operands: "data argv" },
  corepack: {
    operands: "argv",
    commands: Object.fromEntries([
      ["enable", {}],
      ["disable", {}],
      ["prepare", { operands: "data" }],
      ["use", { operands: "data" }],
      ["up", {}],
      ["install", { operands: "data" }],
      ["pack", { options: "-o:write", operands: "data" }],
      ["cache", { operands: "data" }],
      ["hydrate", { operands: "load" }],
    ]),
  },
  rustup: {
    operands: "data name",
    commands: {
      run: argv("--install", "data"),
      toolchain: { operands: "data data load" },
      "*": { operands: "data" },
    },
  },
  opam: verbs("exec", "--switch:data --root:dir -y"),
  stack: verbs("exec runghc runhaskell ghc ghci eval", "--package:data --stack-yaml:read --resolver:data"),
  cabal: verbs("exec", "-v:data --project-file:read", {}),
  dune: verbs("exec", "--root:chdir --profile:data --no-build --display:data -w --watch"),
  esy: { operands: "argv" },
  mamba: verbs(
    "run",
    "-n:data -p:dir --name:data --prefix:dir --no-capture-output --live-stream --cwd:chdir",
  ),
  micromamba: verbs("run", "-n:data -p:dir --name:data --prefix:dir --cwd:chdir -a:data"),
  pixi: verbs(
    "run exec",
    "-e:data --environment:data --manifest-path:read -s:data --spec:data -q -v --frozen --locked",
  ),
  rye: verbs("run", "-v -q --pyproject:read"),
  pdm: verbs("run", "-p:chdir -s -v -q --project:chdir --venv:data"),
  hatch: {
    operands: "data",
    options: "-e:data -p:dir -v -q",
    commands: {
      run: argv("-v -q"),
      env: {
        operands: "data",
        commands: {
          run: argv("-e:data -i:data -x:data --env:data --include:data --exclude:data"),
          "*": { operands: "data" },
        },
      },
      shell: { always: "opaque", operands: "data" },
      "*": {},
    },
  },
  devbox: verbs("run shell", "-c:dir -q --config:dir -e:assign --env:assign"),
  devenv: verbs("shell", ""),
  scl: {
    operands: "data data shell",
    commands: {
      enable: { operands: "data shell" },
      run: { operands: "data argv" },
      "*": { operands: "data shell" },
    },
  },
  ...Object.fromEntries(
    ["mpirun", "mpiexec", "orterun", "prterun", "horovodrun"].map((name): [string, CommandSpec] => [
      name,
      argv(
        "-n:data -np:data -c:data -x:data -H:data --host:data --hostfile:read -hostfile:read --oversubscribe --allow-run-as-root --bind-to:data --map-by:data --mca:data -q -v --use-hwthread-cpus",
      ),
    ]),
  ),
  torchrun: {
    options:
      "--nproc_per_node:data --nnodes:data --no-python --standalone -m --rdzv_backend:data --rdzv_endpoint:data --log-dir:write",
    operands: "read file",
  },
  asciinema: {
    operands: "data",
    commands: {
      rec: {
        options: "-c:shell --command:shell -t:data -i:data -q -y --stdin --append --overwrite",
        operands: "write",
      },
      "*": { operands: "name", always: "net" },
    },
  },
  ttyrec: { options: "-e:shell -a -u", operands: "write" },
  termtosvg: { options: "-c:shell --command:shell -g:data -t:data", operands: "write" },
  terminalizer: { operands: "data write", options: "-d:shell --command:shell -c:load -k" },
  "xvfb-run": {
    options:
      "-a -e:write -f:both -n:data -s:data -p:data -w:data -l --auto-servernum --server-args:data --error-file:write --server-num:data --wait:data",
    operands: "argv",
    strict: true,
  },
  xinit: { operands: "argv", always: "opaque" },
  startx: { operands: "argv", always: "opaque" },
  "systemd-cat": argv(
    "-t:data -p:data --identifier:data --priority:data --stderr-priority:data --level-prefix:data",
  ),
  "run-one": argv(),
  "run-this-one": argv(),
  "run-one-constantly": argv(),
  "keep-one-running": argv(),
  lckdo: argv("-w -W:data -q -s -x -e -E:data", "write"),
  lockf: argv("-k -n -s -t:data -w -p", "write"),
  "with-lock-ex": argv("-w -q -f -t:data", "write"),
  dotlockfile: { options: "-p -l:write -u:write -r:data -m -q -t -c:write -i:data", operands: "argv" },
  reflex: {
    options:
      "-r:data -R:data -g:data -G:data -s -d:data -c:load -e --only-dirs --only-files --all --regex:data --glob:data --config:load",
    operands: "argv",
  },
  wgo: argv("-file:data -xfile:data -dir:data -xdir:data -exit -cd:chdir -verbose"),
  air: { options: "-c:read -d", operands: "name" },
  rerun: { operands: "argv", options: "-x -c -d:data -p:data -b -s:data -n:data" },
  onchange: {
    operands: "data argv",
    options: "-i -k -a:data -d:data -f:data -e:data --initial --kill --exclude:data",
  },
  chokidar: {
    operands: "data",
    options:
      "-c:shell -d:data -t:data -i:data -p --command:shell --initial --ignore:data --debounce:data --silent",
  },
  nodemon: {
    options:
      "-x:shell --exec:shell -w:dir --watch:dir -e:data --ext:data -i:data --ignore:data --config:load -q -V -L -C -I --signal:data --delay:data --on-change-only --inspect --require:load -r:load --cwd:chdir",
    operands: "read file",
  },
  supervisor: {
    options: "-x:program --exec:program -w:data -e:data -i:data -n:data -q -k --watch:data --extensions:data",
    operands: "read file",
  },
  hyperfine: lines(
    "-w:data -r:data -m:data -M:data -p:shell -c:shell -s:shell -C:shell -S:program -i -N -n:data -P:data -L:data -D:data -u:data --warmup:data --runs:data --min-runs:data --max-runs:data --prepare:shell --cleanup:shell --setup:shell --conclude:shell --shell:program --ignore-failure --export-json:write --export-csv:write --export-markdown:write --export-asciidoc:write --export-orgmode:write --output:write --input:read --command-name:data --style:data --show-output --time-unit:data --parameter-list:data --parameter-scan:data --reference:shell",
  ),
  poop: lines("-d:data -w:data --color:data"),
  bench: lines("-v --output:write"),
  multitime: argv("-n:data -s:data -i:shell -o:shell -r:shell -I:data -q -f:data -c:data -l -b:load"),
  tsp: argv("-L:data -n -f -m -d -g -B -E -D:data -N:data"),
  "task-spooler": argv("-L:data -n -f -m -d"),
  pueue: { operands: "data", always: "elsewhere" },
  nq: argv("-c -q -t -w"),
  retry: argv("-t:data -d:data -m:data -u:data --times:data --delay:data --until:data --max:data --backoff"),
  mispipe: { operands: "shell" },
  pee: { operands: "shell" },
  vipe: { always: "opaque" },
  vidir: { operands: "name", always: "opaque" },
  ldd: { operands: "program", options: "-v -u -d -r" },
  ...Object.fromEntries(
    ["aa-exec", "runcon", "secon"].map((name): [string, CommandSpec] => [
      name,
      {
        options: "-p:data -n:data -i -d -v -t:data -u:data -r:data -l:data -c",
        operands: "argv",
        always: "opaque",
      },
    ]),
  ),
  cgrun: argv("", "data"),
  arch: argv("-x86_64 -arm64 -32 -64 -c -h -e:assign -d:data"),
  xcrun: argv("--run -r --sdk:data --toolchain:data -v -n -k -l --find -f --show-sdk-path"),
  authbind: argv("--deep --depth:data"),
  libfaketime: argv("", "data"),
  datefudge: argv("-s", "data"),
  "stress-ng": { options: "--exec:opaque --exec-method:opaque", operands: "data" },
  ...Object.fromEntries(
    ["ccache", "sccache", "distcc", "icecc", "buildcache"].map((name): [string, CommandSpec] => [
      name,
      {
        options:
          "-s -z -c -C -M:data -F:data -p -k:data -o:opaque -d:chdir --set-config:opaque --show-stats --zero-stats --cleanup --clear --version --start-server --stop-server",
        operands: "argv",
      },
    ]),
  ),
  bear: argv(
    "-o:write -c:load -l:load -a -v --output:write --config:load --append --verbose --library:load --wrapper:program --force-wrapper --force-preload --cdb:write",
  ),
  ...Object.fromEntries(
    ["intercept-build", "scan-build", "analyze-build", "compiledb"].map((name): [string, CommandSpec] => [
      name,
      {
        options:
          "-o:write -n -f -v -k --cdb:write --output:write --use-cc:program --use-c++:program --use-analyzer:program -load-plugin:load --status-bugs --html-title:data",
        operands: "argv",
      },
    ]),
  ),
  checkinstall: argv("-D -S -R -y --pkgname:data --pkgversion:data --install:data"),
  "cov-build": argv("--dir:write"),
  "build-wrapper": argv("--out-dir:write"),
  "build-wrapper-linux-x86-64": argv("--out-dir:write"),
  heaptrack: argv(DEBUGGER),
  kcov: {
    options:
      "--include-path:data --exclude-path:data --include-pattern:data --exclude-pattern:data --collect-only --merge --verify --configure:data",
    operands: "write argv",
  },
  rr: {
    operands: "data name",
    commands: {
      record: argv("-n -c:data -h -o:write -u -v:assign -w --output-trace-dir:write --env:assign --chaos"),
      replay: {
        always: "opaque",
        operands: "data",
        options: "-d:program -x:load --debugger:program --gdb-x:load",
      },
      "*": { operands: "name" },
    },
  },
  operf: argv("-e:data -d:data -s -t -l -p:data"),
  "py-spy": {
    operands: "data",
    commands: Object.fromEntries(
      ["record", "top", "dump"].map((name) => [
        name,
        argv(
          "-o:write -d:data -r:data -f:data -p:data -s -n -i -t --output:write --duration:data --rate:data --format:data --pid:data --subprocesses --native --nonblocking",
        ),
      ]),
    ),
  },
  austin: argv("-i:data -o:write -s -C -m -p:data -x:data"),
  "newrelic-admin": verbs("run-program run-python"),
  honcho: {
    operands: "data name",
    options: "-f:read -e:read -d:chdir",
    commands: {
      run: argv("-e:read"),
      start: { options: "-f:read -e:read -d:chdir", operands: "data" },
      "*": { operands: "name" },
    },
  },
  foreman: {
    operands: "data name",
    commands: {
      run: argv("-e:read -f:read -d:chdir"),
      start: { options: "-f:read -e:read -d:chdir -m:data -p:data", operands: "data" },
      "*": { operands: "name" },
    },
  },
  goreman: {
    operands: "data name",
    commands: {
      run: argv("-f:read"),
      start: { options: "-f:read -p:data", operands: "data" },
      "*": { operands: "name" },
    },
  },
  overmind: {
    operands: "data",
    options: "-f:read",
    commands: {
      start: { options: "-f:read -l:data -d:chdir --procfile:read", operands: "data" },
      "*": { operands: "data" },
    },
  },
  hivemind: { operands: "read" },
  "env-cmd": argv(
    "-f:read -e:data -r:read --file:read --environments:data --rc-file:read --no-override --silent --verbose --expand-envs -x",
  ),
  dotenvx: {
    operands: "data name",
    commands: {
      run: argv(
        "-f:read --env-file:read -e:assign --env:assign -fk:read --overload -o -q --quiet --convention:data",
      ),
      get: { operands: "data", options: "-f:read --env-file:read -a --all!opaque" },
      "*": { operands: "name", options: "-f:read" },
    },
  },
  chamber: verbs("exec"),
  envconsul: { ...argv("-prefix:data -secret:data -config:load -exec:program -once -upcase"), always: "net" },
  "consul-template": {
    options: "-exec:program -template:both -config:load -once -dry",
    operands: "data",
    style: "long",
    always: "net",
  },
  op: {
    operands: "data",
    commands: {
      run: argv("--env-file:read --no-masking --account:data"),
      "*": { operands: "name", always: "elsewhere" },
    },
  },
  ...Object.fromEntries(
    ["doppler", "infisical", "teller", "bws", "berglas", "vlt", "phase", "summon"].map(
      (name): [string, CommandSpec] => [name, { ...verbs("run exec"), always: "net" }],
    ),
  ),
  sops: {
    options:
      "-d -e -i -r --decrypt --encrypt --in-place --extract:data --output:write --input-type:data --output-type:data --config:load --kms:data --pgp:data --age:data",
    operands: "both",
    commands: { "exec-env": { operands: "read shell" }, "exec-file": { operands: "read shell" } },
  },
  gopass: { operands: "data", always: "opaque" },
  ...Object.fromEntries(
    [
      "pass",
      "secret-tool",
      "keyctl",
      "lpass",
      "bw",
      "kwallet-query",
      "keepassxc-cli",
      "security",
      "git-crypt",
      "keychain",
      "gnome-keyring-daemon",
    ].map((name): [string, CommandSpec] => [name, ELSEWHERE]),
  ),
  sshpass: argv("-p:data -f:read -d:data -P:data -e -v"),
  c8: argv(
    "-r:data -o:write -n:data -x:data --reporter:data --reports-dir:write --report-dir:write --temp-directory:write --all --check-coverage --config:load -c:load --src:dir --include:data --exclude:data --lines:data --functions:data --branches:data --statements:data --clean --resolve:data",
  ),
  nyc: argv(
    "-r:data -t:write -n:data -x:data -e:data -i:load --require:load --reporter:data --report-dir:write --temp-dir:write --temp-directory:write --all -a --check-coverage --nycrc-path:load --cwd:chdir --include:data --exclude:data --extension:data --silent -s --no-clean --lines:data --functions:data --branches:data --statements:data --cache --sourceMap --instrument",
  ),
  "0x": argv(
    "-o -D:write -F:write --output-dir:write --collect-only --visualize-only:read -P:shell --on-port:shell --name:data --title:data",
  ),
  clinic: {
    operands: "data",
    commands: Object.fromEntries(
      ["doctor", "bubbleprof", "flame", "heapprofiler"].map((name) => [
        name,
        argv("--on-port:shell --autocannon:data --dest:write --open --collect-only --name:data"),
      ]),
    ),
  },
  concurrently: lines(
    "-n:data -c:data -k -s:data -g -r -P -m:data -l:data -i -t:data -p:data --names:data --kill-others --kill-others-on-fail --success:data --raw --prefix:data --prefix-colors:data --max-processes:data --restart-tries:data --handle-input --teardown:shell --hide:data --group --passthrough-arguments --no-color --timings",
  ),
  "start-server-and-test": { operands: "shell", options: "--expect:data" },
  "wait-on": {
    operands: "data",
    options: "-t:data -c:load --config:load --timeout:data --interval:data -v -l",
  },
  husky: {
    operands: "data",
    commands: {
      add: { operands: "write shell" },
      set: { operands: "write shell" },
      install: { operands: "write" },
      "*": { operands: "data" },
    },
  },
  lerna: {
    operands: "data name",
    commands: {
      exec: argv(
        "--scope:data --ignore:data --concurrency:data --stream --parallel --no-bail --since:data --no-sort --no-prefix",
      ),
      "*": { operands: "data" },
    },
  },
  nx: { operands: "data name", commands: { exec: argv(), "*": { operands: "data" } } },
  yarnpkg: { operands: "data name", commands: { exec: argv(), "*": { operands: "data name" } } },
  ocamlfind: { operands: "data argv" },
  ...Object.fromEntries(
    [
      "qemu-x86_64",
      "qemu-aarch64",
      "qemu-arm",
      "qemu-i386",
      "qemu-riscv64",
      "box64",
      "box86",
      "FEXInterpreter",
      "rosetta",
      "wine",
      "wine64",
    ].map((name): [string, CommandSpec] => [
      name,
      {
        options:
          "-L:dir -E:assign -U:data -0:data -g:data -cpu:data -s:data -strace -d:data -D:write -plugin:load -one-insn-per-tb",
        operands: "argv",
        style: "long",
      },
    ]),
  ),
  wsl: { operands: "argv", options: "-d:data -u:data -e --exec --cd:chdir --", always: "elsewhere" },
  "wsl.exe": { operands: "argv", options: "-d:data -u:data -e --exec", always: "elsewhere" },
  cmd: { operands: "opaque" },
  "cmd.exe": { operands: "opaque" },
  scriptlive: { operands: "opaque" },
  coverage: {
    operands: "data name",
    commands: {
      run: {
        options:
          "-m:data -a -p --branch --source:data --rcfile:read --data-file:write --omit:data --include:data --parallel-mode --append --timid --concurrency:data --context:data",
        operands: "read file",
        stop: "-m",
        instead: "-m",
        makes: "environment",
      },
      "*": {
        options:
          "-o:write -d:write --rcfile:read --data-file:read -i -m --omit:data --include:data --fail-under:data --format:data --keep",
        operands: "name",
      },
    },
  },
  memray: {
    operands: "data",
    commands: {
      run: {
        options:
          "-c:code -m:data -o:write --output:write --live --native --follow-fork --trace-python-allocators --aggregate -q -f",
        operands: "read file",
        stop: "-m",
        instead: "-m",
        makes: "environment",
        language: "python",
      },
      "*": { options: "-o:write", operands: "name" },
    },
  },
  mprof: {
    operands: "data name",
    commands: {
      run: {
        options:
          "-T:data -M -C -o:write --python --interval:data --include-children --multiprocess --output:write --nopython",
        operands: "argv",
      },
      "*": { operands: "name" },
    },
  },
  pyinstrument: {
    options:
      "-c:code -m:data -o:write -r:data -t --html --json --outfile:write --renderer:data --load:read --from-path",
    operands: "read file",
    stop: "-m",
    instead: "-m",
    makes: "environment",
    language: "python",
  },
  viztracer: {
    options: "-o:write -m:data --cmd_string:code --output_file:write --output_dir:write --open --quiet -u",
    operands: "read file",
    stop: "-m",
    instead: "-m",
    makes: "environment",
    language: "python",
  },
  "django-admin": {
    operands: "data name",
    commands: {
      shell: {
        options: "-c:code --command:code -i:data",
        operands: "data",
        language: "python",
        input: "code",
      },
      dbshell: { always: "opaque" },
      "*": { operands: "name" },
    },
  },
  jupyter: {
    operands: "data name",
    commands: {
      nbconvert: {
        options:
          "--execute --ExecutePreprocessor.enabled:data --to:data --output:write --output-dir:write --config:load --template:read --stdin --stdout",
        operands: "read",
      },
      notebook: { operands: "name" },
      lab: { operands: "name" },
      console: { operands: "name" },
      run: { operands: "read" },
      execute: { operands: "read" },
      "*": { operands: "name" },
    },
  },
  rpm: {
    options:
      "-E:opaque --eval:opaque --pipe:shell -D:data --define:opaque --load:load --macros:load --rcfile:load -q -i -U -F -e -V -v -h -a -f:read -p --dbpath:dir --root:dir --import --initdb --rebuilddb --qf:data --queryformat:data -l -c -d",
    operands: "name",
  },
  rpmquery: {
    options: "-E:opaque --eval:opaque --pipe:shell -a -f:read -p -l --qf:data --queryformat:data",
    operands: "name",
  },
  rpmbuild: {
    options: "-E:opaque --eval:opaque --define:opaque -D:opaque -b:data -t:data --rebuild --pipe:shell",
    operands: "load",
  },
  rpmspec: { options: "-E:opaque --eval:opaque -D:opaque -q -P", operands: "load" },
  dpkg: {
    options:
      "-i:opaque --install:opaque --unpack:opaque --configure:opaque -r:opaque -P:opaque --remove:opaque --purge:opaque --pre-invoke:shell --post-invoke:shell --root:dir --admindir:dir -l -L -s -S -p -W -f:data -c:read -I:read -x:read -X:read -e:read --log:write --force-all --print-architecture --compare-versions --get-selections",
    operands: "name",
  },
  "dpkg-deb": {
    options:
      "-x -X -R -e -b -c -I -f -W -w --build --extract --vextract --raw-extract --control --contents --info --field -Z:data -z:data -S:data",
    operands: "read write",
  },
  "dpkg-buildpackage": {
    options:
      "--sign-command:program -p:program --check-command:program --hook-init:shell --hook-preclean:shell --hook-source:shell --hook-build:shell --hook-binary:shell --hook-changes:shell --hook-postclean:shell --hook-check:shell --hook-sign:shell --hook-done:shell -r:program --root-command:program -R:program --rules-file:program -us -uc -b -S -F -A -B -d -nc -tc",
    operands: "data",
    style: "long",
  },
  debuild: {
    options:
      "--preclean-hook:shell --clean-hook:shell --dpkg-buildpackage-hook:shell --lintian-hook:shell --signing-hook:shell --post-dpkg-buildpackage-hook:shell -r:program -e:assign -us -uc -b -S",
    operands: "data",
    style: "long",
  },
  ...Object.fromEntries(
    ["apt", "apt-get", "aptitude", "apt-cache"].map((name): [string, CommandSpec] => [
      name,
      {
        options:
          "-o:opaque --option:opaque -c:load --config-file:load -y -q -qq -s -d -f -m -u -t:data --yes --no-install-recommends --dry-run --simulate --installed --upgradable -a",
        operands: "data name",
        commands: {
          ...Object.fromEntries(
            [
              "changelog",
              "source",
              "download",
              "build-dep",
              "install",
              "update",
              "upgrade",
              "dist-upgrade",
              "full-upgrade",
            ].map((verb) => [
              verb,
              {
                options: "-o:opaque --option:opaque -c:load -y -q -t:data --no-install-recommends",
                operands: "name",
                always: "net" as const,
              },
            ]),
          ),
          "*": { options: "-o:opaque --option:opaque -c:load", operands: "data" },
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      "yum",
      "dnf",
      "zypper",
      "pacman",
      "yay",
      "paru",
      "apk",
      "brew",
      "port",
      "emerge",
      "pkg",
      "xbps-install",
      "snapcraft",
      "choco",
      "winget",
      "scoop",
    ].map((name): [string, CommandSpec] => [
      name,
      {
        options: "-c:load --config:load --setopt:opaque",
        operands: "data name",
        commands: Object.fromEntries([
          ...[
            "install",
            "upgrade",
            "update",
            "add",
            "reinstall",
            "download",
            "fetch",
            "sh",
            "test-bot",
            "tap",
            "test",
            "exec",
            "bundle",
          ].map((verb): [string, CommandSpec] => [verb, { operands: "name", always: "net" }]),
          ["*", { operands: "data name" }],
        ]),
      },
    ]),
  ),
};
