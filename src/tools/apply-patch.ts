/** One file that a patch touches. */
export interface PatchFile {
  readonly action: "add" | "update" | "delete" | "move";
  readonly path: string;
}

const ACTIONS: Readonly<Record<string, PatchFile["action"]>> = {
  "add file": "add",
  "update file": "update",
  "delete file": "delete",
  "move to": "move",
};
/** Any line that a lenient reader could take for a header. */
const HEADER = /^\s*\*\*\*\s*((?:add|update|delete)\s+file|move\s+to)\s*:(.*)$/i;
const EXACT = /^\*\*\* (?:Add File|Update File|Delete File|Move to): \S/;
const MARKER = /^\s*\*\*\*\s*(?:begin patch|end patch|end of file)\s*$/i;

/**
 * The files that text in the `apply_patch` format adds, updates, moves and deletes, in order. Undefined where the text
 * is no such patch or a part of it is not understood: what a more lenient reader would find in it is not known then.
 */
export function patchFiles(text: string): readonly PatchFile[] | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  if (begin < 0 || end < begin) return undefined;
  if (!isWrapper(lines.slice(0, begin)) || !isWrapper(lines.slice(end + 1))) return undefined;
  return bodyFiles(lines.slice(begin + 1, end));
}

/** Around the patch nothing may stand but a heredoc's marks, which models like to add. */
function isWrapper(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === "" || /^<<-?\s*['"]?\w+['"]?$|^\w+$/.test(line.trim()));
}

function bodyFiles(lines: readonly string[]): readonly PatchFile[] | undefined {
  const files: PatchFile[] = [];
  for (const line of lines) {
    // Added and removed lines are content whatever they say.
    if (line.startsWith("+") || line.startsWith("-")) continue;
    const header = HEADER.exec(line);
    if (header === null) {
      if (/^\s*\*\*\*/.test(line) && !MARKER.test(line)) return undefined;
      continue;
    }
    const action = ACTIONS[(header[1] ?? "").toLowerCase().replace(/\s+/g, " ")];
    const path = (header[2] ?? "").trim();
    if (action === undefined || path === "") return undefined;
    if (!line.startsWith(" ") && !EXACT.test(line)) return undefined;
    files.push({ action, path });
  }
  return files.length === 0 ? undefined : files;
}

/** The patches inside a command line, each from its first mark to its last (`apply_patch <<'EOF'`). */
export function embeddedPatches(text: string): readonly string[] {
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    const mark = line.trim();
    if (mark === "*** Begin Patch") open ??= [];
    open?.push(line);
    if (mark !== "*** End Patch" || open === undefined) continue;
    found.push(open.join("\n"));
    open = undefined;
  }
  return found;
}
