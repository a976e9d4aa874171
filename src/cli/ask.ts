import { encodeBytes } from "../core/bytes.ts";
import { type Decision, describe } from "../core/decision.ts";
import { askPerson } from "../host/person.ts";
import { visible } from "./escape.ts";

/** A person who has not answered by then is not there. */
const TIMEOUT_MS = 120_000;

/** A run is judged once and asks once, so that always is a yes. */
const YES = ["y", "yes", "a", "always"];

/** Asks the person at the terminal about a command. Nobody there, no answer and any other answer are a no. */
export async function confirmAtTerminal(
  decision: Decision,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const lines = [
    `paldron: needs approval: ${visible(describe(decision))}`,
    `paldron: command: ${argv.map((word) => visible(JSON.stringify(word))).join(" ")}`,
    "paldron: run it? yes, no, or always for this run [y/N/a] ",
  ];
  const answer = await askPerson({ text: encodeBytes(lines.join("\n")), timeoutMs: TIMEOUT_MS, signal });
  return YES.includes(answer.trim().toLowerCase());
}
