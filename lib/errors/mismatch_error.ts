import { OrderlensError } from "./orderlens_error.ts";
import { hideSecrets } from "./secrets.ts";

/** Options of a {@linkcode MismatchError}. */
export interface MismatchErrorOptions {
  /** Method and path of the request, such as `GET /api/v1/version`. */
  request: string;
  /** Field that differs, such as `uid` or `auctionId`. */
  field: string;
  /** Value that was requested, or that follows from the request. */
  asked: string;
  /** Value in the answer. */
  answered: string;
  /** Remedy that replaces the default one. */
  remedy?: string | undefined;
}

/**
 * Thrown when an answer is not about what was requested: it holds another order, another auction or
 * a document with another hash. Never retried, and the answer is discarded.
 *
 * @example An order book that returns another auction
 * ```ts
 * import { connect, MismatchError } from "orderlens";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const competition = {
 *   auctionId: 8,
 *   auctionStartBlock: 1,
 *   auctionDeadlineBlock: 4,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [],
 * };
 * const book = connect({
 *   fetch: () => Promise.resolve(Response.json(competition)),
 *   deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
 * });
 *
 * const error = await assertRejects(() => book.competition(7), MismatchError);
 * assertEquals([error.field, error.asked, error.answered], ["auctionId", "7", "8"]);
 * ```
 */
export class MismatchError extends OrderlensError {
  /** Always `"mismatch"`. */
  override readonly code = "mismatch" as const;
  /** Method and path of the request, such as `GET /api/v1/version`. */
  readonly request: string;
  /** Field that differs, such as `uid` or `auctionId`. */
  readonly field: string;
  /** Value that was requested, or that follows from the request. */
  readonly asked: string;
  /** Value in the answer. */
  readonly answered: string;

  /** Builds the error from the request and the two values. */
  constructor(options: MismatchErrorOptions) {
    const { request, field, asked, answered, remedy } = options;
    super(`Cannot use the answer to ${request}: unexpected ${field}`, {
      facts: { asked, answered },
      remedy: remedy ??
        "Check the address of the deployment and any proxy in front of it, then retry; the answer is not about what was requested",
    });
    this.request = hideSecrets(request);
    this.field = field;
    this.asked = hideSecrets(asked);
    this.answered = hideSecrets(answered);
  }
}
