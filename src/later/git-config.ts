/** One line of a git configuration file, in the order of the file. */
export interface ConfigEntry {
  /** `section.name` or `section.subsection.name`; section and name in lower case, the subsection as written. */
  readonly key: string;
  /** Undefined: the name stood alone, which means true. */
  readonly value: string | undefined;
}

const BOM = "\ufeff";
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/**
 * Reads a configuration file as git does (git-config(1), "Syntax"). Undefined where it is not well-formed: git refuses
 * such a file, so nothing can be said of what it would mean.
 */
export function parseGitConfig(text: string): readonly ConfigEntry[] | undefined {
  const reader = new Reader(text.startsWith(BOM) ? text.slice(1) : text);
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  for (;;) {
    reader.skipBlank();
    const char = reader.peek();
    if (char === undefined) return entries;
    if (char === "[") {
      section = reader.section();
      if (section === undefined) return undefined;
      continue;
    }
    const name = reader.take(/[A-Za-z][A-Za-z0-9-]*/y);
    if (name === undefined || section === undefined) return undefined;
    const value = reader.value();
    if (value === undefined) return undefined;
    entries.push({ key: `${section}.${name.toLowerCase()}`, value: value.text });
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n");
  }

  peek(): string | undefined {
    return this.#text[this.#at];
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** White space, ends of lines and comments. */
  skipBlank(): void {
    while (this.take(/\s+|[#;][^\n]*/y) !== undefined);
  }

  /** `[section]`, `[section "subsection"]` or the old `[section.subsection]`. */
  section(): string | undefined {
    const plain = this.take(/\[[A-Za-z0-9.-]+/y);
    if (plain === undefined) return undefined;
    const name = plain.slice(1).toLowerCase();
    if (this.take(/\]/y) !== undefined) return name;
    const quoted = this.take(/[ \t]+"(?:[^"\\\n]|\\[^\n])*"\]/y);
    if (quoted === undefined) return undefined;
    const inner = quoted.slice(quoted.indexOf('"') + 1, -2);
    return `${name}.${inner.replace(/\\(.)/g, "$1")}`;
  }

  /** What follows a name up to the end of its line; an object, since the value itself may be missing. */
  value(): { readonly text: string | undefined } | undefined {
    this.take(/[ \t]+/y);
    if (this.take(/=/y) === undefined) {
      return this.#atEnd() ? { text: undefined } : undefined;
    }
    this.take(/[ \t]+/y);
    let text = "";
    let kept = 0;
    let quoted = false;
    for (;;) {
      const char = this.peek();
      if (char === undefined || char === "\n") return quoted ? undefined : { text: text.slice(0, kept) };
      this.#at += 1;
      if ((char === "#" || char === ";") && !quoted) {
        this.take(/[^\n]*/y);
        continue;
      }
      if (char === '"') quoted = !quoted;
      else if (char === "\\") {
        const next = this.peek();
        this.#at += 1;
        if (next === "\n") continue;
        const meant = ESCAPES[next ?? ""];
        if (meant === undefined) return undefined;
        text += meant;
      } else text += char;
      // Blanks count only before something that is no blank, or in quotes.
      if (quoted || char === '"' || !/[ \t]/.test(char)) kept = text.length;
    }
  }

  #atEnd(): boolean {
    const char = this.peek();
    return char === undefined || char === "\n" || char === "#" || char === ";";
  }
}
