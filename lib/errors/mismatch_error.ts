import { OrderlensError } from "./orderlens_error.ts";
import { hideSecrets } from "./secrets.ts";

/** What a {@linkcode MismatchError} carries. */
export interface MismatchErrorOptions {
  /** Method and path of the request, as `GET /api/v1/version`. */
  request: string;
  /** What the answer has another of, as `uid` or `auctionId`. */
  field: string;
  /** What was asked for, or follows from it. */
  asked: string;
  /** What the answer has instead. */
  answered: string;
  /** What to do, where it is not the usual. */
  remedy?: string | undefined;
}

/**
 * Thrown when an answer is about something else than what was asked for: a record of another order, an
 * auction of another id, a document with another hash. Never retried, and nothing of it is given.
 *
 * @example An order book that answers with another auction
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
  /** Method and path of the request, as `GET /api/v1/version`. */
  readonly request: string;
  /** What the answer has another of, as `uid` or `auctionId`. */
  readonly field: string;
  /** What was asked for, or follows from it. */
  readonly asked: string;
  /** What the answer has instead. */
  readonly answered: string;

  /** Builds the error from the request and the two values. */
  constructor(options: MismatchErrorOptions) {
    const { request, field, asked, answered, remedy } = options;
    super(`Cannot take the answer to ${request}: it has another ${field}`, {
      facts: { asked, answered },
      remedy: remedy ??
        "Check the address of the deployment and what stands between, and ask again; the answer is not what was asked for",
    });
    this.request = hideSecrets(request);
    this.field = field;
    this.asked = hideSecrets(asked);
    this.answered = hideSecrets(answered);
  }
}
