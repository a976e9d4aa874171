import { type LaterChange, shownPath } from "../host/later-compare.ts";
import type { LaterItems } from "../host/later-items.ts";
import type { ProducedFile } from "../host/produced.ts";
import { putBack, removeEmptied } from "../host/put-back.ts";
import { laterFile } from "../later/names.ts";

/** Takes a change back, and says how that went. */
export function undo(
  root: string,
  before: LaterItems,
  { path, change, what, held }: LaterChange,
): ProducedFile {
  const restored = putBack(path, held);
  if (restored && held === undefined) removeNewFolders(root, before, path);
  return {
    path: shownPath(root, path),
    rule: "builtin:later",
    code: "runs_later",
    change,
    restored,
    ...(what !== undefined && { what }),
  };
}

/** Folders of settings that were not there, once nothing is left in them. */
function removeNewFolders(root: string, before: LaterItems, path: string): void {
  const parts = shownPath(root, path).split("/");
  for (let i = 1; i < parts.length; i += 1) {
    const relative = parts.slice(0, i).join("/");
    const folder = `${root}/${relative}`;
    if (laterFile(relative) === undefined || before.folders.has(folder)) continue;
    removeEmptied(path.slice(0, path.lastIndexOf("/")), folder);
    return;
  }
}
