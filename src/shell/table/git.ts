import type { CommandSpec } from "../spec.ts";

const names = (options = ""): CommandSpec => ({ options, operands: "name" });
const remote = (options = ""): CommandSpec => ({
  options: `-u:program --upload-pack:program --receive-pack:program --exec:program -o:data --server-option:data ${options}`,
  operands: "unit",
});

const DIFF =
  "-O:read -S:data -G:data -U:data -M?data -C?data -B?data -l:data --output:write --ext-diff!opaque --textconv --no-ext-diff --no-textconv --no-index --word-diff-regex:data --diff-filter:data --format:data --pretty?data --color?data --stat?data --src-prefix:data --dst-prefix:data --line-prefix:data --ignore-matching-lines:data -I:data --anchored:data --find-object:data --unified:data --relative?data --submodule?data --word-diff?data --color-words?data --inter-hunk-context:data --output-indicator-new:data --dirstat?data --cached --staged --name-only --name-status --quiet --check -p -u -w -b -z -R -a -s";
const LOG = `${DIFF} -n:data -L:mention --max-count:data --skip:data --since:data --after:data --until:data --before:data --author:data --committer:data --grep:data --date:data --decorate?data --decorate-refs:data --glob:data --branches?data --tags?data --remotes?data --exclude:data --show-signature -i -E -F -P -g -1 --oneline --graph --all --follow --reverse -#`;

