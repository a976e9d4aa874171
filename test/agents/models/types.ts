/** One turn of the model: it calls a tool. After the last one it says that it is done. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Text instead of `input`, for Codex' apply_patch. */
  readonly freeform?: string;
  /** Where Codex has the tool. */
  readonly namespace?: string;
  /** Arguments that are taken from what the model was told last: the first group of each pattern. */
  readonly from?: Readonly<Record<string, string>>;
}

/** A tool that a client offers to the model, with the names of its arguments. */
export interface Offered {
  readonly name: string;
  readonly args: readonly string[];
}

/** What a client is sent back. */
export interface Answer {
  readonly type: "application/json" | "text/event-stream";
  readonly body: string;
}

/** One API that clients talk to a model by. */
export interface ModelApi {
  /** Whether a path asks the model for something. */
  readonly asks: (path: string) => boolean;
  /** The tools that a request offers; none for side questions, such as a title. */
  readonly tools: (body: Body) => readonly Offered[];
  /** What people asked for in this conversation, which is how that of a sub-agent is known. */
  readonly prompts: (body: Body) => string;
  /** What the client did with the calls so far, in their order, as the model is told. */
  readonly results: (body: Body) => readonly string[];
  readonly answer: (said: Call | string, request: Request) => Answer;
}

interface Request {
  readonly path: string;
  readonly body: Body;
  /** Different for every answer. */
  readonly id: string;
}

/** A JSON document whose form is the client's business. */
export type Body = Readonly<Record<string, unknown>>;

export function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value : [];
}

export function object(value: unknown): Body {
  return typeof value === "object" && value !== null ? (value as Body) : {};
}

/** Text, or the text of parts, or whatever it is. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value ?? "");
  return value
    .map((part) => (typeof part["text"] === "string" ? part["text"] : JSON.stringify(part)))
    .join("\n");
}

export function offered(tools: unknown): Offered[] {
  return list(tools).flatMap((tool): readonly Offered[] => {
    const inner = list(tool["tools"]);
    if (inner.length > 0) return offered(inner);
    const said = tool["function"] === undefined ? tool : object(tool["function"]);
    const schema = object(said["input_schema"] ?? said["parametersJsonSchema"] ?? said["parameters"]);
    return [{ name: String(said["name"] ?? said["type"]), args: Object.keys(object(schema["properties"])) }];
  });
}

export function json(value: unknown): Answer {
  return { type: "application/json", body: JSON.stringify(value) };
}

/** Server-sent events; with the name of each where it has a `type`. */
export function events(values: readonly Body[], end = ""): Answer {
  const lines = values.map((value) => {
    const name = typeof value["type"] === "string" ? `event: ${value["type"]}\n` : "";
    return `${name}data: ${JSON.stringify(value)}\n\n`;
  });
  return { type: "text/event-stream", body: lines.join("") + end };
}
