import { parseOrderUid } from "../../evm/mod.ts";
import type { KnownEventLabel, KnownEventReason } from "../../schemas/mod.ts";
import { nativeValue } from "../../units/mod.ts";
import type { BookOrder } from "./book_order.ts";
import {
  convertNativeAtoms,
  OUTSIDE,
  type Random,
  TOKENS,
  UNSUPPORTED_TOKEN,
  verifyWalletSignature,
  WALLET_CONTRACT,
} from "./ledger.ts";
import { holdAuction } from "./hold_auction.ts";
import { type Pool, routeOutput } from "./liquidity.ts";
import { Market, type MarketFeatures } from "./market.ts";
import { settlePending } from "./settlements.ts";
import { Traders } from "./traders.ts";

/** Default number of auctions to keep. */
const DEFAULT_KEPT_AUCTIONS = 5_000;

/** Advances a market block by block. */
export class Engine {
  /** The market. */
  readonly market: Market;
  readonly #traders: Traders;
  readonly #forgetHistory: () => void;
  readonly #moveExternalMarkets: () => void;
  readonly #solversRandom: Random;
  #lastAdvance: Promise<void> = Promise.resolve();

  /** Opens a market that keeps the history of its latest auctions. */
  constructor(
    seed: number,
    { keptAuctions = DEFAULT_KEPT_AUCTIONS, ...features }: MarketFeatures & {
      readonly keptAuctions?: number | undefined;
    } = {},
  ) {
    this.market = new Market(seed, features);
    this.market.verifiers.set(WALLET_CONTRACT, verifyWalletSignature);
    this.#traders = new Traders(this.market);
    this.#forgetHistory = createPruner(this.market, keptAuctions);
    this.#moveExternalMarkets = createExternalMarkets(
      this.market,
      this.market.createRandom("outside"),
    );
    this.#solversRandom = this.market.createRandom("solvers");
  }

  /** Holds a number of auctions; concurrent calls run one after the other, even if one fails. */
  advance(auctionCount: number): Promise<void> {
    const advanced = this.#lastAdvance.then(() => this.#holdAuctions(auctionCount));
    this.#lastAdvance = advanced.catch(() => {});
    return advanced;
  }

  async #holdAuctions(auctionCount: number): Promise<void> {
    const { market } = this;
    for (let count = 0; count < auctionCount; count++) {
      market.openChain();
      market.time.tick();
      market.block++;
      settlePending(market);
      this.#moveExternalMarkets();
      await this.#traders.act(market);
      await verifyContractSignatures(market);
      await holdAuction(market, screenOrders(market), this.#solversRandom);
      this.#forgetHistory();
    }
  }
}

/**
 * Verifies the contract signatures of open orders again, as the service does before each auction. The
 * market's own wallet contract is skipped: its result never changes.
 */
export async function verifyContractSignatures(market: Market): Promise<void> {
  for (const order of market.book.open) {
    const { owner, uid, data: { signature, signingScheme } } = order;
    if (signingScheme !== "eip1271" || owner === WALLET_CONTRACT) continue;
    const { digest } = parseOrderUid(uid);
    order.isSignatureRevoked = !await market.isSignedBy(owner, { digest, signature });
  }
}

const MILLION = 1_000_000n;

/** Maximum random change of a token's price per block, in millionths. */
const PRICE_STEP = 350;

/** Reversion to the opening price per block, in millionths of the difference. */
const REVERSION = 600n;

/** Share of the difference to the external price that one arbitrage closes, in millionths. */
const ARBITRAGE_SHARE = 180_000n;

const POOLS_IN_1000 = 450;

/** Range of the gas price, and its maximum change per block, in wei per gas unit. */
const MIN_GAS_PRICE = 900_000_000;

const MAX_GAS_PRICE = 3_000_000_000;

const GAS_PRICE_STEP = 20_000_000;

/**
 * Creates external markets, which change prices and gas, and arbitrage the pools.
 *
 * @returns A function that advances them by one block.
 */
function createExternalMarkets(market: Market, random: Random): () => void {
  const prices = new Map(TOKENS.map(({ address, openingPrice }) => [address, openingPrice]));
  return () => {
    const gasPrice = market.gasPrice + random.between(-GAS_PRICE_STEP, GAS_PRICE_STEP);
    market.gasPrice = Math.min(MAX_GAS_PRICE, Math.max(MIN_GAS_PRICE, gasPrice));
    for (const { address, openingPrice } of TOKENS.slice(1)) {
      const price = prices.get(address)!;
      const wandered = price + price * BigInt(random.between(-PRICE_STEP, PRICE_STEP)) / MILLION;
      prices.set(address, wandered + (openingPrice - wandered) * REVERSION / MILLION);
    }
    for (const pool of market.liquidity.pools) {
      if (random.chance(POOLS_IN_1000)) arbitrage(market, pool, prices);
    }
  };
}

/** Trades a pool part of the way to the external price. */
function arbitrage(market: Market, pool: Pool, prices: ReadonlyMap<string, bigint>): void {
  const [x, y] = pool.tokens;
  const [worthX, worthY] = [x, y].map((token) =>
    nativeValue(pool.getReserve(token), prices.get(token)!)
  ) as [bigint, bigint];
  // Half of the difference in value, paid in on the cheaper side.
  const [token, gap] = worthX < worthY ? [x, worthY - worthX] : [y, worthX - worthY];
  const paid = convertNativeAtoms(gap / 2n * ARBITRAGE_SHARE / MILLION, prices.get(token)!);
  const out = routeOutput({ from: token, pools: [pool] }, paid);
  if (paid <= 0n || out <= 0n) return;
  market.ledger.move(token, paid, { from: OUTSIDE, to: pool.address });
  market.ledger.move(pool.getOtherToken(token), out, { from: pool.address, to: OUTSIDE });
  pool.exchange(token, { paid, out });
}