/** `git …`: the options before the sub-command, then each sub-command's own. */
export const GIT: CommandSpec = {
  options:
    "-C:chdir -c:config --config-env:opaque --exec-path?opaque --git-dir:opaque --work-tree:dir --namespace:data --super-prefix:data --attr-source:data -p -P --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --version --help -v -h --list-cmds:data",
  operands: "name",
  strict: true,
  commands: {
    add: {
      options:
        "-A -u -n -v -f -i -p -e -N --chmod:data --pathspec-from-file:read --all --update --force --dry-run --intent-to-add --renormalize",
      operands: "name",
    },
    am: names("-3 -i -k -s --exec:shell --directory:dir --patch-format:data --resolvemsg:data -S?data"),
    annotate: names("-L:data -S:read --contents:read"),
    apply: names(
      "--directory:dir --exclude:data --include:data -p:data -C:data --whitespace:data --build-fake-ancestor:write --index --cached --check --stat --reverse -R -3 --unsafe-paths!opaque",
    ),
    archive: {
      options:
        "-o:write --output:write --format:data --prefix:data --remote:unit --exec:program --add-file:read --add-virtual-file:data -l -v -#",
      operands: "name",
    },
    bisect: { options: "", operands: "unit" },
    blame: names(
      "-L:data -S:read --contents:read --ignore-rev:data --ignore-revs-file:read --date:data --since:data -w -C?data -M?data -l -t -s -e -f -n -p",
    ),
    branch: names(
      "-u:data --set-upstream-to:data --format:data --sort:data --contains:data --no-contains:data --merged:data --no-merged:data --points-at:data --color?data --column?data --abbrev?data -a -r -d -D -m -M -c -C -f -v -vv -l:data -q -t --list:data --show-current --edit-description!opaque",
    ),
    bundle: { operands: "data write name" },
    "cat-file": {
      lists: "--batch --batch-command",
      ...names(
        "--batch?data --batch-check?data --batch-command?data --filter:data --textconv!opaque --path:name -t -s -e -p",
      ),
    },
    "check-attr": names(),
    "check-ignore": { options: "-q -v -z -n --stdin --no-index", operands: "data" },
    "check-ref-format": names(),
    checkout: names(
      "-b:data -B:data -t --orphan:data --conflict:data --pathspec-from-file:read -f -q -p -m -d -l --ours --theirs --detach --track?data",
    ),
    cherry: names("-v --abbrev?data"),
    "cherry-pick": names(
      "-e -x -n -s -m:data -X:data -S?data --strategy:program --strategy-option:data --cleanup:data --continue --abort --skip --quit",
    ),
    clean: names("-d -f -i -n -q -x -X -e:data --exclude:data --dry-run --force"),
    clone: {
      options:
        "-l -s -n -q -v -o:data -b:data -u:program -c:config -j:data --upload-pack:program --template:load --reference:dir --reference-if-able:dir --separate-git-dir:write --depth:data --shallow-since:data --shallow-exclude:data --branch:data --revision:data --origin:data --config:config --jobs:data --filter:data --bundle-uri:net --server-option:data --local --no-hardlinks --shared --no-checkout --bare --mirror --single-branch --no-tags --recurse-submodules?data --recursive?data --sparse --dissociate --quiet --progress --no-local --ref-format:data",
      operands: "unit write",
    },
    commit: {
      options:
        "-a -p -v -q -n -e -s -z -i -o -m:data -F:read -C:data -c:data -t:read -u?data -S?data --message:data --file:read --reuse-message:data --reedit-message:data --template:read --author:data --date:data --fixup:data --squash:data --cleanup:data --trailer:data --pathspec-from-file:read --amend --no-edit --edit --allow-empty --allow-empty-message --no-verify --signoff --only --include --dry-run --short --porcelain --reset-author --gpg-sign?data --no-gpg-sign --quiet --verbose --all --patch --untracked-files?data --no-post-rewrite",
      operands: "name",
    },
    "commit-graph": names(),
    "commit-tree": names("-p:data -m:data -F:read -S?data"),
    config: {
      options:
        "-f:read --file:read --blob:mention --type:data -t:data --default:data --fixed-value --global --system --local --worktree -l --list -e!opaque --edit!opaque -z --name-only --show-origin --show-scope --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --add --unset --unset-all --replace-all --rename-section --remove-section --bool --int --path --includes --no-includes --all --value:data --url:data --comment:data --append --regexp",
      operands: "unit",
    },
    "count-objects": names(),
    credential: { operands: "opaque" },
    daemon: { always: "elsewhere" },
    describe: names(
      "--match:data --exclude:data --candidates:data --abbrev?data --dirty?data --broken?data --tags --all --always --long --contains",
    ),
    diff: names(DIFF),
    "diff-files": names(DIFF),
    "diff-index": names(DIFF),
    "diff-tree": names(`${DIFF} -r -t -m -c --root --stdin`),
    difftool: {
      options: `${DIFF} -x:shell --extcmd:shell -t:opaque --tool:opaque -y -g -d --no-prompt`,
      operands: "name",
      always: "opaque",
    },
    "fast-export": names(
      "--export-marks:write --import-marks:read --import-marks-if-exists:read --refspec:data",
    ),
    "fast-import": names("--export-marks:write --import-marks:read --export-pack-edges:write"),
    fetch: remote(
      "-a -q -v -p -P -t -n -j:data -k -4 -6 -f --depth:data --deepen:data --shallow-since:data --shallow-exclude:data --filter:data --refmap:data --negotiation-tip:data --recurse-submodules?data --all --prune --tags --no-tags --dry-run --force --progress --quiet --multiple --unshallow --update-shallow --jobs:data --set-upstream --atomic",
    ),
    "fetch-pack": remote(),
    "filter-branch": {
      options:
        "--setup:shell --subdirectory-filter:dir --env-filter:shell --tree-filter:shell --index-filter:shell --parent-filter:shell --msg-filter:shell --commit-filter:shell --tag-name-filter:shell --prune-empty --original:data -d:dir -f --force --state-branch:data",
      operands: "name",
    },
    "for-each-ref": names(
      "--format:data --sort:data --count:data --points-at:data --merged?data --no-merged?data --contains?data --shell --perl --python --tcl --exclude:data",
    ),
    "for-each-repo": { always: "opaque" },
    "format-patch": names(
      `${LOG} -o:write --output-directory:write --start-number:data --subject-prefix:data --to:data --cc:data --from?data --cover-letter --signature:data --signature-file:read --suffix:data --base:data --in-reply-to:data --attach?data --inline?data --interdiff:data --range-diff:data -v:data --reroll-count:data -k -s`,
    ),
    fsck: names(),
    gc: names("--prune?data --aggressive --auto --quiet -q"),
    grep: {
      options:
        "-e:data -f:read -A:data -B:data -C:data -m:data -O?program --open-files-in-pager?program --max-depth:data --threads:data --color?data --max-count:data -i -n -v -w -l -L -c -q -E -F -G -P -h -H -o -p -W -a -I -r -z --cached --untracked --no-index --textconv!opaque --name-only --heading --break --and --or --not --recurse-submodules -#",
      operands: "data name",
      instead: "-e -f",
    },
    gui: { always: "opaque" },
    "hash-object": {
      lists: "--stdin-paths",
      ...names("-w -t:data --path:name --stdin --stdin-paths"),
    },
    help: { options: "-w!opaque --web!opaque -a -g -i -m", operands: "data" },
    hook: { options: "", operands: "opaque", always: "opaque" },
    "http-backend": { always: "elsewhere" },
    init: {
      options:
        "-q -b:data --bare --template:load --separate-git-dir:write --object-format:data --initial-branch:data --shared?data --quiet --ref-format:data",
      operands: "write",
    },
    instaweb: { always: "elsewhere" },
    "interpret-trailers": {
      options:
        "--in-place --trim-empty --where:data --if-exists:data --if-missing:data --trailer:data --parse --only-trailers --only-input --unfold --no-divider",
      operands: "read",
    },
    log: names(LOG),
    shortlog: names(`${LOG} -s -e -n -c -w?data --group:data`),
    reflog: names(LOG),
    show: names(LOG),
    whatchanged: names(LOG),
    "show-branch": names(),
    "show-ref": names(
      "--exclude-existing?data --hash?data --abbrev?data --verify --heads --tags --branches -d -s -q",
    ),
    "range-diff": names(LOG),
    "ls-files": {
      options:
        "-x:data -X:read --exclude:data --exclude-from:read --exclude-per-directory:data --with-tree:data --format:data --abbrev?data -c -d -m -o -i -s -k -u -z -t -v -f --others --cached --deleted --modified --exclude-standard --stage --eol --error-unmatch --recurse-submodules",
      operands: "name",
      prints: "listing",
    },
    "ls-remote": remote(
      "--sort:data --heads --tags --refs -h -t -q --exit-code --symref --get-url --branches",
    ),
    "ls-tree": {
      options: "--format:data --abbrev?data -d -r -t -l -z --name-only --name-status --full-name --full-tree",
      operands: "name",
      prints: "listing",
    },
    mailinfo: names(),
    mailsplit: names("-o:write"),
    maintenance: { operands: "opaque" },
    merge: names(
      "-m:data -F:read -s:program -X:data -S?data --strategy:program --strategy-option:data --file:read --into-name:data --cleanup:data --log?data --no-ff --ff-only --ff --squash --abort --continue --quit --no-edit --edit -e -n -q -v --no-commit --allow-unrelated-histories --verify-signatures --stat --autostash",
    ),
    "merge-base": { ...names(), prints: "fresh" },
    "merge-file": names("-L:data -p -q --marker-size:data --diff-algorithm:data"),
    "merge-index": { operands: "opaque" },
    "merge-tree": names("--messages --stdin -z --merge-base:data -X:data"),
    mergetool: { always: "opaque" },
    mv: { options: "-f -k -n -v", operands: "write" },
    "name-rev": names("--refs:data --exclude:data --tags --all --stdin --name-only"),
    notes: names("-m:data -F:read -C:data -c:data --ref:data -f"),
    p4: { always: "opaque" },
    "pack-refs": names(),
    "pack-objects": names(),
    prune: names(),
    pull: remote(
      "-q -v -n -r?data -s:program -X:data -S?data --rebase?data --strategy:program --strategy-option:data --depth:data --ff-only --no-ff --ff --no-rebase --all --tags --prune -p --squash --no-commit --no-edit --autostash --allow-unrelated-histories --recurse-submodules?data --jobs:data -j:data -t -f -4 -6",
    ),
    push: remote(
      "-q -v -n -f -d -u -4 -6 --repo:unit --push-option:data --signed?data --force-with-lease?data --recurse-submodules:data --all --mirror --tags --follow-tags --dry-run --porcelain --delete --prune --force --set-upstream --no-verify --atomic --progress --force-if-includes --branches",
    ),
    quiltimport: names("--patches:dir --author:data"),
    "read-tree": names("-m -u -i --prefix:data --index-output:write --reset -n -v"),
    rebase: names(
      "-x:shell --exec:shell -s:program --strategy:program -X:data --strategy-option:data --onto:data --keep-base -i --interactive -C:data --whitespace:data -S?data --empty:data --rebase-merges?data -r?data -q -v -n -f --root --continue --abort --skip --quit --edit-todo --autosquash --no-autosquash --autostash --no-verify --committer-date-is-author-date --update-refs --no-update-refs --reset-author-date",
    ),
    remote: { options: "-v -t:data -m:data -f --mirror?data --tags --no-tags", operands: "unit" },
    "remote-ext": { operands: "opaque" },
    "remote-fd": { operands: "opaque" },
    repack: names(),
    replace: names("--edit!opaque --format:data"),
    "request-pull": names(),
    rerere: names(),
    reset: names("-q -p -N --pathspec-from-file:read --soft --mixed --hard --merge --keep"),
    restore: names(
      "-s:data -p -q -S -W -m --source:data --conflict:data --pathspec-from-file:read --staged --worktree --ours --theirs",
    ),
    "rev-list": names(LOG),
    "rev-parse": {
      ...names(
        "--default:data --prefix:data --resolve-git-dir:dir --git-path:name --parseopt --sq-quote --abbrev-ref --show-toplevel --verify --short?data --since:data --until:data --branches?data --tags?data --glob:data",
      ),
      prints: "toplevel",
    },
    revert: names(
      "-e -m:data -n -s -S?data --strategy:program -X:data --cleanup:data --continue --abort --skip --quit --no-edit --no-commit",
    ),
    rm: names("-f -n -r -q --cached --ignore-unmatch --pathspec-from-file:read --force"),
    "send-email": {
      options:
        "--smtp-server:program --sendmail-cmd:shell --to-cmd:shell --cc-cmd:shell --header-cmd:shell --to:data --cc:data --from:data --subject:data",
      operands: "read",
    },
    "send-pack": remote(),
    "sh-i18n": {},
    "sparse-checkout": names(),
    stage: names(),
    stash: names(
      "-m:data --message:data --ext-diff!opaque -p -S -k -u -a -q --pathspec-from-file:read --index --keep-index --include-untracked --all --staged --patch",
    ),
    status: names(
      "-s -b -v -u?data -z --porcelain?data --untracked-files?data --ignored?data --ignore-submodules?data --column?data --find-renames?data --show-stash --short --branch --long --ahead-behind --no-ahead-behind --renames --no-renames",
    ),
    stripspace: names(),
    submodule: {
      options:
        "-q -b:data --reference:dir --depth:data --name:data -f --recursive --init --remote --jobs:data",
      operands: "unit",
    },
    subtree: names("-P:dir --prefix:dir -m:data --message:data --squash -b:data --onto:data"),
    svn: {},
    switch: names(
      "-c:data -C:data -t --orphan:data --conflict:data -d -f -q -m --detach --discard-changes --guess --no-guess --create:data --track?data",
    ),
    "symbolic-ref": names("-m:data -d -q --short"),
    tag: names(
      "-m:data -F:read -u:data -n?data -a -s -d -f -l:data -v -e -i --file:read --message:data --local-user:data --sort:data --format:data --contains:data --no-contains:data --merged:data --points-at:data --cleanup:data --list:data --no-merged:data --column?data --color?data",
    ),
    "unpack-file": names(),
    "unpack-objects": names(),
    "update-index": names(
      "--cacheinfo:data --index-info --chmod:data --add --remove --refresh --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --really-refresh -q -z",
    ),
    "update-ref": names("-m:data -d --stdin --no-deref --create-reflog -z"),
    "update-server-info": names(),
    "upload-archive": { always: "opaque" },
    "upload-pack": { always: "opaque" },
    "receive-pack": { always: "opaque" },
    var: names("-l"),
    "verify-commit": names("-v --raw"),
    "verify-pack": names(),
    "verify-tag": names("-v --raw --format:data"),
    version: names("--build-options"),
    worktree: {
      options:
        "-f -b:data -B:data -d --detach --checkout --no-checkout --lock --reason:data -q --track --guess-remote --expire:data -n -v --porcelain -z --orphan",
      operands: "unit",
    },
    "write-tree": names("--prefix:data"),
    lfs: {
      commands: {
        install: { always: "elsewhere" },
        uninstall: { always: "elsewhere" },
        "*": { operands: "name" },
      },
    },
    absorb: names(),
    "*": { always: "opaque" },
  },
};

