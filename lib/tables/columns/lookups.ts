import { findSettledSolutions } from "../../metrics/orders/fills.ts";
import type { DollarToken } from "../../metrics/mod.ts";
import { HexMap, powerOfTen, ratio, ratioToNumber, sameHex } from "../../units/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { ADDRESS, defineRule, isWhole, type OptionRule } from "../../errors/option_rules.ts";
import { findAgreedSolverName } from "../../networks/solvers.ts";
import type { Competition } from "../../schemas/mod.ts";
import { MAX_DECIMALS } from "../../units/arithmetic.ts";
import { findAgreedFact, findFacts, findNamesakes, listDollarTokens } from "./token_facts.ts";

/** A fact about tokens: by address in any letter case, or a function of the address. */
export type TokenLookup<Value> =
  | ReadonlyMap<string, Value>
  | ((address: string) => Value | null | undefined);

/** Decimals and symbols of tokens. */
export interface TokenOptions {
  /**
   * Decimals of tokens, which take precedence over those that ship: a map by address
   * (such as the result of `tokenDecimals`) or a function, which may return `null` for "unknown".
   */
  decimals?: TokenLookup<number>;
  /**
   * Symbols of tokens, which take precedence over those that ship; they are labels only. Tokens that share
   * a symbol, in any letter case, have it with their shortened address, as `USDC (0xa0b8…eb48)`.
   */
  symbols?: TokenLookup<string>;
  /**
   * The network of the tokens that ship, such as `mainnet`; `local` is the network of
   * the shipped recordings. @default {any, if all networks that list the address agree}
   */
  network?: string;
  /**
   * Addresses of tokens that are worth one US dollar. @default {USDC, USDT, DAI and bridged ones of the
   * network, as in `data/token_lists.json`}
   */
  dollarTokens?: readonly string[];
  /**
   * Called once after the table is built, with the addresses of tokens whose decimals are unknown,
   * so that amounts in whole tokens are `null`.
   */
  onUnknownTokens?: (addresses: readonly string[]) => void;
}

function shortenAddress(address: string): string {
  return address.replace(/^(0x.{4}).*(.{4})$/, "$1…$2");
}

/** Converts atoms to whole tokens, for one table; records tokens of unknown decimals. */
export class TokenAmounts {
  readonly #options: TokenOptions;
  readonly #decimals = new HexMap<number | null>();
  readonly #labels = new Map<string, string>();
  readonly #symbols = new HexMap<string | null>();
  /** Tokens of the option `symbols`, by symbol in lower case. */
  #namesakes: ReadonlyMap<string, readonly (readonly [string, string])[]> | undefined;
  readonly #findDecimals: (address: string) => number | null | undefined;
  readonly #findSymbol: (address: string) => string | null | undefined;

  /** Reads tokens from the options. */
  constructor(options: TokenOptions = {}) {
    this.#options = options;
    this.#findDecimals = toLookupFunction(options.decimals);
    this.#findSymbol = toLookupFunction(options.symbols);
  }

