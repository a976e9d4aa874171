import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder for one test. Paths are relative to it; a name that ends in `/` is a folder. */
export class TempTree {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "paldron-test-")));

  at(path: string): string {
    return join(this.root, path);
  }

  add(...paths: readonly string[]): void {
    for (const path of paths) {
      if (path.endsWith("/")) mkdirSync(this.at(path), { recursive: true });
      else this.write(path, "x\n");
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
    chmodSync(this.at(path), 0o755);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    symlinkSync(target, this.at(path));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
