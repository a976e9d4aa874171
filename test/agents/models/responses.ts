import { type Call, events, list, type ModelApi, offered, textOf } from "./types.ts";

/** OpenAI's Responses API. */
export const responses: ModelApi = {
  asks: (path) => path.endsWith("/responses"),
  // Newer models have them beside what was said.
  tools: (body) => [
    ...offered(body["tools"]),
    ...list(body["input"]).flatMap((item) =>
      item["type"] === "additional_tools" ? offered(item["tools"]) : [],
    ),
  ],
  prompts: (body) =>
    list(body["input"])
      .filter((item) => item["role"] === "user")
      .map((item) => textOf(item["content"]))
      .join("\n"),
  results: (body) =>
    list(body["input"])
      .filter((item) => String(item["type"]).endsWith("_output"))
      .map((item) => textOf(item["output"])),
  answer: (said, { body, id }) => {
    const common = { id: `item_${id}`, status: "completed" };
    const item =
      typeof said === "string"
        ? {
            ...common,
            type: "message",
            role: "assistant",
            content: [{ type: "output_text", text: said, annotations: [] }],
          }
        : said.freeform === undefined
          ? {
              ...common,
              type: "function_call",
              call_id: `call_${id}`,
              name: said.tool,
              ...namespaceOf(said),
              arguments: JSON.stringify(said.input),
            }
          : {
              ...common,
              type: "custom_tool_call",
              call_id: `call_${id}`,
              name: said.tool,
              ...namespaceOf(said),
              input: said.freeform,
            };
    const response = { id: `resp_${id}`, object: "response", model: body["model"] };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    return events([
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
    ]);
  },
};

function namespaceOf({ namespace }: Call): object {
  return namespace === undefined ? {} : { namespace };
}
