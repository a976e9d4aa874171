import { type FileEffect, SEEN, TRACKED } from "../shell/types.ts";
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

/** Programs that show what stands in a file. Linters and the like read what git lists, and show their own words. */
const CONTENT = new Set(
  (
    "cat tac rev head tail less more bat nl od xxd hexdump hd strings cut paste sort uniq column fold fmt expand pr base64 " +
    "archive base32 basenc iconv tr sed awk gawk mawk nawk perl grep egrep fgrep zgrep rg ag ack cmp diff jq yq dd gzip xz zcat openssl"
  ).split(" "),
);

/** Whether a command shows what stands in its file, as far as its name tells; `tree` is the list that the file is of. */
export function printsContent({ command, sought, from }: FileEffect, tree: string): boolean {
  if (sought === true) return false;
  if (tree === TRACKED || tree === SEEN)
    return from === "redirection" || CONTENT.has((command ?? "").replace(/^git /, ""));
  return !NO_CONTENT.has(command ?? "");
}
