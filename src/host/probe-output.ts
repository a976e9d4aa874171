import { constants } from "node:os";
import { getSystemErrorName } from "node:util";

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What the probe printed: `ok`, the name of an errno or of a signal, or `broken` where it could not be tried. */
export function readOutcomes(text: string): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const line of text.split("\n")) {
    const found = /^([a-z0-9-]+) (?:SIGNAL (\d+)|(\d+))$/.exec(line);
    if (found === null) continue;
    const [, name = "", signal, errno] = found;
    outcomes.set(
      name,
      signal === undefined ? byErrno(Number(errno)) : (SIGNALS.get(Number(signal)) ?? "broken"),
    );
  }
  return outcomes;
}

/** Numbers that are no errno say that the attempt could not be made. */
function byErrno(errno: number): string {
  if (errno === 0) return "ok";
  const name = getSystemErrorName(-errno);
  return /^E[A-Z0-9]+$/.test(name) ? name : "broken";
}
