import { choose, type Rule, type Tape } from "./tape.ts";
import { arithmetic, inner, name, PLAIN, word } from "./words.ts";

const plain: Rule = (tape) => tape.pick(PLAIN);
const words = (tape: Tape, most: number): string =>
  tape.once(4) ? "" : ` ${tape.some(most, () => word(tape)).join(" ")}`;

const assignment: Rule = (tape) => {
  const target = plain(tape);
  return tape.pick([
    `v=${target}`,
    `w='${target} x'`,
    `a=(${target} ${word(tape)})`,
    `v=${word(tape)}`,
    `a=(${word(tape)} ${word(tape)})`,
    `v=$(${list(tape)})`,
    `v+=${word(tape)}`,
    `IFS=${tape.pick([":", "x", "''", "l", "','", "$'\\n'", "' x'"])}`,
    `r=v`,
    `a[1]=${target}`,
    `a+=(${target})`,
    `v=${target}x`,
    `n=${arithmetic(tape)}`,
    `v=~`,
    `v=$(echo ${target})`,
    `w=$v`,
    `w="$v $1"`,
    `a[$(${list(tape)})]=x`,
    `v=${target}:beta:gamma`,
    `w='*.txt'`,
    `PATH=.:$PATH`,
    `v=`,
    `declare -A m=([x]=${target}); v=\${m[x]}`,
    `declare -i n=${arithmetic(tape)}`,
    `declare ${tape.pick(["v", "w", "-r k", "-x v", "-u v", "-l w", "-n r"])}=${tape.pick(["v", target])}`,
    `export v=${target}`,
    `local v=${target}`,
    `read v <<< ${target}`,
    `read -r v w <<< '${target} beta'`,
    `printf -v v %s ${target}`,
    `mapfile -t a <<< ${target}`,
    `unset v`,
    `let n=${arithmetic(tape).replace(/\s/g, "")}`,
    `readonly v=${target}`,
    `set -- ${target} ${word(tape)}`,
    `set -- *.txt ${target}`,
    `shift`,
    `IFS=: read -r v w <<< ${target}:x`,
    `typeset v=${target}`,
    `v="\${v}${word(tape).replace(/["\n\\`$]/g, "")}"`,
  ]);
};

const redirection: Rule = (tape) =>
  tape.pick([
    "> out1",
    ">> out2",
    "2> err",
    "&> both",
    "2>&1",
    "< a.txt",
    `> ${word(tape)}`,
    `< ${word(tape)}`,
    `<<< ${word(tape)}`,
    ">| out3",
    "<> a.txt",
    "3> three",
    "{fd}> named",
    ">& amp",
    "&>> more",
    "<&-",
    "> sub/$v",
    "> 'c d.txt'",
    "1>&2",
    "> out{1,2}",
    "<> new",
    ">out4<b.txt",
  ]);

const heredoc: Rule = (tape) => {
  const body = tape
    .some(3, () =>
      tape.pick([
        "text",
        "$v",
        "$(alpha in-doc)",
        "`beta in-doc`",
        "\\$(gamma)",
        `${plain(tape)} ${tape.pick(["x", "$v", "'y'"])}`,
        "\t tabbed",
        `\${v:-$(delta)}`,
        "EOF ",
        " EOF",
        "'$(alpha)'",
        "$((1+1))",
        "say \\",
        "line \\",
        '"$(alpha)"',
      ]),
    )
    .join("\n");
  const reader = tape.pick([
    plain(tape),
    "cat",
    "bash",
    "sh",
    "xargs alpha",
    'while read -r l; do alpha "$l"; done',
    "bash -s x",
    "read v",
  ]);
  return tape.pick([
    `${reader} <<EOF\n${body}\nEOF`,
    `${reader} <<'EOF'\n${body}\nEOF`,
    `${reader} <<-EOF\n\t${body}\n\tEOF`,
    `${reader} <<\\EOF\n${body}\nEOF`,
    `${reader} <<E"O"F\n${body}\nEOF`,
    `${reader} <<A <<B\n${body}\nA\ntwo\nB`,
    `${reader} <<EOF | alpha\n${body}\nEOF`,
    `${reader} <<EOF && beta\n${body}\nEOF`,
    `(${reader} <<EOF\n${body}\nEOF\n)`,
    `v=$(${reader} <<EOF\n${body}\nEOF\n)`,
    `cat <<EOF | bash\n${body}\nEOF`,
    `cat > made.sh <<EOF\n${body}\nEOF\nbash made.sh`,
    `cat > made.sh <<'EOF'\n${body}\nEOF\n. ./made.sh`,
    `${reader} <<A\n$(${reader} <<B\n${body}\nB\n)\nA`,
  ]);
};

const simple: Rule = (tape) => {
  const parts = [name(tape) + words(tape, 3)];
  if (tape.once(6)) parts.push(redirection(tape));
  if (tape.once(8)) parts.unshift(redirection(tape));
  if (tape.once(6))
    parts.unshift(tape.pick(["v=x", "x=$(alpha)", `w=${word(tape)}`, "PATH=", "A=1 B=2", "a[0]=1"]));
  return parts.join(" ");
};

