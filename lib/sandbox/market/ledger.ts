import { NETWORKS } from "../../networks/mod.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/network.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { mulDivDown, powerOfTen } from "../../units/mod.ts";
import { recoverSigner } from "../../evm/orders/request_signature.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";

/** Holder with unbounded balances: the source and sink of tokens. */
export const OUTSIDE = "outside";

/** The balances of all holders. Tokens only move, so that they always sum to 0. */
export class Ledger {
  readonly #balances = new Map<string, Map<string, bigint>>();

  /** The balance of a holder, in atoms; only `OUTSIDE` goes below 0. */
  balanceOf(holder: string, token: string): bigint {
    return this.#balances.get(token)?.get(holder) ?? ZERO;
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
    balances.set(to, (balances.get(to) ?? ZERO) + atoms);
  }

  /** All balances, by token and holder. */
  *entries(): Generator<{ token: string; holder: string; atoms: bigint }> {
    for (const [token, balances] of this.#balances) {
      for (const [holder, atoms] of balances) yield { token, holder, atoms };
    }
  }
}

const ZERO = 0n;

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
    for (let index = 0; index < stream.length; index++) {
      mixed = Math.imul(mixed ^ stream.charCodeAt(index), 0x9e3779b1) >>> 0;
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
    const scrambled = Math.imul(rotateLeft(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotateLeft(state[3]!, 11);
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
    for (let offset = 0; offset < bytes; offset += 4) {
      text += this.next().toString(16).padStart(8, "0").slice(0, Math.min(8, (bytes - offset) * 2));
    }
    return text;
  }
}

function rotateLeft(word: number, bits: number): number {
  return ((word << bits) | (word >>> (32 - bits))) >>> 0;
}

/** Atoms of one ether; native prices are per this many atoms of a token. */
export const ETHER = 10n ** 18n;

/**
 * Converts native atoms to atoms of a token at its price, rounded down.
 *
 * @param nativeAtoms Native atoms, `0n` or more.
 * @param price Native atoms per 10^18 atoms of the token, above `0n`.
 */
export function convertNativeAtoms(nativeAtoms: bigint, price: bigint): bigint {
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
const LISTED_TOKENS: readonly (readonly [symbol: string, decimals: number, nativeAtoms: bigint])[] =
  [
    ["WETH", 18, ETHER],
    ["USDC", 6, 4n * 10n ** 14n],
    ["DAI", 18, 4n * 10n ** 14n],
    ["GNO", 18, 4n * 10n ** 16n],
    ["WBTC", 8, 24n * ETHER],
    ["COW", 18, 10n ** 14n],
  ];

/** Traded tokens; the first is the wrapped native token. */
export const TOKENS: readonly PricedToken[] = Object.freeze(
  LISTED_TOKENS.map(([symbol, decimals, nativeAtoms], index) => ({
    address: toTokenAddress(index + 1),
    symbol,
    decimals,
    openingPrice: nativeAtoms * ETHER / powerOfTen(decimals),
  })),
);

/** The wrapped native token; the native token is traded as this. */
export const WRAPPED_NATIVE: string = toTokenAddress(1);

function toTokenAddress(number: number): string {
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
export function wrapNativeToken(token: string): string {
  return token === NATIVE_TOKEN_ADDRESS ? WRAPPED_NATIVE : token;
}

/** Chain id of the sandbox: a test network that public clients know. */
export const CHAIN_ID = NETWORKS.sepolia.chainId;
/** Settlement contract that orders are signed for: that of all public networks. */
export const SETTLEMENT_CONTRACT = NETWORKS.sepolia.contracts.settlement.production;
/** Contract that transfers sold tokens; all accounts have approved it. */
export const VAULT_RELAYER: string = NETWORKS.sepolia.contracts.vaultRelayer.production;
/** Contract that lists the solvers. */
export const AUTHENTICATOR: string = SOLVER_AUTHENTICATOR;
/** Contract that trades with pools; the settlement contract has approved it. */
export const ROUTER = "0x4007e40000000000000000000000000000000001";

/** An account with a publicly known key. */
export interface DevelopmentAccount {
  /** Address, in lower case. */
  readonly address: string;
  /** Private key: publicly known, printed by every development node. */
  readonly privateKey: string;
}

/**
 * The ten default accounts of Anvil and Hardhat, from the mnemonic
 * `test test test test test test test test test test test junk`.
 *
 * Their keys are public, so never use them for anything of value outside a sandbox.
 */
export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = Object.freeze(
  `
0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80
0x70997970c51812dc3a010c7d01b50e0d17dc79c8 0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d
0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc 0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a
0x90f79bf6eb2c4f870365e785982e1f101e93b906 0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6
0x15d34aaf54267db7d7c367839aaf71a00a2c6a65 0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a
0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc 0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba
0x976ea74026e726554db657fa54763abd0c3a0aa9 0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e
0x14dc79964da2c08b23698b3d3cc7ca32193d9955 0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356
0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f 0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97
0xa0ee7a142d267c1f36714e4a8f75612f20a79720 0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6
`.trim().split("\n").map(parseAccount),
);

/** Parses an account. Its key is not enumerable, so that printing it never shows the key. */
function parseAccount(line: string): DevelopmentAccount {
  const [address = "", privateKey = ""] = line.split(" ");
  const account = { address, privateKey };
  Object.defineProperty(account, "privateKey", { enumerable: false });
  return Object.freeze(account);
}

/** The rule by which a contract validates signatures, as its `isValidSignature` does on-chain. */
export type SignatureVerifier = (digest: string, signature: string) => boolean | Promise<boolean>;

/** A contract that trades in the market: it accepts signatures of its single owner. */
export const WALLET_CONTRACT = "0x1271000000000000000000000000000000000001";

/** The owner of the wallet contract. */
export const WALLET_OWNER = DEVELOPMENT_ACCOUNTS[8]!;

/** Verifies a signature as the wallet contract does. */
export const verifyWalletSignature: SignatureVerifier = async (digest, signature) => {
  try {
    const signer = await recoverSigner(digest, { signature, signingScheme: "eip712" });
    return signer === WALLET_OWNER.address;
  } catch {
    return false;
  }
};

/** Converts a signature for the settlement contract: contract and on-chain signatures start with the owner. */
export function toSettlementSignature(
  { signingScheme, signature }: SignedOrder,
  owner: string,
): string {
  if (signingScheme === "presign") return owner;
  return signingScheme === "eip1271" ? `${owner}${signature.slice(2)}` : signature;
}
