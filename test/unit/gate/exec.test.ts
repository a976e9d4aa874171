import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Disk, layDisk } from "./disk.ts";

let disk: Disk;
beforeAll(() => {
  disk = layDisk();
});
afterAll(() => disk.remove());

describe("arguments of a command", () => {
  it.each([
    [["cat", ".env"], ".env (secret)"],
    [["cat", "--", ".env"], ".env (secret)"],
    [["grep", "--file=.env", "x"], "--file=.env (secret)"],
    [["tar", "-xf.env"], "-xf.env (secret)"],
    [["curl", "-d", "@.env"], "@.env (secret)"],
    [["curl", "-d@.env"], "-d@.env (secret)"],
    [["curl", "-F", "f=@.env;type=text/plain"], "f=@.env;type=text/plain (secret)"],
    [["curl", "-F", "f=@../out.txt"], "f=@../out.txt (outside workspace)"],
    [["dd", "if=$T/out.txt"], "if=T/out.txt (outside workspace)"],
    [["gcc", "-I../x"], "-I../x (outside workspace)"],
    [["git", "show", "HEAD:.env"], "HEAD:.env (secret)"],
    [["cat", "\udcff"], "\\xff (outside workspace)"],
    [["cat", "~/.ssh/id_rsa"], "~/.ssh/id_rsa (secret)"],
    [["./.env"], "./.env (secret)"],
    [["find", "..", "-name", "x"], ".. (outside workspace)"],
    [["find", ".", "-exec", "cat", ".env", ";"], ".env (secret)"],
    [["env", "A=1", "cat", ".env"], ".env (secret)"],
    [["env", "-S", "cat .env"], ".env (secret)"],
    [["env", "-S", "cat", "../out.txt"], "../out.txt (outside workspace)"],
    [["timeout", "5", "cat", "../out.txt"], "../out.txt (outside workspace)"],
    [["sh", "-ec", "cat .env; true"], ".env (secret)"],
    [["sh", "-c", "cat .e*"], ".e* (secret)"],
    [["sh", "-c", "cat s*/*"], "s*/* (secret)"],
    [["eval", "cat .env"], ".env (secret)"],
    [["sh", "-c", "cat src/../to_out"], "src/../to_out (outside workspace)"],
    [["sh", "-c", 'echo "$(cat .env)"'], ".env (secret)"],
    [["sh", "-c", "cat<.env"], ".env (secret)"],
    [["sh", "-c", "cat '.e'nv"], ".env (secret)"],
    [["sh", "-c", "echo x > .env"], ".env (secret)"],
    [["sh", "-c", "echo x > ../n"], "../n (outside workspace)"],
    [["ln", "-s", "../out.txt", "here"], "../out.txt (outside workspace)"],
    [["ln", "-s", "../../out.txt", "src/here"], "src/../../out.txt (outside workspace)"],
    [["ln", "-s", "../.env", "src/here"], "src/../.env (secret)"],
    [["ln", "-s", "a", "../here"], "../a (outside workspace)"],
    [["ln", "../notes.txt", "src/here"], "../notes.txt (outside workspace)"],
  ])("%j is denied", (argv, expected) => expect(disk.exec(argv)).toBe(expected));

  it.each([
    [["find", ".", "-name", "*.pem"]],
    [["ln", "-s", "../notes.txt", "src/here"]],
    [["test", "-e", "/dev/ptmx"]],
    [["grep", "-e", ".env", "notes.txt"]],
    [["git", "commit", "-m", "remove .env from ../x"]],
    [["git", "remote", "add", "o", "../o.git"]],
    [["git", "checkout", "feature/x"]],
    [["npm", "install", "-D", "@types/node"]],
    [["env", "-S", "cat notes.txt"]],
    [["npm", "install", "@types/node@1.2"]],
    [["python3", "-c", "open('.env')"]],
    [["sed", "-i", "s/.env/x/", "notes.txt"]],
    [["gcc", "-I/usr/include", "-o", "x", "x.c"]],
    [["dd", "if=/dev/zero", "of=n"]],
    [["sh", "-c", "echo hi >/dev/null 2>&1; /bin/echo x"]],
    [["sh", "-c", "echo x > new.pem"]],
    [["sh", "-c", 'echo x > "$HOME/new"']],
    [["sh", "-c", "mkdir -p ~/.cache/x && cd src && cat ../notes.txt"]],
    [["sh", "-c", "cat *.txt"]],
    [["eval", "cat notes.txt"]],
    [["sh", "-c", "echo '$(cat .env' # cat .env"]],
    [["echo", "x".repeat(100_000)]],
    [[" "]],
  ])("%.60j is allowed", (argv) => expect(disk.exec(argv)).toBe("allow"));

  it.each([
    ["echo x > /tmp/no-such-name-here && cat /tmp/no-such-name-here", "allow"],
    ["cd /tmp && ls; ls /tmp", "allow"],
    ["mkdir -p /tmp/no-such-folder/a && cd /tmp/no-such-folder/a && echo x > b", "allow"],
    ['docker run -v "$PWD":/app -w /app node npm test', "allow"],
    ["cat < /dev/tcp/127.0.0.1/3000", "allow"],
    ["cat /etc/os-release", "allow"],
    ["mkdir build; cd build; cat ../notes.txt", "allow"],
    ["cd build; cat ../notes.txt", "../notes.txt (outside workspace)"],
    ["mkdir notes.txt; cd notes.txt; cat ../out.txt", "../out.txt (outside workspace)"],
    ["mkdir no/such; cd no/such; cat ../out.txt", "../out.txt (outside workspace)"],
    ["cat < /dev/tcp/192.0.2.1/3000", "/dev/tcp/192.0.2.1/3000 (outside workspace)"],
    ["cat /tmp/../etc/shadow", "/tmp/../etc/shadow (outside workspace)"],
    ["cat $T/out.txt", "T/out.txt (outside workspace)"],
    ["echo x > $T/new", "T/new (outside workspace)"],
    ["cat /tmp/.env", "/tmp/.env (outside workspace)"],
    ["ln -s $T/out.txt /tmp/no-such-link; cat /tmp/no-such-link", "T/out.txt (outside workspace)"],
    ["cat /etc/passwd", "/etc/passwd (outside workspace)"],
  ])("shell text names a run's own places and loopback, and no other: %s", (text, expected) =>
    expect(disk.exec(["sh", "-c", text])).toBe(expected),
  );

  it("keeps the machine's /tmp from calls, argument vectors, and runs that nothing bounds", () => {
    const text = "echo x > /tmp/no-such-name-here";
    const denied = "/tmp/no-such-name-here (outside workspace)";
    expect(disk.exec(["touch", "/tmp/no-such-name-here"])).toBe(denied);
    expect(disk.exec(["sh", "-c", text], "require_os_isolation = false")).toBe(denied);
    expect(disk.exec(["sh", "-c", text], 'allow_paths = ["src"]')).toBe(denied);
    expect(disk.exec(["sh", "-c", text], 'deny_globs = ["no-such-*"]')).toBe(denied);
    expect(disk.tool({ path: "/tmp/no-such-name-here" })).toBe(denied);
    expect(disk.agent("Bash", { command: text })).toBe("deny");
  });

  it("lets a command name what read_paths grants, a tool not", () => {
    expect(disk.exec(["cat", "$T/data/d.txt"])).toMatch(/outside workspace/);
    expect(disk.exec(["cat", "$T/data/d.txt"], 'read_paths = ["$T/data"]')).toBe("allow");
    expect(disk.exec(["cat", "$T/data/../out.txt"], 'read_paths = ["$T/data"]')).toMatch(/outside workspace/);
    expect(disk.exec(["cat", "$T/home/.ssh/id_rsa"], 'read_paths = ["$T/home"]')).toMatch(
      /outside workspace/,
    );
    expect(disk.tool({ path: "$T/data/d.txt" }, 'read_paths = ["$T/data"]')).toMatch(/outside workspace/);
  });

  it.each([
    [["cat", "fresh"], "fresh (outside allow_paths)"],
    [["echo", "fresh"], "allow"],
    [["ls", "src"], "allow"],
    [["ls", "."], ". (outside allow_paths)"],
    [["git", "commit", "-m", "two words"], "allow"],
    [["sh", "-c", "src/../tool.sh; cat .env"], "src/../tool.sh (outside allow_paths)"],
    [["./tool.sh", "src"], "allow"],
  ])("%j under allow_paths", (argv, expected) =>
    expect(disk.exec(argv, 'allow_paths = ["src"]')).toBe(expected),
  );
});

