import type { Lexed, Token } from "./code-tokens.ts";
import { known } from "./value.ts";

/** Tokens without ends of lines, in which strings that are put together are one. */
export function fold(language: Lexed, tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = [];
  for (const token of tokens) {
    if (token.kind === "line") continue;
    const last = out.at(-1);
    const before = out.at(-2);
    if (token.kind !== "string" || last === undefined) out.push(token);
    else if (language === "python" && last.kind === "string") out[out.length - 1] = joined(last, token);
    else if (last.text === "+" && last.kind === "mark" && before?.kind === "string")
      out.splice(-2, 2, joined(before, token));
    else out.push(token);
  }
  return out;
}

function joined(a: Token, b: Token): Token {
  const [x, y] = [known(a.value), known(b.value)];
  // A chain of many pieces would be copied over and over.
  if (x !== undefined && y !== undefined && x.length < 4_000) return { ...a, value: [x + y] };
  return { ...a, value: [...a.value.slice(-20), ...b.value] };
}
