import { type OptionRules, SIGNAL } from "../errors/option_rules.ts";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call at once; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What each of the {@linkcode CallOptions} may be. */
export const CALL_OPTIONS: OptionRules<CallOptions> = { signal: SIGNAL };

/** How far a call that sends many requests has come. */
export interface Progress {
  /** How much is done. */
  readonly done: number;
  /** Of how much; `undefined` where nobody knows before the end. */
  readonly total?: number;
}
