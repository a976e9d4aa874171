import type { Function as FunctionNode } from "unbash";
import { LIMITS } from "./limits.ts";
import type { MadeLinks } from "./made-links.ts";
import { SharedMap } from "./shared-map.ts";
import type { Dialect, Word } from "./types.ts";
import { hole, type Text, unionTexts } from "./value.ts";

/** What a variable may hold. */
export interface Variable {
  /** Every value it may have here; at least one. */
  readonly values: readonly Text[];
  /** The elements, when it is an array whose elements are known. */
  readonly elements?: readonly Text[] | undefined;
}

const UNKNOWN: Variable = { values: [hole("unknown")] };

/** What is known of the shell at one point of the text. Forked for subshells and branches, joined after them. */
export class Scope {
  cwds: readonly string[] | undefined;
  /** Arguments of the script or function; undefined when they are not written anywhere. */
  positional: readonly Word[] | undefined;
  dialect: Dialect;
  /** Some code ran here that may have changed any variable. */
  havoc = false;
  /** Control never comes past this point (`exit`). */
  dead = false;
  readonly variables: SharedMap<string, Variable>;
  /** The bodies a name may stand for; `null` among them: perhaps no function at all. */
  readonly functions: SharedMap<string, readonly (FunctionNode | null)[]>;
  readonly aliases: SharedMap<string, string>;
  /** Files the text itself wrote, with their content when it is known. */
  readonly written: SharedMap<string, string | undefined>;
  /** Links that the text itself made. */
  readonly links: MadeLinks;

  constructor(from: Pick<Scope, "cwds" | "positional" | "dialect">, maps?: Scope) {
    this.cwds = from.cwds;
    this.positional = from.positional;
    this.dialect = from.dialect;
    this.variables = new SharedMap(maps?.variables);
    this.functions = new SharedMap(maps?.functions);
    this.aliases = new SharedMap(maps?.aliases);
    this.written = new SharedMap(maps?.written);
    this.links = new SharedMap(maps?.links);
  }

  fork(): Scope {
    const copy = new Scope(this, this);
    copy.havoc = this.havoc;
    copy.dead = this.dead;
    return copy;
  }

  /** Undefined: never assigned here, so its value is the environment's. */
  get(name: string): Variable | undefined {
    return this.variables.get(name) ?? (this.havoc ? UNKNOWN : undefined);
  }

  set(name: string, variable: Variable): void {
    if (!this.variables.has(name) && this.variables.size >= LIMITS.variables) this.forgetAll();
    else this.variables.set(name, variable);
  }

  forget(name: string): void {
    this.set(name, UNKNOWN);
  }

  /** Any variable may have any value from here on. */
  forgetAll(): void {
    this.variables.clear();
    this.havoc = true;
  }

  setFunction(name: string, node: FunctionNode): boolean {
    if (!this.functions.has(name) && this.functions.size >= LIMITS.variables) return false;
    this.functions.set(name, [node]);
    return true;
  }

  /** `unset -f`: from here on a name may be a program again. */
  doubtFunctions(): void {
    for (const [name, nodes] of [...this.functions]) this.functions.set(name, [...new Set([...nodes, null])]);
  }

  /** This scope becomes what is known when either `this` or `other` is where control came from. */
  join(other: Scope): void {
    if (other.dead) return;
    if (this.dead) {
      this.become(other);
      return;
    }
    this.cwds = joinFolders(this.cwds, other.cwds);
    if (this.positional !== other.positional) this.positional = undefined;
    this.joinVariables(other);
    this.joinFunctions(other);
    if (!this.aliases.isSame(other.aliases))
      for (const [name, text] of other.aliases) this.aliases.set(name, text);
    if (!this.links.isSame(other.links))
      for (const [place, target] of other.links) this.links.set(place, target);
    if (this.written.isSame(other.written)) return;
    for (const [path, content] of other.written) {
      this.written.set(
        path,
        this.written.has(path) && this.written.get(path) !== content ? undefined : content,
      );
    }
  }

  private joinFunctions(other: Scope): void {
    if (this.functions.isSame(other.functions)) return;
    for (const name of new Set([...this.functions.keys(), ...other.functions.keys()])) {
      const mine = this.functions.get(name);
      const theirs = other.functions.get(name);
      if (mine !== theirs)
        this.functions.set(name, [...new Set([...(mine ?? [null]), ...(theirs ?? [null])])]);
    }
  }

  private joinVariables(other: Scope): void {
    if (this.havoc === other.havoc && this.variables.isSame(other.variables)) return;
    if (other.havoc && !this.havoc) this.forgetAll();
    if (this.havoc) {
      for (const [name, mine] of [...this.variables])
        if (other.variables.get(name) !== mine) this.variables.delete(name);
      return;
    }
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      const mine = this.variables.get(name);
      const theirs = other.variables.get(name);
      if (mine === theirs) continue;
      this.variables.set(name, joinVariable(mine ?? INHERITED, theirs ?? INHERITED));
    }
  }

  /** Takes everything over from `other`. */
  become(other: Scope): void {
    this.cwds = other.cwds;
    this.positional = other.positional;
    this.havoc = other.havoc;
    this.dead = other.dead;
    this.variables.become(other.variables);
    this.functions.become(other.functions);
    this.aliases.become(other.aliases);
    this.written.become(other.written);
    this.links.become(other.links);
  }
}

const INHERITED: Variable = { values: [hole("inherited")] };

function joinVariable(a: Variable, b: Variable): Variable {
  const values = unionTexts(a.values, b.values);
  return values === undefined ? UNKNOWN : { values };
}

export function joinFolders(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === b) return a;
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > LIMITS.alternatives ? undefined : all;
}
