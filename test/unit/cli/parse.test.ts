import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/commands.ts";
import { parseArgs } from "../../../src/cli/parse.ts";

const exec = (...args: string[]) => parseArgs(COMMANDS.exec, args, { operandsAreCommand: true });
const check = (...args: string[]) => parseArgs(COMMANDS.check, args);

describe("options that are understood", () => {
  test.each([
    [["--policy", "p.toml", "--", "true"], "p.toml"],
    [["--policy=p.toml", "--", "true"], "p.toml"],
    [["--policy=a=b", "--", "true"], "a=b"],
    [["--policy=--", "--", "true"], "--"],
    [["--policy", "-", "--", "true"], "-"],
  ])("%j", (args, policy) => {
    const parsed = exec(...args);
    expect(parsed.values.get("--policy")).toBe(policy);
    expect(parsed.operands).toEqual(["true"]);
  });

  test("a switch", () => expect(check("--json", "--", "t").values.has("--json")).toBe(true));
  test("no switch", () => expect(check("--", "t").values.has("--json")).toBe(false));
});

describe("an option whose value may be left out", () => {
  const doctor = (...args: string[]) => parseArgs(COMMANDS.doctor, args);
  test.each([
    [["--workspace"], ""],
    [["--workspace", "--json"], ""],
    [["--workspace", "dir"], "dir"],
    [["--workspace=dir"], "dir"],
  ])("%j", (args, want) => {
    const parsed = doctor(...args);
    expect(parsed.values.get("--workspace")).toBe(want);
    expect(parsed.operands).toEqual([]);
  });
  test.each([[["--workspace="]], [["--workspace", ""]]])("%j is a mistake", (args) => {
    expect(() => doctor(...args)).toThrow("--workspace needs a folder");
  });
});

describe("where options end", () => {
  test("only the first -- is taken", () => {
    expect(exec("--", "printf", "--", "x").operands).toEqual(["printf", "--", "x"]);
    expect(exec("--", "--", "x").operands).toEqual(["--", "x"]);
  });
  test("after -- nothing is an option", () => {
    expect(exec("--", "--policy", "x", "--help")).toMatchObject({
      help: false,
      operands: ["--policy", "x", "--help"],
    });
  });
  test("without -- a command ends the options", () => {
    expect(exec("ls", "-d", "--help")).toMatchObject({ help: false, operands: ["ls", "-d", "--help"] });
    expect(exec("npm", "run", "--", "--policy").operands).toEqual(["npm", "run", "--", "--policy"]);
  });
  test("a check takes options on both sides of its tool", () => {
    const parsed = check("tool", "--policy", "p", "{}");
    expect(parsed.operands).toEqual(["tool", "{}"]);
    expect(parsed.values.get("--policy")).toBe("p");
  });
  test.each([["--help"], ["-h"]])("%s is help before --", (word) => expect(check(word).help).toBe(true));
});

describe("mistakes", () => {
  test.each([
    [["--polciy", "p", "--", "true"], "unknown option '--polciy' (did you mean '--policy'?)"],
    [["--polciy=p", "--", "true"], "unknown option '--polciy' (did you mean '--policy'?)"],
    [["-p", "--", "true"], "unknown option '-p'"],
    [["--timeout", "5", "--", "true"], "unknown option '--timeout'"],
    [["--policy"], "--policy needs a file"],
    [["--policy", "", "--", "true"], "--policy needs a file"],
    [["--policy=", "--", "true"], "--policy needs a file"],
    [["--policy", "--", "true"], "--policy needs a file (write --policy=-- if that is it)"],
    [["--policy", "--exit", "child"], "--policy needs a file (write --policy=--exit if that is it)"],
    [["--policy", "a", "--policy=b", "--", "true"], "--policy is given twice"],
    [
      ["--exit=childs", "--", "true"],
      "--exit must be verdict or child, not 'childs' (did you mean 'child'?)",
    ],
    [["--exit=", "--", "true"], "--exit needs a mode"],
    [["--format", "yaml", "--", "true"], "--format must be stream or report or json, not 'yaml'"],
    [
      ["grep", "--policy", "a", "b"],
      "put -- before the command: --policy could be meant for paldron or for 'grep'",
    ],
    [
      ["git", "log", "--format=%h"],
      "put -- before the command: --format could be meant for paldron or for 'git'",
    ],
  ])("%j", (args, message) => {
    expect(() => exec(...args)).toThrow(expect.objectContaining({ code: "usage", message }));
  });

  test("a switch takes no value", () => {
    expect(() => check("--json=1", "--", "t")).toThrow("--json takes no value");
  });
  test("a switch given twice", () =>
    expect(() => check("--json", "--json")).toThrow("--json is given twice"));
});
