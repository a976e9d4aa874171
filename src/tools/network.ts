const NETWORK_TOOLS: ReadonlySet<string> = new Set([
  "wolfram",
  "http_request",
  "web_search",
  "web_scrape",
  "ask_cloud_model",
  "analyze_image",
]);

/** Names are compared trimmed and without case: a tool is not another one for being shouted. */
export function toolKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Why a tool call cannot work with the network off, or undefined. */
export function networkProblem(tool: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const key = toolKey(tool);
  if (NETWORK_TOOLS.has(key)) return `tool '${tool.trim()}' needs network access (disabled in config)`;
  const action = args["action"];
  if (key === "git_ops" && typeof action === "string" && /^push\b/.test(toolKey(action))) {
    return "git push needs network access (disabled in config)";
  }
  return undefined;
}

/** Whether Paldron knows what the tool does; `unknown_tools` is for the others. */
export function isKnownTool(tool: string, builtIn: readonly string[]): boolean {
  return builtIn.includes(tool) || NETWORK_TOOLS.has(tool) || tool === "git_ops";
}
