import { events, json, list, type ModelApi, offered, textOf } from "./types.ts";

/** OpenAI's Chat Completions, which many clients speak to models of others. */
export const chat: ModelApi = {
  asks: (path) => path.endsWith("/chat/completions"),
  tools: (body) => offered(body["tools"]),
  prompts: (body) =>
    list(body["messages"])
      .filter((message) => message["role"] === "user")
      .map((message) => textOf(message["content"]))
      .join("\n"),
  results: (body) =>
    list(body["messages"])
      .filter((message) => message["role"] === "tool")
      .map((message) => textOf(message["content"])),
  answer: (said, { body, id }) => {
    const isText = typeof said === "string";
    const message = isText
      ? { role: "assistant", content: said }
      : {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              index: 0,
              id: `call_${id}`,
              type: "function",
              function: { name: said.tool, arguments: JSON.stringify(said.input) },
            },
          ],
        };
    const finish_reason = isText ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const common = { id: `chat_${id}`, created: 1, model: body["model"] };
    if (body["stream"] !== true) {
      const choices = [{ index: 0, message, finish_reason }];
      return json({ ...common, object: "chat.completion", choices, usage });
    }
    const chunk = (delta: object, end: string | null) => ({
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: end }],
    });
    return events([chunk(message, null), { ...chunk({}, finish_reason), usage }], "data: [DONE]\n\n");
  },
};
