import { PaldronError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/strict-json.ts";
import { type HookEventSpec, type HookTable, hookEntry, sameJson } from "./hooks.ts";
import { type Container, type Item, jsonOf, memberOf, parseJsonc } from "./jsonc.ts";
import { insertItem, isMade, removeItem, replaceValue } from "./jsonc-edit.ts";
import { handlerCall, type OwnCall, type Registration } from "./own-handler.ts";

/** One of Paldron's handlers in a settings file. */
export interface Found {
  readonly event: string;
  readonly handler: JsonObject;
  readonly call: OwnCall;
  /** Of the group it stands in. */
  readonly matcher: Json | undefined;
}

interface Place {
  /** Of the element in the array of the event. */
  readonly index: number;
  /** Of the handler in the group, where the group holds others too. */
  readonly within: number | undefined;
  readonly call: OwnCall;
  readonly handler: JsonObject;
  readonly matcher: Json | undefined;
}

export interface JsonSettings {
  readonly agent: string;
  readonly table: HookTable;
  /** How the file is called in messages. */
  readonly what: string;
}

/** The whole text of a file that `init` makes. */
export function freshJson({ table }: JsonSettings, own: Registration): string {
  return `${JSON.stringify(rootValue(table, own), undefined, 2)}\n`;
}

function rootValue(table: HookTable, own: Registration): JsonObject {
  const hooks = Object.fromEntries(table.events.map((spec) => [spec.event, [hookEntry(table, spec, own)]]));
  return table.version === undefined ? { hooks } : { hooks, version: table.version };
}

/** The text with every hook registered once, as this version writes it; everything else as it was. */
export function registerJson(text: string, settings: JsonSettings, own: Registration): string {
  const { table } = settings;
  const root = rootOf(text, settings);
  // Blank: the space in front tells it from a file that was made.
  if (root === undefined) return `${text} ${freshJson(settings, own).trimEnd()}`;
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) {
    const added = Object.entries(rootValue(table, own)).filter(([key]) => memberOf(root, key) === undefined);
    return added.reduce((now, [key, value]) => insertItem(now, object(now, settings), { key, value }), text);
  }
  return table.events.reduce((now, spec) => registerEvent(now, settings, spec, own), text);
}

function registerEvent(text: string, settings: JsonSettings, spec: HookEventSpec, own: Registration): string {
  const entry = hookEntry(settings.table, spec, own);
  const hooks = hooksOf(text, settings);
  const list = listOf(hooks, spec.event, settings);
  if (list === undefined) return insertItem(text, hooks, { key: spec.event, value: [entry] });
  const isRight = (item: Item | undefined): boolean =>
    item !== undefined && sameJson(jsonOf(item.node), entry);
  const places = placesIn(list, settings);
  const whole = places.find(({ within }) => within === undefined);
  if (whole === undefined) {
    return withoutOthers(insertItem(text, list, { value: entry }), settings, spec.event, isRight);
  }
  const item = list.items[whole.index];
  const now =
    item === undefined || places.some(({ index }) => isRight(list.items[index]))
      ? text
      : replaceValue(text, item, entry);
  return withoutOthers(now, settings, spec.event, isRight);
}

/** Takes out every one of Paldron's handlers but the first that is right. */
function withoutOthers(
  text: string,
  settings: JsonSettings,
  event: string,
  isRight: (item: Item | undefined) => boolean,
): string {
  for (let now = text; ; ) {
    const list = listOf(hooksOf(now, settings), event, settings);
    if (list === undefined) return now;
    const places = placesIn(list, settings);
    const keep = places.find(({ index, within }) => within === undefined && isRight(list.items[index]));
    const other = places.filter((place) => place !== keep).at(-1);
    if (other === undefined) return now;
    now = removePlace(now, list, other);
  }
}

function removePlace(text: string, list: Container, { index, within }: Place): string {
  const group = list.items[index]?.node;
  const handlers = within === undefined || group === undefined ? undefined : memberOf(group, "hooks")?.node;
  if (within === undefined || handlers?.kind !== "array") return removeItem(text, list, index);
  return removeItem(text, handlers, within);
}

/**
 * The text without what `init` wrote, in the form of this or another version's paths; what a person wrote in another
 * form stays. Undefined: the file was made by `init` and nothing else is in it.
 */
export function unregisterJson(text: string, settings: JsonSettings): string | undefined {
  const bare = withoutHooks(text, settings);
  const root = rootOf(text, settings);
  if (settings.table.version === undefined || root === undefined || bare === undefined) return bare;
  const at = root.items.findIndex(({ key }) => key === "hooks");
  const version = root.items[at + 1];
  const left = rootOf(bare, settings);
  const isOurs = version?.key === "version" && sameJson(jsonOf(version.node), settings.table.version);
  if (!isOurs || left === undefined || memberOf(left, "hooks") !== undefined) return bare;
  return withoutHooks(removeItem(text, root, at + 1), settings);
}