const wrapped: Rule = (tape) => {
  const target = tape.once(2) ? name(tape) : plain(tape);
  const rest = words(tape, 2);
  const text = `${target}${rest}`;
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  return tape.pick([
    `env ${text}`,
    `env A=1 ${text}`,
    `env -i PATH="$PATH" ${text}`,
    `env -u A ${text}`,
    `env -S ${quoted}`,
    `nice ${text}`,
    `nice -n 5 ${text}`,
    `nohup ${text}`,
    `timeout 5 ${text}`,
    `timeout -s KILL 5s ${text}`,
    `setsid -w ${text}`,
    `stdbuf -oL ${text}`,
    `sh -c ${quoted}`,
    `bash -c ${quoted} zero one two`,
    `bash -ec ${quoted}`,
    `bash -c "${target} \\$1" zero ${plain(tape)}`,
    `echo x y | xargs ${text}`,
    `echo x y | xargs -n1 ${text}`,
    `echo ${plain(tape)} | xargs -I{} ${target} {}`,
    `echo ${plain(tape)} | xargs -I% %`,
    `echo ${plain(tape)} | xargs`,
    `echo x | xargs sh -c 'alpha "$@"' _`,
    `printf '%s\\n' a b | xargs -I{} sh -c 'beta {}'`,
    `find . -name '*.txt' -exec ${target} {} \\;`,
    `find . -name a.txt -exec ${target} {} +`,
    `find sub -type f -exec sh -c 'alpha "$1"' _ {} ';'`,
    `find . -name 'a*' -ok alpha {} \\;`,
    `find sub -execdir ${plain(tape)} {} \\;`,
    `find -name b.txt -exec sh -c 'beta {}' \\;`,
    `command ${text}`,
    `command -v ${text}`,
    `command -p ${text}`,
    `builtin echo ${rest}`,
    `exec ${text}`,
    `(exec -a other ${text})`,
    `eval ${quoted}`,
    `eval ${text}`,
    `eval "${plain(tape)} \\$v"`,
    `echo ${quoted} | sh`,
    `echo '${plain(tape)} piped' | bash`,
    `printf '%s\\n' '${plain(tape)} printed' | bash -s`,
    `bash <<< ${quoted}`,
    `sh <(echo ${plain(tape)} file)`,
    `source <(echo ${plain(tape)} sourced)`,
    `. /dev/stdin <<< '${plain(tape)} stdin'`,
    `echo '${plain(tape)} script' > s.sh; ${tape.pick(["sh s.sh", "bash s.sh x", ". ./s.sh", "source s.sh y"])}`,
    `env nice timeout 3 ${text}`,
    `bash -c 'eval "$1"' _ ${quoted}`,
    `env -- ${text}`,
    `xargs -a a.txt ${text}`,
    `xargs ${text} < a.txt`,
    `bash -xc ${quoted}`,
    `bash -c -- ${quoted}`,
    `sh -c '"$@"' _ ${text}`,
    `sh -c '$0 "$@"' ${text}`,
    `find . -maxdepth 1 -name a.txt -exec env A=1 ${target} {} \\;`,
    `trap ${quoted} EXIT`,
    `trap '${plain(tape)} trapped' EXIT`,
    `trap -- '${plain(tape)} on' DEBUG; :`,
    `trap 'alpha err' ERR; nay`,
    `shopt -s expand_aliases; alias al='${plain(tape)} aliased'\nal ${rest}`,
    `alias al=${plain(tape)}; al`,
    `shopt -s expand_aliases; alias al='alpha '; alias be=beta\nal be`,
    `coproc ${text}`,
    `coproc CO { ${text}; }`,
    `time ${text}`,
    `time -p ${text}`,
    `! ${text}`,
    `time ! ${text}`,
    `{ ${text}; } > grouped`,
    `( ${text} ) 2> err2`,
    `${text} &`,
    `cat a.txt | tee copy | ${text}`,
    `tee one two < a.txt`,
    `cat < a.txt > copied`,
    `hash -p ../bin/${plain(tape)} cmdx; cmdx hashed`,
    `PATH= ${text}`,
    `set -f; ${text}`,
    `set -o noglob; ${text} *`,
    `shopt -s nullglob; ${text} none*`,
    `shopt -s extglob\n${text} @(a|b).txt`,
  ]);
};

