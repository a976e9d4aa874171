/** What an argument of a built-in tool is, for the gate. */
export type ArgumentRole = "path" | "folder" | "content" | "command";

interface ToolArgument {
  readonly role: ArgumentRole;
  readonly description: string;
}

export interface ToolContract {
  readonly name: string;
  readonly description: string;
  /** All are strings and all are required; nothing else is accepted. */
  readonly args: Readonly<Record<string, ToolArgument>>;
  /** Its paths must be absolute. */
  readonly absolute: boolean;
}

const path = (description: string): ToolArgument => ({ role: "path", description });
const content = (description: string): ToolArgument => ({ role: "content", description });

const CONTRACTS: readonly ToolContract[] = [
  {
    name: "read_file",
    description: "Read a file in the workspace.",
    args: { path: path("Absolute path of the file.") },
    absolute: true,
  },
  {
    name: "write_file",
    description: "Create a file in the workspace or replace what it holds.",
    args: { path: path("Absolute path of the file."), content: content("The whole new content.") },
    absolute: true,
  },
  {
    name: "edit_file",
    description: "Replace one piece of text in a file in the workspace.",
    args: {
      path: path("Absolute path of the file."),
      old_text: content("The text to replace, exactly as it stands in the file."),
      new_text: content("The text to put in its place."),
    },
    absolute: true,
  },
  {
    name: "list_dir",
    description: "List a folder in the workspace.",
    args: { path: path("Path of the folder.") },
    absolute: false,
  },
  {
    name: "execute_code",
    description: "Run one command, without shell operators, in the workspace.",
    args: {
      command: { role: "command", description: "The command line." },
      dir: { role: "folder", description: "Absolute path of the folder to run it in." },
    },
    absolute: true,
  },
];

export const TOOL_NAMES: readonly string[] = CONTRACTS.map((contract) => contract.name);

export function toolContract(name: string): ToolContract | undefined {
  return CONTRACTS.find((contract) => contract.name === name);
}

/** The first thing wrong with the arguments, named with argument and tool: what is missing, then what is odd. */
export function contractProblem(
  contract: ToolContract,
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const name of Object.keys(contract.args).sort()) {
    if (!Object.hasOwn(args, name)) return `missing required argument '${name}' for tool '${contract.name}'`;
  }
  for (const name of Object.keys(args).sort()) {
    if (!Object.hasOwn(contract.args, name)) return `unknown argument '${name}' for tool '${contract.name}'`;
    if (typeof args[name] !== "string")
      return `argument '${name}' for tool '${contract.name}' must be a string`;
  }
  return undefined;
}

/** The contract as JSON Schema. */
export function toolJsonSchema(contract: ToolContract): Readonly<Record<string, unknown>> {
  const properties = Object.entries(contract.args).map(([name, argument]) => [
    name,
    { type: "string", description: argument.description },
  ]);
  return {
    name: contract.name,
    description: contract.description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: Object.keys(contract.args).sort(),
      additionalProperties: false,
    },
  };
}
