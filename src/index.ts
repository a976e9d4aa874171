export type {
  ChildEnd,
  Reason,
  RunSetting,
  Verdict,
} from "./app/exec-types.ts";
export {
  type CheckOptions,
  type CheckRequest,
  type CommonOptions,
  check,
  type ExecOptions,
  type ExecResult,
  exec,
} from "./app/library.ts";
export type { Environment } from "./app/library-options.ts";
export {
  type LoadedPolicy,
  type LoadPolicyOptions,
  loadPolicy,
  type PolicyText,
} from "./app/library-policy.ts";
export type { Decision, DecisionKind } from "./core/decision.ts";
export { type ErrorCode, PaldronError } from "./core/errors.ts";
export type { Protection, ProtectionState, ProtectionTable } from "./core/protection.ts";
export type { FileFinding, Finding, LimitFinding, ProducedFile } from "./host/produced.ts";
export type { JevOnError, Policy, UnknownTools } from "./policy/types.ts";
