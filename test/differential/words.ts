import { choose, type Rule, type Tape } from "./tape.ts";

/** Programs of the test: they write down how they were started. `say` prints its arguments, `nay` fails. */
export const PLAIN = ["alpha", "beta", "gamma", "delta", "say", "nay"];
/** A Cyrillic letter, an accent, and a blank of no width. */
export const ODD = ["\u0430lpha", "a\u0301lpha", "al\u200bpha"];
const VARIABLES = ["v", "w", "a", "INHERITED", "IFS", "HOME", "unset_one"];
const FRAGMENTS = [
  "x",
  "1",
  "a.txt",
  "sub",
  "-n",
  "--",
  "x=y",
  "-",
  "a",
  "sub/e.txt",
  "#x",
  "b",
  "%s",
  "~",
  ":",
];

/** Set by `statements.ts`, which needs words itself. */
export const inner: { list: Rule } = { list: () => "alpha" };

const fragment: Rule = (tape) => tape.pick(FRAGMENTS);
const variable: Rule = (tape) => tape.pick(VARIABLES);
const single: Rule = (tape) =>
  `'${tape.pick(["", "a b", "$v", "*", "\\", '"', "`alpha`", "$(alpha)", "x\ny"])}'`;
const ansi: Rule = (tape) =>
  `$'${tape.pick(["\\x61", "a\\tb", "\\'", "\\141lpha", "\\u0061", "\\cA", "a\\nb", "\\\\", "\\e", "x\\0y", "\\x{61}", '\\"', "\\?", "\\U00000061b", "\\q"])}'`;
const escaped: Rule = (tape) =>
  `\\${tape.pick([" ", "$", "*", "'", '"', "\\", "x", "\n", "#", "{", ";", "|", "~", "`", "!"])}`;
const simpleVariable: Rule = (tape) =>
  tape.pick([`$${variable(tape)}`, "$1", "$@", "$*", "$#", "$?", "$$", "$0", "$-", "$!", "$_"]);
const substitution: Rule = (tape) => `$(${inner.list(tape)})`;
const backtick: Rule = (tape) => `\`${inner.list(tape).replace(/[`\\]/g, "")}\``;
const glob: Rule = (tape) =>
  tape.pick([
    "*",
    "?",
    "[ab]*",
    "*.txt",
    "sub/*",
    "[!a]*",
    "**",
    "x[",
    "[]",
    "*/",
    "[[:alpha:]]1",
    "[a-b].txt",
    "\\*",
  ]);
const braces: Rule = (tape) => {
  const items = tape.some(3, () =>
    choose(tape, [fragment, single, escaped, simpleVariable, substitution], 2),
  );
  return tape.pick([
    `{${[...items, "z"].join(",")}}`,
    "{1..3}",
    "{a..c}",
    "{c..a..2}",
    "{01..3}",
    `{x,${items.join("")}{1,2}}`,
    `{${items[0]}}`,
    "{,x}",
    "{}",
    "{a,b",
    "{a,b}{c,d}",
    "\\{a,b}",
    `\${v}{1,2}`,
    "{$v,w}",
    "{1..2}.txt",
    "{a,}",
    "{x..\\z}",
  ]);
};
const OPERATIONS = [":-", "-", ":=", "=", ":+", "+", "#", "##", "%", "%%"];
const parameter: Rule = (tape) => {
  const name = variable(tape);
  const operand = word(tape).replace(/\n/g, " ");
  return tape.pick([
    `\${${name}}`,
    `\${${name}${tape.pick(OPERATIONS)}${operand}}`,
    `\${#${name}}`,
    `\${${name}/${fragment(tape)}/${fragment(tape)}}`,
    `\${${name}//[a-z]/x}`,
    `\${${name}:1}`,
    `\${${name}:0:2}`,
    `\${${name}:$((1))}`,
    `\${${name}^}`,
    `\${${name}^^}`,
    `\${${name},,}`,
    `\${!${name}}`,
    `\${!v*}`,
    `\${${name}@Q}`,
    `\${${name}@U}`,
    `\${a[0]}`,
    `\${a[@]}`,
    `\${a[*]}`,
    `\${a[1]:-${operand}}`,
    `\${#a[@]}`,
    `\${a[@]:1}`,
    `\${@:2}`,
    `\${*:1:1}`,
    `\${a[${arithmetic(tape)}]}`,
    `\${${name}/#${fragment(tape)}/x}`,
    `\${${name}:-$(${inner.list(tape)})}`,
    `\${${name}:- alpha  b }`,
    `\${!a[@]}`,
    `\${@}`,
    `\${1:-${operand}}`,
    `\${1+"$@"}`,
    `\${${name}~}`,
    `\${${name}/%t/}`,
    `\${${name}:?}`,
    `\${${name}: -1}`,
  ]);
};
export const arithmetic: Rule = (tape) =>
  tape.pick([
    "1",
    "1+2",
    "v",
    "v+1",
    "n",
    "n++",
    "a[0]",
    `a[$(${inner.list(tape)})]`,
    `$(${inner.list(tape)})+1`,
    "n=3",
    "1?2:3",
    "$v",
    `\${v:-1}`,
    "n+=1",
    "x1",
    "0x1f",
    "(1)",
    "1<2",
    "a[n]",
    "2#101",
    "'1'",
    '"1"',
    `\${#a[@]}`,
    "-n",
    "!n",
    "n , 1",
  ]);
