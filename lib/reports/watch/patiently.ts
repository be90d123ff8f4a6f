import { isTransient } from "../../client/is_transient.ts";
import type { OrderBook } from "../../client/order_book.ts";

const MOST_TRIES = 4;
const FIRST_WAIT_MS = 500;

/**
 * Repeats a request of a look that fails for a moment, by the clock of the book: one bad answer out of
 * many does not cost the whole look.
 */
export async function patiently<Value>(
  { clock }: OrderBook,
  signal: AbortSignal,
  request: () => Promise<Value>,
): Promise<Value> {
  for (let tries = 1;; tries++) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || tries === MOST_TRIES || !isTransient(error)) throw error;
      await clock.sleep(FIRST_WAIT_MS * 2 ** (tries - 1), signal);
    }
  }
}
