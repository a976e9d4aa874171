// An MCP server for tests: each call of one of its tools leaves a file that says so. Arguments: a folder, its name.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder = ".", name = ""] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
const tools = ["keep", "forget"].map((tool) => ({ name: tool, description: `${tool} a note`, inputSchema }));

function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: "1" },
      };
    case "tools/list":
      return { tools };
    case "tools/call":
      writeFileSync(join(folder, `${name}-${params.name}-${params.arguments.note}.txt`), "called\n");
      return { content: [{ type: "text", text: `${params.name}: done` }] };
    case "ping":
      return {};
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answer(method, params);
  const rest = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
});
