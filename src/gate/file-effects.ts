import type { FileEffect } from "../shell/types.ts";
import type { GateContext } from "./context.ts";

/** What installers of toolchains tell a shell to read first; it lies in the caller's home and prints nothing. */
const STARTERS =
  /^\/\.(?:nvm\/nvm\.sh|cargo\/env|rye\/env|local\/bin\/env|ghcup\/env|deno\/env|sdkman\/bin\/sdkman-init\.sh|asdf\/asdf\.sh)$/;

export function startsToolchain({ kind, command }: FileEffect, text: string, { view }: GateContext): boolean {
  if (kind !== "read" || (command !== "source" && command !== "test") || view.home === undefined)
    return false;
  return text.startsWith(view.home) && STARTERS.test(text.slice(view.home.length));
}

/** Programs that show names, sizes and sums of files, or remove them: of whatever a search finds, nothing else is seen. */
const NO_CONTENT = new Set(
  "ls stat du wc file basename dirname readlink realpath test touch chmod chown rm rmdir mkdir md5sum sha1sum sha256sum".split(
    " ",
  ),
);

export const printsContent = (effect: FileEffect): boolean => !NO_CONTENT.has(effect.command ?? "");
