import { expect, test } from "vitest";
import type { Protection } from "../../src/core/protection.ts";
import type { Ran } from "../kernel/place.ts";
import { eachWay } from "../kernel/suite.ts";
import type { Way } from "../kernel/ways.ts";
import { named, readRows } from "./rows.ts";
import { inScene, type Script } from "./scene.ts";

/** A script that prints ESCAPED where it reached what it must not, and BLOCKED where it did not. */
interface Attack extends Script {
  /**
   * blocked: it does not get there. flagged: it may, and a finding with `code` says so. stopped: a limit of its policy
   * ends it, or keeps it from getting there. killed: the first forbidden call ends it. allowed: it is no attack, and
   * must work.
   */
  readonly expect: "blocked" | "flagged" | "stopped" | "killed" | "allowed";
  readonly code?: string;
  /** What keeps it away. Where the receipt says that this is not enforced, the attack may get there. */
  readonly guard?: Protection;
  /** Its policy asks for what only namespaces give: without, nothing runs. */
  readonly refused?: boolean;
  /** Whom the machine may stop without Paldron. Anybody else must get there without, or the row shows nothing. */
  readonly alone?: "anyone" | "ordinary users";
}

const ATTACKS = readRows<Attack>("attacks.jsonl");
const ESCAPED = /ESCAPED\s*$/;
const BLOCKED = /BLOCKED\s*$/;

/** Whether it is first tried bare: by an ordinary user, and by root where only root gets there. */
function triedBare({ alone }: Attack, way: Way): boolean {
  if (!way.namespaces || alone === "anyone") return false;
  return way.name === "root" ? alone === "ordinary users" : alone === undefined;
}

/** What the run shows beside its own last word. */
function judge(attack: Attack, way: Way, { result }: Ran, said: string): void {
  if (!way.namespaces && attack.refused === true) {
    expect(result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
    return;
  }
  const guard = attack.guard === undefined ? undefined : result?.protections?.[attack.guard];
  if (!way.namespaces && guard?.enforced === false) {
    expect(guard.why_not).not.toBe("");
    return;
  }
  switch (attack.expect) {
    case "blocked":
      expect(said).toMatch(BLOCKED);
      break;
    case "allowed":
      expect(said).toMatch(ESCAPED);
      break;
    case "flagged":
      expect(result?.findings.map((finding) => finding.code)).toContain(attack.code);
      break;
    case "stopped":
      if (!BLOCKED.test(said))
        expect([result?.verdict, result?.reason.code]).toEqual(["broken", attack.code]);
      break;
    case "killed":
      expect([result?.child?.signal, ESCAPED.test(said)]).toEqual(["SIGSYS", false]);
      break;
  }
}

eachWay("attacks", (way, makePlace) => {
  test.each(named(ATTACKS))("%s", async (_, attack) => {
    if (triedBare(attack, way)) {
      const { said } = await inScene(makePlace(), (scene) => scene.bare(attack));
      expect(said, "without Paldron").toMatch(ESCAPED);
    }
    const { ran, said } = await inScene(makePlace(), (scene) => scene.confined(attack));
    judge(attack, way, ran, said);
  });
});
