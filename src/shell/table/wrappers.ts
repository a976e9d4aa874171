import type { CommandSpec } from "../spec.ts";

const argv = (options = "", before = ""): CommandSpec => ({
  options,
  operands: `${before} argv`.trim(),
  strict: true,
});

/** Programs that start the command in their own arguments. */
export const WRAPPERS: Readonly<Record<string, CommandSpec>> = {
  env: {
    options:
      "-i -0 -v -u:data -C:chdir -S:split --ignore-environment --null --debug --unset:data --chdir:chdir --split-string:split --block-signal?data --default-signal?data --ignore-signal?data --list-signal-handling --help --version -",
    operands: "assign argv",
    strict: true,
  },
  sudo: {
    options:
      "-A -b -E -e!opaque -H -i -K -k -l -n -P -S -s -V -v -B -N -u:data -g:data -h:data -p:data -C:data -c:data -D:chdir -R:opaque -r:data -t:data -T:data -U:data --askpass --background --preserve-env?data --set-home --login --non-interactive --stdin --shell --user:data --group:data --host:data --prompt:data --chdir:chdir --chroot:opaque --edit!opaque --list --validate --reset-timestamp --remove-timestamp",
    operands: "assign argv",
    strict: true,
  },
  doas: argv("-n -s -L -u:data -C:opaque"),
  run0: argv(
    "-u:data -g:data -D:chdir --user:data --group:data --nice:data --chdir:chdir --setenv:assign --unit:data --property:data --slice:data --machine:elsewhere --background:data --pty --pipe --no-ask-password",
  ),
  pkexec: argv("--user:data --disable-internal-agent --keep-cwd"),
  nice: argv("-n:data --adjustment:data -#"),
  ionice: argv(
    "-c:data -n:data -p:data -P:data -u:data -t --class:data --classdata:data --pid:data --ignore",
  ),
  chrt: argv(
    "-a -b -d -f -i -m -o -r -R -T:data -P:data -D:data -v --batch --deadline --fifo --idle --other --rr --sched-runtime:data --sched-period:data --sched-deadline:data",
    "data",
  ),
  taskset: argv("-a -c -p --all-tasks --cpu-list --pid", "data"),
  numactl: argv(
    "-i:data -N:data -C:data -m:data -l -p:data --interleave:data --cpunodebind:data --physcpubind:data --membind:data --localalloc --preferred:data --all -a",
  ),
  nohup: argv(),
  setsid: argv("-c -f -w --ctty --fork --wait"),
  timeout: argv(
    "-k:data -s:data -f -p -v --kill-after:data --signal:data --foreground --preserve-status --verbose",
    "data",
  ),
  time: argv(
    "-p -v -a -q -V -f:data -o:write --portability --verbose --append --quiet --format:data --output:write",
  ),
  stdbuf: argv("-i:data -o:data -e:data --input:data --output:data --error:data"),
  unbuffer: argv("-p"),
  chronic: argv("-v -e"),
  ifne: argv("-n"),
  catchsegv: argv(),
  linux32: argv(),
  linux64: argv(),
  setarch: argv(
    "-B -F -I -L -R -S -T -X -Z -3 -v --32bit --addr-no-randomize --3gb --verbose --uname-2.6 --show",
    "data",
  ),
  setpriv: argv(
    "-d --dump --clear-groups --groups:data --inh-caps:data --ambient-caps:data --init-groups --keep-groups --list-caps --no-new-privs --rgid:data --egid:data --regid:data --ruid:data --euid:data --reuid:data --bounding-set:data --securebits:data --pdeathsig:data --selinux-label:data --apparmor-profile:data --reset-env",
  ),
  prlimit: argv(
    "-c?data -d?data -e?data -f?data -i?data -l?data -m?data -n?data -q?data -r?data -s?data -t?data -u?data -v?data -x?data -y?data -p:data -o:data --noheadings --raw --verbose --core?data --data?data --nice?data --fsize?data --nofile?data --nproc?data --rss?data --stack?data --cpu?data --as?data --memlock?data --pid:data",
  ),
  unshare: argv(
    "-m?data -u?data -i?data -n?data -p?data -U?data -C?data -T?data -f -r -c -S:data -G:data -R:opaque -w:chdir --mount?data --uts?data --ipc?data --net?data --pid?data --user?data --cgroup?data --time?data --fork --map-root-user --map-current-user --map-user:data --map-group:data --map-users:data --map-groups:data --map-auto --keep-caps --kill-child?data --mount-proc?data --propagation:data --setgroups:data --root:opaque --wd:chdir --setuid:data --setgid:data --monotonic:data --boottime:data",
  ),
  nsenter: {
    ...argv(
      "-a -t:data -m?data -u?data -i?data -n?data -p?data -C?data -U?data -T?data -S:data -G:data -r?data -w?data -F -Z -W:data --all --target:data --mount?data --uts?data --ipc?data --net?data --pid?data --cgroup?data --user?data --time?data --setuid:data --setgid:data --root?data --wd?data --no-fork --preserve-credentials",
    ),
    always: "elsewhere",
  },
  chroot: { ...argv("--groups:data --userspec:data --skip-chdir", "data"), always: "opaque" },
  bwrap: argv(
    "--unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --die-with-parent --as-pid-1 --new-session --clearenv --disable-userns --chdir:data --unsetenv:data --hostname:data --uid:data --gid:data --proc:data --dev:data --tmpfs:data --mqueue:data --dir:data --remount-ro:data --lock-file:data --cap-add:data --cap-drop:data --args:opaque",
  ),
  fakeroot: argv(
    "-l:load -s:write -i:read -u -b:data --lib:load -f:program --faked:program --unknown-is-real",
  ),
  firejail: {
    ...argv(
      "--noprofile --quiet --private?data --net?data --profile?load --whitelist?data --blacklist?data --read-only?data",
    ),
    always: "opaque",
  },
  faketime: argv("-m -f --exclude-monotonic", "data"),
  "dbus-run-session": argv("--config-file:load --dbus-daemon:program"),
  "dbus-launch": argv("--sh-syntax --csh-syntax --auto-syntax --exit-with-session --config-file:load"),
  cgexec: argv("-g:data --sticky"),
  "systemd-run": {
    ...argv(
      "-p:data -u:data -t -P -d -S -E:assign -H:elsewhere -M:elsewhere --user --system --scope --wait --pty --pipe --quiet -q --collect -G --no-block --send-sighup --same-dir --shell --unit:data --description:data --slice:data --property:data --uid:data --gid:data --nice:data --working-directory:chdir --setenv:assign --on-active:data --on-boot:data --on-calendar:data --host:elsewhere --machine:elsewhere --remain-after-exit",
    ),
    always: "elsewhere",
  },
  "systemd-inhibit": argv("--what:data --who:data --why:data --mode:data --list"),
  strace: argv(
    "-f -ff -F -c -C -d -h -i -k -n -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z -D -e:data -E:assign -a:data -b:data -I:data -o:write -O:data -p:data -P:data -s:data -S:data -u:data -U:data -X:data --follow-forks --summary-only --output:write --trace:data --string-limit:data --quiet?data --decode-fds?data --absolute-timestamps?data",
  ),
  ltrace: argv(
    "-f -c -C -i -L -r -S -t -tt -T -e:data -o:write -p:data -s:data -u:data -n:data -l:data -x:data -F:load",
  ),
  perf: {
    commands: {
      stat: argv("-e:data -r:data -a -d -v -o:write --event:data --repeat:data --output:write"),
      record: argv("-e:data -F:data -g -a -o:write --event:data --output:write --call-graph:data"),
      trace: argv("-e:data -s -o:write"),
      script: {
        options: "-s:load --script:load -g:data --gen-script:data -i:read -F:data",
        operands: "name",
      },
      "*": {},
    },
  },
  gdbserver: argv("--once --debug --wrapper:opaque --multi --attach", "data"),
  valgrind: argv(
    "--tool:data --leak-check:data --show-leak-kinds:data --track-origins:data --error-exitcode:data --log-file:write --xml:data --xml-file:write --suppressions:read --trace-children:data --num-callers:data --gen-suppressions:data --vgdb:data --db-command:program -q -v --quiet --verbose",
  ),
  rlwrap: argv(
    "-a?data -A?data -b:data -c -C:data -D:data -e:data -f:read -H:write -i -l:write -m -n -N -o -p?data -P:data -q:data -r -R -s:data -S:data -t:data -u -w:data -z:program",
  ),
  entr: argv("-a -c -cc -d -n -p -r -s -x -z"),
  watchexec: argv(
    "-w:dir -e:data -f:data -i:data -r -c?data -d:data -s:data -n --watch:dir --exts:data --restart --clear?data --debounce:data --signal:data --shell:program --no-shell --ignore:data --filter:data -N",
  ),
  direnv: { commands: { exec: { ...argv("", "dir"), always: "opaque" }, "*": { always: "opaque" } } },
  flock: argv(
    "-s -x -e -n -w:data -E:data -o -u -c:shell -F --shared --exclusive --nonblock --timeout:data --wait:data --conflict-exit-code:data --close --command:shell --no-fork --verbose --unlock",
    "write",
  ),
  xargs: argv(
    "-0 -r -t -x -p -o -a:read -d:data -E:data -e?data -I:data -i?data -L:data -l?data -n:data -P:data -s:data --null --no-run-if-empty --verbose --exit --interactive --open-tty --arg-file:read --delimiter:data --eof?data --replace?data --max-lines?data --max-args:data --max-procs:data --max-chars:data --show-limits --process-slot-var:data",
  ),
  ip: {
    commands: {
      netns: {
        commands: { exec: argv("-a --all", "data"), "*": { operands: "data" } },
      },
      vrf: { commands: { exec: argv("", "data"), "*": { operands: "data" } } },
      "*": { operands: "data" },
    },
    options:
      "-4 -6 -a -all -b:load -batch:load -br -c?data -d -details -f:data -h -j -json -n:data -netns:data -o -p -r -s -t",
    style: "long",
  },
  "run-parts": {
    options:
      "--test --list -v --verbose --report --reverse --exit-on-error --new-session --regex:data --umask:data -u:data -a:data --arg:data --lsbsysinit",
    operands: "load",
  },
  "start-stop-daemon": { always: "elsewhere" },
  uv: {
    commands: {
      run: argv(
        "--with:data --with-editable:data --python:program -p:program --project:dir --directory:chdir --no-project --isolated --frozen --locked --offline --no-sync --extra:data --group:data --all-extras --quiet -q --verbose -v --env-file:read --module:data -m:data --script:read --no-dev --active",
      ),
      "*": {},
    },
  },
  poetry: {
    commands: { run: argv("-q -v --quiet --directory:chdir -C:chdir --project:dir -P:dir"), "*": {} },
  },
  pipenv: { commands: { run: argv(), "*": {} } },
  bundle: { commands: { exec: argv("--keep-file-descriptors --gemfile:read"), "*": {} } },
  conda: {
    commands: {
      run: argv("-n:data -p:dir --name:data --prefix:dir --no-capture-output --live-stream --cwd:chdir -v"),
      "*": {},
    },
  },
  mise: {
    commands: {
      exec: argv("-c:shell --command:shell -C:chdir --cd:chdir -q -v", ""),
      x: argv("-c:shell --command:shell"),
      "*": {},
    },
  },
  dotenv: argv("-e:read -f:read -p:data -v:assign -c -o --override -q"),
  "cross-env": { operands: "assign argv", strict: true },
  "cross-env-shell": { operands: "assign shell" },
  nvm: { commands: { exec: argv("", "data"), run: argv("", "data"), "*": {} } },
  torsocks: { ...argv("-i -d -q -a:data -P:data -u:data -p:data"), always: "net" },
  proxychains: { ...argv("-q -f:load"), always: "net" },
  proxychains4: { ...argv("-q -f:load"), always: "net" },
  gosu: argv("", "data"),
  "su-exec": argv("", "data"),
  capsh: {
    options: "--drop:data --caps:data --user:data --uid:data --print --decode:data --chroot:opaque -c:shell",
    operands: "opaque",
  },
  busybox: argv("--list --list-full --help"),
  toybox: argv("--help --long --version"),
  "ld-linux-x86-64.so.2": argv(
    "--list --verify --inhibit-cache --library-path:opaque --preload:load --argv0:data --audit:load --glibc-hwcaps-prepend:data --glibc-hwcaps-mask:data",
  ),
  "ld-linux-aarch64.so.1": argv(
    "--list --verify --inhibit-cache --library-path:opaque --preload:load --argv0:data --audit:load",
  ),
  "ld.so": argv(
    "--list --verify --inhibit-cache --library-path:opaque --preload:load --argv0:data --audit:load",
  ),
  "ld-musl-x86_64.so.1": argv("--list --library-path:opaque --preload:load --argv0:data"),
};

