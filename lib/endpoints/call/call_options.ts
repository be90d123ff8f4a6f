import { type OptionRule, type OptionRules, SIGNAL, wholeFrom } from "../../errors/option_rules.ts";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call at once, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Allowed values of the {@linkcode CallOptions}. */
export const CALL_OPTIONS: OptionRules<CallOptions> = { signal: SIGNAL };

/** Concurrent requests of a call that sends many, unless its caller asks for another number. */
export const DEFAULT_CONCURRENCY = 4;

/** Allowed numbers of concurrent requests. */
export const CONCURRENCY: OptionRule<number> = wholeFrom(1, 64);

/** Progress of a call that sends many requests. */
export interface Progress {
  /** Number of finished items. */
  readonly done: number;
  /** Total number of items; `undefined` where it is unknown until the end. */
  readonly total?: number;
}
