import { cleanPath, relativeTo } from "../policy/paths.ts";
import type { GateContext } from "./context.ts";

/** A path as somebody wrote it, and where that is. */
export interface Location {
  /** The spelling to match globs with: relative to the workspace where it lies inside, else as written. */
  readonly written: string;
  /** Clean absolute path by name alone; undefined where it names another's home. */
  readonly absolute: string | undefined;
  /** As `absolute`, with every `..` where it stands: behind a link it leads elsewhere than by name. */
  readonly full: string | undefined;
  /** `absolute` lies inside the workspace under one of its names. */
  readonly inside: boolean;
  readonly form: "absolute" | "relative" | "home";
}

/** Trees in which one path is another file for every process. */
const SELF_TREES = ["/proc", "/dev", "/sys"];

export function locate(raw: string, context: GateContext): Location {
  const text = isFileUrl(raw) ? fromFileUrl(raw) : raw;
  const home = /^[~$]/.test(text) ? /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(text)?.[0] : undefined;
  if (home !== undefined) return atHome(text, text.slice(home.length), context);
  // Another user's home, unless a file here really has such a name.
  if (text.startsWith("~") && !context.view.lexists(`${context.workspace.cwd}/${text.split("/")[0]}`)) {
    return { written: text, absolute: undefined, full: undefined, inside: false, form: "home" };
  }
  if (text.startsWith("/")) return at(text, "absolute", text, context);
  return at(`${context.workspace.cwd}/${text}`, "relative", text, context);
}

function atHome(text: string, rest: string, context: GateContext): Location {
  const home = context.view.home;
  if (home === undefined)
    return { written: text, absolute: undefined, full: undefined, inside: false, form: "home" };
  return at(`${home}/${rest}`, "home", text, context);
}

function at(full: string, form: Location["form"], text: string, context: GateContext): Location {
  const absolute = cleanPath(full) ?? "/";
  for (const root of context.roots) {
    const relative = relativeTo(root, absolute);
    if (relative !== undefined) return { written: relative, absolute, full, inside: true, form };
  }
  const written = text.split("/").filter((part) => part !== "..");
  return { written: written.join("/"), absolute, full, inside: false, form };
}

/** Whether a path lies where names mean something else for every process, outside the workspace. */
export function isSelfTree(absolute: string): boolean {
  return SELF_TREES.some((tree) => relativeTo(tree, absolute) !== undefined);
}

/** `file:///x`, `file:/x`, `file://localhost/x` as the path they name; other text as it is. */
function fromFileUrl(text: string): string {
  const rest = /^file:(?:\/\/(?:localhost)?)?(?=[/~.])(.*)$/is.exec(text)?.[1];
  if (rest === undefined) return text;
  const path = rest.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function isFileUrl(text: string): boolean {
  return /^file:/i.test(text);
}
