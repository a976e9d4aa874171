/** The known word that a misspelt one most likely meant, or undefined where none is near. The first of equals wins. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = simplify(word).slice(0, 64);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, simplify(candidate));
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function simplify(word: string): string {
  return word.toLowerCase().replace(/[-\s.]/g, "_");
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
