import { type Body, events, json, list, type ModelApi, object, offered } from "./types.ts";

/** What Gemini CLI's side questions want back. */
const SIDE_ANSWER = JSON.stringify({ reasoning: "none", next_speaker: "user", model_choice: "pro" });

/** Google's Gemini API. */
export const gemini: ModelApi = {
  asks: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  tools: (body) => list(body["tools"]).flatMap((tool) => offered(tool["functionDeclarations"])),
  prompts: (body) =>
    list(body["contents"])
      .filter((content) => content["role"] === "user")
      .flatMap((content) => list(content["parts"]))
      .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
      .join("\n"),
  results: (body) =>
    list(body["contents"])
      .flatMap((content) => list(content["parts"]))
      .filter((part) => part["functionResponse"] !== undefined)
      .map((part) => JSON.stringify(object(part["functionResponse"])["response"])),
  answer: (said, { path, body, id }) => {
    const part =
      typeof said !== "string"
        ? { functionCall: { id: `call_${id}`, name: said.tool, args: said.input } }
        : { text: wantsJson(body) ? SIDE_ANSWER : said };
    const answer = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "script",
    };
    return path.includes(":stream") ? events([answer]) : json(answer);
  },
};

function wantsJson(body: Body): boolean {
  return object(body["generationConfig"])["responseMimeType"] === "application/json";
}
