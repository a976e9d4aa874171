import type { CommandSpec } from "../spec.ts";

const PYTHON: CommandSpec = {
  stop: "-c -m",
  instead: "-c -m",
  options:
    "-c:code -m:data -W:data -X:data -b -B -d -E -h -i -I -O -OO -P -q -R -s -S -u -v -V -x --check-hash-based-pycs:data --version --help",
  operands: "read file",
  input: "code",
  language: "python",
  makes: "environment",
};

const NODE: CommandSpec = {
  stop: "",
  options:
    "-e:code -p:code -pe:code -ep:code --eval:code --print:code -r:load --require:load --import:load --loader:load --experimental-loader:load -c -i -v -h --check --interactive --test --watch --watch-path:dir -C:data --conditions:data --input-type:data --env-file:read --env-file-if-exists:read --inspect?data --inspect-brk?data --max-old-space-size:data --stack-size:data --title:data --test-name-pattern:data --test-reporter:data --test-reporter-destination:write --test-concurrency:data --test-timeout:data --test-shard:data --experimental-strip-types --enable-source-maps --no-warnings --trace-warnings --unhandled-rejections:data --cpu-prof --cpu-prof-dir:write --heap-prof --diagnostic-dir:write --redirect-warnings:write --report-dir:write --openssl-config:load --experimental-config-file:load --experimental-default-config-file!load --snapshot-blob:both --build-snapshot-config:load --icu-data-dir:dir --run:unit --version --help --allow-fs-read:data --allow-fs-write:data --permission",
  operands: "read file",
  input: "code",
  language: "js",
};

const PERL: CommandSpec = {
  stop: "-",
  options:
    "-e:code -E:code -M:load -m:load -I:dir -i?data -n -p -a -l -0?data -F:data -w -W -T -t -u -U -v -V?data -c -s -S -x?dir -C?data -d?load -D:data -h",
  operands: "read",
  input: "code",
  language: "perl",
};

const SHELL_RUN =
  "-s:data -w:data --script-shell:program --workspace:data --workspaces --if-present --silent --ignore-scripts --prefix:dir --foreground-scripts --include-workspace-root --loglevel:data --shell:program --userconfig:load --globalconfig:load --node-options:opaque --registry:net --cache:dir --git:program --editor:program --viewer:program --node-gyp:program -g -D -E -O -P -B -q -d -f --global --save-dev --dry-run --json --depth:data --omit:data --include:data --tag:data --access:data --otp:data --no-audit --no-fund --offline --prefer-offline --production --package-lock-only --legacy-peer-deps --force --no-save --yes -y --no --no-install --package:data -p:data -c:shell --call:shell -C:chdir -r --recursive --filter:data --dir:chdir --cwd:chdir --parallel --stream --frozen-lockfile --immutable --all -a -l --long";

/** `-c` of pnpm hands the command to a shell. */
const PNPM_RUN = SHELL_RUN.replace("-c:shell", "-c!opaque --shell-mode!opaque");

const NPM: CommandSpec = { options: SHELL_RUN, operands: "data name", fetches: true };
const EXEC: CommandSpec = { options: SHELL_RUN, operands: "data file", fetches: true };

const GCC: CommandSpec = {
  options:
    "-o:write -x:data -I:dir -L:dir -l:data -D:data -U:data -include:read -imacros:read -isystem:dir -idirafter:dir -iquote:dir -isysroot:dir --sysroot:dir -B:load -wrapper:program -specs:load -fplugin:load -T:load -Xlinker:data -Xassembler:data -Xpreprocessor:data -Wl:data -MF:write -MT:data -MQ:data -MD -MMD -MP -M -MM -c -S -E -g -O:data -W:data -f:data -m:data -std:data -pthread -shared -static -v -w -pipe -pedantic -ansi -nostdlib -rdynamic -save-temps -dumpbase:data -dumpdir:dir -aux-info:write -A:data -Q -u:data -z:data -target:data --target:data -arch:data -fuse-ld:program -fprofile-use:read -ffile-prefix-map:data -s -ld-path:program --ld-path:program -fpass-plugin:load -fmodule-mapper:opaque -Wa:data -Wp:data -Xclang:data",
  operands: "read",
  style: "long",
  makes: "program",
};