function withoutHooks(text: string, settings: JsonSettings): string | undefined {
  for (let now = text; ; ) {
    const root = rootOf(now, settings);
    const hooks = root === undefined ? undefined : memberOf(root, "hooks")?.node;
    if (root === undefined || hooks?.kind !== "object") return now;
    const last = hooks.items
      .flatMap((item, at) => (item.node.kind === "array" ? [{ item, at, list: item.node }] : []))
      .flatMap(({ item, at, list }) =>
        placesIn(list, settings)
          .filter((place) => isWritten(place, item.key ?? "", settings))
          .map((place) => ({ at, list, place })),
      )
      .at(-1);
    if (last === undefined) return now;
    const { at, list, place } = last;
    const rest =
      place.within === undefined
        ? removeUp(now, [
            [list, place.index],
            [hooks, at],
            [root, root.items.findIndex(({ key }) => key === "hooks")],
          ])
        : removePlace(now, list, place);
    if (rest === undefined || rest.trim().replace("\ufeff", "") === "") return rest;
    now = rest;
  }
}

/** Removes an item, and with it the containers around it that were made for it. */
function removeUp(text: string, chain: readonly (readonly [Container, number])[]): string | undefined {
  const inner = chain.find(([container]) => !isMade(text, container));
  if (inner !== undefined) return removeItem(text, ...inner);
  const [root, index] = chain.at(-1) ?? [undefined, 0];
  if (root === undefined) return text;
  const [before, behind] = [text.slice(0, root.start), text.slice(root.end)];
  if (before === "" && behind.trim() === "") return undefined;
  // The file was blank.
  if (behind === "" && /^\ufeff?\s* $/.test(before)) return before.slice(0, -1);
  return removeItem(text, root, index);
}

/** In the form that `init` writes, whatever the paths. */
function isWritten({ call, handler }: Place, event: string, { table }: JsonSettings): boolean {
  const { node, program, policy, workspace } = call;
  if (node === undefined || workspace !== undefined) return false;
  return sameJson(handler, table.handler({ node, program, policy }, event));
}

/** Paldron's handlers for this agent, in every event. */
export function foundJson(text: string, settings: JsonSettings): readonly Found[] {
  const root = rootOf(text, settings);
  const hooks = root === undefined ? undefined : memberOf(root, "hooks")?.node;
  if (hooks?.kind !== "object") return [];
  return hooks.items.flatMap(({ key, node }) =>
    node.kind === "array" ? placesIn(node, settings).map((place) => ({ ...place, event: key ?? "" })) : [],
  );
}

function placesIn(list: Container, { agent, table }: JsonSettings): readonly Place[] {
  const mine = (handler: Json): OwnCall | undefined => {
    const call = handlerCall(handler);
    return call?.agent === agent ? call : undefined;
  };
  return list.items.flatMap(({ node }, index): readonly Place[] => {
    const value = jsonOf(node);
    if (!isJsonObject(value)) return [];
    if (!table.grouped) {
      const call = mine(value);
      return call === undefined
        ? []
        : [{ index, within: undefined, call, handler: value, matcher: value["matcher"] }];
    }
    const handlers = value["hooks"];
    if (!Array.isArray(handlers)) return [];
    return handlers.flatMap((handler: Json, at): readonly Place[] => {
      const call = mine(handler);
      if (call === undefined || !isJsonObject(handler)) return [];
      return [
        { index, within: handlers.length === 1 ? undefined : at, call, handler, matcher: value["matcher"] },
      ];
    });
  });
}

function rootOf(text: string, { what }: JsonSettings): Container | undefined {
  const root = parseJsonc(text, what);
  if (root === undefined || root.kind === "object") return root;
  throw wrong(what, "it holds no object");
}

function object(text: string, settings: JsonSettings): Container {
  const root = rootOf(text, settings);
  if (root === undefined) throw wrong(settings.what, "it holds no object");
  return root;
}

function hooksOf(text: string, settings: JsonSettings): Container {
  const hooks = memberOf(object(text, settings), "hooks")?.node;
  if (hooks?.kind !== "object") throw wrong(settings.what, "`hooks` is no object");
  return hooks;
}

function listOf(hooks: Container, event: string, { what }: JsonSettings): Container | undefined {
  const list = memberOf(hooks, event)?.node;
  if (list !== undefined && list.kind !== "array") throw wrong(what, `\`hooks.${event}\` is no list`);
  return list?.kind === "array" ? list : undefined;
}

function wrong(what: string, why: string): PaldronError {
  return new PaldronError("io", `${what}: ${why}; nothing was changed`);
}
