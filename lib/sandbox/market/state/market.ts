import { hashAppData, type OrderDomain, orderDomain } from "../../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../../networks/networks.ts";
import type { KnownNotificationType } from "../../../schemas/mod.ts";
import { Book, pushTo } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { DEVELOPMENT_ACCOUNTS } from "./development_accounts.ts";
import { Ledger, OUTSIDE } from "./ledger.ts";
import { Liquidity } from "./liquidity.ts";
import type { GrossQuote } from "./market_quote.ts";
import { MarketTime } from "./market_time.ts";
import type { PendingSettlement } from "./pending_settlement.ts";
import { Random } from "./random.ts";
import type { SolverView } from "./solver_view.ts";
import { atomsWorth, ETHER } from "./token_worth.ts";
import { REFUSED_TOKEN, TOKENS, tradedAs } from "./tokens.ts";

/** Chain that the sandbox says it is on: a test network that public clients know. */
export const CHAIN_ID = NETWORKS.sepolia.chainId;
/** Settlement contract that orders are signed for: the one of all public networks. */
export const SETTLEMENT_CONTRACT = NETWORKS.sepolia.contracts.settlement.production;

/** Whether a signature of a contract is good: what its `isValidSignature` says. */
export type SignatureVerifier = (digest: string, signature: string) => boolean | Promise<boolean>;

/** A quote that was given out. */
export interface GivenQuote {
  /** What it was for. */
  readonly pair: { sellToken: string; buyToken: string; kind: "sell" | "buy" };
  /** Its amounts, gross. */
  readonly gross: GrossQuote;
  /** When it ends, in milliseconds since the unix epoch. */
  readonly expiresMs: number;
}

/** The document of orders that say nothing more, known from the start by its hash and by none. */
const EMPTY_DOCUMENT = "{}";
const NO_HASH = `0x${"0".repeat(64)}`;

/** What every account begins with of every token, and the settlement contract's buffers. */
const FUNDS = 200_000n * ETHER;
const BUFFERS = 20_000n * ETHER;
/** Wei per gas unit. */
const OPENING_GAS_PRICE = 1_200_000_007;

/** A market in which orders are traded: accounts, tokens, pools, and the book. */
export class Market {
  /** Domain that orders are signed in. */
  readonly domain: OrderDomain = orderDomain({
    chainId: CHAIN_ID,
    settlementContract: SETTLEMENT_CONTRACT,
  });
  /** Its seed. */
  readonly seed: number;
  /** Its time. */
  readonly time: MarketTime = new MarketTime();
  /** What is stored. */
  readonly book: Book = new Book();
  /** Who holds what. */
  readonly ledger: Ledger = new Ledger();
  /** The pools. */
  readonly liquidity: Liquidity = new Liquidity();
  /** Contracts that sign by a rule of their own. */
  readonly verifiers: Map<string, SignatureVerifier> = new Map();
  /** Quotes that were given out, by id. */
  readonly quotes: Map<number, GivenQuote> = new Map();
  /** Settlements under way. */
  readonly pending: Set<PendingSettlement> = new Set();
  /** Orders of the auction that is on, and its id and block. */
  auction: { id: number; block: number; orders: readonly BookOrder[] } | null = null;
  /** The block that is being built. */
  block = 1_000;
  /** Events of the block so far. */
  logsInBlock = 0;
  /** Id of the latest auction. */
  auctionId = 1_000;
  /** Id of the latest quote. */
  quoteId = 0;
  /** Gas price, in wei per gas unit. */
  gasPrice = OPENING_GAS_PRICE;
  #notificationId = 0;

  /** Opens a market and gives everybody their funds. */
  constructor(seed: number) {
    this.seed = seed;
    for (const hash of [hashAppData(EMPTY_DOCUMENT), NO_HASH]) {
      this.book.documents.set(hash, EMPTY_DOCUMENT);
    }
    for (const pool of this.liquidity.pools) {
      for (const token of pool.tokens) {
        this.ledger.move(token, pool.reserveOf(token), { from: OUTSIDE, to: pool.name });
      }
    }
    this.#endow(SETTLEMENT_CONTRACT, BUFFERS);
    for (const account of DEVELOPMENT_ACCOUNTS) this.fund(account.address);
  }

  /** Gives an account what accounts begin with. */
  fund(account: string): void {
    this.#endow(account, FUNDS);
  }

  /** Gives a holder what so many native atoms buy of each token. */
  #endow(holder: string, worth: bigint): void {
    for (const { address, openingPrice } of [...TOKENS, REFUSED_TOKEN]) {
      this.ledger.move(address, atomsWorth(worth, openingPrice), { from: OUTSIDE, to: holder });
    }
  }

  /** A stream of random numbers of its own. */
  random(stream: string): Random {
    return new Random(this.seed, stream);
  }

  /** Price of a token: native atoms for 10^18 of its atoms; `null` where the market knows none. */
  nativePrice(token: string): bigint | null {
    return this.liquidity.nativePrice(tradedAs(token));
  }

  /**
   * Worth of one atom of a token, in native atoms, as a double; `null` where the market knows none.
   */
  atomPrice(token: string): number | null {
    const price = this.nativePrice(token);
    return price === null ? null : Number(price) / Number(ETHER);
  }

  /** Prices of all traded tokens, each of which has a pool with the wrapped native one. */
  nativePrices(): Record<string, bigint> {
    const prices: Record<string, bigint> = {};
    for (const { address } of TOKENS) prices[address] = this.nativePrice(address)!;
    prices[NATIVE_TOKEN_ADDRESS] = ETHER;
    return prices;
  }

  /** What solvers see of it now. */
  get solverView(): SolverView {
    const { liquidity, gasPrice, ledger } = this;
    return {
      liquidity,
      gasPrice,
      priceOf: (token) => this.atomPrice(token),
      balanceOf: (owner, token) => ledger.balanceOf(owner, token),
    };
  }

  /** Whether a token is one that accounts can hold. */
  isToken(token: string): boolean {
    return token === REFUSED_TOKEN.address || TOKENS.some(({ address }) => address === token);
  }

  /** Notifies an account. */
  notify(
    account: string,
    type: KnownNotificationType,
    { message, metadata }: { message: string; metadata: Record<string, string | number> },
  ): void {
    pushTo(this.book.notifications, account, {
      id: String(++this.#notificationId),
      account,
      type,
      message,
      timestamp: this.time.stamp(),
      metadata,
    });
  }
}
