import { closeSync, openSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nTUFEQg==\n-----END CERTIFICATE-----\n";
const SAID = "K=late";

/** Ways to make a secret; each script leaves it at `$f` or says what is in it by itself. */
const MADE: readonly (readonly [name: string, script: string])[] = [
  ["a plain write", 'f=.env; echo K=late > "$f"'],
  ["a rename", "f=.env; echo K=late > t; mv t $f"],
  ["a hard link", "f=.env; echo K=late > t; ln t $f"],
  ["a symlink", "f=.env; echo K=late > t; ln -s t $f"],
  ["new folders", "mkdir -p a/b/c/d; f=a/b/c/d/.env; echo K=late > $f"],
  ["a folder moved into place", "mkdir q; echo K=late > q/k; mv q secrets; f=secrets/k"],
  ["a parent folder renamed", "mkdir -p s/secrets; echo K=late > s/secrets/k; mv s s2; f=s2/secrets/k"],
  [
    "a folder that comes and goes",
    "for i in 1 2 3 4 5 6 7 8; do mkdir d; rmdir d; done; mkdir d; f=d/.env; echo K=late > $f",
  ],
  ["a name in bytes", "d=$'\\xff\\xfe'; mkdir $d; f=$d/.env; echo K=late > $f"],
  ["a name with a newline", 'd=$\'a\\nb\'; mkdir "$d"; f="$d/.env"; echo K=late > "$f"'],
  ["another case", "f=.ENV; echo K=late > $f"],
  [
    "a deep folder",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do d=$(printf 'x%.0s' {1..200}); mkdir $d; cd $d 2>/dev/null; done; f=.env; echo K=late > $f",
  ],
  ["among many others", "for i in {1..3000}; do : > n$i; done; f=.env; echo K=late > $f"],
  [
    "a nameless file that gets a name",
    `f=.env; python3 -c '
import os
fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
os.write(fd, b"K=late\\n")
os.link(f"/proc/self/fd/{fd}", ".env", follow_symlinks=True)' 2>/dev/null || echo K=late > $f`,
  ],
];

/** What is no forbidden file in the end: nothing of the output is lost. */
const HARMLESS: readonly (readonly [name: string, script: string])[] = [
  ["an ordinary file", "echo K=late > plain; cat plain"],
  ["a secret that is gone at the end", "echo K=late > .env; cat .env; rm .env"],
  ["an example", "echo K=late > .env.example; cat .env.example"],
  ["a certificate", "cat public.txt > ca.pem; echo K=late"],
  [
    "a key's name in a dependency folder",
    "mkdir -p node_modules/m/secrets; echo K=late > node_modules/m/secrets/i.js; cat node_modules/m/secrets/i.js",
  ],
];

function furnish(place: Place): void {
  place.put("public.txt", CERTIFICATE);
  place.put("was/.env", "THEN=1\n");
  place.put("src/lib/file", "x\n");
}

eachWay("secrets made during the run", (way, makePlace) => {
  describe("withheld:", () => {
    test.each(MADE)("%s", async (_, script) => {
      const place = makePlace();
      furnish(place);
      // Read and printed by another process.
      const { result, stdout, stderr } = await place.sh(`echo before; ${script}; cat "$f"; cat "$f" >&2`);
      expect(result?.verdict).toBe("deny");
      // What is still on its way when the file appears may be withheld with the rest.
      expect(["", "before\n"]).toContain(stdout.toString());
      expect(stderr).not.toContain(SAID);
      expect(result?.withheld).toEqual({ stdout: 14 - stdout.length, stderr: 7 });
      expect(result?.warnings.join()).toMatch(
        /\d+ bytes of its output are withheld: they came after .* appeared$/s,
      );
    });

    test("only what came later", async () => {
      const place = makePlace();
      const said = place.put(`${place.outside}/said`, "");
      const out = openSync(said, "w");
      const meanwhile = (): boolean => {
        if (readFileSync(said, "utf8") !== "before\n") return false;
        place.put("go", "");
        return true;
      };
      const { result } = await place.sh(
        "echo before; until [ -e go ]; do sleep 0.05; done; echo K=late > .env; cat .env",
        { stdio: ["pipe", out], meanwhile },
      );
      closeSync(out);
      expect(result).toMatchObject({ verdict: "deny", withheld: { stdout: 7, stderr: 0 } });
      expect(readFileSync(said, "utf8")).toBe("before\n");
    });

    test("what is only kept for the result", async () => {
      const place = makePlace();
      const { result } = await place.sh("echo K=late > .env; cat .env; cat .env >&2", { output: "capture" });
      const withheld = { stdout: 7, stderr: 7 };
      expect(result).toMatchObject({ verdict: "deny", stdout: "", stderr: "", withheld });
    });

    test("what comes after a secret of the workspace was changed", async () => {
      const place = makePlace();
      furnish(place);
      const { result, stdout } = await place.sh("echo K=late >> was/.env && cat was/.env; true");
      // A mask stands in the way of the change itself.
      expect(result?.verdict).toBe(way.namespaces ? "allow" : "deny");
      expect(stdout.toString()).toBe("");
    });
  });

  describe("shown:", () => {
    test.each(HARMLESS)("%s", async (_, script) => {
      const place = makePlace();
      furnish(place);
      const { result, stdout } = await place.sh(`echo before; ${script}; echo after`);
      expect(result?.lines).toEqual([]);
      expect(stdout.toString()).toBe(`before\n${SAID}\nafter\n`);
      expect(result?.withheld).toEqual({ stdout: 0, stderr: 0 });
    });

    test("much of it, in its order", async () => {
      const place = makePlace();
      const { result, stdout } = await place.sh("echo K > .env; seq 200000; rm .env; seq 200000");
      expect(result?.verdict).toBe("allow");
      const numbers = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join("");
      expect(stdout.toString() === numbers + numbers).toBe(true);
    });
  });

  test("more than can be held stops the run", async () => {
    const { result, stdout } = await makePlace().sh("echo K > .env; rm .env; yes");
    expect(result).toMatchObject({ verdict: "broken", reason: { code: "limit_output" } });
    expect(stdout.length).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  test("required, everything is watched before the command starts", async () => {
    const place = makePlace();
    furnish(place);
    const policy = 'require = ["secrets-late"]\n';
    const { result, stdout } = await place.sh("echo K=late > src/lib/.env; cat src/lib/.env", { policy });
    expect(result).toMatchObject({ verdict: "deny", protections: { "secrets-late": { enforced: true } } });
    expect(stdout.toString()).toBe("");
  });

  test("required with the network on, it is refused", async () => {
    const policy = 'require = ["secrets-late"]\nallow_network = true\n';
    const { result } = await makePlace().sh("echo ran", { policy });
    expect(result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
  });
});
