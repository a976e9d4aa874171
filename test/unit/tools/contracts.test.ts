import { describe, expect, it } from "vitest";
import { keyRole } from "../../../src/tools/argument-keys.ts";
import { contractProblem, TOOL_NAMES, toolContract, toolJsonSchema } from "../../../src/tools/contracts.ts";
import { networkProblem } from "../../../src/tools/network.ts";

const contract = (name: string) => {
  const found = toolContract(name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe("contracts", () => {
  it("are five, by exact name", () => {
    expect(TOOL_NAMES).toEqual(["read_file", "write_file", "edit_file", "list_dir", "execute_code"]);
    expect(toolContract("Read_File")).toBeUndefined();
    expect(toolContract("toString")).toBeUndefined();
  });

  it.each([
    ["write_file", {}, "missing required argument 'content' for tool 'write_file'"],
    ["write_file", { content: "x", bogus: 1 }, "missing required argument 'path' for tool 'write_file'"],
    ["write_file", { content: 1, path: "x", bogus: 1 }, "unknown argument 'bogus' for tool 'write_file'"],
    ["write_file", { content: 1, path: "x" }, "argument 'content' for tool 'write_file' must be a string"],
    ["read_file", { path: "x" }, undefined],
  ])("%s %j", (name, args, problem) => expect(contractProblem(contract(name), args)).toBe(problem));

  it("takes no argument from the prototype", () => {
    const args = Object.create({ path: "x" }) as Record<string, unknown>;
    expect(contractProblem(contract("read_file"), args)).toMatch(/^missing/);
  });

  it("as JSON Schema", () => {
    expect(toolJsonSchema(contract("edit_file"))).toMatchObject({
      name: "edit_file",
      parameters: { type: "object", required: ["new_text", "old_text", "path"], additionalProperties: false },
    });
  });
});

describe("network tools", () => {
  it.each([
    ["http_request", {}, "tool 'http_request' needs network access (disabled in config)"],
    [" HTTP_Request ", {}, "tool 'HTTP_Request' needs network access (disabled in config)"],
    ["git_ops", { action: " PUSH " }, "git push needs network access (disabled in config)"],
    ["git_ops", { action: "push --force" }, "git push needs network access (disabled in config)"],
    ["git_ops", { action: "pushed" }, undefined],
    ["git_ops", { action: "status" }, undefined],
    ["read_file", {}, undefined],
  ])("%s %j", (tool, args, problem) => expect(networkProblem(tool, args)).toBe(problem));
});

describe("roles of arguments by key", () => {
  it.each([
    ["path", "path"],
    ["file_path", "path"],
    ["notebookPath", "path"],
    ["paths", "path"],
    ["cwd", "path"],
    ["content", "content"],
    ["old_string", "content"],
    ["command", "command"],
    ["cmd", "command"],
    ["x", "unknown"],
    ["SRC_DIR", "path"],
    ["file2", "path"],
    ["profile", "unknown"],
  ])("%s is %s", (key, role) => expect(keyRole(key)).toBe(role));
});
