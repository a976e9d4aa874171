import type { Effect, Word } from "./types.ts";

/** The same key for the same effect; cheaper than JSON. */
export function keyOf(effect: Effect): string {
  const where = `${joined(effect.context)}\u0002${effect.cwds === undefined ? "" : joined(effect.cwds)}`;
  switch (effect.kind) {
    case "command": {
      const words = [effect.name, ...effect.argv, ...effect.assignments.map(({ value }) => value)];
      const names = effect.assignments.map(({ name }) => name).join("\u0001");
      return `c${effect.internal}${effect.made}${words.map(keyOfWord).join("\u0001")}\u0002${names}\u0002${where}`;
    }
    case "read":
    case "write": {
      const { path, from, look, command, option, sought } = effect;
      return `${effect.kind}${sought}${keyOfWord(path)}\u0002${from}${look}\u0002${command}\u0002${option}\u0002${where}`;
    }
    case "assign":
      return `a${effect.name}\u0002${keyOfWord(effect.value)}\u0002${where}`;
    default:
      return JSON.stringify(effect);
  }
}

const joined = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] ?? "") : texts.join("\u0001");

const keyOfWord = (word: Word): string => (word.kind === "literal" ? `l${word.text}` : JSON.stringify(word));
