import type { Word, WordPart } from "./types.ts";
import { globParts, isHole, type Text, wordOf } from "./value.ts";

const DEFAULT_IFS = " \t\n";

/** Collects the pieces of one word and cuts them into fields, as word splitting does. */
export class FieldBuilder {
  private readonly fields: Word[] = [];
  private current: WordPart[] = [];
  private started = false;
  private many = false;
  /** A blank of IFS has just ended a field, so that one delimiter after it adds no empty field. */
  private blank = false;
  /** Undefined: IFS is not known. */
  private readonly ifs: string | undefined;

  constructor(ifs: string | undefined = DEFAULT_IFS) {
    this.ifs = ifs;
  }

  /** Characters that stand in the text, or came from a quoted expansion. */
  add(part: WordPart): void {
    if (part !== "") this.current.push(part);
    this.started = true;
    this.blank = false;
  }

  /** An unquoted expansion. */
  split(text: Text): void {
    for (const part of text) {
      if (typeof part === "string") this.splitString(part);
      else {
        this.add(part);
        // A file name that a glob matched is split again when it is used without quotes; digits are not.
        if (!(isHole(part) && part.hole === "integer" && this.ifs === DEFAULT_IFS)) this.many = true;
      }
    }
  }

  private splitString(text: string): void {
    if (this.ifs === undefined) {
      this.add({ hole: "unknown" });
      this.many = true;
      return;
    }
    let plain = "";
    for (const char of text) {
      if (!this.ifs.includes(char)) {
        plain += char;
        continue;
      }
      this.globbed(plain);
      plain = "";
      this.delimiter(char);
    }
    this.globbed(plain);
  }

  private globbed(text: string): void {
    if (text === "") return;
    for (const part of globParts(text)) this.add(part);
  }

  private delimiter(char: string): void {
    const blank = DEFAULT_IFS.includes(char);
    if (this.started || this.many) {
      this.flush();
      this.blank = blank;
    } else if (!blank) {
      if (!this.blank) this.fields.push(wordOf([]));
      this.blank = false;
    }
  }

  /** `"$@"` and friends: the first joins what stands before it, the last what follows. */
  list(words: readonly Text[], quoted: boolean): void {
    words.forEach((text, index) => {
      if (index > 0) this.flush();
      if (!quoted) this.split(text);
      else {
        for (const part of text) this.add(part);
        this.started = true;
      }
    });
  }

  /** Any number of fields may stand here. */
  anyNumber(part: WordPart): void {
    this.current.push(part);
    this.many = true;
  }

  private flush(): void {
    if (this.started || this.many) this.fields.push(wordOf(this.current, this.many));
    this.current = [];
    this.started = false;
    this.many = false;
  }

  finish(): readonly Word[] {
    this.flush();
    return this.fields;
  }
}