/** Native value below which the remaining amount is dust, in native atoms. */
const DUST = 10n ** 11n;

/** Ends expired orders; returns those of the next auction. */
export function screenOrders(market: Market): BookOrder[] {
  const ready: BookOrder[] = [];
  const now = market.time.seconds;
  const prices = new Map<string, bigint | null>();
  for (const order of market.book.open) {
    // Filled and cancelled orders are no longer open; only expiry remains to be checked.
    if (order.data.validTo < now) {
      market.book.end(order, market.block);
      if (order.fills.length === 0) notifyOfExpiry(market, order);
      continue;
    }
    if (order.validFrom !== null && order.validFrom > now) continue;
    const exclusion = findExclusion(market, order, prices);
    const [label, reason] = exclusion ?? READY;
    const isNewEvent = order.isNewEvent(label, reason);
    if (isNewEvent) order.addEvent(label, market.time.stamp(), reason);
    else market.time.skipStamp();
    if (exclusion === null) ready.push(order);
    else if (isNewEvent && reason === "insufficient_balance") notifyOfBalance(market, order);
  }
  return ready;
}

const READY = ["ready", undefined] as const;

/** Finds the reason to exclude an order; `null` if there is none. `prices` caches prices by token. */
function findExclusion(
  market: Market,
  order: BookOrder,
  prices: Map<string, bigint | null>,
): readonly [KnownEventLabel, KnownEventReason] | null {
  const { data } = order;
  const findPrice = (token: string): bigint | null => {
    let price = prices.get(token);
    if (price === undefined) prices.set(token, price = market.nativePrice(token));
    return price;
  };
  if (order.attempts > 0) return ["filtered", "in_flight"];
  if (order.isPresignaturePending || order.isSignatureRevoked) {
    return ["invalid", "invalid_signature"];
  }
  if (data.sellToken === UNSUPPORTED_TOKEN.address || data.buyToken === UNSUPPORTED_TOKEN.address) {
    return ["invalid", "unsupported_token"];
  }
  const balance = market.ledger.balanceOf(order.owner, data.sellToken);
  const minBalance = data.partiallyFillable ? 1n : data.sellAmount;
  if (balance < minBalance) return ["invalid", "insufficient_balance"];
  const price = findPrice(data.sellToken);
  if (price === null || findPrice(data.buyToken) === null) {
    return ["filtered", "missing_native_price"];
  }
  if (data.partiallyFillable && data.kind === "sell") {
    const sellable = order.remaining < balance ? order.remaining : balance;
    if (nativeValue(sellable, price) < DUST) return ["filtered", "dust_order"];
  }
  return null;
}

function notifyOfExpiry(market: Market, order: BookOrder): void {
  market.notify(order.owner, "order_expired", {
    message: "Your order expired without being filled",
    metadata: { orderUid: order.uid, validTo: order.data.validTo },
  });
}

function notifyOfBalance(market: Market, order: BookOrder): void {
  const { sellToken, sellAmount } = order.data;
  market.notify(order.owner, "insufficient_balance", {
    message: "Your order waits for a balance that covers it",
    metadata: { orderUid: order.uid, token: sellToken, sellAmount: String(sellAmount) },
  });
}

/** Minimum number of auctions to keep: pending settlements need theirs. */
export const MIN_KEPT_AUCTIONS = 10;
/** Maximum number of orders that the kept auctions list, over all auctions. */
const MAX_LISTED = 1_000_000;
/** Maximum number of ended orders to keep. */
const MAX_ENDED = 50_000;
/** Number of blocks between cleanups of open orders' history. */
const OPEN_ORDERS_INTERVAL = 64;

/**
 * Limits the history of a market to its latest auctions, so that its memory use stays bounded.
 *
 * @returns A function to call after each block; it drops older history.
 */
function createPruner(market: Market, keptAuctions: number): () => void {
  const { book, chain, time } = market;
  /** Start times of the kept blocks, in unix milliseconds, oldest first; 0 before all of them. */
  const blockStartsMs = [0];
  return () => {
    const { block } = market;
    blockStartsMs.push(time.ms);
    if (blockStartsMs.length > keptAuctions) blockStartsMs.shift();
    const firstBlock = block - keptAuctions + 1;
    forgetAuctions(market, firstBlock);
    chain.forget(firstBlock);
    for (const [order, endedAt] of book.ended) {
      const isOver = endedAt < firstBlock || book.ended.size > MAX_ENDED;
      if (!isOver || order.attempts > 0) break;
      book.forgetOrder(order);
    }
    const beforeMs = blockStartsMs[0]!;
    book.forgetNotifications(beforeMs);
    if (block % OPEN_ORDERS_INTERVAL !== 0) return;
    for (const order of book.open) {
      forgetEvents(order, beforeMs);
      book.pruneAuctions(order);
    }
  };
}

/** Drops old auctions; the latest one always stays. */
function forgetAuctions({ book, block }: Market, firstBlock: number): void {
  for (const auction of book.auctions.values()) {
    const { auctionStartBlock } = auction.competition;
    const isOver = auctionStartBlock < firstBlock ||
      book.listedCount > MAX_LISTED && auctionStartBlock <= block - MIN_KEPT_AUCTIONS;
    if (!isOver || auction === book.latestAuction) return;
    book.forgetAuction(auction);
  }
}

/** Drops old events; the last one always stays, because the order's stage depends on it. */
function forgetEvents({ events }: BookOrder, beforeMs: number): void {
  const firstIndex = events.findIndex(({ timestamp }) => timestamp.epochMilliseconds >= beforeMs);
  events.splice(0, firstIndex === -1 ? events.length - 1 : firstIndex);
}