/** Configuration keys whose value git runs, loads or follows; matched without regard to case. */
export const GIT_PROGRAM_KEYS =
  /^(?:core\.(?:pager|editor|askpass|sshcommand|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|(?:difftool|mergetool|guitool|man|browser)\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|pager\..+|credential\.(?:.+\.)?helper|(?:remote\..+\.(?:uploadpack|receivepack|vcs))|sendemail\..*(?:cmd|smtpserver)|trailer\..+\.(?:cmd|command)|uploadpack\.packobjectshook|interactive\.difffilter|instaweb\.browser|web\.browser|ssh\.variant|tar\..+\.command|submodule\..+\.update|receive\.procreceiverefs|lsrefs\..*|gc\.recentobjectshook)$/i;

/** Keys that change which code runs, or where configuration comes from, whatever their value. */
export const GIT_CODE_KEYS =
  /^(?:core\.(?:hookspath|fsmonitor|worktree|gitdir|attributesfile|bare)|include\.path|includeif\..*|init\.templatedir|protocol\..*|url\..*|extensions\..*|hook\..*|safe\..*|http\..*(?:proxy|sslcainfo|sslverify|cookiefile|extraheader)|remote\..+\.(?:proxy|url|pushurl)|alias\..*|maintenance\..*|commit\.template|clone\.templatedir|core\.excludesfile)$/i;