const expanded: Rule = (tape) => `$((${arithmetic(tape)}))`;
const oldArithmetic: Rule = (tape) => `$[${arithmetic(tape)}]`;
const inDouble: Rule = (tape) =>
  choose(
    tape,
    [
      (t) =>
        t.pick(
          ["", "a b", " ", "*", "x", "#", "'", "{a,b}", "~", "!", "\n", "\\", "\\x"].filter(
            (text) => text !== "\\",
          ),
        ),
      simpleVariable,
      (t) => `\\${t.pick(['"', "$", "\\", "`", "x", "\n"])}`,
      parameter,
      substitution,
      backtick,
      expanded,
    ],
    3,
  );
const double: Rule = (tape) => `"${tape.some(3, () => inDouble(tape)).join("")}"`;
const process: Rule = (tape) => `${tape.pick(["<", ">"])}(${inner.list(tape)})`;
const tilde: Rule = (tape) =>
  tape.pick(["~", "~/x", "~+", "~nobody_here/x", "x~", "~/sub", "a=~", "x=y:~", "~-", "~\\/x", "~''"]);
const joined: Rule = (tape) => `${piece(tape)}\\\n${fragment(tape)}`;
const locale: Rule = (tape) => `$"${tape.pick(["x", "a b", "$v", ""])}"`;
const extended: Rule = (tape) => tape.pick(["@(a|b)", "?(x)", "*(a|b).txt", "!(x)", "+([0-9])"]);

function piece(tape: Tape): string {
  return choose(
    tape,
    [
      fragment,
      fragment,
      single,
      simpleVariable,
      escaped,
      ansi,
      glob,
      double,
      double,
      parameter,
      parameter,
      braces,
      substitution,
      substitution,
      backtick,
      expanded,
      tilde,
      joined,
      locale,
      oldArithmetic,
      process,
      extended,
    ],
    7,
  );
}

/** An argument: mostly one piece, sometimes several that touch each other. */
export function word(tape: Tape): string {
  const pieces = tape.some(tape.once(3) ? 3 : 1, () => piece(tape));
  // What follows a process substitution without a blank is not generated: the parser refuses it.
  return pieces.some((text) => /^[<>]\(/.test(text)) ? (pieces[0] ?? "x") : pieces.join("");
}

/** A name of a program of the test, written in one of the ways that bash reads. */
export function name(tape: Tape): string {
  const plain = tape.pick(PLAIN);
  const [first = "", rest = ""] = [plain.slice(0, 2), plain.slice(2)];
  return tape.pick([
    plain,
    plain,
    plain,
    plain,
    `'${plain}'`,
    `"${plain}"`,
    `${first}'${rest}'`,
    `${first}\\${rest}`,
    `${first}""${rest}`,
    `${first}\\\n${rest}`,
    `\\${plain}`,
    `$'\\x${plain.charCodeAt(0).toString(16)}${plain.slice(1)}'`,
    `$'\\${plain.charCodeAt(0).toString(8)}'${plain.slice(1)}`,
    `${first}$unset_one${rest}`,
    `${first}\${unset_one}${rest}`,
    `{${plain},x}`,
    `${first}{${rest},${rest}}`,
    `$unset_one ${plain}`,
    `\${unset_one:-${plain}}`,
    `\${INHERITED:+${plain}}`,
    `$v`,
    `"$v"`,
    `\${v}`,
    `$w`,
    `\${a[0]}`,
    `\${a[@]}`,
    `"\${a[@]}"`,
    `$(say ${plain})`,
    `$(echo ${plain})`,
    `\`echo ${plain}\``,
    `$(printf %s ${plain})`,
    `"$(printf '%s' ${plain})"`,
    `${first}$(:)${rest}`,
    tape.pick(ODD),
    `$"${plain}"`,
    `~/../../bin/${plain}`,
    `$HOME/../../bin/${plain}`,
    `../bin/${plain}`,
    `../bin/${first}*`,
    `../bin/${first}[${rest[0]}]${rest.slice(1)}`,
    `\${v%x}`,
    `\${v:0:9}`,
    `\${v/x/y}`,
    `\${!r}`,
    `$@`,
    `$1`,
  ]);
}
