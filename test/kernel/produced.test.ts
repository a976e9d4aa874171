import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nTUFEQg==\n-----END CERTIFICATE-----\n";
const PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nTUFEQg==\n-----END PRIVATE KEY-----\n";

/** Ways to leave a secret in the workspace, and the paths that must be named. */
const PRODUCED: readonly (readonly [name: string, script: string, paths: readonly string[]])[] = [
  ["a plain write", "echo x > .env", [".env"]],
  ["a failing run", "echo x > .env; exit 3", [".env"]],
  ["a run killed by a signal", "echo x > .env; kill -9 $$", [".env"]],
  ["several files", "echo x > .env; echo x > a.pem", [".env", "a.pem"]],
  ["a time set back", "echo x > .env; touch -d '2001-01-01' .env", [".env"]],
  ["times of another file", "echo x > .env; touch -r plain.txt .env", [".env"]],
  ["a rename", "echo x > t; mv t .env", [".env"]],
  ["a rename over a secret that was there", "cp -p was.env t; mv t was/.env", ["was/.env"]],
  ["a hard link", "ln plain.txt .env", [".env"]],
  ["a symlink", "ln -s plain.txt .env", [".env"]],
  ["a symlink to nothing", "ln -s nowhere .env.local", [".env.local"]],
  ["a symlink to outside", "ln -s /etc/passwd key.pem", ["key.pem"]],
  ["a FIFO", "mkfifo .env", [".env"]],
  ["a folder moved into place", "mkdir f; echo x > f/a.txt; mv f secrets", ["secrets/a.txt"]],
  ["a parent folder renamed", "mkdir -p s/secrets; echo x > s/secrets/a; mv s s2", ["s2/secrets/a"]],
  ["a file below .git", "mkdir -p .git/hooks; echo x > .git/hooks/.env", [".git/hooks/.env"]],
  ["an ignored folder", "echo build > .gitignore; mkdir build; echo x > build/.env", ["build/.env"]],
  ["a dependency folder", "mkdir -p node_modules/p; echo x > node_modules/p/.env", ["node_modules/p/.env"]],
  ["folders made by the run", "mkdir -p a/b/c/d; echo x > a/b/c/d/.env", ["a/b/c/d/.env"]],
  ["another case", "echo x > .ENV; echo x > Key.PEM", [".ENV", "Key.PEM"]],
  ["a name in bytes", "d=$'\\xff\\xfe'; mkdir $d; echo x > $d/.env", ["\udcff\udcfe/.env"]],
  ["a name with a newline", "mkdir $'a\\nb'; echo x > $'a\\nb/.env'", ["a\nb/.env"]],
  ["a change of a secret that was there", "echo y >> was/.env", ["was/.env"]],
  [
    "a change that keeps size and time",
    "t=$(stat -c %y was/.env); printf 'OTHER=2\\n' > was/.env; touch -d \"$t\" was/.env",
    ["was/.env"],
  ],
  ["a change of mode", "chmod 600 was/.env", ["was/.env"]],
  ["a private key", "cat private.txt > k.pem", ["k.pem"]],
  ["a key among certificates", "cat public.txt private.txt > k.pem", ["k.pem"]],
  ["a private key in a dependency folder", "mkdir -p .venv; cat private.txt > .venv/k.pem", [".venv/k.pem"]],
  [
    "a private key whose name in bytes reads like that of a certificate",
    "cat private.txt > $'\\xff.pem'; cat public.txt > $'\\xef\\xbf\\xbd.pem'",
    ["\udcff.pem"],
  ],
  ["an empty pem file", ": > k.pem", ["k.pem"]],
];
/** What looks alike and is no hit. */
const INNOCENT: readonly (readonly [name: string, script: string])[] = [
  ["nothing", "true"],
  ["reading the secrets that were there", "cat was/.env was.env >/dev/null"],
  ["an example", "echo x > .env.example"],
  ["a certificate", "cat public.txt > ca.pem"],
  [
    "certificates in a dependency folder",
    "mkdir -p .venv/certifi; cat public.txt > .venv/certifi/cacert.pem",
  ],
  ["a secret that is made and removed", "echo x > .env; rm .env"],
  ["removing a secret", "rm was/.env"],
  ["a name that only ends alike", "echo x > my.environment; echo x > pem"],
  ["other files in the folder of a secret", "echo x > was/other"],
];

