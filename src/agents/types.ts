import type { Json, JsonObject } from "../core/strict-json.ts";

/** A tool call that has not happened yet. */
export interface BeforeEvent {
  readonly kind: "before";
  /** The event's name, as the client wants it back. */
  readonly event: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Where the client says that the call starts. */
  readonly folder: string | undefined;
  /** The folder that the client was opened for, where its payload tells. */
  readonly root?: string | undefined;
  /** Whether the client takes other arguments back. */
  readonly rewrites: boolean;
  /** Whether the client can ask a person about this call. */
  readonly asks: boolean;
}

/** What a tool call gave back. */
interface AfterEvent {
  readonly kind: "after";
  readonly event: string;
  readonly output: Json;
  readonly root?: string | undefined;
}

/** Settings of the client changed while it runs. */
interface SettingsEvent {
  readonly kind: "settings";
  /** Which settings, in the client's words. */
  readonly source: string;
}

/** Nothing to judge: a session begins, a prompt was sent. */
interface NothingEvent {
  readonly kind: "nothing";
}

export type HookEvent = BeforeEvent | AfterEvent | SettingsEvent | NothingEvent;

export type HookAnswer =
  /** `args`: the arguments to use instead. */
  | { readonly kind: "allow"; readonly args: JsonObject | undefined }
  /** Only for an event that `asks`. */
  | { readonly kind: "ask"; readonly reason: string; readonly args: JsonObject | undefined }
  | { readonly kind: "deny"; readonly reason: string };

/** Output in which secrets were found, and replaced. */
export interface CleanedOutput {
  /** In the shape in which it came. */
  readonly output: Json;
  /** All of its text. */
  readonly text: string;
  /** One line for people and models. */
  readonly reason: string;
}

/** What the hook's process does. */
export interface HookReply {
  readonly exit: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** One agent's hook protocol. Pure: a payload in, an answer out. */
export interface AgentProtocol {
  /**
   * What the payload says.
   * @throws PaldronError `request` for anything that is not understood to the last field that counts.
   */
  readonly decode: (payload: JsonObject) => HookEvent;
  readonly answer: (event: BeforeEvent, answer: HookAnswer) => HookReply;
  readonly clean: (event: AfterEvent, cleaned: CleanedOutput) => HookReply;
  /** The answer that stops the client where nothing could be judged. */
  readonly block: (reason: string) => HookReply;
  /** The variable in which the client names the folder that it was opened for. */
  readonly rootVariable?: string;
}
