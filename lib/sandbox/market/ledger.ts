import { NETWORKS } from "../../networks/mod.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/network.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { mulDivDown, powerOfTen } from "../../units/mod.ts";

/** The one holder with unbounded balances: the source and sink of tokens. */
export const OUTSIDE = "outside";

/** The balances of all holders. Tokens only move, so that they always sum to 0. */
export class Ledger {
  readonly #balances = new Map<string, Map<string, bigint>>();

  /** The balance of a holder, in atoms; only `OUTSIDE` goes below 0. */
  balanceOf(holder: string, token: string): bigint {
    return this.#balances.get(token)?.get(holder) ?? NOTHING;
  }

  /**
   * Moves atoms of a token from one holder to another.
   *
   * @throws {RangeError} If the balance is insufficient, or the amount is negative.
   */
  move(token: string, atoms: bigint, path: { from: string; to: string }): void {
    const { from, to } = path;
    const remaining = this.balanceOf(from, token) - atoms;
    if (atoms < 0n || (remaining < 0n && from !== OUTSIDE)) {
      throw new RangeError(
        `Cannot move ${atoms} atoms of ${token} from ${from}: ${remaining} would remain`,
      );
    }
    const balances = this.#balances.get(token) ?? new Map<string, bigint>();
    this.#balances.set(token, balances);
    balances.set(from, remaining);
    balances.set(to, (balances.get(to) ?? NOTHING) + atoms);
  }

  /** All balances, by token and holder. */
  *entries(): Generator<{ token: string; holder: string; atoms: bigint }> {
    for (const [token, balances] of this.#balances) {
      for (const [holder, atoms] of balances) yield { token, holder, atoms };
    }
  }
}

const NOTHING = 0n;

/**
 * Pseudorandom numbers that are the same for the same seed on every machine (xoshiro128**).
 *
 * Integers only, so that no decision depends on floating-point rounding.
 */
export class Random {
  readonly #state: Uint32Array;

  /**
   * Starts a stream.
   *
   * @param seed The seed.
   * @param stream Name of the stream; streams of one seed are independent.
   */
  constructor(seed: number, stream: string) {
    let mixed = seed >>> 0;
    for (let at = 0; at < stream.length; at++) {
      mixed = Math.imul(mixed ^ stream.charCodeAt(at), 0x9e3779b1) >>> 0;
    }
    mixed ^= Math.floor(seed / 0x1_0000_0000) >>> 0;
    this.#state = new Uint32Array(4).map(() => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
      word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
      return (word ^ (word >>> 16)) >>> 0;
    });
    this.#state[3]! |= 1;
  }

  /** The next 32 bits. */
  next(): number {
    const state = this.#state;
    const scrambled = Math.imul(rotated(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotated(state[3]!, 11);
    return scrambled;
  }

  /** A whole number from 0 to below `limit`, which is at most 2^32. */
  below(limit: number): number {
    return Math.floor(this.next() / 0x1_0000_0000 * limit);
  }

  /** A whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True with a probability of `thousandths` in a thousand. */
  chance(thousandths: number): boolean {
    return this.below(1000) < thousandths;
  }

  /** One of `choices`. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** Random bytes as hex with `0x`. */
  hex(bytes: number): string {
    let text = "0x";
    for (let at = 0; at < bytes; at += 4) {
      text += this.next().toString(16).padStart(8, "0").slice(0, Math.min(8, (bytes - at) * 2));
    }
    return text;
  }
}

function rotated(word: number, by: number): number {
  return ((word << by) | (word >>> (32 - by))) >>> 0;
}

/** Atoms of one ether; native prices are per this many atoms of a token. */
export const ETHER = 10n ** 18n;

/**
 * Converts native atoms to atoms of a token at its price, rounded down.
 *
 * @param nativeAtoms Native atoms, `0n` or more.
 * @param price Native atoms per 10^18 atoms of the token, above `0n`.
 */
export function atomsWorth(nativeAtoms: bigint, price: bigint): bigint {
  return mulDivDown(nativeAtoms, ETHER, price);
}

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

/** Chain id of the sandbox: a test network that public clients know. */
export const CHAIN_ID = NETWORKS.sepolia.chainId;
/** Settlement contract that orders are signed for: that of all public networks. */
export const SETTLEMENT_CONTRACT = NETWORKS.sepolia.contracts.settlement.production;
/** Takes in what traders sell; everybody has approved it. */
export const VAULT_RELAYER: string = NETWORKS.sepolia.contracts.vaultRelayer.production;
/** Says who is a solver. */
export const AUTHENTICATOR: string = SOLVER_AUTHENTICATOR;
/** Trades with pools; the settlement contract has approved it. */
export const ROUTER = "0x4007e40000000000000000000000000000000001";
