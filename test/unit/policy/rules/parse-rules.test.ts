import { describe, expect, it } from "vitest";
import { PaldronError } from "../../../../src/core/errors.ts";
import { checkRuleCases } from "../../../../src/gate/rules/cases.ts";
import { parsePolicy } from "../../../../src/policy/parse.ts";

function mistake(text: string): string {
  try {
    checkRuleCases(parsePolicy(text, { path: "p.toml" }).rules);
  } catch (error) {
    if (error instanceof PaldronError && error.code === "policy") return error.message;
    throw error;
  }
  return "accepted";
}

const GOOD = "command = ['git']\ndecision = 'deny'\n";

describe("a rule", () => {
  it("has an id by its place, unless it names one", () => {
    const { rules } = parsePolicy(`[[rule]]\n${GOOD}\n[[rule]]\nid = "x"\n${GOOD}`, { path: "p" });
    expect(rules.map((rule) => [rule.id, rule.origin.line])).toEqual([
      ["rule[0]", 1],
      ["x", 5],
    ]);
  });

  it("may be written in place", () => {
    const text = "timeout_sec = 1\nrule = [{ command = ['git'], decision = 'ask' }]";
    expect(parsePolicy(text, { path: "p" }).rules).toMatchObject([{ command: [["git"]], decision: "ask" }]);
  });

  it("takes dotted arguments in either way", () => {
    for (const args of [
      "args.options.force = true",
      "[rule.args]\n'options.force' = true",
      "[rule.args.options]\nforce = true",
    ]) {
      const { rules } = parsePolicy(`[[rule]]\ntool = 't'\ndecision = 'deny'\n${args}`, { path: "p" });
      expect(rules[0]?.args).toEqual([{ key: "options.force", patterns: ["true"] }]);
    }
  });

  it.each([
    ["rule = 1", "p.toml:1: key `rule` must be a list of tables, each under `[[rule]]`"],
    ["[rule]\ncommand = ['x']", "p.toml:1: key `rule` must be a list of tables, each under `[[rule]]`"],
    ["rule = [1]", "p.toml:1: rule[0]: key `rule` must be a table"],
    ["rules = []", "p.toml:1: key `rules` is not known; did you mean `rule`?"],
    [
      `\n[[rule]]\n${GOOD}\ncomand = ['x']`,
      "p.toml:6: rule[0]: key `comand` is not known; did you mean `command`?",
    ],
    [`[[rule]]\n${GOOD}x.y = 1`, "p.toml:4: rule[0]: key `x` is not known"],
    ["[[rule]]\ncommand = ['x']", 'p.toml:1: rule[0]: key `decision` is missing: "allow", "ask" or "deny"'],
    ["[[rule]]\ndecision = 'deny'", "p.toml:1: rule[0]: key `rule` says nothing to match"],
    [
      "[[rule]]\ncommand = ['x']\ndecision = 'Deny'",
      'p.toml:3: rule[0]: key `decision` must be "allow" or "ask" or "deny", not `Deny`',
    ],
    [
      "[[rule]]\ncommand = 'git push'\ndecision = 'ask'",
      "p.toml:2: rule[0]: key `command` must be a list of words, not `git push`",
    ],
    ["[[rule]]\ncommand = []\ndecision = 'ask'", "p.toml:2: rule[0]: key `command` must have 1 to 64 words"],
    [
      "[[rule]]\ncommand = [['a', 1]]\ndecision = 'ask'",
      "p.toml:2: rule[0]: key `command` must hold strings, not 1",
    ],
    [
      "[[rule]]\ncommand = ['npm*']\ndecision = 'ask'",
      "p.toml:2: rule[0]: key `command` has the word `npm*`: words are exact",
    ],
    [
      `[[rule]]\n${GOOD}\ntool = 't'`,
      "p.toml:5: rule[0]: key `tool` cannot stand beside `command`: write two rules",
    ],
    [
      "[[rule]]\ntool = 't'\naccess = 'write'\ndecision = 'ask'",
      "p.toml:3: rule[0]: key `access` needs `path`",
    ],
    [
      "[[rule]]\npath = '!x'\ndecision = 'ask'",
      "p.toml:2: rule[0]: key `path` has an entry `!x` that starts with `!`",
    ],
    [
      "[[rule]]\npath = 'x'\naccess = 'exec'\ndecision = 'ask'",
      'p.toml:3: rule[0]: key `access` must be "read" or "write", not `exec`',
    ],
    [
      "[[rule]]\nargs = { x = [] }\ndecision = 'ask'",
      "p.toml:2: rule[0]: key `args` .x must have 1 to 256 patterns",
    ],
    [`[[rule]]\nid = 'a'\n${GOOD}[[rule]]\nid = 'a'\n${GOOD}`, "p.toml:6: rule id `a` is used twice"],
    [`[[rule]]\n${GOOD}reason = "a\\nb"`, "p.toml:4: rule[0]: key `reason` must be one line"],
    [`[[rule]]\n${GOOD}match = 'git'`, "p.toml:4: rule[0]: key `match` must be a list of lines, not `git`"],
    [
      `[[rule]]\n${GOOD}match = [\n  'git x',\n  'hg x',\n]`,
      "p.toml:6: rule `rule[0]` does not match `hg x`",
    ],
    [`[[rule]]\n${GOOD}not_match = ['sudo git x']`, "p.toml:4: rule `rule[0]` matches `sudo git x`"],
    [
      `[[rule]]\n${GOOD}not_match = ['echo "']`,
      'p.toml:4: rule `rule[0]` has a line that cannot be read as shell text: `echo "`',
    ],
    [
      "[[rule]]\ntool = 't'\ndecision = 'ask'\nmatch = ['t {x']",
      'p.toml:4: rule `rule[0]` takes `TOOL {"argument": …}` in its lines',
    ],
    [
      "[[rule]]\ntool = 't'\nargs.x = 'a*'\ndecision = 'ask'\nmatch = ['t {\"x\": \"abc\"}', 't']",
      "p.toml:5: rule `rule[0]` does not match `t`",
    ],
    [
      "[[rule]]\npath = '/a/*.x'\ndecision = 'ask'\nmatch = ['a/b.x']\nnot_match = ['b/a/b.x', './a/c.x']",
      "p.toml:5: rule `rule[0]` matches `./a/c.x`",
    ],
    [
      `[[rule]]\n${GOOD}[[rule]]\ncommand = ['a']\ndecision = 1`,
      'p.toml:6: rule[1]: key `decision` must be "allow" or "ask" or "deny", not 1',
    ],
  ])("is refused: %j", (text, message) => {
    expect(mistake(text).startsWith(message), mistake(text)).toBe(true);
    expect(mistake(text)).not.toContain("\n");
  });

  it("passes its own lines, for each decision", () => {
    for (const decision of ["allow", "ask", "deny"]) {
      const rule = `[[rule]]\ncommand = ['git', ['push', 'pull']]\ndecision = '${decision}'\n`;
      expect(
        mistake(
          `${rule}match = ['git push', '/usr/bin/git pull', 'a && git -C x pull']\nnot_match = ['git log', './git push x; hg']`,
        ),
      ).toBe(decision === "allow" ? "accepted" : "p.toml:5: rule `rule[0]` matches `./git push x; hg`");
    }
  });
});
