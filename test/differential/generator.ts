// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not a template
/** Seeded, so that a failing snippet can be made again from its number. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Makes random shell text out of the constructs that decide what runs. It only ever names programs that do not exist
 * (`c0` to `c9`) and files below the current folder, and every loop ends.
 */
export class Generator {
  readonly #next: () => number;
  #budget = 0;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  #int(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.#int(items.length)] ?? items[0];
  }

  #chance(percent: number): boolean {
    return this.#int(100) < percent;
  }

  script(): string {
    this.#budget = 18;
    const lines: string[] = [];
    const count = 1 + this.#int(4);
    for (let i = 0; i < count; i += 1) lines.push(this.#statement(3));
    return lines.join(this.#pick(["\n", "; ", "\n", " && ", " || "]));
  }

  #name(): string {
    const name = `c${this.#int(10)}`;
    const digit = name[1] ?? "0";
    return this.#pick([
      name,
      name,
      name,
      name,
      name,
      `c''${digit}`,
      `"${name}"`,
      `'c'${digit}`,
      `\\c${digit}`,
      `$'\\x63'${digit}`,
      `$'\\143${digit}'`,
      `c\\\n${digit}`,
      "$v",
      `\${v:-${name}}`,
      `c$n`,
      "f",
      "g",
      `{${name},x}`,
      `$(echo ${name})`,
      `$(printf 'c%s' ${digit})`,
      `command ${name}`,
      "builtin echo",
    ]);
  }

  #variable(): string {
    return this.#pick(["v", "w", "n", "a"]);
  }

  #literal(): string {
    return this.#pick(["x", "y1", ".env", "d1/f", "-k", "--opt=z", "a.t", "k=v", "c3", "1", "2", "=", "%s"]);
  }

  #piece(depth: number): string {
    this.#budget -= 1;
    const v = this.#variable();
    const simple: readonly [string, ...string[]] = [
      this.#literal(),
      this.#literal(),
      `'${this.#pick(["p q", "$v", "*", "", "c1; c2", "#"])}'`,
      `"${this.#pick(["p q", "$v", "*", "", `x\${${v}}y`, "\\$v", "\\\\", "c1 # c2"])}"`,
      `$'${this.#pick(["a\\tb", "\\x41", "\\'", "\\u0041", "\\101b", "\\n"])}'`,
      `\\${this.#pick(["$", "*", " ", "a", '"', "'", "#", "~"])}`,
      `$${v}`,
      `"$${v}"`,
      `\${${v}}`,
      `"\${${v}}"`,
      `\${${v}:-d}`,
      `\${${v}:+d}`,
      `\${${v}-d e}`,
      `"\${${v}:=e}"`,
      `\${${v}%t}`,
      `\${${v}#x}`,
      `"\${${v}##*/}"`,
      `\${${v}/x/z}`,
      `\${#${v}}`,
      `\${${v}^^}`,
      "$((1+2))",
      "$((n+1))",
      "{a,b}",
      "{1..3}",
      "x{p,q}y{r,s}",
      "{c,}",
      "*.t",
      "?.t",
      "[ab].t",
      "d?/f",
      "no*match",
      "~",
      "~/h",
      "$@",
      '"$@"',
      "$1",
      '"$*"',
      "$#",
      '"${arr[@]}"',
      "${arr[1]}",
      "$IFS",
      "a#b",
    ];
    if (depth > 0 && this.#budget > 0 && this.#chance(25)) {
      const inner = this.#simple(depth - 1);
      return this.#pick([
        `$(${inner})`,
        `"$(${inner})"`,
        `\`${this.#plain()}\``,
        `\${${v}:-$(${this.#plain()})}`,
        `<(${inner})`,
        `$((1+$(${this.#plain()}; echo 1)))`,
      ]);
    }
    return this.#pick(simple);
  }

  #word(depth: number): string {
    let out = this.#piece(depth);
    while (this.#chance(25)) out += this.#piece(depth);
    return out.startsWith("#") ? `x${out}` : out;
  }

  #plain(): string {
    return `c${this.#int(10)} ${this.#literal()}`;
  }

  #assignment(depth: number): string {
    const name = this.#variable();
    const value = this.#pick([
      `c${this.#int(10)}`,
      "'c1 z'",
      this.#word(depth),
      this.#word(depth),
      "",
      `${this.#int(10)}`,
      "~/q",
    ]);
    return `${name}${this.#chance(15) ? "+" : ""}=${value}`;
  }

  #redirect(depth: number): string {
    const file = this.#pick(["o1", "o2", "'o 3'", "$v.o", `o\${n}`, "d1/o", `o{4}`]);
    return this.#pick([
      `>${file}`,
      `> ${file}`,
      `>>${file}`,
      `2>${file}`,
      `>|${file}`,
      `&>${file}`,
      "<a.t",
      "2>&1",
      ">&2",
      "</dev/null",
      `<<<${this.#word(depth)}`,
      ">/dev/null",
    ]);
  }

  #simple(depth: number): string {
    this.#budget -= 1;
    const parts: string[] = [];
    if (this.#chance(12)) parts.push(this.#assignment(0));
    if (this.#chance(5)) parts.push(this.#redirect(0));
    parts.push(this.#name());
    const args = this.#int(4);
    for (let i = 0; i < args; i += 1) parts.push(this.#word(depth));
    if (this.#chance(15)) parts.push(this.#redirect(depth));
    return parts.join(" ");
  }

  #builtin(): string {
    const command = `c${this.#int(10)}`;
    return this.#pick([
      `eval "${command} $v"`,
      `eval '${this.#plain()}; ${this.#plain()}'`,
      `eval ${command} \\; ${this.#plain()}`,
      `set -- ${this.#word(0)} ${this.#word(0)}`,
      `set -- c1 z`,
      "shift",
      "cd d1",
      "cd d2",
      "cd ..",
      "cd nowhere",
      "cd -",
      "cd d1 && cd ../d2",
      `export ${this.#assignment(0)}`,
      "unset v",
      `local v=${command}`,
      "read v w <<<'c4 r s'",
      "read v",
      `printf -v v '%s' ${command}`,
      `trap '${this.#plain()}' EXIT`,
      `trap '${command} "$v"' EXIT`,
      `IFS=${this.#pick([",", ":", "''", "$'\\n'", "' '"])}`,
      "v=c1,c2:c3",
      `arr=(${this.#word(0)} ${this.#word(0)})`,
      "let n=n+1",
      "((n++))",
      `(( n > 1 )) && ${this.#plain()}`,
      `[[ $v == c* ]] && ${this.#plain()}`,
      `[ -n "$v" ] && ${this.#plain()}`,
      `[[ -v arr[0] ]] || ${this.#plain()}`,
      `printf '${this.#plain()}\\n' > s1; . ./s1`,
      `echo '${this.#plain()}' > s2; source ./s2 k1 k2`,
      `shopt -s expand_aliases\nalias al='${command} z'\nal y`,
      `exec ${this.#redirect(0)}`,
      `declare v=${command}`,
      "return",
      `\${v+set}`,
    ]);
  }

  #body(depth: number): string {
    const first = this.#statement(depth - 1);
    return this.#chance(40) ? `${first}\n${this.#statement(depth - 1)}` : first;
  }

  #statement(depth: number): string {
    this.#budget -= 1;
    if (depth <= 0 || this.#budget <= 0) return this.#simple(0);
    const kind = this.#int(22);
    const command = (): string => this.#simple(depth - 1);
    const body = (): string => this.#body(depth);
    const tag = this.#pick(["E", "'E'", '"E"', "\\E", "-E"]);
    switch (kind) {
      case 0:
      case 1:
        return `${command()} ${this.#pick(["&&", "||", ";", "|", "|&", "&"])} ${command()}`;
      case 2:
        return `if ${command()}; then ${body()}\nelse ${body()}\nfi`;
      case 3:
        return `for v in ${this.#word(0)} ${this.#word(0)}; do ${body()}\ndone`;
      case 4:
        return `while ${command()}; do ${body()}\nbreak; done`;
      case 5:
        return `case ${this.#word(0)} in c*) ${body()}\n;; *|x) ${body()}\n;${this.#pick([";", "&", ";&"])} y) ${command()};; esac`;
      case 6:
        return `{ ${body()}\n}${this.#chance(30) ? ` ${this.#redirect(0)}` : ""}`;
      case 7:
        return `( ${body()}\n)`;
      case 8:
        return `${this.#pick(["f", "g"])}() { ${this.#recursionFree(body())}\n}`;
      case 9:
        return `function f { ${this.#recursionFree(command())}; }; f ${this.#word(0)}`;
      case 10:
        return `${command()} <<${tag}\nz $v $(${this.#plain()}) \`${this.#plain()}\` \\$v\n${tag === "-E" ? "\t" : ""}E`;
      case 11:
        return `! ${command()}`;
      case 12:
        return `until ${command()}; do ${body()}\nbreak; done`;
      case 13:
        return `for ((i=0; i<2; i++)); do ${body()}\ndone`;
      case 14:
        return `coproc ${this.#plain()}`;
      case 15:
      case 16:
      case 17:
        return this.#builtin();
      case 18:
      case 19:
        return this.#assignment(depth);
      default:
        return command();
    }
  }

  /** A function that calls itself or its neighbour would never end. */
  #recursionFree(text: string): string {
    return text.replace(/(^|[\s;({|&!])[fg](?=[\s;)]|$)/g, "$1c5").replace(/\$v|\$\{v[^}]*\}/g, "c6");
  }
}