  /** Returns the decimals of a token.
   *
   * @returns `null` if they are unknown.
   * @throws {InputError} If the option `decimals` returns something other than a whole number from
   * 0 to 77.
   */
  decimals(token: string): number | null {
    const cached = this.#decimals.get(token);
    if (cached !== undefined) return cached;
    const explicit = this.#findDecimals(token);
    const decimals = explicit === undefined
      ? findAgreedFact("decimals", token, this.#options.network) ?? null
      : explicit;
    if (decimals !== null && !isWhole(decimals, 0, MAX_DECIMALS)) {
      throw new InputError(`Cannot read amounts of ${token} with ${decimals} decimals`, {
        remedy: `Pass whole numbers from 0 to ${MAX_DECIMALS} as \`decimals\``,
      });
    }
    this.#decimals.set(token, decimals);
    return decimals;
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
  price(amount: TokenAmount, perAmount: TokenAmount): number | null {
    const decimals = this.decimals(amount.token);
    const perDecimals = this.decimals(perAmount.token);
    if (decimals === null || perDecimals === null || perAmount.atoms === 0n) return null;
    return ratioToNumber(
      ratio(amount.atoms * powerOfTen(perDecimals), perAmount.atoms * powerOfTen(decimals)),
    );
  }

  /** Symbol of a token, with its shortened address if another has it too; `null` if it is unknown. */
  symbol(token: string): string | null {
    const cached = this.#symbols.get(token);
    if (cached !== undefined) return cached;
    const { network } = this.#options;
    const symbol = this.#findSymbol(token) ?? findAgreedFact("symbol", token, network) ?? null;
    const label = symbol === null || !this.#isShared(symbol, token)
      ? symbol
      : `${symbol} (${shortenAddress(token)})`;
    this.#symbols.set(token, label);
    return label;
  }

  /** Whether another token of the options, or of those that ship for the network, has a symbol. */
  #isShared(symbol: string, token: string): boolean {
    const { symbols, network } = this.#options;
    this.#namesakes ??= Map.groupBy(
      typeof symbols === "object" ? symbols : [],
      ([, name]) => String(name).toLowerCase(),
    );
    const namesakes = this.#namesakes.get(symbol.toLowerCase()) ?? [];
    if (namesakes.some(([address]) => !sameHex(address, token))) return true;
    return network !== undefined &&
      findNamesakes(symbol, network).some(({ address }) =>
        !sameHex(address, token) && this.#findSymbol(address) == null
      );
  }

  /** Symbol of a token, or its shortened address. */
  label(token: string): string {
    const cached = this.#labels.get(token);
    if (cached !== undefined) return cached;
    const label = this.symbol(token) ?? shortenAddress(token);
    this.#labels.set(token, label);
    return label;
  }

