import { NotFoundError, NotRecordedError, UnavailableError } from "../../errors/mod.ts";

/** What a request answers; `null` where the source has no answer. */
export async function orNull<Value>(request: () => Promise<Value>): Promise<Value | null> {
  try {
    return await request();
  } catch (error) {
    const isMissing = error instanceof NotFoundError || error instanceof NotRecordedError ||
      error instanceof UnavailableError;
    if (isMissing) return null;
    throw error;
  }
}
