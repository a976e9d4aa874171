import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import type { FetchJson, JsonReply } from "../host/http.ts";
import type { JevOnError } from "../policy/types.ts";

const DEFAULT_ENDPOINT = "https://api.typesafe.ai/v1/systemone";
const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 64 * 1024;
/** Characters (code points) of each stream that are judged. */
const STDOUT_CHARACTERS = 8_000;
const STDERR_CHARACTERS = 4_000;

/** What is judged, and how. */
export interface JevInput {
  readonly argv: readonly string[];
  /** Null when a signal ended the command. */
  readonly exitCode: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Probability in (0, 1] from which an answer denies. */
  readonly threshold: number;
  readonly onError: JevOnError;
  /** `JEV_API_KEY` and `JEV_API_URL` are read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetchJson: FetchJson;
}

export type JevVerdict =
  | { readonly kind: "allow"; readonly warning?: string }
  | { readonly kind: "deny"; readonly code: JevDenyCode; readonly message: string };

type JevDenyCode = "jev_secret_exposure" | "jev_hostile_action" | "jev_unavailable";

interface Question {
  readonly key: "secret_exposure" | "hostile_action";
  readonly code: JevDenyCode;
  readonly shown: string;
  readonly instructions: string;
  readonly yes: string;
  readonly no: string;
}

/** In the order in which they are reported. */
const QUESTIONS: readonly Question[] = [
  {
    key: "secret_exposure",
    code: "jev_secret_exposure",
    shown: "exposes secrets",
    instructions:
      "Read the output of this command. Does it show a credential that somebody could use, such as a password, an access token, an API key or a private key?",
    yes: "At least one value in the output looks like a working credential, whole or in a form from which it can be restored.",
    no: "The output holds no credential, or only placeholders, names of variables, public keys, or values that are masked.",
  },
  {
    key: "hostile_action",
    code: "jev_hostile_action",
    shown: "shows hostile action",
    instructions:
      "Read the command and its output. Do they show that it did something its owner would not want, such as sending data away, destroying files, installing a way back in, or trying to leave its sandbox?",
    yes: "The command or its output shows a harmful act, or a clear attempt at one.",
    no: "The command did ordinary work, or failed at it, and nothing points to harm.",
  },
];

/** Why there is no answer. Its text may be shown. */
class NoVerdict extends Error {}

/** The first `limit` code points. Bytes that are not UTF-8 become U+FFFD, as JSON has no other place for them. */
function firstCharacters(bytes: Uint8Array, limit: number): string {
  // A code point takes at most four bytes, so no more than these can be needed.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, limit * 4));
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The body of the request. */
export function jevRequestBody(input: Pick<JevInput, "argv" | "exitCode" | "stdout" | "stderr">): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const questions = QUESTIONS.map(({ key, instructions, yes, no }) => [
    key,
    { type: "noul", instructions, criteria: { true: yes, false: no } },
  ]);
  return JSON.stringify({
    model: "jev-latest",
    state: {
      argv: input.argv.map((argument) => decoder.decode(encodeBytes(argument))),
      exit_code: input.exitCode,
      stdout: firstCharacters(input.stdout, STDOUT_CHARACTERS),
      stderr: firstCharacters(input.stderr, STDERR_CHARACTERS),
    },
    questions: Object.fromEntries(questions),
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseReply(reply: JsonReply): unknown {
  if (reply.status >= 300 && reply.status < 400) {
    throw new NoVerdict(`endpoint returned ${reply.statusText} (redirects are not followed)`);
  }
  if (reply.status !== 200) throw new NoVerdict(`endpoint returned ${reply.statusText}`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(reply.body));
  } catch {
    // The parser's own message would repeat the answer.
    throw new NoVerdict("response is no JSON");
  }
}

/** The probability that an answer states; anything but a number in [0, 1] is no answer. */
function probability(reply: unknown, key: string): number {
  const answers = isRecord(reply) ? reply["answers"] : undefined;
  const answer = isRecord(answers) ? answers[key] : undefined;
  if (!isRecord(answer)) throw new NoVerdict(`response missing ${key}`);
  const p = answer["noul"];
  if (typeof p !== "number" || !(p >= 0 && p <= 1)) {
    throw new NoVerdict(`response has no probability for ${key}`);
  }
  return p;
}

function readKey(env: JevInput["env"]): string {
  const key = env["JEV_API_KEY"] ?? "";
  if (key.trim() === "") throw new NoVerdict("JEV_API_KEY is not set");
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new NoVerdict("JEV_API_KEY holds characters that no header can carry");
  return key;
}

async function ask(input: JevInput): Promise<JevVerdict> {
  const reply = parseReply(
    await input.fetchJson({
      bearer: readKey(input.env),
      url: input.env["JEV_API_URL"] || DEFAULT_ENDPOINT,
      body: jevRequestBody(input),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_REPLY_BYTES,
    }),
  );
  // Both answers must be there before either one counts.
  const answers = QUESTIONS.map((question) => ({ question, p: probability(reply, question.key) }));
  // INVARIANT: a threshold that compares with nothing (NaN) denies.
  const hit = answers.find(({ p }) => !(p < input.threshold));
  if (hit === undefined) return { kind: "allow" };
  const { code, shown } = hit.question;
  return { kind: "deny", code, message: `jev verdict: output ${shown} (p=${hit.p.toFixed(2)})` };
}

/**
 * Asks the Jev endpoint what it makes of a finished run. Never rejects: what prevents an answer denies, or under
 * `jev_on_error = "allow"` becomes a warning. No text it returns holds the key.
 */
export async function judgeWithJev(input: JevInput): Promise<JevVerdict> {
  try {
    return await ask(input);
  } catch (error) {
    const known = error instanceof NoVerdict || error instanceof PaldronError;
    const why = `jev: ${known ? error.message : "request failed"}`;
    if (input.onError === "allow") {
      return { kind: "allow", warning: `jev verdict unavailable, allowing run (jev_on_error=allow): ${why}` };
    }
    return { kind: "deny", code: "jev_unavailable", message: `jev verdict unavailable: ${why}` };
  }
}
