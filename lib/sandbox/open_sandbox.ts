import {
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  rule,
  wholeFrom,
} from "../errors/option_rules.ts";
import type { SandboxLimits } from "./handlers/check_terms.ts";
import { Engine } from "./market/engine.ts";
import { MIN_KEPT_AUCTIONS } from "./market/history.ts";
import { BLOCK_MS } from "./market/market_quote.ts";
import { Sandbox } from "./sandbox.ts";
import { Service } from "./service/service.ts";

/** Options of {@linkcode openSandbox}. */
export interface SandboxOptions {
  /**
   * Seed of all randomness: a whole number from 0. In virtual time, the same seed and the same
   * requests give the same responses.
   *
   * @default {1}
   */
  readonly seed?: number;
  /**
   * Number of auctions to hold before it opens: a whole number from 0. Each takes one block of two
   * seconds of the sandbox's time and fills the book with orders, trades and competitions.
   *
   * @default {0}
   */
  readonly auctions?: number;
  /**
   * Maximum numbers of requests, orders and quotes per minute, and of open out-of-market orders per account.
   * Requests above a rate get 429 with `Retry-After`; an order above the maximum gets
   * `TooManyLimitOrders`.
   *
   * @default {no limits}
   */
  readonly limits?: SandboxLimits;
  /**
   * How time advances. `"virtual"`: by two seconds per auction, even while listening; only waits on
   * `clock` and `advance` hold auctions. `"wall"`: in real time from the start, with the initial
   * auctions just before now.
   *
   * @default {virtual until it listens, then real time}
   */
  readonly clock?: "virtual" | "wall";
  /**
   * Whether notifications are enabled. If not, their route answers 404, as on most deployments.
   *
   * @default {true}
   */
  readonly notifications?: boolean;
  /**
   * Number of latest auctions to keep: a whole number from 10. Older auctions are dropped, and with
   * them the orders that ended before, their trades and their notifications; open orders stay.
   * Fewer auctions are kept if they list more than 1,000,000 orders in total; of ended orders, the
   * latest 50,000 are kept.
   *
   * @default {5000}
   */
  readonly keptAuctions?: number;
}

const LIMITS: OptionRules<SandboxLimits> = {
  requestsPerMinute: wholeFrom(0),
  ordersPerMinute: wholeFrom(0),
  quotesPerMinute: wholeFrom(0),
  openLimitOrders: wholeFrom(0),
};

const OPTIONS: OptionRules<SandboxOptions> = {
  seed: wholeFrom(0),
  auctions: wholeFrom(0),
  limits: rule("an object of limits", (limits) => typeof limits === "object" && limits !== null),
  clock: oneOf("virtual", "wall"),
  notifications: FLAG,
  keptAuctions: wholeFrom(MIN_KEPT_AUCTIONS),
};

/**
 * Opens a complete in-process order book: a market with pools and traders, solvers that compete in
 * auctions, and every operation of the service, with its paths, statuses and error texts.
 *
 * The ten development accounts of Anvil and Hardhat are funded and approved for every token; all
 * but the first trade on their own, about two orders per auction. Signatures are real: UIDs are
 * digests, and signers are recoverOrReject. As long as time is virtual, the same seed gives the same
 * bytes on every machine: time starts at 2026-11-21 and advances two seconds per auction.
 *
 * What the service rejects is rejected for the same reason, in the same order of checks: orders of
 * accounts without funds (`InsufficientBalance`), of `deniedAccounts` of the description
 * (`Forbidden`), for its `unsupportedTokens` (`UnsupportedToken`), from addresses that are not
 * tokens (`TransferSimulationFailed`); quotes without a pool (`NoLiquidity`) or too small for their
 * gas (`SellAmountDoesNotCoverFee`). An unknown quote id is not an error: a fresh quote is stored
 * with the order, as the service does. All approvals are set, so `InsufficientAllowance` never
 * occurs.
 *
 * History is bounded (`keptAuctions`): older data is answered as if it never existed, except for
 * `total_surplus`, which counts everything. Client data is not bounded: open orders and registered
 * documents stay.
 *
 * @param options The seed and other options.
 * @throws {InputError} If an option is invalid.
 * @example An order book after twenty auctions
 * ```ts
 * import { connect } from "orderlens";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const latest = await book.competition("latest");
 *
 * assertEquals(book.chainId, 11155111);
 * assertEquals(latest.solutions.at(-1)?.isWinner, true);
 * ```
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options, OPTIONS, "Cannot open a sandbox");
  const { seed = 1, auctions = 0, limits = {}, clock, notifications, keptAuctions } = options;
  checkOptions(limits, LIMITS, "Cannot limit a sandbox");
  const engine = new Engine(seed, keptAuctions === undefined ? {} : { keptAuctions });
  if (clock === "wall") engine.market.time.begin(Date.now() - auctions * BLOCK_MS);
  const service = new Service(engine.market, { limits, notifications });
  const sandbox = new Sandbox(engine, { service, isVirtual: clock === "virtual" });
  await sandbox.advance({ auctions });
  if (clock === "wall") engine.market.time.follow(() => Date.now());
  return sandbox;
}
