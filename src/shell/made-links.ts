import { LIMITS } from "./limits.ts";
import { resolve } from "./path.ts";
import type { SharedMap } from "./shared-map.ts";
import type { Word } from "./types.ts";
import { knownPrefix, textOf, wordOf } from "./value.ts";

/** Links that the text itself makes: where each one leads, both absolute. */
export type MadeLinks = SharedMap<string, string>;

/** Links that lead to links are followed this often, like the kernel's 40 (path_resolution(7)). */
const HOPS = 40;

/** `resolve`, but through the links that the text makes; undefined when there are none on the way. */
function follow(links: MadeLinks, cwd: string, path: string): string | undefined {
  let out: string[] = [];
  let hops = 0;
  const walk = (text: string): void => {
    for (const part of text.split("/")) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        out.pop();
        continue;
      }
      out.push(part);
      const target = links.get(`/${out.join("/")}`);
      if (target === undefined || hops >= HOPS) continue;
      hops += 1;
      out = [];
      walk(target);
    }
  };
  walk(path.startsWith("/") ? path : `${cwd}/${path}`);
  return hops === 0 ? undefined : `/${out.join("/")}`;
}

/** What a word names through links that the text made, as well as what it says. */
export function throughLinks(links: MadeLinks, cwds: readonly string[], word: Word): readonly Word[] {
  const text = textOf(word);
  const out: Word[] = [];
  for (const cwd of cwds) {
    if (text !== undefined) {
      const path = follow(links, cwd, text);
      if (path !== undefined) out.push({ kind: "literal", text: path });
      continue;
    }
    if (word.kind !== "partial") continue;
    const prefix = knownPrefix(word);
    const cut = prefix.lastIndexOf("/") + 1;
    const folder = follow(links, cwd, prefix.slice(0, cut));
    const rest = [prefix.slice(cut), ...word.parts.slice(typeof word.parts[0] === "string" ? 1 : 0)];
    if (folder !== undefined) out.push(wordOf([`${folder}/`, ...rest]));
  }
  return out;
}

interface Link {
  readonly cwd: string;
  readonly name: string;
  readonly target: string;
  /** The target is read from the folder that the link lies in. */
  readonly symbolic: boolean;
}

/** Remembers a link; false: too many. Where `name` may be a folder, the link may also lie in it. */
export function noteLink(links: MadeLinks, { cwd, name, target, symbolic }: Link): boolean {
  const base = target.replace(/\/+$/, "").replace(/^.*\//, "");
  for (const place of [resolve(cwd, name), resolve(cwd, `${name}/${base}`)]) {
    if (!links.has(place) && links.size >= LIMITS.variables) return false;
    const from = symbolic ? place.slice(0, place.lastIndexOf("/")) || "/" : cwd;
    const path = follow(links, from, target) ?? resolve(from, target);
    if (path !== place) links.set(place, path);
  }
  return true;
}
