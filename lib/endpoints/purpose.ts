/** What a request is for, in the words of an error about it. */
export interface Purpose {
  /** What is wanted, as it follows "Cannot": `get order 0x12…`. */
  readonly wanted: string;
  /** What to do when the service does not have it. */
  readonly notFound?: string;
  /** What to do when the service wants other credentials, or none at all. */
  readonly unauthorized?: string;
}
