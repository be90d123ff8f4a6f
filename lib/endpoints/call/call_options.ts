import { type OptionRules, SIGNAL } from "../../errors/option_rules.ts";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call at once, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Allowed values of the {@linkcode CallOptions}. */
export const CALL_OPTIONS: OptionRules<CallOptions> = { signal: SIGNAL };

/** Progress of a call that sends many requests. */
export interface Progress {
  /** Number of finished items. */
  readonly done: number;
  /** Total number of items; `undefined` where it is unknown until the end. */
  readonly total?: number;
}
