import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTool } from "../../src/app/check.ts";
import { describe as sentence } from "../../src/core/decision.ts";
import { PaldronError } from "../../src/core/errors.ts";
import { EXIT } from "../../src/core/exit-codes.ts";
import { shellJudge } from "../../src/gate/shell.ts";
import { loadPolicyFile } from "../../src/host/policy-file.ts";
import { findWorkspace } from "../../src/host/workspace.ts";
import { type Fixture, layFixture, type Row, readRows } from "./fixture.ts";

interface Outcome {
  readonly exit: number;
  readonly text: string;
}

/** The command line's work without a process: options, policy, workspace, decision. */
function runRow(row: Row, fixture: Fixture): Outcome {
  const policyPath = join(fixture.top, "policy.toml");
  if (row.policy !== null) {
    const bytes =
      typeof row.policy === "string" ? fixture.fill(row.policy) : Buffer.from(row.policy.bytes_hex, "hex");
    writeFileSync(policyPath, bytes);
  }
  const argv = row.argv.map(fixture.fill);
  const named = argv.indexOf("--policy");
  const operands = argv.slice(argv.indexOf("--") + 1);
  const env: Record<string, string | undefined> = { HOME: join(fixture.top, "home"), PATH: "/usr/bin:/bin" };
  for (const [name, value] of Object.entries(row.env ?? {}))
    env[name] = value === null ? undefined : fixture.fill(value);
  try {
    const { policy } = loadPolicyFile(named < 0 ? undefined : argv[named + 1]);
    const cwd = join(fixture.workspace, row.cwd ?? ".");
    const workspace = findWorkspace({
      cwd: row.cwd?.startsWith("/") === true ? row.cwd : cwd,
      pwd: env["PWD"],
      home: env["HOME"],
      policy,
    });
    const options = { tool: operands[0] ?? "", argsText: operands[1], policy, workspace, env };
    const decision = checkTool(options, { shell: shellJudge, rules: undefined });
    return { exit: decision.decision === "allow" ? EXIT.allow : EXIT.deny, text: sentence(decision) };
  } catch (error) {
    if (!(error instanceof PaldronError)) throw error;
    return { exit: EXIT.broken, text: error.message };
  }
}

const REASON = /\((secret|policy deny_glob|outside workspace|outside allow_paths)\)\s*$/;

function verify(row: Row, fixture: Fixture): void {
  const { exit, text } = runRow(row, fixture);
  expect(`${exit} ${text}`).toMatch(new RegExp(`^${row.want.exit} `));
  if (exit !== EXIT.deny || !row.want.same || row.stderr === null) return;
  const reason = REASON.exec(row.stderr)?.[1];
  if (reason !== undefined) expect(text).toContain(`(${reason})`);
  for (const [, argument] of row.stderr.matchAll(/argument '([^']*)'/g)) expect(text).toContain(argument);
  // The contract's own sentences are the same, word for word.
  const said = row.stderr.replace(/^paldron: deny: /, "").trim();
  if (/for tool '|not in allow_binaries|needs network access|requires an? /.test(said))
    expect(text).toBe(said);
}

const isOrdinary = (row: Row): boolean => row.want.exit !== null && row.argv[0] === "check";

describe.each(["check.jsonl", "policy.jsonl"])("recorded behaviours: %s", (file) => {
  let shared: Fixture;
  beforeAll(() => {
    shared = layFixture();
  });
  afterAll(() => shared.remove());

  const rows = readRows(file).filter(isOrdinary);
  it("there are rows to try", () => expect(rows.length).toBeGreaterThan(50));
  it.each(rows.map((row) => [row.id, row] as const))("%s", (_, row) => {
    const own = row.setup !== undefined || Object.keys(row.files ?? {}).length > 0;
    const fixture = own ? layFixture({ files: row.files ?? {}, setup: row.setup }) : shared;
    try {
      verify(row, fixture);
    } finally {
      if (own) fixture.remove();
    }
  });
});
