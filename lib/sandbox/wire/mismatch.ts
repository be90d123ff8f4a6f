/** A value is not of the expected kind. */
export class Mismatch extends Error {
  /** Takes the service's error text. */
  constructor(message: string) {
    super(message);
    this.name = "Mismatch";
  }
}

/** An enum field is not a string, which the service reports as invalid JSON. */
export class NotAString extends Mismatch {}

/** The result of `read`; `null` on a mismatch. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}