  /**
   * Source of the decimals and the symbol of a token: `deployment` for what the options say, otherwise
   * that of the file that ships; `null` if neither is known.
   */
  source(token: string): string | null {
    if ((this.#findDecimals(token) ?? this.#findSymbol(token) ?? null) !== null) {
      return "deployment";
    }
    const keys = ["decimals", "symbol"] as const;
    const { network } = this.#options;
    if (keys.every((key) => findAgreedFact(key, token, network) === undefined)) return null;
    return findFacts(token, network)[0]?.source ?? null;
  }

  /** A directed pair as text, such as `WETH → USDC`; `null` if a token is unknown. */
  pair(sellToken: string | undefined, buyToken: string | undefined): string | null {
    if (sellToken === undefined || buyToken === undefined) return null;
    return `${this.label(sellToken)} → ${this.label(buyToken)}`;
  }

  /** Reports unknown tokens once, if the caller passed `onUnknownTokens`. */
  report(): void {
    const unknownTokens = [...this.#decimals].filter(([, decimals]) => decimals === null);
    if (unknownTokens.length === 0) return;
    this.#options.onUnknownTokens?.(unknownTokens.map(([address]) => address).sort());
  }
}

/** Finds the tokens that are worth one US dollar, and their decimals; those without decimals are left out. */
export function findDollarTokens(options: TokenOptions): DollarToken[] {
  const amounts = new TokenAmounts(options);
  const tokens = options.dollarTokens ?? listDollarTokens(options.network);
  return [...new Set(tokens.map((token) => token.toLowerCase()))].flatMap((address) => {
    const decimals = amounts.decimals(address);
    return decimals === null ? [] : [{ address, decimals }];
  });
}

/** An amount with its token. */
export interface TokenAmount {
  /** The amount. */
  readonly atoms: bigint;
  /** Address of the token. */
  readonly token: string;
}

/** Converts a lookup to a function of the address. */
export function toLookupFunction<Value>(
  lookup: TokenLookup<Value> | undefined,
): (address: string) => Value | null | undefined {
  if (lookup === undefined) return () => undefined;
  if (typeof lookup === "function") return lookup;
  const byAddress = new HexMap(lookup);
  return (address) => byAddress.get(address);
}

/** A solver with its name, as listed in the deployment files of recordings. */
export interface NamedSolver {
  /** Address that it submits from. */
  readonly address: string;
  /** Its name. */
  readonly name: string;
}

/**
 * Names of solvers: a `Map` or any iterable of pairs, an iterable of `{ address, name }`, or an
 * object; addresses in any letter case.
 */
export type SolverNames =
  | Iterable<NamedSolver | readonly [address: string, name: string]>
  | Readonly<Record<string, string>>;

/** Names of solvers. */
export interface SolverOptions {
  /** Names of solvers by address; they take precedence over those of `data/solvers.json`. */
  solvers?: SolverNames;
  /**
   * The network of the solvers, such as `mainnet`; `local` is the network of the shipped
   * recordings. @default {any, if all networks that list the address agree}
   */
  network?: string;
}

/** Allows addresses of tokens that are worth one US dollar. */
export const DOLLAR_TOKENS: OptionRule<readonly string[]> = defineRule(
  "an array of addresses, 0x and 40 hex digits",
  (value) => Array.isArray(value) && value.every(ADDRESS.accepts),
);

/** Allowed values of {@linkcode SolverNames}. */
export const SOLVER_NAMES: OptionRule<SolverNames> = defineRule(
  "a Map or an object of names by address, or an array of { address, name },",
  isSolverNames,
);

/** Names of solvers, for one table. */
export class NameLookup {
  readonly #customNames: HexMap<string>;
  readonly #network: string | undefined;
  readonly #cache = new Map<string, string | null>();

  /**
   * Reads names from the options.
   *
   * @throws {InputError} If the option `solvers` holds something other than addresses and names.
   */
  constructor({ solvers, network }: SolverOptions = {}) {
    this.#customNames = indexNames(solvers);
    this.#network = network;
  }

  /** The name of a solver; `null` without an address, or if the name is unknown. */
  name(address: string | null | undefined): string | null {
    if (address === null || address === undefined) return null;
    let name = this.#cache.get(address);
    if (name === undefined) {
      name = this.#customNames.get(address) ?? findAgreedSolverName(address, this.#network);
      this.#cache.set(address, name);
    }
    return name;
  }
}

/**
 * Indexes names of solvers by address.
 *
 * @throws {InputError} If one is something other than an address and a name.
 */
export function indexNames(solvers: SolverNames | undefined): HexMap<string> {
  const names = new HexMap<string>();
  if (solvers === undefined) return names;
  const entries: Iterable<unknown> = isIterable(solvers) ? solvers : Object.entries(solvers);
  for (const entry of entries) {
    const [address, name] = toNameEntry(entry);
    if (!isAddress(address) || !isName(name)) throw createNameError(entry);
    names.set(address, name);
  }
  return names;
}

function toNameEntry(entry: unknown): readonly unknown[] {
  if (Array.isArray(entry)) return entry;
  return [Reflect.get(Object(entry), "address"), Reflect.get(Object(entry), "name")];
}

function isSolverNames(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every((item) => typeof item === "object" && item !== null);
  if (isIterable(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof Reflect.get(value, Symbol.iterator) === "function";
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function createNameError(entry: unknown): InputError {
  const excerpt = JSON.stringify(entry)?.slice(0, 80);
  return new InputError(`Cannot read the name of a solver from ${excerpt}`, {
    remedy: "Pass each solver as an address, 0x and 40 hex digits, with a name",
  });
}

/**
 * Finds the address of the solver that settled a fill: that of the winning solution with its
 * transaction, otherwise of the one with its order.
 *
 * @returns `null` if there is neither.
 */
export function findSettlingSolver(
  fill: { readonly orderUid: string; readonly txHash: string | null },
  competition: Competition | undefined,
): string | null {
  const winners = competition?.solutions.filter(({ isWinner }) => isWinner) ?? [];
  const { orderUid, txHash } = fill;
  const settled = txHash === null ? [] : findSettledSolutions(winners, txHash);
  // A transaction may settle several solutions.
  const solution =
    [...settled, ...winners].find(({ orders }) => orders.some(({ id }) => sameHex(id, orderUid))) ??
      settled[0];
  return solution?.solverAddress ?? null;
}