const PIP: CommandSpec = {
  options:
    "-r:read -c:read -e:file -t:write -i:net -f:mention -q -v -U --target:write --prefix:write --root:write --requirement:read --constraint:read --editable:file --index-url:net --extra-index-url:net --find-links:mention --no-index --no-deps --cache-dir:dir --log:write --proxy:net --cert:read --python:program --format:data --path:dir --report:write --src:dir --no-build-isolation --user --upgrade --disable-pip-version-check --dry-run --platform:data --only-binary:data --no-binary:data --config-settings:data --global-option:data --build-option:data",
  operands: "data name",
  fetches: true,
};

const CONTAINER: CommandSpec = {
  options:
    "-v:volume --volume:volume -w:data --workdir:data -e:data --env:data --env-file:read -p:data --publish:data -u:data --user:data --name:data --network:data --entrypoint:data --cidfile:write -d -i -t --rm --init",
  always: "elsewhere",
  operands: "name",
};
const DOCKER: CommandSpec = {
  options: "-H:elsewhere --host:elsewhere --config:load -c:data --context:data -l:data",
  always: "elsewhere",
  operands: "name",
  commands: { run: CONTAINER, create: CONTAINER, "*": { always: "elsewhere", operands: "name" } },
};

const BAZEL_OPTIONS =
  "--run_under:program --workspace_status_command:program --output_base:write --script_path:write --output_file:write --build_event_json_file:write --build_event_text_file:write --build_event_binary_file:write --profile:write --remote_executor:net --remote_cache:net --bes_backend:net -c:data --config:data -j:data --jobs:data";
/** Operands are labels (`//pkg:name`, `//...`); behind the first one of `run` stand the program's own. */
const BAZEL: CommandSpec = {
  options: `${BAZEL_OPTIONS} --bazelrc:load --server_javabase:load --host_jvm_args:opaque --output_user_root:write --override_repository:data`,
  operands: "data",
  commands: {
    run: { options: BAZEL_OPTIONS, operands: "data file" },
    "*": { options: BAZEL_OPTIONS, operands: "data" },
  },
};