const compound: Rule = (tape) => {
  const [one, two, three] = [list(tape), list(tape), list(tape)];
  return tape.pick([
    `{ ${one}; }`,
    `(${one})`,
    `if ${one}; then ${two}; else ${three}; fi`,
    `if ${one}\nthen ${two}\nelif ${three}; then alpha; fi`,
    `for v in ${words(tape, 3)}; do ${one}; done`,
    `for v in alpha beta; do $v x; done`,
    `for v in *.txt; do alpha "$v"; done`,
    `for v in $(echo alpha beta); do $v; done`,
    `for v do ${one}; done`,
    `for ((n=0; n<2; n++)); do ${one}; done`,
    `for ((n=${arithmetic(tape)}; n<1; n++)) { ${one}; }`,
    `n=0; while ((n++ < 2)); do ${one}; done`,
    `while nay; do ${one}; done`,
    `until say; do ${one}; done`,
    `while read -r v; do ${one}; done < a.txt`,
    `echo alpha beta | while read v w; do $v $w; done`,
    `case ${word(tape)} in *) ${one};; esac`,
    `case $v in (alpha|beta) ${one};; x*) ${two};& *) ${three};;& esac`,
    `case x in x) ${one} ;; esac`,
    `case "$(${one})" in ${word(tape).replace(/[\n()#]/g, "")}) ${two};; esac`,
    `f() { ${one}; }; f ${words(tape, 2)}`,
    `function g { ${one}; }\ng`,
    `f() ( ${one} ); f`,
    `alpha() { beta "$@"; }; alpha x; command alpha y`,
    `f() { $1 "$2"; }; f ${name(tape)} ${word(tape)}`,
    `f() { local v=${name(tape)}; $v; }; f; $v`,
    `[[ ${word(tape)} == ${word(tape).replace(/[\n()|&;<> #]/g, "") || "x"} ]] && ${one}`,
    `[[ -n $(${one}) || -z $v ]] && ${two}`,
    `[[ ${arithmetic(tape).replace(/[?<>, ]/g, "")} -eq 1 ]]; ${one}`,
    `[[ -v v ]] && ${one}`,
    `[ -f a.txt ] && ${one}`,
    `test -n "$(${one})" || ${two}`,
    `select v in alpha beta; do $v; break; done <<< 2`,
    `((${arithmetic(tape)})) || ${one}`,
    `f() { ${one}; }; unset -f f; f`,
    `f() { return 1; ${one}; }; f || ${two}`,
    `${one} | ${two}`,
    `${one} |& ${two}`,
    `${one} && ${two} || ${three}`,
    `${one} || ${two}`,
    `${one} & ${two}; wait`,
    `! ${one} | ${two}`,
    `cd sub && ${one}; ${two}`,
    `cd sub; ${one}; cd ..; ${two}`,
    `(cd sub/deep && ${one}); ${two}`,
    `cd; ${one}`,
    `cd -; ${one}`,
    `pushd sub; ${one}; popd; ${two}`,
    `cd nowhere || ${one}; ${two}`,
    `cd nowhere; ${one} > here`,
    `{ ${one}; ${two}; } | { ${three}; }`,
    `for v in 1 2; do ${one}; break; ${two}; done; ${three}`,
    `exit; ${one}`,
    `nay && exit; ${one}`,
    `set -e; ${one}; nay; ${two}`,
    `exec 3> three; ${one} >&3`,
    `exec < a.txt; cat; ${one}`,
    `exec > all; ${one}`,
    `set -- alpha beta; "$@"`,
    `set -- alpha 'x y'; $*`,
    `set -- alpha beta; shift; $1`,
    `x='alpha;beta'; $x`,
    `x='alpha | beta'; eval $x; eval "$x"`,
    `x='$(alpha)'; beta $x; eval beta $x`,
    `${one} # comment; ${plain(tape)}`,
    `${one} #\n${two}`,
    `: "$\{v:=alpha}"; $v`,
    `: \${v:=alpha beta}; $v`,
    `while :; do ${one}; break; done`,
    `if [[ $v = alpha ]]; then v=beta; else v=gamma; fi; $v`,
    `nay && v=alpha || v=beta; $v x`,
    `v=alpha; (v=beta); $v`,
    `v=alpha; echo x | read v; $v`,
    `v=alpha; f() { v=beta; }; f; $v`,
    `v=alpha; f() { local v=beta; $v; }; f; $v`,
    `v=alpha w=$v beta; $v $w`,
    `v=alpha; v=beta say $v; $v`,
    `v=alpha; v=beta eval '$v'`,
    `v=alpha; v=beta f() { :; }; $v`,
  ]);
};

function list(tape: Tape): string {
  const rules = [
    simple,
    simple,
    simple,
    simple,
    assignment,
    assignment,
    wrapped,
    wrapped,
    compound,
    compound,
  ];
  const one = (): string => choose(tape, rules, 4);
  if (!tape.once(3)) return one();
  return `${one()}${tape.pick(["; ", " && ", " || ", " | ", "\n", " & "])}${one()}`;
}

inner.list = (tape) => list(tape).replace(/\n$/, "");

const top: Rule = (tape) =>
  tape.once(8) ? heredoc(tape) : choose(tape, [simple, assignment, wrapped, compound], 4);

/** A whole text: a few statements, now and then with the ends of lines of another system. */
export function shellText(tape: Tape): string {
  const text = tape.some(4, () => top(tape)).join(tape.pick(["\n", "\n", "; \n", "\n\n"]));
  if (tape.once(40)) return text.replaceAll("\n", "\r\n");
  return tape.once(30) ? text.replace(" ", "\t \u00a0") : text;
}