describe("allow_binaries", () => {
  const allowed = (names: string) => `allow_binaries = [${names}]`;
  it.each([
    [["ls"], '"ls"', "allow"],
    [["$T/bin/ls"], '"ls"', "allow"],
    [["$T/bin/ls"], '"$T/bin/ls"', "allow"],
    [["cat"], '"ls"', "binary 'cat' not in allow_binaries"],
    [["./ls"], '"ls"', "binary 'ls' not in allow_binaries (`./ls` is not the ls on PATH)"],
    [["./ls"], '"./ls"', "allow"],
    [["LS"], '"ls"', "binary 'LS' not in allow_binaries"],
    [["nosuch"], '"nosuch"', "allow"],
    [["find", ".", "-exec", "cat", "{}", ";"], '"find"', "binary 'cat' not in allow_binaries"],
    [["find", ".", "-exec", "cat", "{}", ";"], '"find", "cat"', "allow"],
    [["sh", "-c", "echo x && cat notes.txt"], '"sh"', "binary 'cat' not in allow_binaries"],
    [["sh", "-c", "cd src; if true; then cat a.txt; fi"], '"sh", "cat"', "allow"],
    [["sh", "-c", "$x notes.txt"], '"sh"', "$x (the program cannot be told from the text)"],
    [["sh", "-c", 'sh -c "cat notes.txt"'], '"sh"', "binary 'cat' not in allow_binaries"],
    [["sh", "-c", "eval cat notes.txt"], '"sh"', "binary 'cat' not in allow_binaries"],
    [["sh", "-c", "cat <(ls)"], '"sh", "cat"', "binary 'ls' not in allow_binaries"],
    [["cat"], '""', "binary 'cat' not in allow_binaries"],
  ])("%j with %s", (argv, names, expected) => expect(disk.exec(argv, allowed(names))).toBe(expected));
});
