import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Protection } from "../../src/core/protection.ts";
import type { Place } from "../kernel/place.ts";
import { eachWay } from "../kernel/suite.ts";
import { ways } from "../kernel/ways.ts";
import { named, readRows } from "./rows.ts";
import { inScene, type Script } from "./scene.ts";

/** Work that ends with status 0 wherever it is done. */
interface Work extends Script {
  /** Among what it prints. */
  readonly want?: string;
  /** What it prints is never twice the same. */
  readonly varies?: boolean;
  /** A service that it needs. Where the receipt says that there is none, it may fail. */
  readonly guard?: Protection;
  /** A program that not every machine has. */
  readonly tool?: string;
}

const WORK = readRows<Work>("ordinary.jsonl");

function missing(tool: string | undefined): boolean {
  return tool !== undefined && spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0;
}

/** What it prints, wherever it was. */
const text = (printed: string, place: Place): string => printed.replaceAll(place.top, "TOP");

/** Those of who can do least. */
const WAYS = ways.filter((way) => way.name !== "root" && !way.name.startsWith("root,"));

/** What each work prints without Paldron. */
const alone = new Map<string, string>();

async function printedAlone(work: Work, place: Place): Promise<string> {
  const known = alone.get(work.id);
  if (known !== undefined) return known;
  const { status, said } = await inScene(place, (scene) => scene.bare(work));
  expect(status, "without Paldron").toBe(0);
  alone.set(work.id, text(said, place));
  return text(said, place);
}

eachWay(
  "ordinary work",
  (_way, makePlace) => {
    test.for(named(WORK))("%s", async ([, work], context) => {
      context.skip(missing(work.tool), `${work.tool} is not installed`);
      const expected = await printedAlone(work, makePlace());
      const place = makePlace();
      const { ran, said } = await inScene(place, (scene) => scene.confined(work));
      const { result } = ran;
      if (work.guard !== undefined && result?.protections?.[work.guard].enforced === false) return;
      expect([result?.verdict, result?.child?.exit_code], ran.stderr).toEqual(["allow", 0]);
      expect(said).toContain(work.want ?? "");
      if (work.varies !== true) expect(text(said, place)).toBe(expected);
    });
  },
  { which: WAYS },
);
