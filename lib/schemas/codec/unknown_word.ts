/** A value the service may send that this library does not know yet; it stays text. */
export type Unknown = string & Record<never, never>;
