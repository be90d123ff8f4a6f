import { InputError } from "../../errors/mod.ts";
import { isWhole } from "../../errors/option_rules.ts";
import { HexMap, powerOfTen, ratio, ratioToNumber } from "../../units/mod.ts";
import { agreedFact } from "./token_facts.ts";

/** A fact about tokens: by address in any letter case, or a function of the address. */
export type TokenLookup<Value> =
  | ReadonlyMap<string, Value>
  | ((address: string) => Value | null | undefined);

/** What else is known about tokens. */
export interface TokenOptions {
  /**
   * Decimals of tokens, which take precedence over those of `data/tokens.json`: a map by address
   * (such as the result of `tokenDecimals`) or a function, which may return `null` for "unknown".
   */
  decimals?: TokenLookup<number>;
  /**
   * Symbols of tokens, which take precedence over those of `data/tokens.json`; they are labels
   * only.
   */
  symbols?: TokenLookup<string>;
  /**
   * The network of the tokens in `data/tokens.json`, such as `mainnet`; `local` is the network of
   * the shipped recordings. @default {any, if all networks that list the address agree}
   */
  network?: string;
  /**
   * Called once after the table is built, with the addresses of tokens whose decimals are unknown,
   * so that amounts in whole tokens are `null`.
   */
  onUnknownTokens?: (addresses: readonly string[]) => void;
}

const MOST_DECIMALS = 77;
const SHORT_ADDRESS = /^(0x.{4}).*(.{4})$/;

/** Converts atoms to whole tokens, for one table; records tokens of unknown decimals. */
export class TokenAmounts {
  readonly #options: TokenOptions;
  readonly #decimals = new HexMap<number | null>();
  readonly #labels = new Map<string, string>();
  readonly #decimalsOf: (address: string) => number | null | undefined;
  readonly #symbolOf: (address: string) => string | null | undefined;

  /** Reads tokens from the options. */
  constructor(options: TokenOptions = {}) {
    this.#options = options;
    this.#decimalsOf = functionOf(options.decimals);
    this.#symbolOf = functionOf(options.symbols);
  }

  /** The decimals of a token.
   *
   * @returns `null` if they are unknown.
   * @throws {InputError} If the option `decimals` returns something other than a whole number from
   * 0 to 77.
   */
  decimals(token: string): number | null {
    const known = this.#decimals.get(token);
    if (known !== undefined) return known;
    const explicit = this.#decimalsOf(token);
    const found = explicit === undefined
      ? agreedFact("decimals", token, this.#options.network) ?? null
      : explicit;
    if (found !== null && !isWhole(found, 0, MOST_DECIMALS)) {
      throw new InputError(`Cannot read amounts of ${token} with ${found} decimals`, {
        remedy: `Pass whole numbers from 0 to ${MOST_DECIMALS} as \`decimals\``,
      });
    }
    this.#decimals.set(token, found);
    return found;
  }

  /** Whole tokens as the nearest double, for axes; `null` without amount, token or decimals. */
  tokens(atoms: bigint | null | undefined, token: string | null | undefined): number | null {
    if (atoms === null || atoms === undefined) return null;
    if (token === null || token === undefined) return null;
    const decimals = this.decimals(token);
    if (decimals === null) return null;
    return ratioToNumber({ numerator: atoms, denominator: powerOfTen(decimals) });
  }

  /**
   * Whole tokens of one amount per whole token of the other, as the nearest double, for axes;
   * `null` if decimals are unknown or the other amount is 0.
   */
  price(amount: TokenAmount, per: TokenAmount): number | null {
    const decimals = this.decimals(amount.token);
    const perDecimals = this.decimals(per.token);
    if (decimals === null || perDecimals === null || per.atoms === 0n) return null;
    return ratioToNumber(
      ratio(amount.atoms * powerOfTen(perDecimals), per.atoms * powerOfTen(decimals)),
    );
  }

  /** Symbol of a token, or its shortened address. */
  label(token: string): string {
    const known = this.#labels.get(token);
    if (known !== undefined) return known;
    const label = this.#symbolOf(token) ?? agreedFact("symbol", token, this.#options.network) ??
      token.replace(SHORT_ADDRESS, "$1…$2");
    this.#labels.set(token, label);
    return label;
  }

  /** A directed pair as text, such as `WETH → USDC`; `null` if a token is unknown. */
  pair(sellToken: string | undefined, buyToken: string | undefined): string | null {
    if (sellToken === undefined || buyToken === undefined) return null;
    return `${this.label(sellToken)} → ${this.label(buyToken)}`;
  }

  /** Reports unknown tokens once, if the caller passed `onUnknownTokens`. */
  report(): void {
    const unknown = [...this.#decimals].filter(([, decimals]) => decimals === null);
    if (unknown.length === 0) return;
    this.#options.onUnknownTokens?.(unknown.map(([address]) => address).sort());
  }
}

/** An amount with its token. */
export interface TokenAmount {
  /** The amount. */
  readonly atoms: bigint;
  /** Address of the token. */
  readonly token: string;
}

function functionOf<Value>(
  lookup: TokenLookup<Value> | undefined,
): (address: string) => Value | null | undefined {
  if (lookup === undefined) return () => undefined;
  if (typeof lookup === "function") return lookup;
  const byAddress = new HexMap(lookup);
  return (address) => byAddress.get(address);
}
