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

/** A token with its opening price. */
export interface PricedToken extends SandboxToken {
  /** Opening price, in native atoms per 10^18 atoms. */
  readonly openingPrice: bigint;
}

/** Traded tokens, the wrapped native token first, with the opening value of one token. */
const LISTED: readonly (readonly [symbol: string, decimals: number, nativeAtoms: bigint])[] = [
  ["WETH", 18, ETHER],
  ["USDC", 6, 4n * 10n ** 14n],
  ["DAI", 18, 4n * 10n ** 14n],
  ["GNO", 18, 4n * 10n ** 16n],
  ["WBTC", 8, 24n * ETHER],
  ["COW", 18, 10n ** 14n],
];

/** Traded tokens; the first is the wrapped native token. */
export const TOKENS: readonly PricedToken[] = Object.freeze(
  LISTED.map(([symbol, decimals, nativeAtoms], at) => ({
    address: addressOf(at + 1),
    symbol,
    decimals,
    openingPrice: nativeAtoms * ETHER / powerOfTen(decimals),
  })),
);

/** The wrapped native token; the native token is traded as this. */
export const WRAPPED_NATIVE: string = addressOf(1);

function addressOf(number: number): string {
  return `0x57e7${String(number).padStart(36, "0")}`;
}

/** A token that accounts hold but the order book rejects. */
export const UNSUPPORTED_TOKEN: PricedToken = Object.freeze({
  address: "0x57e7000000000000000000000000000000000bad",
  symbol: "FEE",
  decimals: 18,
  openingPrice: 10n ** 14n,
});

/** Maps the native token to the wrapped one; other tokens stay as they are. */
export function tradedAs(token: string): string {
  return token === NATIVE_TOKEN_ADDRESS ? WRAPPED_NATIVE : token;
}
