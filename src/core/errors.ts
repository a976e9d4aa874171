/** The stage that could not do its work. Callers branch on this, never on the text. */
export type ErrorCode =
  | "usage"
  | "policy"
  | "request"
  | "workspace"
  | "isolation"
  | "launcher"
  | "start"
  | "scan"
  | "output"
  | "io"
  | "internal";

/**
 * Something is broken: no verdict could be made. Always exit 1 (125 under `--exit=child`), never an allow.
 * The message is one line, lower case, without a final stop; it never repeats a secret's value.
 */
export class PaldronError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "PaldronError";
    this.code = code;
  }
}
