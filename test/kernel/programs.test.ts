import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Place, Ran } from "./place.ts";
import { eachWay } from "./suite.ts";
import { namespaceWays, refusedWays } from "./ways.ts";

const policy = (...more: string[]): string =>
  `${['allow_binaries = ["bash", "python3", "git", "gcc", "make", "node", "npm", "cat", "chmod", "cp", "ln", "mv", "touch"]', "confine_binaries = true", "timeout_sec = 120", "cpu_time_sec = 200", ...more].join("\n")}\n`;

const said = (ran: Ran): string => ran.stdout.toString() + ran.stderr;

/** A C program that nothing lists. */
const CODE = '#include <stdio.h>\nint main(void) { puts("got through"); return 0; }\n';

eachWay(
  "confine_binaries",
  (_way, makePlace, installed) => {
    /** A place with a program that needs no loader and one that does. */
    function place(): Place {
      const made = makePlace();
      made.program("attempt", installed().attempt);
      made.program("id", "/usr/bin/id");
      made.put("code.c", CODE);
      return made;
    }

    test("what is listed runs with what it starts itself", async () => {
      const { result, ...ran } = await place().sh(
        `git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log --format=%s
         gcc -o made code.c && [ -s made ] && echo linked
         printf 'all:\\n\\t@echo $$((1 + 1)) > out; cat out\\n' > Makefile && make
         python3 -c 'print(6 * 7)'
         node -e 'require("child_process").execFileSync("cat", ["out"]); console.log("node")'
         printf '{"name":"x","version":"1.0.0","scripts":{"a":"echo script"}}' > package.json && npm run --silent a`,
        { policy: policy() },
      );
      expect(said({ ...ran, result })).toBe("x\nlinked\n2\n42\nnode\nscript\n");
      expect(result?.verdict).toBe("allow");
      expect(result?.protections?.programs).toMatchObject({ enforced: true });
    });

    test("nothing else is there or may be executed, by any way to it", async () => {
      const made = place();
      const { result, ...ran } = await made.sh(
        `try() { "$@" 2>/dev/null && echo "got through: $*"; }
         try id; try /usr/bin/id; try /bin/id; try ls; try perl -v
         for loader in /lib64/ld-linux-*.so* /lib/ld-linux-*.so* /usr/lib/*/ld-linux-*.so*; do
           [ -e $loader ] || continue
           try $loader ./id; try $loader ./attempt; try $loader /usr/lib/openssh/ssh-keysign; try $loader /bin/cat ./code.c
           try $loader --list /bin/cat
         done
         gcc -o built code.c
         for target in ./id2 /tmp/id ~/id ~/.npm/_cacache/id "$GOCACHE/id" /dev/shm/id /run/id; do
           cp id $target && chmod 755 $target && try $target
           ln id $target.link 2>/dev/null && try $target.link
           cp built $target.2 && chmod 755 $target.2 && try $target.2
         done
         try ./id; try ./built; mv id git && try ./git --version; ln -s /usr/bin/git id-link && try ./id-link-no
         printf '#!/usr/bin/python3\\nprint("got through")\\n' > script && chmod 755 script && try ./script
         for f in /usr/lib/git-core/../../bin/id /usr/lib/klibc/bin/* /usr/lib/systemd/* /usr/lib/apt/methods/* /usr/lib/dpkg/methods/*/* /usr/libexec/*; do
           [ -f $f ] && try $f --version
         done
         exec 5<built; try /proc/self/fd/5; try /dev/fd/5
         echo end`,
        { policy: policy() },
      );
      const lines = said({ ...ran, result });
      expect(lines.replace(/^(?!got|end).*\n/gm, "")).toBe("end\n");
      expect(existsSync(join(made.workspace, "built"))).toBe(true);
    });

    test("memory files are made only where they cannot be executed", async () => {
      const made = place();
      const script = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def run(flags):
    try:
        fd = os.memfd_create("x", flags)
    except OSError as error:
        return "made " + str(error.errno)
    os.write(fd, open("attempt", "rb").read())
    pid = os.fork()
    if pid == 0:
        try:
            os.execve(fd, ["attempt"], {})
        except OSError as error:
            os._exit(error.errno)
    return "executed " + str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(run(0)); print(run(os.MFD_ALLOW_SEALING)); print(run(0x10)); print(run(8))
print(os.memfd_create("x", 8) > 0)
`;
      made.put("memory.py", script);
      const ran = await made.run(["python3", "memory.py"], { policy: policy() });
      expect(said(ran)).toMatch(/^made 13\nmade 13\nmade 13\nexecuted 13\nTrue\n$/);
    });

    test("native code is loaded and run where the policy says so, and only there", async () => {
      const made = place();
      const script = `
import ctypes, os
for path in ["./native/lib.so", "./lib.so", "/tmp/lib.so"]:
    try:
        ctypes.CDLL(path); print("loaded", path)
    except OSError as error:
        print("failed to map" in str(error), path)
`;
      made.put("load.py", script);
      made.put("native/x", "");
      const build = `for t in native . /tmp; do gcc -shared -o $t/lib.so code.c && gcc -o $t/run code.c; done; python3 load.py; for t in native . /tmp; do $t/run 2>/dev/null || echo no $t; done`;
      const one = await made.sh(build, { policy: policy('allow_native = ["native"]') });
      expect(said(one)).toBe(
        "loaded ./native/lib.so\nTrue ./lib.so\nTrue /tmp/lib.so\ngot through\nno .\nno /tmp\n",
      );
      const two = await made.sh(build, { policy: policy('allow_native = ["/tmp"]') });
      expect(said(two)).toBe(
        "True ./native/lib.so\nTrue ./lib.so\nloaded /tmp/lib.so\nno native\nno .\ngot through\n",
      );
    });

    test("a listed file of the workspace runs and cannot be changed; helpers are for the run alone", async () => {
      const made = place();
      made.put("tool.sh", "#!/bin/bash\necho tool\n", 0o755);
      made.put("hook", "#!/bin/bash\nid -u >/dev/null && echo helper\n", 0o755);
      const lists = policy('allow_helpers = ["id"]').replace('"touch"]', '"touch", "./tool.sh", "./hook"]');
      const ran = await made.sh(
        "./tool.sh; ./hook; cp -f attempt tool.sh 2>/dev/null || echo kept; mv attempt tool.sh 2>/dev/null || echo kept; ./tool.sh",
        { policy: lists },
      );
      expect(said(ran)).toBe("tool\nhelper\nkept\nkept\ntool\n");
      const asked = await made.run(["id"], { policy: lists });
      expect(asked.result).toMatchObject({ verdict: "deny", reason: { code: "binary" } });
    });

    test("links to a program are made again; what they pass by is not", async () => {
      const made = makePlace();
      made.put(`${made.outside}/bin/real`, "#!/bin/bash\necho real\n", 0o755);
      made.put(`${made.outside}/bin/other`, "#!/bin/bash\necho other\n", 0o755);
      made.put(`${made.outside}/lib/data`, "data\n");
      const ran = await made.sh(`mytool; other 2>/dev/null; cat ${made.outside}/lib/data`, {
        policy: policy().replace('"touch"]', '"touch", "mytool"]'),
        env: { PATH: `${made.top}/links:/usr/bin:/bin` },
        ...links(made),
      });
      expect(said(ran)).toContain("real\n");
      expect(said(ran)).not.toContain("other");
    });
  },
  { which: namespaceWays, concurrent: true },
);

function links(place: Place): object {
  place.put(`${place.top}/links/README`, "");
  execLink(`${place.outside}/bin/real`, `${place.top}/links/alternative`);
  execLink("alternative", `${place.top}/links/mytool`);
  return {};
}

function execLink(text: string, path: string): void {
  if (!existsSync(path)) symlinkSync(text, path);
}

eachWay(
  "confine_binaries without namespaces",
  (_way, makePlace) => {
    test("is refused, as other programs could be loaded", async () => {
      const place = makePlace();
      const { result } = await place.sh("echo x > made", { policy: policy() });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
      expect(result?.reason.text).toContain("programs");
      expect(existsSync(join(place.workspace, "made"))).toBe(false);
    });

    describe("where the policy does not require it", () => {
      const lenient = policy('require = ["fs-write"]');

      test("Landlock still keeps other programs from being started, and the receipt says what is open", async () => {
        const place = makePlace();
        place.program("copy", "/usr/bin/id");
        const ran = await place.sh(
          "cat /dev/null && echo ran; /usr/bin/id 2>/dev/null || echo closed; ./copy 2>/dev/null || echo closed; git --version >/dev/null && echo git",
          { policy: lenient },
        );
        expect(said(ran)).toBe("ran\nclosed\nclosed\ngit\n");
        expect(ran.result?.protections?.programs).toMatchObject({ enforced: false });
      });
    });
  },
  { which: refusedWays, concurrent: true },
);
