/** What every call takes. */
export interface CallOptions {
  /** Ends the call at once; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** How far a call that sends many requests has come. */
export interface Progress {
  /** How much is done. */
  readonly done: number;
  /** Of how much; `undefined` where nobody knows before the end. */
  readonly total?: number;
}
