/** Texts about a request, for its errors. */
export interface Purpose {
  /** The action, as it follows "Cannot": `get order 0x12…`. */
  readonly wanted: string;
  /** Remedy if the service does not have it. */
  readonly notFound?: string;
  /** Remedy if the service requires credentials or rejects the ones sent. */
  readonly unauthorized?: string;
}
