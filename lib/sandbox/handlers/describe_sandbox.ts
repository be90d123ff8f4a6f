import { DEVELOPMENT_ACCOUNTS } from "../market/accounts.ts";
import {
  CHAIN_ID,
  type SandboxToken,
  SETTLEMENT_CONTRACT,
  TOKENS,
  UNSUPPORTED_TOKEN,
  WRAPPED_NATIVE,
} from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import { DENIED_ACCOUNT } from "./check_terms.ts";

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
  return {
    chainId: CHAIN_ID,
    settlementContract: SETTLEMENT_CONTRACT,
    wrappedNativeToken: WRAPPED_NATIVE,
    seed: market.seed,
    auctionId: market.auctionId,
    block: market.block,
    now: market.time.seconds,
    accounts: DEVELOPMENT_ACCOUNTS.map((account) => account.address),
    tokens: TOKENS.map(withoutPrice),
    unsupportedTokens: [withoutPrice(UNSUPPORTED_TOKEN)],
    deniedAccounts: [DENIED_ACCOUNT],
    orderUids: newestUids(market),
  };
}

function newestUids({ book: { orders } }: Market): string[] {
  return [...orders.keys().drop(Math.max(0, orders.size - SAMPLE_SIZE))].reverse();
}

function withoutPrice({ address, symbol, decimals }: SandboxToken): SandboxToken {
  return { address, symbol, decimals };
}
