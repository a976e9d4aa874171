import type { CommandSpec } from "../spec.ts";

const files = (options = "", prints?: CommandSpec["prints"]): CommandSpec => ({
  options,
  operands: "read",
  ...(prints && { prints }),
});
const DATA: CommandSpec = { operands: "data" };
const WRITES: CommandSpec = { operands: "write" };

const GREP =
  "-e:data -f:read -A:data -B:data -C:data -m:data -d:data -D:data --regexp:data --file:read --include:pattern --exclude:data --exclude-dir:data --exclude-from:read --color?data --colour?data --context:data --after-context:data --before-context:data --max-count:data --label:data --binary-files:data --directories:data --devices:data -r -R -n -i -v -w -x -c -l -L -o -q -s -h -H -E -F -G -P -z -Z -a -b -I -U -T -y -#";

/** Programs that only read, show or change files. Left out: whatever does the obvious with its operands. */
const SEVEN_ZIP: CommandSpec = {
  options:
    "-o:write -w:dir -p?data -t:data -m:data -x:data -i@:read -x@:read -i:opaque -v:data -u:data -y -r -so -si -aoa -aos -aou -aot -bd -slt -sdel",
  operands: "data file",
  style: "long",
};

const OPENSSL =
  "-in:read -out:write -inkey:read -key:read -keyout:write -cert:read -CAfile:read -CApath:dir -CA:read -CAkey:read -config:load -engine:load -provider:load -provider-path:load -certfile:read -signer:read -recip:read -content:read -passin:mention -passout:data -pass:mention -kfile:read -rand:read -writerand:write -connect:net -proxy:net -accept:data -subj:data -days:data -nodes -new -x509 -newkey:data -sha256 -base64 -a -d -e -A -noout -text -hex -binary -md:data -k:data -K:data -iv:data -S:data -iter:data -pbkdf2 -salt -aes-256-cbc -quiet -servername:data -showcerts -fingerprint -dates -issuer -subject -enddate -startdate -pubout -pubin -sign:read -verify:read -signature:read -untrusted:read -extfile:read -extensions:data -addext:data -set_serial:data -CAserial:both -outform:data -inform:data -export -name:data -inkey:read -chain -macopt:data -mac:data -hmac:data -sigfile:write -url:net -host:data -port:data -WWW!opaque -HTTP!opaque";
/** Commands of openssl whose operands are files. */
const DIGESTS =
  "dgst md5 sha1 sha224 sha256 sha384 sha512 sha3-256 sha3-512 sm3 blake2b512 blake2s256 verify storeutl asn1parse".split(
    " ",
  );

