import { NATIVE_TOKEN_ADDRESS } from "../../../networks/networks.ts";
import { powerOfTen } from "../../../units/mod.ts";
import { ETHER } from "./token_worth.ts";

/** A token of the sandbox. */
export interface SandboxToken {
  /** Address, in lower case. */
  readonly address: string;
  /** Short name. */
  readonly symbol: string;
  /** Decimals of the token. */
  readonly decimals: number;
}

/** A token with where its price begins. */
export interface PricedToken extends SandboxToken {
  /** Worth of 10^18 of its atoms when the market opens, in native atoms. */
  readonly openingPrice: bigint;
}

/** What is traded, the wrapped native token first, and what one token is worth at the opening. */
const LISTED: readonly (readonly [symbol: string, decimals: number, nativeAtoms: bigint])[] = [
  ["WETH", 18, ETHER],
  ["USDC", 6, 4n * 10n ** 14n],
  ["DAI", 18, 4n * 10n ** 14n],
  ["GNO", 18, 4n * 10n ** 16n],
  ["WBTC", 8, 24n * ETHER],
  ["COW", 18, 10n ** 14n],
];

/** Tokens that are traded; the first is the wrapped native one. */
export const TOKENS: readonly PricedToken[] = Object.freeze(
  LISTED.map(([symbol, decimals, nativeAtoms], at) => ({
    address: addressOf(at + 1),
    symbol,
    decimals,
    openingPrice: nativeAtoms * ETHER / powerOfTen(decimals),
  })),
);

/** The wrapped native token: what the native token is traded as. */
export const WRAPPED_NATIVE: string = addressOf(1);

function addressOf(number: number): string {
  return `0x57e7${String(number).padStart(36, "0")}`;
}

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
