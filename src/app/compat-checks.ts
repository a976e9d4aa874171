/** One thing that ordinary tools do in a workspace. */
export interface CompatCheck {
  readonly name: string;
  /** The program without which there is nothing to try. */
  readonly needs: string;
  /** Command lines, each a run of its own, one after the other; the last one decides with the others. */
  readonly steps: readonly (readonly string[])[];
}

/** Files of the scratch workspace that the checks use. */
export const COMPAT_FILES: Readonly<Record<string, string>> = {
  "notes.txt": "one\n",
  ".gitignore": "*.out\n",
  "fork.js": `const { fork } = require("node:child_process");
if (process.argv[2] === "child") process.on("message", (n) => { process.send(n + 1); process.disconnect(); });
else {
  const child = fork(__filename, ["child"]);
  let got;
  child.on("message", (n) => { got = n; });
  child.on("exit", (code) => process.exit(got === 2 ? code : 3));
  child.send(1);
}
`,
  "worker.js": `const { Worker, isMainThread, parentPort } = require("node:worker_threads");
if (isMainThread) new Worker(__filename).on("message", (text) => process.exit(text === "done" ? 0 : 3));
else parentPort.postMessage("done");
`,
  "server.js": `const net = require("node:net");
const where = process.argv[2] === undefined ? { port: 0, host: "127.0.0.1" } : { path: process.argv[2] };
const fail = (error) => { console.error(error.message); process.exit(3); };
const server = net.createServer((socket) => socket.end("x")).on("error", fail);
server.listen(where, () => {
  const to = where.path === undefined ? { port: server.address().port, host: "127.0.0.1" } : where;
  net.connect(to).on("error", fail).on("data", () => process.exit(0));
});
`,
  "pool.py": `import multiprocessing
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [1, -2]) == [1, 2]
    multiprocessing.Lock()
`,
  "database.py": `import sqlite3
base = sqlite3.connect("python.out")
base.execute("pragma journal_mode = wal")
base.execute("create table if not exists t (n)")
base.execute("insert into t values (1)")
base.commit()
`,
  "server.py": `import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
assert opener.open("http://127.0.0.1:%d/notes.txt" % server.server_port).read() == b"one\\n"
`,
  "terminal.py": `import os, pty
assert os.waitstatus_to_exitcode(pty.spawn(["true"])) == 0
`,
  "hello.c": "int main(void) { return 0; }\n",
  Makefile: "made.out: notes.txt\n\tcp notes.txt made.out\n",
  "hello.go": "package main\n\nfunc main() {}\n",
  "crate/Cargo.toml": '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2018"\n',
  "crate/src/main.rs": "fn main() {}\n",
  "package/package.json": '{ "name": "hello", "version": "1.0.0", "scripts": { "test": "node -e 0" } }\n',
  "kill.sh": "sleep 60 &\nkill $!\n! wait $!\n",
  "descriptors.sh": "echo x > /dev/null\necho x > /dev/stdout\nhead -c 1 /dev/urandom > /dev/null\n",
  "temporary.sh": 'f=$(mktemp)\necho x > "$f"\ntest "$(cat "$f")" = x\nrm "$f"\n',
  "Main.java": "class Main { public static void main(String[] arguments) {} }\n",
};

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

/** In the order in which they run; all in one workspace. */
export const COMPAT_CHECKS: readonly CompatCheck[] = [
  {
    name: "git commit",
    needs: "git",
    steps: [
      ["git", "add", "-A"],
      ["git", ...AUTHOR, "commit", "-q", "-m", "two", "--allow-empty"],
    ],
  },
  { name: "git status", needs: "git", steps: [["git", "status", "--porcelain"]] },
  { name: "git branch", needs: "git", steps: [["git", "branch", "other"]] },
  { name: "git worktree", needs: "git", steps: [["git", "worktree", "add", "-q", "tree.out"]] },
  { name: "git config", needs: "git", steps: [["git", "config", "user.name", "a"]] },
  { name: "node, child processes", needs: "node", steps: [["node", "fork.js"]] },
  { name: "node, worker threads", needs: "node", steps: [["node", "worker.js"]] },
  { name: "node, server on loopback", needs: "node", steps: [["node", "server.js"]] },
  { name: "node, server on a socket", needs: "node", steps: [["node", "server.js", "./socket.out"]] },
  { name: "npm", needs: "npm", steps: [["npm", "--version"]] },
  { name: "npm script", needs: "npm", steps: [["npm", "--prefix", "package", "test"]] },
  { name: "npm cache", needs: "npm", steps: [["npm", "cache", "ls"]] },
  { name: "python, processes", needs: "python3", steps: [["python3", "pool.py"]] },
  { name: "python, sqlite", needs: "python3", steps: [["python3", "database.py"]] },
  { name: "python, server on loopback", needs: "python3", steps: [["python3", "server.py"]] },
  { name: "python, terminal", needs: "python3", steps: [["python3", "terminal.py"]] },
  {
    name: "python, environment",
    needs: "python3",
    steps: [["python3", "-m", "venv", "--without-pip", "venv.out"]],
  },
  {
    name: "gcc",
    needs: "gcc",
    steps: [["gcc", "-o", "hello.out", "hello.c"], ["./hello.out"]],
  },
  { name: "make", needs: "make", steps: [["make", "-s"]] },
  { name: "go", needs: "go", steps: [["go", "build", "-o", "go.out", "hello.go"]] },
  {
    name: "cargo",
    needs: "cargo",
    steps: [["cargo", "build", "-q", "--offline", "--manifest-path", "crate/Cargo.toml"]],
  },
  { name: "java", needs: "javac", steps: [["javac", "-d", "java.out", "Main.java"]] },
  { name: "perl", needs: "perl", steps: [["perl", "-e", "1"]] },
  { name: "ruby", needs: "ruby", steps: [["ruby", "-e", "1"]] },
  { name: "tar", needs: "tar", steps: [["tar", "-cf", "all.out", "notes.txt", "fork.js"]] },
  { name: "sqlite", needs: "sqlite3", steps: [["sqlite3", "sqlite.out", "create table t (n)"]] },
  { name: "sed in place", needs: "sed", steps: [["sed", "-i", "s/one/two/", "notes.txt"]] },
  { name: "temporary files", needs: "sh", steps: [["sh", "temporary.sh"]] },
  { name: "devices", needs: "sh", steps: [["sh", "descriptors.sh"]] },
  { name: "kill of a child", needs: "sh", steps: [["sh", "kill.sh"]] },
  { name: "ps", needs: "ps", steps: [["ps", "aux"]] },
  { name: "chmod", needs: "chmod", steps: [["chmod", "+x", "notes.txt"]] },
  { name: "touch", needs: "touch", steps: [["touch", "-d", "yesterday", "notes.txt"]] },
  {
    name: "links",
    needs: "ln",
    steps: [
      ["ln", "notes.txt", "hard.out"],
      ["ln", "-s", "notes.txt", "soft.out"],
    ],
  },
  { name: "rename across folders", needs: "mv", steps: [["mv", "hard.out", "package/hard.out"]] },
];
