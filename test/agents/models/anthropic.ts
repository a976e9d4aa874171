import { events, json, list, type ModelApi, offered, textOf } from "./types.ts";

const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Anthropic's Messages API. */
export const anthropic: ModelApi = {
  asks: (path) => path.endsWith("/messages"),
  tools: (body) => offered(body["tools"]),
  prompts: (body) =>
    list(body["messages"])
      .filter((message) => message["role"] === "user")
      .flatMap((message) =>
        typeof message["content"] === "string"
          ? [message["content"]]
          : list(message["content"])
              .filter((block) => block["type"] === "text")
              .map((block) => String(block["text"])),
      )
      .join("\n"),
  results: (body) =>
    list(body["messages"])
      .flatMap((message) => list(message["content"]))
      .filter((block) => block["type"] === "tool_result")
      .map((block) => textOf(block["content"])),
  answer: (said, { body, id }) => {
    const isText = typeof said === "string";
    const block = isText
      ? { type: "text", text: said }
      : { type: "tool_use", id: `toolu_${id}`, name: said.tool, input: said.input };
    const stop_reason = isText ? "end_turn" : "tool_use";
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: body["model"],
      usage: USAGE,
    };
    if (body["stream"] !== true)
      return json({ ...message, content: [block], stop_reason, stop_sequence: null });
    const [content_block, delta] = isText
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: said },
        ]
      : [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(said.input) },
        ];
    return events([
      { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ]);
  },
};