export const TOOLS: Readonly<Record<string, CommandSpec>> = {
  echo: { operands: "mention" },
  printf: { operands: "mention" },
  cat: files("-A -b -e -E -n -s -t -T -u -v", "input"),
  tac: files("-s:data --separator:data", "input"),
  rev: files(),
  head: files("-n:data -c:data --lines:data --bytes:data -q -v -z -#", "input"),
  tail: files(
    "-n:data -c:data -s:data --lines:data --bytes:data --pid:data --sleep-interval:data -f -F -q -v -z --follow?data --retry -#",
    "input",
  ),
  less: {
    ...files(
      "-o:write -O:write -k:load -t:data -T:read -p:data -j:data -x:data -y:data -z:data -b:data -P:data -D:data --log-file:write --LOG-FILE:write --lesskey-file:load --lesskey-src:load --tag-file:read --pattern:data --prompt:data -#",
    ),
    plus: "opaque",
  },
  more: { ...files(), plus: "opaque" },
  bat: files(
    "-l:data -r:data -H:data -m:data --pager:program --language:data --line-range:data --style:data --theme:data --color:data --paging:data --tabs:data --wrap:data --diff -n -p -P",
  ),
  nl: files("-b:data -d:data -f:data -h:data -i:data -l:data -n:data -s:data -v:data -w:data"),
  od: files("-A:data -j:data -N:data -S:data -t:data -w?data"),
  xxd: {
    options: "-a -b -C -c:data -e -E -g:data -i -l:data -n:data -o:data -p -r -R:data -s:data -u -v -ps",
    operands: "read write",
    style: "long",
  },
  hexdump: files("-b -c -C -d -o -v -x -e:data -f:read -n:data -s:data"),
  strings: files("-n:data -t:data -e:data -T:data -s:data -a -f"),
  wc: {
    ...files("-c -m -l -L -w --files0-from:read --total:data", "integer"),
    lists: "--files0-from",
  },
  sort: {
    options:
      "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k:data -o:write -S:data -t:data -T:dir --key:data --output:write --buffer-size:data --field-separator:data --temporary-directory:dir --compress-program:program --files0-from:read --random-source:read --parallel:data --batch-size:data --sort:data --check?data --unique --reverse --numeric-sort --stable",
    operands: "read",
    prints: "input",
    lists: "--files0-from",
  },
  uniq: {
    options: "-c -d -D -i -u -z -f:data -s:data -w:data --group?data",
    operands: "read write",
    prints: "input",
  },
  cut: files(
    "-b:data -c:data -d:data -f:data -n -s -z --bytes:data --characters:data --delimiter:data --fields:data --output-delimiter:data",
  ),
  paste: files("-d:data -s -z --delimiters:data --serial"),
  join: files("-1:data -2:data -a:data -e:data -i -j:data -o:data -t:data -v:data"),
  column: files("-t -x -n -s:data -o:data -c:data -N:data -R:data -T:data -H:data -O:data -J -e"),
  tr: DATA,
  fold: files("-b -s -w:data --width:data -#"),
  fmt: files("-w:data -p:data -c -s -t -u -#"),
  expand: files("-t:data -i"),
  unexpand: files("-t:data -a"),
  comm: files("-1 -2 -3 -z --output-delimiter:data"),
  tsort: files(),
  shuf: {
    options:
      "-e -i:data -n:data -o:write -r -z --random-source:read --echo --input-range:data --head-count:data --output:write",
    operands: "read",
  },
  split: {
    options:
      "-a:data -b:data -C:data -d -e -l:data -n:data -t:data -u -x --filter:shell --additional-suffix:data --bytes:data --lines:data --suffix-length:data -#",
    operands: "read write",
  },
  csplit: {
    options: "-b:data -f:write -n:data -k -s -z --prefix:write --suffix-format:data",
    operands: "read data",
  },
  base64: files("-d -D -i -w:data -o:write --wrap:data --decode"),
  base32: files("-d -i -w:data --wrap:data --decode"),
  basenc: files("-d -i -w:data --wrap:data"),
  md5sum: files("-b -c:read -t -z --check:read"),
  sha1sum: files("-b -c -t -z"),
  sha256sum: files("-b -c -t -z"),
  sha512sum: files("-b -c -t -z"),
  cksum: files("-a:data -l:data -b -c"),
  shasum: files("-a:data -b -c -p"),
  file: files("-f:read -m:load -F:data -P:data --files-from:read --magic-file:load --separator:data"),
  stat: files("-f -L -t -c:data --format:data --printf:data", "integer"),
  ls: {
    ...files(
      "-a -A -f -l -1 -R -t -r -S -h -F -d -p -i -s -n -g -o -Q -q -N -x -C -m -c -u -U -k -L -H -Z -B -b -G -X -v --all --almost-all --recursive --reverse --directory --human-readable --classify?data --inode --size --full-time --group-directories-first --literal --quote-name --no-group --numeric-uid-gid --zero -I:data -T:data -w:data --ignore:data --hide:data --color?data --format:data --sort:data --time:data --time-style:data --block-size:data --indicator-style:data --tabsize:data --width:data",
      "listing",
    ),
    shows: "-a -A -f --all --almost-all",
  },
  dir: {
    ...files("-a -A -f -l -1 -I:data --all --almost-all", "listing"),
    shows: "-a -A -f --all --almost-all",
  },
  tree: {
    ...files(
      "-a -d -f -i -l -x -s -h -L:data -P:data -I:data -H:data -T:data -o:write --filelimit:data --charset:data --sort?data --timefmt:data",
      "listing",
    ),
    shows: "-a",
  },
  du: files(
    "-B:data -d:data -t:data -X:read --exclude:data --exclude-from:read --files0-from:read --max-depth:data --block-size:data --threshold:data --time?data --time-style:data",
    "listing",
  ),
  df: files("-B:data -t:data -x:data --output?data --type:data --exclude-type:data --block-size:data"),
  readlink: { options: "-e -f -m -n -q -s -v -z", operands: "read", prints: "listing" },
  realpath: {
    options: "-e -m -L -P -q -s -z --relative-to:dir --relative-base:dir",
    operands: "read",
    prints: "listing",
  },
  basename: { options: "-a -s:data -z --suffix:data", operands: "name data", prints: "listing" },
  dirname: { operands: "name", prints: "listing" },
  pathchk: { operands: "name" },
  cmp: files("-b -i:data -l -n:data -s"),
  diff: files(
    "-u -c -e -n -y -q -s -r -N -a -b -B -d -E -i -w -Z -t -T -l -p -C:data -U:data -D:data -F:data -I:data -L:data -S:data -W:data -x:data -X:read --from-file:read --to-file:read --exclude:data --exclude-from:read --label:data --color?data --palette:data --width:data --unified?data --context?data --ifdef:data --show-function-line:data --ignore-matching-lines:data --line-format:data --GTYPE-group-format:data --old-line-format:data --new-line-format:data --unchanged-line-format:data --old-group-format:data --new-group-format:data --changed-group-format:data --unchanged-group-format:data --starting-file:data --horizon-lines:data --tabsize:data -#",
  ),
  diff3: files("--diff-program:program -L:data -m -A -e -E -i -x -X -3"),
  sdiff: {
    options:
      "-o:write --output:write --diff-program:program -w:data -s -l -i -E -Z -b -W -B -a -I:data -H -t --width:data",
    operands: "read",
  },
  colordiff: files("--difftype:data --color?data -u"),
  patch: {
    options:
      "-b -c -e -f -l -n -N -R -s -t -u -E -T -Z -d:chdir -i:read -o:write -p:data -r:write -B:data -D:data -F:data -g:data -V:data -Y:data -z:data --directory:chdir --input:read --output:write --strip:data --reject-file:write --dry-run --forward --reverse --batch --force --quiet --verbose --backup",
    operands: "write read",
  },
  touch: {
    options: "-a -c -h -m -d:data -r:read -t:data --date:data --reference:read --time:data",
    operands: "write",
    keeps: true,
  },
  mkdir: { options: "-m:data -p -v -Z --mode:data --parents", operands: "write" },
  rmdir: WRITES,
  rm: { options: "-f -i -I -r -R -d -v --force --recursive --dir --interactive?data", operands: "write" },
  unlink: WRITES,
  shred: {
    options:
      "-f -n:data -s:data -u -v -x -z --iterations:data --random-source:read --size:data --remove?data",
    operands: "write",
  },
  truncate: { options: "-c -o -r:read -s:data --reference:read --size:data", operands: "write" },
  fallocate: {
    options: "-c -d -i -n -p -v -x -z -l:data -o:data --length:data --offset:data",
    operands: "write",
  },
  cp: {
    options:
      "-a -b -d -f -i -H -l -L -n -P -p -r -R -s -T -u -v -x -Z --link --symbolic-link -S:data -t:write --target-directory:write --suffix:data --backup?data --preserve?data --no-preserve:data --reflink?data --sparse:data --recursive --parents --archive",
    operands: "read >write",
  },
  mv: {
    options: "-b -f -i -n -T -u -v -Z -S:data -t:write --target-directory:write --suffix:data --backup?data",
    operands: "write",
  },
  ln: {
    options:
      "-b -d -f -F -i -L -n -P -r -s -T -v -S:data -t:write --target-directory:write --suffix:data --symbolic --force --relative",
    operands: "read >write",
  },
  link: { operands: "read >write" },
  install: {
    options:
      "-b -c -C -d -D -p -s -T -v -g:data -m:data -o:data -S:data -t:write --group:data --mode:data --owner:data --strip-program:program --target-directory:write --suffix:data --backup?data",
    operands: "read >write",
  },
  mktemp: {
    options: "-d -u -q -t -p:write --suffix:data --tmpdir?write --directory --dry-run",
    operands: "name",
    prints: "fresh",
  },
  mkfifo: { options: "-m:data --mode:data", operands: "write" },
  mknod: { options: "-m:data", operands: "write data" },
  tee: { options: "-a -i -p --append --output-error?data", operands: "write", prints: "input" },
  sponge: { options: "-a", operands: "write" },
  dd: {
    options:
      "if:read of:write bs:data ibs:data obs:data cbs:data count:data skip:data seek:data conv:data iflag:data oflag:data status:data iseek:data oseek:data",
    operands: "file",
    style: "pairs",
  },
  chmod: {
    options: "-c -f -v -R -r -w -x -X -s -t -u -g -o -a --reference:read --recursive",
    operands: "data write",
    instead: "--reference",
    keeps: true,
  },
  chown: {
    options: "-c -f -h -v -R -H -L -P --from:data --reference:read",
    operands: "data write",
    instead: "--reference",
    keeps: true,
  },
  chgrp: {
    options: "-c -f -h -v -R --reference:read",
    operands: "data write",
    instead: "--reference",
    keeps: true,
  },
  chattr: { options: "-R -V -f -v:data -p:data", operands: "data write" },
  setfattr: { options: "-n:data -v:data -x:data -h --restore:read", operands: "write" },
  date: {
    options:
      "-u -R -d:data -f:read -r:read -s:opaque -I?data --date:data --file:read --reference:read --set:opaque --iso-8601?data --rfc-3339:data --utc",
    operands: "data",
    prints: "integer",
  },
  cal: DATA,
  seq: {
    options: "-w -f:data -s:data --format:data --separator:data --equal-width",
    operands: "data",
    prints: "integer",
  },
  expr: { operands: "data", prints: "integer" },
  bc: {
    options: "-l -q -s -w -i -e:data -f:read --expression:data --file:read",
    operands: "read",
    prints: "integer",
  },
  dc: {
    options: "-e:code -f:load --expression:code --file:load",
    operands: "load",
    input: "code",
    language: "other",
  },
  factor: { operands: "data", prints: "integer" },
  nproc: { options: "--all --ignore:data", operands: "data", prints: "integer" },
  id: { operands: "data" },
  sleep: DATA,
  true: DATA,
  false: DATA,
  kill: DATA,
  pkill: DATA,
  pgrep: { operands: "data", prints: "integer" },
  killall: DATA,
  ps: DATA,
  top: DATA,
  uname: DATA,
  hostname: { options: "-F:read -b -s -f -i -I -d -A", operands: "data" },
  whoami: DATA,
  groups: DATA,
  tty: DATA,
  stty: { options: "-F:both -a -g --file:both", operands: "data" },
  tput: { options: "-T:data -S", operands: "data" },
  clear: DATA,
  reset: DATA,
  yes: DATA,
  which: { options: "-a -s --all", operands: "data", prints: "operands" },
  whereis: { operands: "data" },
  type: DATA,
  command: DATA,
  logger: { options: "-f:read -i -s -p:data -t:data -n:data", operands: "data" },
  wall: { always: "elsewhere" },
  locale: DATA,
  getconf: DATA,
  lsof: {
    options: "-a -b -c:data -d:data -i?data -n -P -p:data -s?data -t -u:data +D:dir",
    operands: "read",
  },
  grep: { options: GREP, operands: "data read", instead: "-e -f --regexp --file", prints: "input" },
  egrep: { options: GREP, operands: "data read", instead: "-e -f --regexp --file", prints: "input" },
  fgrep: { options: GREP, operands: "data read", instead: "-e -f --regexp --file", prints: "input" },
  zgrep: { options: GREP, operands: "data read", instead: "-e -f --regexp --file" },
  pcregrep: { options: GREP, operands: "data read", instead: "-e -f" },
  rg: {
    options:
      "-e:data -f:read -A:data -B:data -C:data -d:data -E:data -g:pattern -j:data -m:data -M:data -r:data -t:data -T:data --regexp:data --file:read --pre:program --pre-glob:data --hostname-bin:program --hyperlink-format:data --ignore-file:read --glob:pattern --iglob:pattern --type:data --type-not:data --type-add:data --type-clear:data --replace:data --max-count:data --max-depth:data --max-filesize:data --max-columns:data --context:data --after-context:data --before-context:data --color:data --colors:data --sort:data --sortr:data --threads:data --encoding:data --engine:data --path-separator:data --context-separator:data --field-match-separator:data --dfa-size-limit:data --regex-size-limit:data -z!opaque --search-zip!opaque --files --no-ignore --hidden -i -n -v -w -x -c -l -L -o -q -s -S -u -uu -F -P -U -N -H -I -a -p -0 -.",
    operands: "data read",
    instead: "-e -f --regexp --file --files",
    prints: "listing",
    shows: "--hidden -. -u -uu -uuu --unrestricted",
  },
  ag: {
    options:
      "-A:data -B:data -C:data -G:data -m:data -p:read --ignore:data --ignore-dir:data --pager:program -z!opaque --search-zip!opaque -l -L -i -s -n -w -v -c -Q",
    operands: "data read",
    prints: "listing",
  },
  ack: {
    options:
      "-A:data -B:data -C:data -m:data -g:data -f --pager?program --match:data --type:data --ackrc?load --output:data -l -L -i -w -v -c -Q",
    operands: "data read",
    prints: "listing",
  },
  fd: {
    options:
      "-x:argv -X:argv --exec:argv --exec-batch:argv -e:data -E:data -d:data -t:data -S:data -o:data -j:data -c:data --extension:data --exclude:data --max-depth:data --min-depth:data --exact-depth:data --type:data --size:data --owner:data --threads:data --color:data --changed-within:data --changed-before:data --max-results:data --ignore-file:read --base-directory:chdir -C:chdir --search-path:dir --format:data --path-separator:data -H -I -u -s -i -g -F -a -l -L -p -0 -1 -q",
    operands: "data read",
    prints: "listing",
    shows: "-H -u --hidden --unrestricted",
  },
  fdfind: {
    options:
      "-x:argv -X:argv --exec:argv --exec-batch:argv -e:data -E:data -d:data -t:data -H -I -a -p -0 -g",
    operands: "data read",
    prints: "listing",
  },
  locate: DATA,
  fzf: {
    options: "--preview:shell --bind:shell --filter:data -f:data -q:data --query:data -e -i -m",
    operands: "data",
    prints: "input",
  },
  jq: {
    options:
      "-n -r -j -a -s -c -C -M -S -e -R -0 -f:read -L:dir --from-file:read --rawfile:unit --slurpfile:unit --arg:unit --argjson:unit --args --jsonargs --indent:data --tab --raw-output --null-input --slurp --compact-output --exit-status --raw-input --sort-keys --seq --stream",
    operands: "data read",
    instead: "-f --from-file",
  },
  m4: {
    options:
      "-D:code -U:data -I:dir -F:write -R:load -d?data -E -e -g -G -i -L:data -o:write -P -Q -s -l:data -t:data -B:data -H:data --define:code --undefine:data --include:dir --freeze-state:write --reload-state:load --debugfile?write --prefix-builtins --synclines --fatal-warnings --quiet --silent",
    operands: "read",
    input: "code",
    language: "m4",
  },
  yq: {
    options:
      "-i!opaque -n -r -P -j -o:data -p:data -I:data -e -s:data --inplace!opaque --output-format:data --input-format:data --from-file:load -y -Y -w:data",
    operands: "code read",
    instead: "--from-file",
    language: "yq",
  },
  xmllint: {
    options:
      "--xpath:data --format --noout --output:write -o:write --schema:read --dtdvalid:read --shell!opaque --valid --html --encode:data --load-trace --path:dir --stream --pretty:data",
    operands: "read",
  },
  tar: {
    options:
      "-c -x -t -r -u -d -A -v -z -j -J -Z -a -p -P!opaque -k -m -O -S -w -W -l -i -h -n -R -B -f:both -C:chdir -T:read -X:read -b:data -g:write -H:data -I:program -F:program -K:data -L:data -N:data -V:data --file:both --directory:chdir --files-from:read --exclude-from:read --exclude:data --use-compress-program:program --to-command:program --checkpoint-action:config --checkpoint?data --info-script:program --new-volume-script:program --rsh-command:program --rmt-command:program --transform:data --xform:data --strip-components:data --owner:data --group:data --mode:data --mtime:data --sort:data --format:data --listed-incremental:write --index-file:write --warning:data --wildcards --anchored --create --extract --get --list --append --update --delete --diff --verbose --gzip --bzip2 --xz --zstd --lzma --auto-compress --absolute-names!opaque --no-same-owner --no-same-permissions --same-permissions --overwrite --keep-old-files --totals --label:data --after-date:data --newer:data --blocking-factor:data --add-file:read --one-file-system --one-top-level?write --null --no-recursion --to-stdout --remove-files --dereference --volno-file:write --force-local --exclude-vcs --exclude-vcs-ignores --numeric-owner",
    operands: "file",
    style: "cluster",
    lists: "-T --files-from",
  },
  cpio: {
    options:
      "-i -o -p -t -d -m -u -v -0 -a -A -B -c -F:both -H:data -I:read -O:write -D:chdir -E:read -M:data -R:data --file:both --directory:chdir --rsh-command:program --no-absolute-filenames --pattern-file:read --create --pass-through --extract",
    operands: "file",
    lists: "-o -p --create --pass-through",
  },
  gzip: {
    options: "-c -d -f -k -l -n -N -q -r -t -v -S:data --suffix:data --stdout --decompress --force --keep -#",
    operands: "write",
  },
  gunzip: { options: "-c -f -k -l -n -q -r -t -v -S:data", operands: "write" },
  zcat: files(),
  zless: files(),
  bzip2: { options: "-c -d -f -k -q -s -t -v -z -#", operands: "write" },
  xz: {
    options:
      "-c -d -e -f -k -l -q -t -v -z -0 -F:data -C:data -T:data -S:data -M:data --files?read --files0?read --suffix:data --threads:data --format:data -#",
    operands: "write",
  },
  zstd: {
    options: "-c -d -f -k -l -q -r -t -v -o:write -D:read -T:data -M:data --rm --ultra -#",
    operands: "read",
  },
  zip: {
    options:
      "-r -q -j -m -u -v -9 -0 -1 -e -y -D -X -T -TT:shell -P:data -b:dir -i:pattern -@ -x:data -n:data -t:data -s:data -O:write -O --unzip-command:shell --out:write --temp-path:dir --exclude:data --include:pattern -#",
    operands: "file",
    style: "long",
    lists: "-@",
  },
  unzip: {
    options:
      "-d:write -x:data -P:data -q -qq -o -n -l -p -t -v -j -u -f -a -b -B -C -L -M -V -W -X -z -Z -qo",
    operands: "read mention",
  },
  "7z": SEVEN_ZIP,
  "7za": SEVEN_ZIP,
  "7zr": SEVEN_ZIP,
  "7zz": SEVEN_ZIP,
  ar: { operands: "data file" },
  "xdg-open": { operands: "file", always: "elsewhere" },
  open: { operands: "file", always: "elsewhere" },
  gio: { always: "elsewhere" },
  wslview: { always: "elsewhere" },
  "gnome-open": { always: "elsewhere" },
  man: {
    options:
      "-P:program --pager:program -H?program --html?program -l -k -f -K -a -w -W -M:dir -C:load -L:data -m:data -S:data -s:data -e:data -E:data -p:data -r:data -R:data -T?data -t -Z --preprocessor:data --prompt:data --config-file:load --manpath:dir --local-file --version",
    operands: "name",
  },
  info: {
    options:
      "-f:read -n:data -o:write -d:dir --file:read --output:write --init-file:load --restore:load --dribble:write",
    operands: "data",
  },
  ed: {
    options: "-s -p:data -E -G -l -r -v --prompt:data",
    operands: "write",
    input: "code",
    language: "other",
  },
  ex: {
    options: "-c:code -s -S:load -u:load -R -v --cmd:code",
    operands: "write",
    input: "code",
    language: "vim",
    style: "long",
  },
  vim: {
    options:
      "-c:code --cmd:code -S:load -s:load -u:load -U:load -w:write -W:write -i:both -T:data -t:data -q:read -e -es -E -R -n -N -Z -m -M -b -d -o -O -p -y -A -H -V -L -r -g -f -C -l --noplugin --clean --startuptime:write --servername:data --remote!elsewhere --remote-send:elsewhere --remote-expr:elsewhere",
    operands: "write",
    plus: "code",
    language: "vim",
    style: "long",
  },
  nano: {
    options: "-f:load -C:write -s:program --rcfile:load --speller:program --backupdir:write -T:data -r:data",
    operands: "write",
  },
  emacs: {
    options:
      "--batch -batch -Q -q --eval:code -eval:code --execute:code -execute:code -l:load --load:load -f:code --funcall:code --script:load -script:load --daemon!elsewhere -nw --chdir:chdir --visit:write --insert:read --directory:dir -L:dir",
    operands: "write",
    style: "long",
    language: "other",
  },
  sqlite3: {
    options:
      "-cmd:code -init:load -header -noheader -csv -json -column -list -line -html -box -table -markdown -batch -bail -readonly -separator:data -newline:data -nullvalue:data -echo -safe -unsafe-testing -version",
    operands: "both code",
    style: "long",
    input: "code",
    language: "sql",
  },
  psql: {
    options:
      "-c:code -f:load -o:write -L:write -v:data -d:data -h:data -p:data -U:data -F:data -R:data -P:data -T:data -l -A -t -q -x -w -W -1 -X -a -b -e -E -n -s -S -H --command:code --file:load --output:write --log-file:write --set:data --variable:data --dbname:data --host:data --port:data --username:data",
    operands: "data",
    language: "sql",
    input: "code",
  },
  mysql: {
    options:
      "-e:code -u:data -p?data -h:data -P:data -D:data -S:data --execute:code --user:data --password?data --host:data --database:data --pager?program --tee:write --init-command:code --defaults-file:load --defaults-extra-file:load --plugin-dir:load --socket:data -B -N -s -t -v",
    operands: "data",
    language: "sql",
    input: "code",
  },
  mariadb: {
    options:
      "-e:code -u:data -p?data -h:data -P:data -D:data --execute:code --pager?program --tee:write --defaults-file:load",
    operands: "data",
    language: "sql",
    input: "code",
  },
  "redis-cli": {
    options: "--eval:load --pipe -h:data -p:data -a:data -n:data -x --rdb:write",
    operands: "data",
  },
  mongosh: {
    options: "--eval:code -f:load --file:load --quiet --norc",
    operands: "load",
    language: "js",
    input: "code",
  },
  openssl: {
    options: OPENSSL,
    operands: "data",
    style: "long",
    commands: {
      ...Object.fromEntries(
        DIGESTS.map((name) => [name, { options: OPENSSL, operands: "read", style: "long" as const }]),
      ),
      ...Object.fromEntries(
        ["smime", "cms", "ts"].map((name) => [
          name,
          {
            options: `${OPENSSL.replace("-sign:read", "-sign").replace("-verify:read", "-verify")} -data:read -queryfile:read`,
            operands: "read",
            style: "long" as const,
          },
        ]),
      ),
      engine: { options: "-t -c -v -vv -pre:opaque -post:opaque", operands: "load", style: "long" },
      s_client: {
        options:
          "-connect:net -proxy:net -host:net -servername:data -CAfile:read -CApath:dir -cert:read -key:read -quiet -showcerts -brief -tls1_2 -tls1_3 -engine:load -sess_in:read -sess_out:write -keylogfile:write -msgfile:write",
        operands: "data",
        style: "long",
        always: "net",
      },
    },
  },
  gpg: {
    options:
      "-o:write -r:data -u:data -d -e -s -b -c -a -v -q --output:write --recipient:data --local-user:data --homedir:dir --options:load --keyserver:net --photo-viewer:program --agent-program:program --dirmngr-program:program --pinentry-program:program --gpg-agent-info:data --passphrase-file:read --passphrase:data --batch --yes --armor --decrypt --encrypt --sign --verify --import --export --export-secret-keys!opaque --export-secret-subkeys!opaque --load-extension:load --keyring:read --trust-model:data --status-fd:data --status-file:write --logger-file:write",
    operands: "read",
  },
  "ssh-keygen": {
    options:
      "-f:both -t:data -b:data -N:data -C:data -P:data -D:load -w:load -I:data -s:read -n:data -V:data -O:data -i -e -m:data -l -y -q -p -c -B -R:data -F:data -H -E:data -Y:data -r:data -z:data -a:data -A -k -L -Q -u -v -K -M:data",
    operands: "file",
  },
  "ssh-add": {
    options:
      "-l -L -D -d -x -X -q -v -c -k -K -s:load -e:load -t:data -E:data -S:load -T:read -h:data -H:data",
    operands: "read",
    always: "elsewhere",
  },
  "ssh-agent": {
    options: "-a:data -c -D -d -k -s -t:data -E:data -P:data -O:data",
    operands: "argv",
    strict: true,
  },
  curl: {
    options:
      "-o:write -O -J -K:load -T:read -c:write -b:mention -d:mention -F:mention -H:mention -A:data -e:data -u:data -U:data -x:net -X:data -w:data -m:data -r:data -C:data -y:data -Y:data -z:data -E:read -D:write -t:data -Q:data -P:data -S -s -L -f -k -i -I -v -g -G -j -l -n -N -p -q -R -Z -a -B -0 -1 -2 -3 -4 -6 -# --output:write --output-dir:write --config:load --upload-file:read --cookie-jar:write --cookie:mention --data:mention --data-raw:data --data-binary:mention --data-urlencode:mention --json:mention --form:mention --form-string:data --header:mention --user-agent:data --referer:data --user:data --proxy:net --request:data --write-out:mention --max-time:data --connect-timeout:data --retry:data --retry-delay:data --retry-max-time:data --cert:read --key:read --cacert:read --capath:dir --dump-header:write --trace:write --trace-ascii:write --stderr:write --netrc-file:read --unix-socket:read --abstract-unix-socket:data --interface:data --resolve:data --connect-to:data --url:net --engine:load --libcurl:write --hsts:both --alt-svc:both --etag-save:write --etag-compare:read --crlfile:read --pubkey:read --egd-file:read --random-file:read --range:data --continue-at:data --limit-rate:data --max-filesize:data --max-redirs:data --compressed --silent --show-error --location --fail --insecure --include --head --verbose --globoff --get --remote-name --create-dirs --fail-with-body --no-progress-meter --progress-bar --http1.1 --http2 --parallel --variable:mention --oauth2-bearer:data --aws-sigv4:data --proto:data --tlsv1.2 --url-query:mention",
    operands: "net",
    always: "net",
  },
  wget: {
    options:
      "-O:write -o:write -a:write -P:write -i:read -e:config -q -c -N -S -r -l:data -k -p -np -nc -nd -nH -nv -t:data -T:data -w:data -Q:data -U:data -A:data -R:data -D:data -I:data -X:data -B:data -b -v -x -m -4 -6 --output-document:write --output-file:write --append-output:write --directory-prefix:write --input-file:read --execute:config --use-askpass:program --config:load --post-file:read --body-file:read --post-data:data --body-data:data --header:data --user-agent:data --referer:data --user:data --password:data --ca-certificate:read --certificate:read --private-key:read --load-cookies:read --save-cookies:write --tries:data --timeout:data --wait:data --limit-rate:data --level:data --accept:data --reject:data --method:data --warc-file:write --hsts-file:both --rejected-log:write --quiet --no-check-certificate --spider --content-disposition --compression:data",
    operands: "net",
    always: "net",
  },
  aria2c: {
    options:
      "-d:write -o:write -i:read --dir:write --out:write --input-file:read --on-download-complete:program --on-download-start:program --on-download-error:program --conf-path:load --log:write",
    operands: "net",
    always: "net",
  },
  nc: {
    options:
      "-e:program -c:shell -l -p:data -s:data -w:data -x:data -X:data -i:data -n -u -v -z -k -N -U -q:data -o:write -4 -6",
    operands: "net data",
    always: "net",
  },
  ncat: {
    options:
      "-e:program -c:shell --exec:program --sh-exec:shell --lua-exec:load -l -p:data -o:write -x:write -k -n -u -v -w:data --output:write --hex-dump:write",
    operands: "net data",
    always: "net",
  },
  netcat: {
    options: "-e:program -c:shell -l -p:data -w:data -n -u -v -z",
    operands: "net data",
    always: "net",
  },
  socat: {
    options: "-d -u -U -v -x -b:data -t:data -T:data -lf:write -L:write",
    operands: "opaque",
    always: "net",
  },
  telnet: { operands: "net", always: "net" },
  ftp: { options: "-o:write -n -i -v", operands: "net", always: "net", input: "code" },
  lftp: { options: "-e:shell -c:shell -f:load -u:data -p:data", operands: "net", always: "net" },
  ping: {
    options: "-c:data -i:data -w:data -W:data -s:data -I:data -p:data -q -n -4 -6",
    operands: "net",
    always: "net",
  },
  ping6: { operands: "net", always: "net" },
  traceroute: { operands: "net", always: "net" },
  nslookup: { operands: "net", always: "net" },
  dig: { options: "-f:read -k:read -t:data -p:data -x:net -c:data -q:net", operands: "net", always: "net" },
  host: { operands: "net", always: "net" },
  drill: { operands: "net", always: "net" },
  whois: { operands: "net", always: "net" },
  nmap: {
    options:
      "--script:load -iL:read -oN:write -oX:write -oG:write -oA:write --datadir:load --resume:load -p:data",
    operands: "net",
    style: "long",
    always: "net",
  },
  mail: { options: "-s:data -a:read -A:read -r:data -c:data -b:data", operands: "data", always: "net" },
  sendmail: { always: "net" },
  dmesg: DATA,
  journalctl: DATA,
  logrotate: { options: "-d -f -v -s:write -l:write -m:program", operands: "load" },
  "dbus-send": { always: "elsewhere" },
  busctl: { always: "elsewhere" },
  gdbus: { always: "elsewhere" },
  qdbus: { always: "elsewhere" },
  rename: {
    options:
      "-n -v -f -d -0 -e:code -o -s -i -a -l --dry-run --nono --verbose --force --stdin --no-act --symlink --last --all --no-overwrite --interactive",
    operands: "code write",
    language: "rename",
    instead: "-e",
  },
  systemctl: { always: "elsewhere" },
  service: { always: "elsewhere" },
  launchctl: { always: "elsewhere" },
  osascript: {
    options: "-e:code -l:data -i",
    operands: "load",
    input: "code",
    language: "other",
    always: "elsewhere",
  },
  schtasks: { always: "elsewhere" },
  gdb: {
    options:
      "-ex:code --ex:code -eval-command:code --eval-command:code -iex:code --init-eval-command:code -init-eval-command:code --init-command:load -init-command:load -x:load --command:load -command:load -ix:load -batch --batch -q -quiet --quiet -nx -nh -p:data --pid:data --args:argv -args:argv -tui -cd:chdir -d:dir -se:read -e:read -s:read -c:read -core:read -exec:read",
    operands: "read data",
    style: "long",
    language: "gdb",
    input: "code",
  },
  lldb: {
    options:
      "-o:code -O:code -S:load -s:load -p:data -n:data -b -Q --one-line:code --source:load --batch --file:read -f:read --core:read -c:read",
    operands: "read data",
    style: "long",
    language: "gdb",
    input: "code",
  },
  objcopy: { operands: "both" },
  strip: WRITES,
  pr: files("-#"),
  iconv: {
    options: "-f:data -t:data -o:write -c -l -s --from-code:data --to-code:data --output:write",
    operands: "read",
  },
  dos2unix: { options: "-n -o -q", operands: "write" },
  envsubst: DATA,
  gettext: DATA,
  convert: { operands: "both" },
  ffmpeg: { options: "-i:read -f:data -vf:data -af:data -c:data -y -n", operands: "write", style: "long" },
  pandoc: {
    options:
      "-o:write -f:data -t:data -s -F:program -L:load -H:read -B:read -A:read -c:read -d:load -M:data -V:data --output:write --from:data --to:data --filter:program --lua-filter:load --pdf-engine:program --template:read --defaults:load --data-dir:dir --extract-media:write --metadata-file:read --syntax-definition:load",
    operands: "read",
  },
};
