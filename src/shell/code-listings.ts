import type { Token } from "./code-tokens.ts";
import { TREE, type Word, type WordPart } from "./types.ts";
import { globParts, known, wordOf } from "./value.ts";

interface Listing {
  readonly root: string;
  /** What the names look like, where the call says so. */
  readonly pattern: string | undefined;
}

/** More of them are as good as the whole folder. */
const MOST = 8;
const WHOLE: Listing = { root: ".", pattern: undefined };
const EXTENSION = /^\.[A-Za-z]\w{0,5}$/;

/** The files that a program may open because it looked what there is. */
export class Listings {
  private readonly found: Listing[] = [];

  /** A function that lists, at its name. */
  add(tokens: readonly Token[], at: number): void {
    const next = tokens[at + 1]?.text ?? "";
    // An import, or the module of that name.
    if (next !== "(" && !/^[,)]$/.test(next)) return;
    const first = next === "(" ? tokens[at + 2] : undefined;
    const isWhole = first?.kind === "string" && /^[,)]$/.test(tokens[at + 3]?.text ?? "");
    const text = isWhole ? known(first.value) : undefined;
    this.found.push(listingOf(text, /glob/.test(tokens[at]?.text ?? "")));
  }

  /** Names below the folders that are listed; endings that the program speaks of narrow them down. */
  words(literals: readonly string[]): readonly Word[] {
    const endings = literals.filter((text) => EXTENSION.test(text)).map((text) => `*${text}`);
    const listings = this.found.length > MOST ? [WHOLE] : this.found;
    return listings.flatMap(({ root, pattern }) => {
      const names = pattern !== undefined ? [pattern] : endings.length === 0 ? ["*"] : endings.slice(0, MOST);
      return names.map((name) => {
        const parts: WordPart[] = [`${root}/`, { glob: TREE }, ...globParts(name)];
        return wordOf(parts);
      });
    });
  }
}

function listingOf(text: string | undefined, isPattern: boolean): Listing {
  if (text === undefined || text === "") return WHOLE;
  const wildcard = text.search(/[*?[]/);
  if (wildcard === -1 && !isPattern) return { root: text.replace(/\/+$/, "") || "/", pattern: undefined };
  const root = text.slice(0, text.lastIndexOf("/", wildcard === -1 ? text.length : wildcard));
  return {
    root: text.includes("/") && root !== "" ? root : ".",
    pattern: text.slice(text.lastIndexOf("/") + 1) || "*",
  };
}
