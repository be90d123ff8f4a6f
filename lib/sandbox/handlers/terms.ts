import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import {
  CHAIN_ID,
  DEVELOPMENT_ACCOUNTS,
  type SandboxToken,
  SETTLEMENT_CONTRACT,
  TOKENS,
  UNSUPPORTED_TOKEN,
  wrapNativeToken,
  WRAPPED_NATIVE,
} from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";
import { badRequest, rejection } from "../wire/reply.ts";

/** An account whose orders and quote requests are rejected. */
const DENIED_ACCOUNT = "0xde71ed000000000000000000000000000000bad1";

/** Minimum validity of an order, in seconds. */
const MIN_VALIDITY_SEC = 60;
/** Maximum validity of an order, in seconds: one year. */
const MAX_VALIDITY_SEC = 31_536_000;

/** The terms that orders and quote requests share. */
type TermsToCheck =
  & { readonly owner: string }
  & Pick<
    SignedOrder,
    | "receiver"
    | "sellToken"
    | "buyToken"
    | "sellTokenBalance"
    | "buyTokenBalance"
    | "validTo"
    | "signingScheme"
  >;

/**
 * Checks accounts, balances, expiry and tokens of an order or quote request.
 *
 * @throws {Rejection} 400 or 403 with a type.
 */
export function checkTerms(market: Market, terms: TermsToCheck): void {
  if (terms.owner === DENIED_ACCOUNT || terms.receiver === DENIED_ACCOUNT) {
    throw rejection(403, "Forbidden", "Forbidden, your account is deny-listed");
  }
  checkBalances(terms);
  checkValidity(market, terms);
  checkTokens(terms);
}

function checkBalances({ sellTokenBalance, buyTokenBalance }: TermsToCheck): void {
  if (buyTokenBalance !== "erc20") {
    throw badRequest("UnsupportedBuyTokenDestination", `Type ${capitalize(buyTokenBalance)}`);
  }
  if (sellTokenBalance !== "erc20") {
    throw badRequest("UnsupportedSellTokenSource", `Type ${capitalize(sellTokenBalance)}`);
  }
}

function checkValidity(market: Market, { validTo, signingScheme }: TermsToCheck): void {
  const now = market.time.seconds;
  if (validTo < now + MIN_VALIDITY_SEC) {
    throw badRequest("InsufficientValidTo", "validTo is not far enough in the future");
  }
  if (signingScheme !== "presign" && validTo > now + MAX_VALIDITY_SEC) {
    throw badRequest("ExcessiveValidTo", "validTo is too far into the future");
  }
}

function checkTokens({ sellToken, buyToken }: TermsToCheck): void {
  // Selling the native token is checked next, with an error of its own.
  if (sellToken === wrapNativeToken(buyToken) || sellToken === buyToken) {
    throw badRequest("SameBuyAndSellToken", "Buy token is the same as the sell token.");
  }
  if (sellToken === NATIVE_TOKEN_ADDRESS) {
    throw badRequest(
      "InvalidNativeSellToken",
      "The chain's native token (Ether/xDai) cannot be used as the sell token",
    );
  }
  for (const token of [sellToken, buyToken]) {
    if (token === UNSUPPORTED_TOKEN.address) {
      throw badRequest("UnsupportedToken", `Token ${token} is unsupported: it is denied`);
    }
  }
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/**
 * Rate limits; what is not named is unlimited. Rates count the requests of all clients over the last
 * minute of the sandbox's time, including invalid requests but not those answered with 429. Open
 * orders are counted per account.
 */
export interface SandboxLimits {
  /** Maximum number of requests per minute: a whole number from 0. @default {no limit} */
  readonly requestsPerMinute?: number;
  /** Maximum number of order requests per minute: a whole number from 0. @default {no limit} */
  readonly ordersPerMinute?: number;
  /** Maximum number of quote requests per minute: a whole number from 0. @default {no limit} */
  readonly quotesPerMinute?: number;
  /**
   * Maximum number of open out-of-market orders per account: a whole number from 0.
   *
   * @default {no limit}
   */
  readonly openLimitOrders?: number;
}

/**
 * Creates a limit of requests per minute.
 *
 * @returns A function that counts a request: `null` if it is allowed now, else the number of seconds
 * after which it would be.
 */
export function createRateLimit(perMinute: number): (nowMs: number) => number | null {
  const times: number[] = [];
  return (nowMs) => {
    while (times.length > 0 && times[0]! <= nowMs - MINUTE_MS) times.shift();
    if (times.length < perMinute) {
      times.push(nowMs);
      return null;
    }
    const [oldest = nowMs] = times;
    return Math.ceil((oldest + MINUTE_MS - nowMs) / 1_000);
  };
}

/** The contents of a sandbox. */
export interface SandboxDescription {
  /** Chain that orders are signed for. */
  readonly chainId: number;
  /** Contract that orders are signed for. */
  readonly settlementContract: string;
  /** The wrapped native token. */
  readonly wrappedNativeToken: string;
  /** Its seed. */
  readonly seed: number;
  /** The latest auction. */
  readonly auctionId: number;
  /** The latest block. */
  readonly block: number;
  /** Its time, in unix seconds. */
  readonly now: number;
  /** Accounts that are funded and approved for every token. */
  readonly accounts: readonly string[];
  /** Tokens that are traded. */
  readonly tokens: readonly SandboxToken[];
  /** Tokens that the accounts hold but the order book rejects: `UnsupportedToken`. */
  readonly unsupportedTokens: readonly SandboxToken[];
  /** Accounts that it rejects: `Forbidden`. */
  readonly deniedAccounts: readonly string[];
  /** A few orders, newest first. */
  readonly orderUids: readonly string[];
}

const SAMPLE_SIZE = 20;

/** Describes the contents of a sandbox. */
export function describeSandbox(market: Market): SandboxDescription {
  const { orders } = market.book;
  return {
    chainId: CHAIN_ID,
    settlementContract: SETTLEMENT_CONTRACT,
    wrappedNativeToken: WRAPPED_NATIVE,
    seed: market.seed,
    auctionId: market.auctionId,
    block: market.block,
    now: market.time.seconds,
    accounts: DEVELOPMENT_ACCOUNTS.map((account) => account.address),
    tokens: TOKENS.map(omitPrice),
    unsupportedTokens: [omitPrice(UNSUPPORTED_TOKEN)],
    deniedAccounts: [DENIED_ACCOUNT],
    orderUids: [...orders.keys().drop(Math.max(0, orders.size - SAMPLE_SIZE))].reverse(),
  };
}

function omitPrice({ address, symbol, decimals }: SandboxToken): SandboxToken {
  return { address, symbol, decimals };
}
