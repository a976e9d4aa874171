import { constants } from "node:os";
import type { Place, Ran, RunOptions } from "./place.ts";

/** What became of each attempt: `ok`, the name of an errno, or the name of a signal. */
export type Outcomes = ReadonlyMap<string, string>;

const names = (numbers: Readonly<Record<string, number>>): ReadonlyMap<number, string> =>
  new Map(Object.entries(numbers).map(([name, number]) => [number, name]));
const ERRNO = names(constants.errno);
const SIGNAL = names(constants.signals);

/** Makes the attempts in one run. `conf` becomes attempt.conf; `program` is the compiled test program. */
export async function attempt(
  place: Place,
  program: string,
  conf: Readonly<Record<string, string | number>>,
  attempts: readonly string[],
  options: RunOptions = {},
): Promise<{ outcomes: Outcomes; ran: Ran }> {
  const lines = Object.entries(conf).map(([key, value]) => `${key}=${value}\n`);
  place.put("attempt.conf", lines.join(""));
  place.program("attempt", program);
  const ran = await place.run(["./attempt", ...attempts], options);
  return { outcomes: readOutcomes(ran.stdout.toString()), ran };
}

/** What the test program printed. */
export function readOutcomes(text: string): Outcomes {
  const outcomes = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [name, first, signal] = line.split(" ");
    if (name !== undefined && first !== undefined) outcomes.set(name, outcomeName(first, signal));
  }
  return outcomes;
}

function outcomeName(first: string, signal: string | undefined): string {
  if (signal !== undefined) return SIGNAL.get(Number(signal)) ?? `signal ${signal}`;
  if (first === "0") return "ok";
  // 251 and 252: the attempt could not be made, which is neither.
  return ERRNO.get(Number(first)) ?? `broken ${first}`;
}
