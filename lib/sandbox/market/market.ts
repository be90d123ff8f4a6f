import { hashAppData, type OrderDomain, orderDomain } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { KnownNotificationType } from "../../schemas/mod.ts";
import {
  CHAIN_ID,
  convertNativeAtoms,
  DEVELOPMENT_ACCOUNTS,
  ETHER,
  Ledger,
  OUTSIDE,
  Random,
  SETTLEMENT_CONTRACT,
  type SignatureVerifier,
  TOKENS,
  UNSUPPORTED_TOKEN,
  wrapNativeToken,
} from "./ledger.ts";
import { Book, type PendingSettlement, pushTo } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { Chain } from "./chain.ts";
import type { SandboxPenaltyCaps } from "./fee_policies.ts";
import { Liquidity } from "./liquidity.ts";
import { type GrossQuote, MarketTime, type SolverView } from "./market_quote.ts";

/** A quote that was returned to a client. */
export interface IssuedQuote {
  /** Tokens and kind. */
  readonly pair: { sellToken: string; buyToken: string; kind: "sell" | "buy" };
  /** Its gross amounts. */
  readonly gross: GrossQuote;
  /** Expiry, in milliseconds since the unix epoch. */
  readonly expiresMs: number;
  /** Id of the auction that an order with it begins; `null` if it is not for the fast path. */
  readonly auctionId: number | null;
}

/** Features of the service that are in no release. */
export interface MarketFeatures {
  /** Whether orders may take the fast path. */
  readonly fastPath?: boolean | undefined;
  /** Penalty caps of orders. */
  readonly penaltyCaps?: SandboxPenaltyCaps | undefined;
}

/** The empty app data document, registered from the start under its hash and the zero hash. */
const EMPTY_DOCUMENT = "{}";
const ZERO_HASH = `0x${"0".repeat(64)}`;

/** Opening balances of accounts and of the settlement contract, per token, in native atoms. */
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
  /** Whether orders may take the fast path. */
  readonly hasFastPath: boolean;
  /** Penalty caps of orders; `null` if they have none. */
  readonly penaltyCaps: SandboxPenaltyCaps | null;
  /** Its time. */
  readonly time: MarketTime = new MarketTime();
  /** Its stored data. */
  readonly book: Book = new Book();
  /** All balances. */
  readonly ledger: Ledger = new Ledger();
  /** The pools. */
  readonly liquidity: Liquidity = new Liquidity();
  /** Contracts with signature rules, by address. */
  readonly verifiers: Map<string, SignatureVerifier> = new Map();
  /** Quotes that were given out, by id. */
  readonly quotes: Map<number, IssuedQuote> = new Map();
  /** Its blocks, and the transactions in them. */
  readonly chain: Chain = new Chain();
  /** Settlements under way. */
  readonly pending: Set<PendingSettlement> = new Set();
  /** Id, block and orders of the current auction. */
  auction: { id: number; block: number; orders: readonly BookOrder[] } | null = null;
  /** Number of the current block. */
  block = 1_000;
  /** Id of the latest auction. */
  auctionId = 1_000;
  /** Id of the latest quote. */
  quoteId = 0;
  /** Gas price, in wei per gas unit. */
  gasPrice = OPENING_GAS_PRICE;
  #notificationId = 0;

  /** Opens a market and funds all accounts. */
  constructor(seed: number, { fastPath = false, penaltyCaps }: MarketFeatures = {}) {
    this.seed = seed;
    this.hasFastPath = fastPath;
    this.penaltyCaps = penaltyCaps ?? null;
    for (const hash of [hashAppData(EMPTY_DOCUMENT), ZERO_HASH]) {
      this.book.documents.set(hash, EMPTY_DOCUMENT);
    }
    for (const pool of this.liquidity.pools) {
      for (const token of pool.tokens) {
        this.ledger.move(token, pool.getReserve(token), { from: OUTSIDE, to: pool.address });
      }
    }
    this.#endow(SETTLEMENT_CONTRACT, BUFFERS);
    for (const account of DEVELOPMENT_ACCOUNTS) this.fund(account.address);
  }

  /** Gives an account its opening balances. */
  fund(account: string): void {
    this.#endow(account, FUNDS);
  }

  /** Gives a holder an amount of this native value of each token. */
  #endow(holder: string, worth: bigint): void {
    for (const { address, openingPrice } of [...TOKENS, UNSUPPORTED_TOKEN]) {
      this.ledger.move(address, convertNativeAtoms(worth, openingPrice), {
        from: OUTSIDE,
        to: holder,
      });
    }
  }

  /** Creates the opening block of the chain once, before the chain is read or extended. */
  openChain(): void {
    if (this.chain.latest !== null) return;
    const { block, time, gasPrice } = this;
    this.chain.begin({ number: block, timestamp: time.seconds, gasPrice });
    this.chain.seal();
  }

  /** Signs an order on-chain: it counts at once, and its transaction is in the next block. */
  preSign(order: BookOrder): void {
    if (order.isPreSigned) return;
    order.isPreSigned = true;
    this.chain.preSigned.push(order);
  }

  /** Cancels an order. Auctions exclude it from now on; a pending settlement may still fill it. */
  cancel(order: BookOrder): void {
    if (order.isCancelled) return;
    order.isCancelled = true;
    order.addEvent("cancelled", this.time.stamp());
    this.book.end(order, this.block);
    this.notify(order.owner, "order_cancelled", {
      message: "Your order was cancelled",
      metadata: { orderUid: order.uid },
    });
  }

  /** Whether a contract accepts a signature; `false` if its verifier throws. */
  async isSignedBy(
    contract: string,
    { digest, signature }: { digest: string; signature: string },
  ): Promise<boolean> {
    try {
      return await this.verifiers.get(contract)?.(digest, signature) ?? false;
    } catch {
      return false;
    }
  }

  /** Creates an independent stream of random numbers. */
  createRandom(stream: string): Random {
    return new Random(this.seed, stream);
  }

  /** Price of a token, in native atoms per 10^18 atoms; `null` if it has none. */
  nativePrice(token: string): bigint | null {
    return this.liquidity.nativePrice(wrapNativeToken(token));
  }

  /**
   * Native value of one atom of a token, in native atoms, as a double; `null` if it has no price.
   */
  atomPrice(token: string): number | null {
    const price = this.nativePrice(token);
    return price === null ? null : Number(price) / Number(ETHER);
  }

  /** Prices of all traded tokens; each has a pool with the wrapped native token. */
  nativePrices(): Record<string, bigint> {
    const prices: Record<string, bigint> = {};
    for (const { address } of TOKENS) prices[address] = this.nativePrice(address)!;
    prices[NATIVE_TOKEN_ADDRESS] = ETHER;
    return prices;
  }

  /** The current market as solvers see it. */
  get solverView(): SolverView {
    const { liquidity, gasPrice, ledger } = this;
    return {
      liquidity,
      gasPrice,
      priceOf: (token) => this.atomPrice(token),
      balanceOf: (owner, token) => ledger.balanceOf(owner, token),
    };
  }

  /** Whether an address is a token that accounts can hold. */
  isToken(token: string): boolean {
    return token === UNSUPPORTED_TOKEN.address || TOKENS.some(({ address }) => address === token);
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