/** Programs that run a command line given as one text. */
export const SHELLS: Readonly<Record<string, CommandSpec>> = {
  su: {
    options:
      "-l -m -p -P -f -w:data -g:data -G:data -c:shell -s:program --login --preserve-environment --command:shell --session-command:shell --shell:program --group:data --supp-group:data --whitelist-environment:data --pty",
    operands: "data",
    strict: true,
    always: "opaque",
  },
  watch: {
    options:
      "-b -c -C -d?data -e -g -n:data -p -q:data -r -s:data -t -w -x --beep --color --differences?data --errexit --chgexit --interval:data --precise --no-title --no-wrap --exec --equexit:data",
    operands: "unit",
    strict: true,
  },
  script: {
    options:
      "-a -e -f -q -c:shell -E:data -I:write -B:write -O:write -T:write -m:data -o:data -t?write --append --return --flush --quiet --command:shell --echo:data --log-in:write --log-io:write --log-out:write --log-timing:write --logging-format:data --output-limit:data --force",
    operands: "write",
    strict: true,
  },
  parallel: {
    options:
      "-j:data -k -q -X -m -n:data -N:data -L:data -a:read -d:data -0 -I:data -S:elsewhere -t -v -u -x:data --jobs:data --keep-order --halt:data --bar --progress --dry-run --colsep:data --arg-file:read --delimiter:data --null --max-args:data --will-cite --no-notice --joblog:write --results:write --retries:data --timeout:data --ungroup --line-buffer --lb --tag --pipe --block:data --shuf --delay:data --load:data --wd:chdir --env:data --sshlogin:elsewhere --sshloginfile:elsewhere --tmpdir:dir -#",
    operands: "unit",
    strict: true,
  },
  ssh: {
    options:
      "-1 -2 -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B:data -b:data -c:data -D:data -E:write -e:data -F:load -I:load -i:read -J:data -L:data -l:data -m:data -O:data -o:config -p:data -Q:data -R:data -S:data -W:data -w:data",
    operands: "net unit",
    strict: true,
    always: "net",
  },
  scp: {
    options:
      "-3 -4 -6 -A -a -B -C -O -p -q -R -r -s -T -v -c:data -D:program -F:load -i:read -J:data -l:data -o:config -P:data -S:program -X:data",
    operands: "file",
    always: "net",
  },
  sftp: {
    options:
      "-4 -6 -A -a -C -f -N -p -q -r -v -B:data -b:load -c:data -D:program -F:load -i:read -J:data -l:data -o:config -P:data -R:data -S:program -s:data -X:data",
    operands: "net file",
    always: "net",
  },
  rsync: {
    options:
      "-a -v -z -r -n -h -l -p -t -g -o -D -u -H -A -X -x -P -q -i -c -b -R -S -W -e:program --rsh:program --rsync-path:program --archive --delete --exclude:data --include:data --exclude-from:read --include-from:read --files-from:read --dry-run --progress --stats --partial --info:data --bwlimit:data --timeout:data --out-format:data --log-file:write --password-file:read --temp-dir:dir --backup-dir:dir --compare-dest:dir --copy-dest:dir --link-dest:dir -f:data --filter:data --write-batch:write --only-write-batch:write --read-batch:load --max-size:data --min-size:data --chmod:data --chown:data --daemon!elsewhere --config:load --early-exec:program -M:data --remote-option:data",
    operands: "file >write",
    lists: "--files-from",
  },
  mosh: {
    options: "--ssh:program --server:program --client:program --predict:data -p:data --port:data",
    operands: "net argv",
    always: "net",
  },
  tmux: {
    options: "-2 -C -D -l -N -u -v -c:shell -f:load -L:data -S:data -T:data",
    operands: "opaque",
    always: "elsewhere",
  },
  screen: { always: "elsewhere" },
  at: {
    options: "-f:load -m -q:data -t:data -l -d:data -r:data -c:data",
    operands: "data",
    always: "elsewhere",
  },
  batch: { always: "elsewhere" },
  crontab: { options: "-l -r -e -i -u:data", operands: "load", always: "elsewhere" },
  expect: {
    options: "-c:code -f:load -b:load -d -D:data -i -n -N -v",
    operands: "load",
    input: "code",
    language: "other",
  },
};
