import {
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  rule,
  wholeFrom,
} from "../errors/option_rules.ts";
import { Engine } from "./market/engine.ts";
import { FEWEST_KEPT } from "./market/state/history.ts";
import { BLOCK_MS } from "./market/state/market_time.ts";
import { Sandbox } from "./sandbox.ts";
import type { SandboxLimits } from "./rules/rate_limit.ts";
import { Service } from "./service/service.ts";

/** How a sandbox is opened. */
export interface SandboxOptions {
  /** What all chance in it follows from: a whole number, 0 or more. @default {1} */
  readonly seed?: number;
  /** Auctions to hold before it opens. @default {0} */
  readonly auctions?: number;
  /** How many requests it takes. @default {any number} */
  readonly limits?: SandboxLimits;
  /**
   * `"virtual"` keeps time moving by auctions alone, also while it listens; `"wall"` follows the clock
   * on the wall from the start, with the auctions held before just behind it.
   *
   * @default {virtual until it listens, then the clock on the wall}
   */
  readonly clock?: "virtual" | "wall";
  /** Whether it has notifications; without them their route is absent, as on most deployments. @default {true} */
  readonly notifications?: boolean;
  /**
   * How many of the latest auctions are kept, with what happened in them: 10 or more. Older auctions
   * are absent, as are orders that ended before them, with their trades and notifications; open orders
   * stay. Fewer are kept where they list more than 1,000,000 orders in all, and of ended orders the
   * latest 50,000.
   *
   * @default {5000}
   */
  readonly keptAuctions?: number;
}

const LIMITS: OptionRules<SandboxLimits> = {
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
  keptAuctions: wholeFrom(FEWEST_KEPT),
};

/**
 * Opens a whole order book in the process: a market with pools and traders, solvers that compete in
 * auctions, and every operation of the service at its paths, with its statuses and its words.
 *
 * The ten development accounts of Anvil and Hardhat are funded and approved in every token; all but
 * the first trade by themselves, about two orders an auction. Signatures are real: UIDs are digests,
 * and signers are recovered. The same seed gives the same bytes on every machine, as long as time is
 * virtual: it begins at 2026-11-21 and moves by two seconds an auction.
 *
 * What the service refuses is refused for the same cause, in its order of checks: orders of accounts
 * without funds (`InsufficientBalance`), of `deniedAccounts` of the description (`Forbidden`), for its
 * `unsupportedTokens` (`UnsupportedToken`), from what is no token (`TransferSimulationFailed`); quotes
 * for what has no pool (`NoLiquidity`) or too small for its gas (`SellAmountDoesNotCoverFee`). An
 * unknown quote id is no error: a fresh quote is stored with the order, as the service does. Everybody
 * has approved everything, so that `InsufficientAllowance` has no cause here.
 *
 * The past is kept within bounds (`keptAuctions`): what is older is answered as what never was, except
 * for `total_surplus`, which counts everything. What clients bring is theirs to bound: open orders and
 * the documents they register stay.
 *
 * @param options The seed, and what else differs from the defaults.
 * @throws {InputError} If an option means nothing.
 * @example An order book with twenty auctions behind it
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
