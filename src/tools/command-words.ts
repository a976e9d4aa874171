/** What a shell would take to mean more than itself, outside quotes. */
const SPECIAL = /[|&;<>()$`*?[\]{}\n\r]/;
/** The same between double quotes. */
const EXPANDS = /[$`]/;

export type CommandWords =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "problem"; readonly why: string };

/**
 * Cuts a command line into the words that a shell would start, where no shell is needed for it: quotes and backslashes
 * are taken away, and anything that a shell would replace or obey is a problem. So what is run is what was read.
 */
export function commandWords(text: string): CommandWords {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const problem = (why: string): CommandWords => ({ kind: "problem", why });
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (char === "'" || char === '"') {
      const quoted = char === "'" ? singleQuoted(text, at) : doubleQuoted(text, at);
      if (typeof quoted === "string") return problem(quoted);
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (char === "\\") {
      const next = text[at + 1];
      if (next === undefined || next === "\n") return problem("it ends in a backslash");
      word = (word ?? "") + next;
      at += 2;
    } else if (text.startsWith("{}", at)) {
      // What `find -exec` and `xargs -I` want; a shell leaves it alone.
      word = `${word ?? ""}{}`;
      at += 2;
    } else if (SPECIAL.test(char) || (word === undefined && /[#~]/.test(char))) {
      return problem(`\`${char.trim() === "" ? "\\n" : char}\` means more than itself to a shell`);
    } else {
      word = (word ?? "") + char;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  if (/^[A-Za-z_]\w*\+?=/.test(words[0] ?? "")) return problem("it starts with an assignment");
  return words.length === 0 ? problem("it is empty") : { kind: "words", words };
}

type Quoted = { readonly text: string; readonly next: number } | string;

function singleQuoted(text: string, start: number): Quoted {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? "a quote is not closed" : { text: text.slice(start + 1, end), next: end + 1 };
}

function doubleQuoted(text: string, start: number): Quoted {
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === '"') return { text: value, next: at + 1 };
    if (EXPANDS.test(char)) return `\`${char}\` means more than itself to a shell`;
    if (char !== "\\") {
      value += char;
      continue;
    }
    const next = text[at + 1] ?? "";
    // Before any other character the backslash stays.
    if (next === "\n") value += "";
    else value += /["\\$`]/.test(next) ? next : `\\${next}`;
    at += 1;
  }
  return "a quote is not closed";
}