/** Interpreters, compilers, build tools and package managers. */
export const DEV: Readonly<Record<string, CommandSpec>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: { options: "-c:code -m:data", operands: "read", input: "code", language: "python" },
  node: NODE,
  nodejs: NODE,
  deno: {
    stop: "",
    options: "-q",
    operands: "data file",
    language: "js",
    commands: {
      eval: { options: "-p -T --ext:data", operands: "code", language: "js" },
      run: {
        options:
          "-A -q --allow-all --config:load -c:load --import-map:read --preload:load --env-file?read --lock:read",
        operands: "read file",
      },
      "*": {},
    },
  },
  bun: {
    stop: "",
    options:
      "-e:code --eval:code -p:code --print:code -r:load --preload:load --cwd:chdir --config:load -c:load --env-file:read --watch --hot --silent",
    operands: "name file",
    language: "js",
    input: "code",
  },
  tsx: {
    stop: "",
    options: "-e:code --eval:code -p:code --print:code -r:load --require:load --import:load --tsconfig:read",
    operands: "read file",
    language: "js",
    input: "code",
  },
  "ts-node": {
    stop: "",
    options: "-e:code --eval:code -p -r:load --require:load -P:read --project:read -T",
    operands: "read file",
    language: "js",
    input: "code",
  },
  perl: PERL,
  ruby: {
    stop: "",
    options:
      "-e:code -r:load -I:dir -C:chdir -E:data -F:data -i?data -n -p -a -l -w -W -v -c -d -s -S -x?dir --disable:data --enable:data",
    operands: "read file",
    input: "code",
    language: "ruby",
  },
  irb: { always: "opaque" },
  php: {
    stop: "",
    options:
      "-r:code -B:code -R:code -E:code -F:load -f:read -d:opaque -c:load -z:load -S:data -t:dir -a -i -l -m -n -q -s -v -w --run:code --process-begin:code --process-code:code --process-end:code --file:read --process-file:load --define:opaque --php-ini:load --zend-extension:load",
    operands: "read file",
    input: "code",
    language: "php",
  },
  lua: {
    stop: "",
    options: "-e:code -l:load -i -v -E -W",
    operands: "read file",
    input: "code",
    language: "other",
  },
  luajit: {
    options: "-e:code -l:load -i -v -b:data -j:load",
    operands: "read file",
    input: "code",
    language: "other",
  },
  tclsh: { operands: "read file", input: "code", language: "other" },
  wish: { always: "opaque" },
  Rscript: {
    stop: "",
    options: "-e:code --vanilla --verbose --default-packages:data",
    operands: "read file",
    style: "long",
    input: "code",
    language: "other",
  },
  R: {
    options: "-e:code -f:load --file:load --vanilla --slave --no-save",
    operands: "data",
    input: "code",
    language: "other",
  },
  julia: {
    options:
      "-e:code -E:code -L:load -J:load -p:data -t:data --project?dir --eval:code --print:code --load:load",
    operands: "read file",
    input: "code",
    language: "other",
  },
  elixir: {
    options: "-e:code -r:load -S:load -pa:dir -pr:load --eval:code",
    operands: "read file",
    language: "other",
    style: "long",
  },
  erl: { options: "-eval:code -s:data -pa:dir -noshell", operands: "data", language: "other", style: "long" },
  scala: { options: "-e:code -cp:mention", operands: "read file", language: "other", style: "long" },
  groovy: { options: "-e:code", operands: "read file", language: "other" },
  jshell: { options: "--execution:data --startup:load", operands: "load", input: "code", language: "other" },
  pwsh: {
    options:
      "-c:code -Command:code -File:read -EncodedCommand:opaque -ec:opaque -NoProfile -NonInteractive -nop",
    operands: "read",
    style: "long",
    input: "code",
    language: "other",
  },
  powershell: {
    options: "-c:code -Command:code -File:read -EncodedCommand:opaque -NoProfile",
    operands: "read",
    style: "long",
    input: "code",
    language: "other",
  },
  gcc: GCC,
  "g++": GCC,
  cc: GCC,
  "c++": GCC,
  clang: GCC,
  "clang++": GCC,
  tcc: { ...GCC, options: `${GCC.options} -run!opaque` },
  ld: {
    options: "-o:write -L:dir -l:data -T:load -plugin:load -dynamic-linker:data -rpath:data",
    operands: "read",
    style: "long",
  },
  as: { options: "-o:write -I:dir", operands: "read" },
  rustc: {
    options:
      "-o:write -L:mention -l:data -C:config --codegen:config --crate-type:data --crate-name:data --edition:data --emit:data --out-dir:write --extern:mention --cfg:data -O -g -A:data -W:data -D:data -F:data --print:data --sysroot:dir --target:data --test --cap-lints:data -Z:data",
    operands: "read",
    makes: "output",
  },
  go: {
    options: "-C:chdir",
    operands: "data file",
    commands: {
      build: {
        options:
          "-o:write -toolexec:program -exec:program -overlay:read -modfile:read -C:chdir -tags:data -ldflags:config -gcflags:data -asmflags:data -p:data -mod:data -pgo:read -race -v -a -n -x -trimpath -buildmode:data",
        operands: "name",
        style: "long",
        makes: "output",
      },
      run: {
        options: "-exec:program -toolexec:program -C:chdir -tags:data -ldflags:config -race -v -mod:data",
        operands: "name file",
        style: "long",
      },
      test: {
        options:
          "-exec:program -toolexec:program -run:data -bench:data -count:data -timeout:data -o:write -coverprofile:write -cpuprofile:write -memprofile:write -C:chdir -tags:data -p:data -parallel:data -vet:data -v -race -short -json -mod:data -cover -covermode:data -coverpkg:data -fuzz:data -fuzztime:data -skip:data",
        operands: "name",
        style: "long",
      },
      generate: { options: "-run:data -v -n -x", operands: "name", style: "long", always: "opaque" },
      vet: { options: "-vettool:program", operands: "name", style: "long" },
      env: { options: "-w!opaque -u -json", operands: "data", style: "long" },
      "*": {},
    },
  },
  cargo: {
    options:
      "-C:chdir -Z:data -q -v --config:config --offline --locked --frozen --color:data --manifest-path:read --list --version",
    operands: "data name",
    commands: {
      "*": {
        options:
          "-q -v -p:data -j:data -F:data -Z:data --config:config --bin:data --example:data --test:data --bench:data --package:data --features:data --target:data --target-dir:write --manifest-path:read --profile:data --jobs:data --message-format:data --color:data --exclude:data --vcs:data --name:data --edition:data --lib --release --offline --locked --frozen --all --workspace --path:dir --git:net --root:dir --out-dir:write --lockfile-path:both",
        operands: "name",
      },
    },
  },
  make: {
    options:
      "-f:load -C:chdir -I:dir -j?data -l?data -o:data -W:data -B -b -d -e -h -i -k -m -n -p -q -R -r -S -s -t -v -w --file:load --makefile:load --directory:chdir --include-dir:dir --jobs?data --load-average?data --old-file:data --what-if:data --new-file:data --assume-new:data --assume-old:data --eval:opaque -E:opaque --always-make --debug?data --dry-run --just-print --keep-going --no-print-directory --print-directory --question --silent --quiet --touch --trace --version --warn-undefined-variables --output-sync?data -O?data --shuffle?data",
    operands: "unit",
  },
  gmake: { options: "-f:load -C:chdir -j?data --eval:opaque -s -B -k -n", operands: "unit" },
  ninja: {
    options: "-C:chdir -f:load -j:data -k:data -l:data -t:data -d:data -n -v -w:data --quiet",
    operands: "name",
  },
  cmake: {
    options:
      "-S:dir -B:dir -D:config -G:data -P:load -C:load -U:data -T:data -A:data -E!unit --build:dir --install:dir --preset:data --target:data -t:data --config:data -j?data --parallel?data --prefix:dir -v --verbose --toolchain:load",
    operands: "dir",
  },
  meson: { operands: "data name" },
  just: {
    options:
      "-f:load --justfile:load -d:chdir --working-directory:chdir --shell:program --shell-arg:data --set:data -l -n -q -v -c:shell --command:argv --chooser:program -e --edit",
    operands: "name",
  },
  rake: {
    options: "-f:load -r:load -e:code -p:code -E:code -C:chdir -I:dir --rakefile:load --execute:code",
    operands: "name",
    language: "ruby",
  },
  gradle: {
    options:
      "-b:load -I:load -p:chdir -D:data -P:data -q -x:data --init-script:load --project-dir:chdir --build-file:load --offline --info",
    operands: "name",
  },
  mvn: {
    options: "-f:load -s:load -gs:load -D:data -P:data -q -o -B -pl:data --file:load --settings:load",
    operands: "name",
    style: "long",
  },
  ant: {
    options: "-f:load -file:load -buildfile:load -D:data -lib:dir -logger:data",
    operands: "name",
    style: "long",
  },
  java: {
    stop: "-jar",
    options:
      "-cp:mention -classpath:mention -jar:read -javaagent:load -agentpath:load -agentlib:data -Xbootclasspath:load -D:data -X:data -m:data -p:mention -version --class-path:mention --module-path:mention --module:data --add-modules:data --add-opens:data --source:data -ea -XX:opaque -Xshare:data",
    operands: "name file",
    style: "long",
  },
  javac: {
    options:
      "-cp:mention -classpath:mention -d:write -s:write -h:write -sourcepath:mention -processorpath:mention -processor:data -source:data -target:data -encoding:data --release:data -g -nowarn -J:data -Xlint:data -Xplugin:load",
    operands: "read",
    style: "long",
  },
  npm: {
    ...NPM,
    commands: {
      exec: EXEC,
      x: EXEC,
      config: { options: SHELL_RUN, operands: "unit" },
      set: { options: SHELL_RUN, operands: "unit" },
      edit: { always: "opaque" },
      explore: { options: SHELL_RUN, operands: "data argv" },
      "*": NPM,
    },
  },
  pnpm: {
    ...NPM,
    options: PNPM_RUN,
    commands: {
      exec: { options: PNPM_RUN, operands: "argv" },
      dlx: { ...EXEC, options: PNPM_RUN },
      config: { options: SHELL_RUN, operands: "unit" },
      set: { options: SHELL_RUN, operands: "unit" },
      "*": NPM,
    },
  },
  yarn: {
    ...NPM,
    commands: {
      exec: { options: "", operands: "argv" },
      dlx: EXEC,
      config: { options: SHELL_RUN, operands: "unit" },
      "*": NPM,
    },
  },
  npx: { options: SHELL_RUN, operands: "data file" },
  bunx: { options: SHELL_RUN, operands: "data file" },
  pip: PIP,
  pipx: { ...PIP, options: `${PIP.options} --spec:name` },
  gem: {
    options: "-i:write -n:write -v:data --install-dir:write --source:net --config-file:load",
    operands: "data name",
  },
  composer: { options: "-d:chdir -n -q -v --working-dir:chdir", operands: "data name" },
  eslint: {
    options:
      "-c:load --config:load --rulesdir:load --resolve-plugins-relative-to:load --parser:load --plugin:data -f:data --format:data -o:write --output-file:write --fix --ext:data --rule:data --cache --cache-location:write --ignore-pattern:data --max-warnings:data --quiet",
    operands: "name",
  },
  prettier: {
    options:
      "--config:read --plugin:load -w -c --write --check --parser:data --ignore-path:read --stdin-filepath:name -l",
    operands: "name",
  },
  jest: {
    options:
      "-c:load --config:load -t:data --testNamePattern:data --runner:load --setupFiles:load --globalSetup:load --reporters:data --coverageDirectory:write --outputFile:write --rootDir:dir --watch",
    operands: "name",
  },
  tsc: {
    options:
      "-p:read --project:read -b -w --outDir:write --outFile:write --rootDir:dir --noEmit --init --target:data --module:data --lib:data --declarationDir:write --tsBuildInfoFile:write --generateTrace:write",
    operands: "name",
    style: "long",
  },
  pytest: {
    options:
      "-k:data -m:data -n:data -p:load -c:load -o:data -W:data -q -v -x -s -l --maxfail:data --rootdir:dir --basetemp:write --junitxml:write --junit-xml:write --log-file:write --cov?data --cov-report:data --cov-config:read --ignore:name --deselect:data --durations:data --tb:data --lf --ff --pdbcls:load --confcutdir:dir --import-mode:data --override-ini:data",
    operands: "name",
  },
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  kubectl: { always: "elsewhere", operands: "name", options: "-f:read --filename:read --kubeconfig:load" },
  helm: { always: "elsewhere", operands: "name" },
  ansible: { always: "elsewhere" },
  "ansible-playbook": { always: "elsewhere" },
  vagrant: { always: "elsewhere" },
  aws: { always: "net", operands: "name" },
  gcloud: { always: "net", operands: "name" },
  az: { always: "net", operands: "name" },
  gh: {
    options: "-R:data --repo:data",
    operands: "name",
    commands: {
      alias: { operands: "opaque", always: "opaque" },
      extension: { always: "opaque", operands: "name" },
      config: { operands: "unit" },
      gist: {
        options: "-d:data -f:data -p -w --desc:data --filename:data --public --web",
        operands: "data file",
      },
      "*": {
        options:
          "-R:data -t:data -b:data -F:read -B:data -H:data -l:data -L:data -q:data -f:data --json:data --jq:data --title:data --body:data --body-file:read --repo:data --template:data --field:mention --raw-field:data --input:read --header:data --method:data -X:data",
        operands: "name",
      },
    },
  },
  glab: { operands: "name" },
  hg: {
    options:
      "--config:opaque -R:dir --cwd:chdir -m:data -e:program --ssh:program --remotecmd:program --tool:program -r:data",
    operands: "name",
  },
  svn: {
    options:
      "-m:data -F:read --diff-cmd:program --diff3-cmd:program --editor-cmd:program --config-dir:load --config-option:opaque -r:data",
    operands: "name",
  },
  code: { always: "elsewhere" },
  cursor: { always: "elsewhere" },
  claude: { always: "elsewhere" },
  codex: { always: "elsewhere" },
  gemini: { always: "elsewhere" },
  bazel: BAZEL,
  bazelisk: BAZEL,
  vite: { options: "-c:load --config:load", operands: "name" },
  webpack: { options: "-c:load --config:load -o:write", operands: "name" },
};
