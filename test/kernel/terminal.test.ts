import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../meta/sources.ts";
import type { Place, Ran, RunOptions } from "./place.ts";
import { eachWay } from "./suite.ts";

type Step = readonly [string, ...(string | number)[]];

interface Seen {
  /** `exit N` or `signal N`, of the driver. */
  readonly end: string;
  readonly shown: string;
  /** Whether the shell finds its terminal as it left it. */
  readonly restored: boolean;
  readonly unread: number;
  readonly notes: readonly Record<string, unknown>[];
}

const SCRIPT = join(ROOT, "test/fixtures/terminal.py");

eachWay(
  "terminal",
  (way, makePlace) => {
    async function play(
      place: Place,
      argv: readonly string[],
      steps: readonly Step[],
      options: RunOptions & { readonly background?: boolean; readonly strange?: boolean } = {},
    ): Promise<Ran & Seen> {
      const { background = false, strange = false, ...rest } = options;
      const owner = strange || way.uid === undefined ? {} : { owner: way.uid };
      const scenario = JSON.stringify({ steps, background, ...owner });
      const ran = await place.run(argv, {
        ...rest,
        env: { TERM: "xterm-256color", ...rest.env },
        prefix: ["python3", SCRIPT, scenario, ...(rest.prefix ?? [])],
      });
      if (ran.stdout.length === 0) throw new Error(ran.stderr);
      return { ...ran, ...(JSON.parse(ran.stdout.toString()) as Seen) };
    }

    const sh = (place: Place, script: string): readonly string[] => {
      place.put("probe.sh", `${script}\n`);
      return ["bash", "./probe.sh"];
    };

    test("a prompt is answered; the terminal is the command's own", async () => {
      const place = makePlace();
      const script = `test -t 0 && test -t 1 && test -t 2 && [ "$(tty)" = "$(readlink /dev/fd/0)" ] && echo named $TERM
        stty size; read -p 'name? ' x; echo "<$x>"; read -s -p 'secret? ' y; echo "<\${#y}>"; read; echo K > .env`;
      const ran = await play(place, sh(place, script), [
        ["expect", "24 80"],
        ["expect", "name? "],
        ["send", "bob\r"],
        ["expect", "<bob>"],
        ["expect", "secret? "],
        ["send", "hush\r"],
        ["expect", "<4>"],
        ["send", "\r"], // What is still on its way when .env appears may be withheld.
      ]);
      expect(ran.shown).toContain("named xterm-256color\r\n");
      expect(ran.shown).not.toContain("hush");
      expect(ran).toMatchObject({ end: "exit 0", restored: true, unread: 0 });
      // What was shown is counted and kept, and the run is judged like any other.
      expect(ran.result).toMatchObject({ verdict: "deny", stderrBytes: 0 });
      expect(ran.result?.stdout).toContain("<bob>\r\n");
    });

    test("Ctrl-C interrupts the command, which may handle it", async () => {
      const place = makePlace();
      const killed = await play(place, sh(place, "echo ready; exec sleep 60"), [
        ["expect", "ready"],
        ["send", "\x03"],
      ]);
      expect(killed.result).toMatchObject({ verdict: "allow", signalNumber: 2, child: { signal: "SIGINT" } });
      expect(killed).toMatchObject({ restored: true, unread: 0 });
      const handled = await play(
        place,
        sh(place, "trap 'echo caught; exit 7' INT; echo ready; sleep 60 & wait"),
        [
          ["expect", "ready"],
          ["send", "\x03"],
          ["expect", "caught"],
        ],
      );
      expect(handled.result).toMatchObject({ child: { exit_code: 7 } });
    });

    test("Ctrl-Z stops it, the shell gets its terminal back, and it goes on in the foreground", async () => {
      const place = makePlace();
      const ran = await play(place, sh(place, "echo ready; read x; echo got $x"), [
        ["expect", "ready"],
        ["modes"],
        ["send", "\x1a"],
        ["stopped"],
        ["fg"],
        ["send", "on\r"],
        ["expect", "got on"],
      ]);
      expect(ran.notes).toMatchObject([{ cooked: false }, { signal: 20, restored: true }]);
      expect(ran).toMatchObject({ end: "exit 0", restored: true });
    });

    test("a command that goes on in the background is stopped when it reads", async () => {
      const place = makePlace();
      const ran = await play(place, sh(place, "echo ready; sleep 0.5; echo later; read x; echo got $x"), [
        ["expect", "ready"],
        ["send", "\x1a"],
        ["stopped"],
        ["bg"],
        ["expect", "later"],
        ["stopped"],
        ["fg"],
        ["send", "on\r"],
        ["expect", "got on"],
      ]);
      expect(ran.notes).toMatchObject([{ signal: 20 }, { signal: 21, restored: true }]);
    });

    test("one that is started in the background prints, and is stopped when it reads", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        sh(place, "echo ready; read x; echo got $x"),
        [["expect", "ready"], ["stopped"], ["fg"], ["send", "on\r"], ["expect", "got on"]],
        { background: true },
      );
      expect(ran.notes).toMatchObject([{ signal: 21, restored: true }]);
      expect(ran).toMatchObject({ end: "exit 0", restored: true });
    });

    test("a shell has its own jobs", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        ["bash", "--norc", "-i"],
        [
          ["expect", "bash-"],
          ["send", "python3 -c 'import time; print(6*7, flush=True); time.sleep(60)'\r"],
          ["expect", "42"],
          ["send", "\x1a"],
          ["expect", "Stopped"],
          ["send", "bg; jobs\r"],
          ["expect", "Running"],
          ["send", "kill %1; wait; echo do''ne\r"],
          ["expect", "done"],
          // A Ctrl-D typed before the prompt stands is lost on any terminal: bash changes the terminal's mode there.
          ["expect", "bash-"],
          ["send", "\x04"],
        ],
      );
      expect(ran.shown).not.toContain("no job control");
      expect(ran).toMatchObject({ restored: true });
      expect(ran.result).toMatchObject({ verdict: "allow" });
    });

    test("a new size is seen, and told", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        sh(place, "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done"),
        [
          ["expect", "ready"],
          ["resize", 33, 111],
          ["expect", "33 111"],
        ],
      );
      expect(ran.result).toMatchObject({ verdict: "allow" });
    });

    test("what the terminal answers does not become input of the shell", async () => {
      const place = makePlace();
      const ran = await play(place, sh(place, "printf ask; sleep 0.3"), [
        ["expect", "ask"],
        ["send", "rm -rf answer\r"],
      ]);
      expect(ran).toMatchObject({ restored: true, unread: 0 });
    });

    describe.each(["node", "launcher", "all"])("%s is killed", (what) => {
      test("and the terminal is as it was", async () => {
        const place = makePlace();
        const ran = await play(place, sh(place, "echo ready; exec sleep 60"), [
          ["expect", "ready"],
          ["modes"],
          ["kill", what],
        ]);
        expect(ran.notes).toEqual([{ cooked: false }]);
        expect(ran.restored).toBe(true);
      });
    });

    describe("only some of the streams are the terminal", () => {
      const redirected = (redirection: string): readonly string[] => [
        "sh",
        "-c",
        `"$@" ${redirection}`,
        "sh",
      ];
      const report = "for fd in 0 1 2; do test -t $fd && echo $fd tty >&2 || echo $fd none >&2; done";

      test("stdout is a pipe: the keys come when they are asked for", async () => {
        const place = makePlace();
        const script = `${report}; echo out; read -p 'name? ' x </dev/tty; echo "<$x>"`;
        const ran = await play(
          place,
          sh(place, script),
          [
            ["expect", "name? "],
            ["send", "bob\r"],
            ["expect", "<bob>"],
          ],
          { prefix: redirected("| cat") },
        );
        expect(ran.shown).toMatch(/0 tty\r+\n1 none\r+\n2 tty\r+\n/);
        expect(ran.result).toMatchObject({ stdout: "out\n<bob>\n" });
        expect(ran.result?.stderr).toContain("name? ");
        expect(ran.restored).toBe(true);
      });

      test("stdin is none: a pager's keys come from /dev/tty", async () => {
        const place = makePlace();
        const script = `${report}; cat; read -p 'key? ' x </dev/tty; echo "<$x>"`;
        const ran = await play(
          place,
          sh(place, script),
          [
            ["expect", "piped"],
            ["expect", "key? "],
            ["send", "q\r"],
            ["expect", "<q>"],
          ],
          { prefix: ["sh", "-c", 'echo piped | "$@"', "sh"] },
        );
        expect(ran.shown).toMatch(/0 none\r+\n1 tty\r+\n2 tty\r+\n/);
        expect(ran.restored).toBe(true);
      });

      test("only stdin is", async () => {
        const place = makePlace();
        const script = `${report}; echo 'at the terminal' >/dev/tty; read x; echo "<$x>"`;
        const ran = await play(
          place,
          sh(place, script),
          [
            ["expect", "at the terminal"],
            ["send", "in\r"],
          ],
          { prefix: redirected(">out.txt 2>err.txt") },
        );
        expect(ran.result).toMatchObject({ stdout: "<in>\n" });
        expect(ran.result?.stderr).toContain("0 tty\n1 none\n2 none\n");
      });

      test("none is: there is no terminal at all", async () => {
        const place = makePlace();
        const ran = await place.sh(`${report}; (: </dev/tty) 2>&1 | grep -o 'No such device'`);
        expect(ran.stdout.toString()).toBe("No such device\n");
        expect(ran.stderr).toContain("0 none\n1 none\n2 none\n");
      });
    });

    test("a terminal of another user works", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        sh(place, "read -p 'name? ' x; echo \"<$x>\""),
        [
          ["expect", "name? "],
          ["send", "bob\r"],
          ["expect", "<bob>"],
        ],
        { strange: true },
      );
      expect(ran).toMatchObject({ end: "exit 0", restored: true });
    });

    test("escape sequences pass; where the policy says so only text and colours do", async () => {
      const place = makePlace();
      const script = String.raw`printf '\033[1;31mred\033[0m \033]0;title\007\033[6n\033[2J\033Pq\033\\ \302\233 \303\251 end\n'`;
      const passed = await play(place, sh(place, script), [["expect", "end"]]);
      expect(passed.shown).toContain(
        "\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b[6n\x1b[2J\x1bPq\x1b\\ \u009b é end",
      );
      const filtered = await play(place, sh(place, script), [["expect", "end"]], {
        policy: 'terminal = "filter"\n',
      });
      expect(filtered.shown).toBe("\x1b[1;31mred\x1b[0m   é end\r\n");
      // What is judged is what was printed.
      expect(filtered.result?.stdout).toContain("\x1b]0;title");
    });

    test("a flood of output is stopped by a key", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        ["yes", "paldron"],
        [
          ["expect", "paldron"],
          ["send", "\x03"],
        ],
      );
      expect(ran.result).toMatchObject({ child: { signal: "SIGINT" } });
      expect(ran.restored).toBe(true);
    });

    test("the timeout runs while the command is stopped", async () => {
      const place = makePlace();
      const ran = await play(
        place,
        sh(place, "echo ready; kill -STOP $$; echo never"),
        [["expect", "ready"], ["stopped"], ["fg"]],
        { policy: "timeout_sec = 1\n" },
      );
      expect(ran.shown).not.toContain("timed out");
      expect(["timeout", "allow"]).toContain(ran.result?.reason.code);
    });
  },
  { concurrent: true },
);
