/** Why a value is not of the kind wanted. */
export class Mismatch extends Error {
  /** What is wrong, in the service's words. */
  constructor(message: string) {
    super(message);
    this.name = "Mismatch";
  }
}

/** Something else where one of a few words must stand, which the service takes for no JSON at all. */
export class NoWord extends Mismatch {}

/** What `read` gives; `null` where a value is not of the kind wanted. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}
