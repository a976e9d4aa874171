import { afterAll, beforeAll, describe, test } from "vitest";
import { type Installed, install } from "./install.ts";
import { Place } from "./place.ts";
import { unableBecause, type Way, ways } from "./ways.ts";

interface SuiteOptions {
  readonly which?: readonly Way[];
  /** For tests that mostly wait. */
  readonly concurrent?: boolean;
}

/** Runs a group of tests once for each way; `body` gets a function that makes places, which are removed at the end. */
export function eachWay(
  name: string,
  body: (way: Way, place: () => Place, installed: () => Installed) => void,
  { which = ways, concurrent = false }: SuiteOptions = {},
): void {
  const cause = unableBecause();
  if (cause !== undefined) {
    test(name, (context) => context.skip(cause));
    return;
  }
  let installed: Installed | undefined;
  beforeAll(async () => {
    installed = await install();
  });
  afterAll(() => installed?.remove());
  const get = (): Installed => {
    if (installed === undefined) throw new Error("nothing is installed");
    return installed;
  };
  describe.each(which)(`${name}: $name`, { concurrent }, (way) => {
    const places: Place[] = [];
    afterAll(() => {
      for (const place of places) place.remove();
    });
    const make = (): Place => {
      const place = new Place(get(), way);
      places.push(place);
      return place;
    };
    body(way, make, get);
  });
}
