import { setTimeout as sleep } from "node:timers/promises";
import type { ScratchDir } from "../plan/types.ts";
import { Launcher } from "./launch.ts";
import { launcherPath } from "./launcher-path.ts";
import { errnoName } from "./start-problem.ts";

const TRIES = 20;
const PAUSE_MS = 50;

/**
 * Removes the scratch folder of a run whose launcher was killed: it may have had no guardian yet, or none any more.
 * A fresh launcher does it, since what Node has for it could be led astray by links. Why something is left of it.
 */
export async function clearScratch(scratch: ScratchDir): Promise<string | undefined> {
  const launcher = Launcher.start(launcherPath(), { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  try {
    await launcher.greet();
    let errno = await launcher.clear(scratch);
    // Who writes in it may still be about to die.
    for (let tries = 1; errno !== 0 && tries < TRIES; tries++) {
      await sleep(PAUSE_MS);
      errno = await launcher.clear(scratch);
    }
    return errno === 0 ? undefined : left(scratch, errnoName(errno));
  } catch (error) {
    return left(scratch, error instanceof Error ? error.message : String(error));
  } finally {
    await launcher.close();
  }
}

function left({ parent, name }: ScratchDir, why: string): string {
  return `${parent.path}/${name} could not be removed (${why})`;
}
