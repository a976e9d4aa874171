/** A command that cannot be started says why, and nothing of it runs. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";

/** A 64-bit ELF header of an executable for another architecture than this one. */
function foreignProgram(): Buffer {
  const head = Buffer.alloc(200);
  head.write("\x7fELF\x02\x01\x01", "latin1");
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(process.arch === "x64" ? 183 : 62, 18);
  return head;
}

function prepare(place: Place): void {
  place.program(join(place.outside, "bin/tool"), "/bin/true");
  place.put("hidden-interpreter", `#!${join(place.outside, "bin/tool")}\n`, 0o755);
  place.put("no-interpreter", "#!/nonexistent/interpreter\n", 0o755);
  place.put("carriage", "#!/bin/sh\r\ntrue\n", 0o755);
  place.put("relative", "#!nowhere\n", 0o755);
  place.put("plain", "true\n");
  place.put("no-program", "no program\n", 0o755);
  place.put("foreign", foreignProgram(), 0o755);
  place.put("folder/file");
}

eachWay(
  "a command that cannot be started",
  (_, makePlace) => {
    test.each([
      ["hidden", /bin\/tool lies outside of what the run can see and execute; read_paths = \["/],
      ["./hidden-interpreter", /^the interpreter of .*hidden-interpreter is out of reach: .*read_paths/],
      ["./no-interpreter", /^the interpreter of .*, \/nonexistent\/interpreter, does not exist \(ENOENT\)/],
      ["./carriage", /carriage ends with a carriage return/],
      ["./relative", /names no absolute path/],
      ["./plain", /^\.\/plain may not be executed \(no x permission\)$/],
      ["./no-program", /no-program is no program and has no #! line \(ENOEXEC\)/],
      ["./foreign", /foreign is a program for another system \(/],
      ["./folder", /^\.\/folder is a folder$/],
      ["./missing", /^\.\/missing is not found$/],
      ["no-such-program", /^no-such-program is not found on PATH$/],
    ])("%s", async (name, why) => {
      const place = makePlace();
      prepare(place);
      const argv = [name === "hidden" ? join(place.outside, "bin/tool") : name];
      const { result } = await place.run(argv);
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "start" } });
      expect(result?.child).toBeUndefined();
      expect(result?.reason.text.replace("the command cannot be started: ", "")).toMatch(why);
    });

    test("read_paths shows a program, and an interpreter", async () => {
      const place = makePlace();
      prepare(place);
      const policy = `read_paths = ["${join(place.outside, "bin")}"]\n`;
      for (const program of [join(place.outside, "bin/tool"), "./hidden-interpreter"]) {
        expect((await place.run([program], { policy })).result?.reason.code).toBe("allow");
      }
    });
  },
  { concurrent: true },
);
