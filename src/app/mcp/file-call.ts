import { type Decision, strictest } from "../../core/decision.ts";
import { PaldronError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import { Beneath } from "../../host/beneath.ts";
import { cleanPath, relativeTo, relativeWritePaths } from "../../policy/paths.ts";
import { type Answer, type Desk, failure, judgeBuiltin, type Prepared, refused, viewOf } from "./desk.ts";
import { FILE_ACTIONS, type FileAction, type FileTarget } from "./file-actions.ts";

/**
 * Judges a call of a file tool and holds open what it is about. The call is judged as it was written, then what was
 * opened is judged by the name that the kernel has for it, and only that is read or changed: links, `..` and names
 * that change in between lead nowhere else.
 */
export async function prepareFileCall(desk: Desk, tool: string, args: JsonObject): Promise<Prepared> {
  const written = await judgeBuiltin(desk, tool, args);
  const action = FILE_ACTIONS.get(tool);
  if (written.decision === "deny" || action === undefined)
    return { kind: "answer", answer: refused(written, desk) };
  let target: FileTarget | undefined;
  try {
    target = openTarget(desk, action, String(args["path"] ?? ""));
    const decision = await judgeOpened({ desk, tool, args, target, action, written });
    if (decision.decision !== "deny") return ready({ desk, args, target, action, decision, tool });
    target.held.close();
    return { kind: "answer", answer: refused(decision, desk) };
  } catch (error) {
    target?.held.close();
    return { kind: "answer", answer: failure(error) };
  }
}

interface Opened {
  readonly desk: Desk;
  readonly tool: string;
  readonly args: JsonObject;
  readonly target: FileTarget;
  readonly action: FileAction;
}

async function judgeOpened({
  desk,
  tool,
  args,
  target,
  action,
  written,
}: Opened & { readonly written: Decision }): Promise<Decision> {
  const opened = await judgeBuiltin(desk, tool, { ...args, path: target.path });
  const bound = action.writes ? outsideWritePaths(desk, target.path) : undefined;
  const decision = strictest(written, opened);
  return bound === undefined ? decision : strictest(decision, bound);
}

function ready({
  desk,
  tool,
  args,
  target,
  action,
  decision,
}: Opened & { readonly decision: Decision }): Prepared {
  return {
    kind: "ready",
    decision,
    about: `${tool} ${printable(target.path)}`,
    carryOut: (): Answer => {
      try {
        return action.run({ desk, target, args });
      } catch (error) {
        return failure(error);
      }
    },
    release: () => target.held.close(),
  };
}

/** The file or folder itself, or for what is written the nearest folder around it. */
function openTarget(desk: Desk, action: FileAction, text: string): FileTarget {
  const { root, cwd } = desk.workspace;
  const path = resolve(desk, text.startsWith("/") ? text : `${cwd}/${text}`);
  if (relativeTo(root, path) === undefined) throw moved();
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!action.writes) {
    const held = Beneath.open(root, path);
    return mustBe(held.path, path, { held, missing: [], name });
  }
  if (path === root) throw new PaldronError("io", "it is not a regular file");
  const { held, missing } = Beneath.openNearest(root, path.slice(0, Math.max(path.lastIndexOf("/"), 1)));
  const above = held.path === "/" ? "" : held.path;
  return mustBe([above, ...missing, name].join("/"), path, { held, missing, name });
}

/** The target, where the kernel has the name for it that was looked for. */
function mustBe(found: string, path: string, target: Omit<FileTarget, "path">): FileTarget {
  if (found === path) return { ...target, path };
  target.held.close();
  throw moved();
}

function resolve(desk: Desk, path: string): string {
  try {
    return viewOf(desk).resolve(path);
  } catch (error) {
    throw new PaldronError("request", "the path cannot be resolved", { cause: error });
  }
}

function moved(): PaldronError {
  return new PaldronError("io", "the path was changed while it was looked at");
}

/** `write_paths` bind whatever is written under the policy, here as the kernel does for a command. */
function outsideWritePaths({ policy, workspace }: Desk, path: string): Decision | undefined {
  const entries = relativeWritePaths(policy, [workspace.root, ...workspace.names]);
  if (entries === undefined) return undefined;
  const isInside = entries.some((entry) => {
    const place = cleanPath(`${workspace.root}/${entry}`) ?? workspace.root;
    return relativeTo(place, path) !== undefined;
  });
  if (isInside) return undefined;
  const what = printable(path);
  return {
    decision: "deny",
    rule: "write_paths",
    code: "outside_write_paths",
    what,
    reason: "outside write_paths",
  };
}
