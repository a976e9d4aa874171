/**
 * Secrets by their form: what issuers made recognizable on purpose, and private keys. A failed try at one place costs
 * little, and a match is never looked at again, so that hostile output takes no longer than other output.
 */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{50,255}\b/g,
  /\bglpat-[A-Za-z0-9_-]{20,64}/g,
  /\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,255}/g,
  /\b[sr]k_live_[A-Za-z0-9]{20,128}\b/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{50,255}/g,
  /\bhf_[A-Za-z0-9]{30,64}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,300}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,2000}/g,
];

/** Each costs one pass over the output. */
const MAX_VALUES = 200;
/** What stands where a secret was. */
export const SECRET_MARK = "[secret removed by paldron]";

/** Replaces secrets in text: by their form, and the given values. */
export class Redactor {
  readonly #values: readonly string[];
  #count = 0;

  /** `values`: secrets that are known, such as those of the workspace's `.env`. */
  constructor(values: readonly string[]) {
    // The longest first, so that no part of one is left over.
    this.#values = [...new Set(values)].sort((a, b) => b.length - a.length).slice(0, MAX_VALUES);
  }

  /** How many were replaced so far. */
  get count(): number {
    return this.#count;
  }

  clean(text: string): string {
    let cleaned = text;
    for (const value of this.#values) {
      const parts = cleaned.split(value);
      this.#count += parts.length - 1;
      cleaned = parts.join(SECRET_MARK);
    }
    for (const form of FORMS) {
      cleaned = cleaned.replace(form, () => {
        this.#count += 1;
        return SECRET_MARK;
      });
    }
    return cleaned;
  }
}

const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(.*?)[ \t]*$/gm;
const TELLING = /key|token|secret|pass|pwd|auth|cred|private|dsn|cert|salt|session|cookie|api|hook/i;
const SHORTEST = 8;
const LONGEST = 4096;

/** The values of a file like `.env` that are secrets by their name or their look. */
export function secretValues(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, name = "", raw = ""] of text.matchAll(LINE)) {
    const value = /^(["'])(.*)\1$/.exec(raw)?.[2] ?? raw.replace(/[ \t]+#.*$/, "");
    if (value.length < SHORTEST || value.length > LONGEST) continue;
    if (TELLING.test(name) || looksRandom(value)) found.push(value);
  }
  return found;
}

/** Long, without blanks, and of several kinds of characters; or a password inside a URL. */
function looksRandom(value: string): boolean {
  if (/^[a-z]+:\/\/[^/\s:@]*:[^/\s@]+@/i.test(value)) return true;
  if (value.length < 20 || /\s/.test(value) || /^[./~]|^https?:/i.test(value)) return false;
  return [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length >= 2;
}