/** A secret that is there before the run. */
const HIDDEN = "was/.env";
const THEN = "THEN=1\n\n";

function furnish(place: Place): void {
  place.put("plain.txt");
  place.put(HIDDEN, THEN);
  place.put("was.env", "NAME=1\n");
  place.put("public.txt", CERTIFICATE);
  place.put("private.txt", PRIVATE_KEY);
}

eachWay(
  "produced files",
  (way, makePlace) => {
    describe("denied:", () => {
      test.each(PRODUCED)("%s", async (_, script, paths) => {
        const place = makePlace();
        furnish(place);
        const { result } = await place.sh(`trap 'echo ran' EXIT\n${script}`);
        if (way.namespaces && paths.includes(HIDDEN)) {
          // A mask stood in the way.
          expect([result?.produced, result?.verdict]).toEqual([[], "allow"]);
          expect(readFileSync(join(place.workspace, HIDDEN), "utf8")).toBe(THEN);
          return;
        }
        expect(result?.produced.map(({ path }) => path)).toEqual(paths);
        expect(result?.verdict).toBe("deny");
        expect(result?.reason.text).toMatch(/^run produced .* \(secret\)$/s);
        expect(result?.lines.length).toBe(paths.length);
      });

      test("names of a policy's globs, also in dependency folders", async () => {
        const place = makePlace();
        const policy = 'deny_globs = ["*.key", "private/**"]\n';
        const script = "mkdir -p private node_modules; touch a.key private/x node_modules/b.key c.txt";
        const { result } = await place.sh(script, { policy });
        expect(result?.lines).toEqual(
          ["a.key", "node_modules/b.key", "private/x"].map(
            (path) => `run produced ${path} (policy deny_glob)`,
          ),
        );
      });

      test("a path longer than the kernel takes in one piece", async () => {
        const place = makePlace();
        const lines = [
          "import os",
          "for _ in range(30): os.mkdir('0' * 200); os.chdir('0' * 200)",
          "open('.env', 'w')",
        ];
        place.put("deep.py", `${lines.join("\n")}\n`);
        const { result } = await place.run(["python3", "deep.py"]);
        const path = `${`${"0".repeat(200)}/`.repeat(30)}.env`;
        expect(result?.produced.map((file) => file.path)).toEqual([path]);
      });

      test("a folder that was made unreadable", async () => {
        const { result } = await makePlace().sh("mkdir d; echo x > d/.env; chmod 000 d");
        const [file] = result?.produced ?? [];
        expect(result?.verdict).toBe("deny");
        // Root sees into it, everybody else only that it is closed.
        const closed = { path: "d", change: "unreadable" };
        const seen = { path: "d/.env", change: "created" };
        const rootLooks = way.uid === undefined && process.getuid?.() === 0;
        expect(file).toMatchObject(rootLooks ? seen : closed);
      });
    });

    describe("allowed:", () => {
      test.each(INNOCENT)("%s", async (_, script) => {
        const place = makePlace();
        furnish(place);
        const { result, stdout } = await place.sh(`${script}\necho ran`);
        expect([result?.lines, stdout.toString()]).toEqual([[], "ran\n"]);
        expect(result?.verdict).toBe("allow");
      });

      test("files that somebody else writes and that are no secrets", async () => {
        const place = makePlace();
        const { result } = await place.sh("sleep 0.3", {
          meanwhile: () => {
            writeFileSync(join(place.workspace, "other.txt"), `${Math.random()}`);
            return false;
          },
        });
        expect(result?.verdict).toBe("allow");
      });
    });

    test("a secret that somebody else changes meanwhile is denied where nothing tells the two apart", async () => {
      const place = makePlace();
      furnish(place);
      const { result } = await place.sh("sleep 0.3", {
        meanwhile: () => {
          writeFileSync(join(place.workspace, HIDDEN), "edited outside\n");
          return false;
        },
      });
      if (way.namespaces) {
        // The run could not reach it, so it was not the run.
        const findings = [{ code: "changed-outside", path: HIDDEN }];
        expect(result).toMatchObject({ verdict: "allow", produced: [], findings });
        return;
      }
      expect(result).toMatchObject({ verdict: "deny", produced: [{ path: "was/.env", change: "changed" }] });
    });
  },
  { concurrent: true },
);
