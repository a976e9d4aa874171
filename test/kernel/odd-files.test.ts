import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";

/** What a run leaves, each in a folder of its own, and the finding; `@` stands for the folder outside. */
const LEFT: readonly (readonly [script: string, code: string, path: string])[] = [
  ["ln -s @/kept out", "link-outside", "out"],
  ["mkdir -p a/b; ln -s ../../../.. a/b/up", "link-outside", "a/b/up"],
  // Names nothing yet.
  ["ln -s @/later out", "link-outside", "out"],
  ["ln -s ../../ws/../later out", "link-outside", "out"],
  // By way of a link that was there, and of one that is new.
  ["ln -s old/kept by", "link-outside", "by"],
  ["ln -s missing/../../../x out", "link-outside", "out"],
  // What was a link inside leads out from another place, or once its folder is another.
  ["mkdir a; ln -s ../.. a/b; mv a/b .", "link-outside", "b"],
  ["mv -T old b", "link-outside", "b"],
  ["rm near; ln -s @/kept near", "link-outside", "near"],
  ["ln -s /proc/self/cwd out", "link-outside", "out"],
  ["mkdir -p node_modules; ln -s @ node_modules/m", "link-outside", "node_modules/m"],
  ["mkfifo pipe", "special-file", "pipe"],
  ["rm plain; mkfifo plain", "special-file", "plain"],
  ["python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'", "special-file", "s"],
  ["touch $'ok\\nno findings'", "odd-name", "ok\nno findings"],
  ["touch $'\\e[2J'", "odd-name", "\x1b[2J"],
  ["touch $'a\\u202egpj.sh'", "odd-name", "a\u202egpj.sh"],
  ["touch $'READ\\u200bME'", "odd-name", "READ\u200bME"],
];

const ORDINARY = [
  "mkdir -p a/b; ln -s ../../plain a/b/f; ln -s a/b d; ln -s d/f e",
  'ln -s "$PWD/plain" whole',
  "ln -s nowhere n; ln -s loop loop",
  "mkdir t; mv plain t; rm near",
  "touch äöü 日本語 'with space'; mkdir -p $'\\xff'; touch $'\\U1f468\\u200d\\U1f469.txt'",
];

/** A folder for each script, furnished alike. */
function inFolders(place: Place, scripts: readonly string[]): string {
  const lines = scripts.map((script, i) => {
    const folder = `c${i}`;
    place.put(`${folder}/plain`);
    symlinkSync(place.outside, join(place.workspace, folder, "old"));
    symlinkSync("plain", join(place.workspace, folder, "near"));
    return `(cd ${folder}; ${script.replaceAll("@", place.outside)}) || echo "failed: ${folder}"`;
  });
  place.put(`${place.outside}/kept`);
  return lines.join("\n");
}

eachWay("what a run leaves that is no secret", (_, makePlace) => {
  test("links out, special files and names that deceive are findings", async () => {
    const place = makePlace();
    const { result, stdout } = await place.sh(
      inFolders(
        place,
        LEFT.map(([script]) => script),
      ),
    );
    expect([stdout.toString(), result?.verdict, result?.produced]).toEqual(["", "allow", []]);
    const expected = LEFT.map(([, code, path], i) => ({ code, path: `c${i}/${path}` }));
    const byPath = (a: { path?: string }, b: { path?: string }): number =>
      (a.path ?? "") < (b.path ?? "") ? -1 : 1;
    expect(result?.findings).toEqual(expected.sort(byPath));
  });

  test("links inside, what was there and other names are not", async () => {
    const place = makePlace();
    const { result, stdout } = await place.sh(inFolders(place, ORDINARY));
    expect([stdout.toString(), result?.verdict, result?.findings]).toEqual(["", "allow", []]);
  });

  test("many of them are counted", async () => {
    const { result } = await makePlace().sh("for i in {100..249}; do ln -s /nowhere l$i; done");
    expect(result?.findings.length).toBe(100);
    expect(result?.findings.at(-1)).toEqual({ code: "link-outside", path: "l199", more: 50 });
  });
});
