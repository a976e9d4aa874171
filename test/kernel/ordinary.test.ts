/** Ordinary commands that a stricter run could break, as they are written every day. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { eachWay } from "./suite.ts";

eachWay(
  "ordinary commands",
  (way, makePlace) => {
    test("an archive of another user's files is unpacked, and they are the caller's", async () => {
      const place = makePlace();
      place.put("d/a", "one\n");
      const { result, stdout } = await place.sh(
        "tar cf t.tar --owner=1234 --group=1234 d && tar tvf t.tar | grep -c 1234/1234 && " +
          "mkdir o && tar xf t.tar -C o && test -O o/d/a && cat o/d/a",
      );
      expect([result?.verdict, stdout.toString()]).toEqual(["allow", "2\none\n"]);
    });

    test("temporary files are made where TMPDIR says", async () => {
      const place = makePlace();
      const { result, stdout } = await place.sh(
        'f=$(mktemp) && echo one > "$f" && cat "$f" && echo two | sort -o "$TMPDIR/s" && cat "$TMPDIR/s"',
      );
      expect([result?.verdict, stdout.toString()]).toEqual(["allow", "one\ntwo\n"]);
    });

    test("shell text uses a /tmp that is the run's own, or none", async () => {
      const place = makePlace();
      const name = `/tmp/paldron-test-${process.pid}`;
      const { result, stdout } = await place.run(["sh", "-c", `echo one > ${name}; cat ${name}`]);
      expect(stdout.toString()).toBe(way.namespaces ? "one\n" : "");
      expect(result?.verdict).toBe("allow");
      expect(existsSync(name)).toBe(false);
    });
  },
  { concurrent: true },
);
