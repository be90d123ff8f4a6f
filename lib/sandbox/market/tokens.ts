import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import { ETHER } from "./token_worth.ts";

/** A token of the sandbox. */
export interface SandboxToken {
  /** Address, in lower case. */
  readonly address: string;
  /** Short name. */
  readonly symbol: string;
  /** Digits after the point of one token. */
  readonly decimals: number;
}

/** A token with where its price begins. */
export interface PricedToken extends SandboxToken {
  /** Worth of 10^18 of its atoms when the market opens, in native atoms. */
  readonly openingPrice: bigint;
}

/** The wrapped native token: what the native token is traded as. */
export const WRAPPED_NATIVE = "0x57e7000000000000000000000000000000000001";

/** Tokens that are traded; the first is the wrapped native one. */
export const TOKENS: readonly PricedToken[] = Object.freeze([
  { address: WRAPPED_NATIVE, symbol: "WETH", decimals: 18, openingPrice: ETHER },
  {
    address: "0x57e7000000000000000000000000000000000002",
    symbol: "USDC",
    decimals: 6,
    openingPrice: 4n * 10n ** 26n,
  },
  {
    address: "0x57e7000000000000000000000000000000000003",
    symbol: "DAI",
    decimals: 18,
    openingPrice: 4n * 10n ** 14n,
  },
  {
    address: "0x57e7000000000000000000000000000000000004",
    symbol: "GNO",
    decimals: 18,
    openingPrice: 4n * 10n ** 16n,
  },
  {
    address: "0x57e7000000000000000000000000000000000005",
    symbol: "WBTC",
    decimals: 8,
    openingPrice: 24n * 10n ** 28n,
  },
  {
    address: "0x57e7000000000000000000000000000000000006",
    symbol: "COW",
    decimals: 18,
    openingPrice: 10n ** 14n,
  },
]);

/** A token that accounts hold and that the order book refuses to trade. */
export const REFUSED_TOKEN: PricedToken = Object.freeze({
  address: "0x57e7000000000000000000000000000000000bad",
  symbol: "FEE",
  decimals: 18,
  openingPrice: 10n ** 14n,
});

/** What a token is traded as: the native token is its wrapped one. */
export function tradedAs(token: string): string {
  return token === NATIVE_TOKEN_ADDRESS ? WRAPPED_NATIVE : token;
}
