import type { Decision } from "../core/decision.ts";
import { cleanPath, relativeTo } from "../policy/paths.ts";
import type { Word } from "../shell/types.ts";
import { ask, type GateContext } from "./context.ts";
import { literalOf } from "./words.ts";

/**
 * git takes a folder that holds `HEAD`, `objects` and `refs` for a repository, and runs what the configuration in it
 * says. Such a folder inside a working tree came with the tree, so a command outside the sandbox is a person's to
 * allow (git-config(1), `safe.bareRepository`).
 */
export function judgeBareRepository(argv: readonly Word[], context: GateContext): Decision | undefined {
  const { view, workspace } = context;
  for (
    let folder = startOf(argv, workspace.cwd);
    folder !== "";
    folder = folder.slice(0, folder.lastIndexOf("/"))
  ) {
    if (relativeTo(workspace.root, folder) === undefined) return undefined;
    if (view.lexists(`${folder}/.git`)) return undefined;
    if (["HEAD", "objects", "refs"].every((name) => view.lexists(`${folder}/${name}`))) {
      const reason = "a bare repository inside the workspace, whose settings git obeys";
      return ask({ rule: "builtin:git", code: "git", what: folder, reason });
    }
  }
  return undefined;
}

/** Where `git -C DIR -C DIR …` goes. */
function startOf(argv: readonly Word[], cwd: string): string {
  let folder = cwd;
  for (const [index, word] of argv.entries()) {
    const text = literalOf(word) ?? "";
    if (text === "-C") folder = into(folder, literalOf(argv[index + 1] ?? word) ?? "");
    else if (!text.startsWith("-") && literalOf(argv[index - 1] ?? word) !== "-C") break;
  }
  return folder;
}

function into(folder: string, path: string): string {
  return cleanPath(path.startsWith("/") ? path : `${folder}/${path}`) ?? folder;
}
