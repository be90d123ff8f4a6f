import { toExactDouble } from "../../metrics/quotes/quote_baseline.ts";
import type { OrderQuote } from "../../schemas/mod.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { Decimal, mulDivDown, mulDivUp } from "../../units/mod.ts";
import { type Liquidity, type Route, routeInput, routeOutput } from "./liquidity.ts";

/** A quote gross of all fees, with the terms of its network fee. */
export interface GrossQuote extends GasTerms {
  /** Sell-token atoms. */
  readonly sellAmount: bigint;
  /** Buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
  /** Address of the solver that quoted. */
  readonly solver: string;
}

/** The trade to quote. */
export interface QuoteFacts {
  /** Token to sell. */
  readonly sellToken: string;
  /** Token to buy. */
  readonly buyToken: string;
  /** Side whose amount is fixed. */
  readonly kind: "sell" | "buy";
  /** The fixed amount, in its token's atoms. */
  readonly atoms: bigint;
}

/** Facts that a solver quotes from. */
interface QuotingTerms extends SolverView {
  /** The solver, and its maximum number of pools per route. */
  readonly quoter: { readonly address: string; readonly hops: number };
}

/** The best quote of a solver, gross of all fees; `null` without a route. */
export function quoteGross(facts: QuoteFacts, terms: QuotingTerms): GrossQuote | null {
  const { kind, atoms, sellToken, buyToken } = facts;
  const sellTokenPrice = terms.priceOf(sellToken);
  if (sellTokenPrice === null) return null;
  let best: { route: Route; counterAmount: bigint } | null = null;
  for (const route of terms.liquidity.findRoutes(sellToken, buyToken, terms.quoter.hops)) {
    const counterAmount = kind === "sell" ? routeOutput(route, atoms) : routeInput(route, atoms);
    if (counterAmount === null || counterAmount <= 0n) continue;
    if (
      best === null ||
      (kind === "sell" ? counterAmount > best.counterAmount : counterAmount < best.counterAmount)
    ) {
      best = { route, counterAmount };
    }
  }
  if (best === null) return null;
  const gasAmount = estimateGas(best.route.pools.length);
  const gas = { gasAmount, gasPrice: terms.gasPrice, sellTokenPrice };
  return {
    ...gas,
    sellAmount: kind === "sell" ? atoms : best.counterAmount,
    buyAmount: kind === "sell" ? best.counterAmount : atoms,
    feeAmount: estimateNetworkFee(gas),
    solver: terms.quoter.address,
  };
}

/** Converts a gross quote for storage with an order, scaled to the fixed amount of the order. */
export function toStoredQuote(
  quote: GrossQuote,
  order: { kind: "sell" | "buy"; sellAmount: bigint; buyAmount: bigint },
): OrderQuote {
  const isSell = order.kind === "sell";
  return {
    gasAmount: Decimal.fromNumber(quote.gasAmount),
    gasPrice: Decimal.fromNumber(quote.gasPrice),
    sellTokenPrice: toExactDecimal(quote.sellTokenPrice),
    sellAmount: isSell
      ? order.sellAmount
      : clampAmount(mulDivUp(quote.sellAmount, order.buyAmount, quote.buyAmount)),
    buyAmount: isSell
      ? clampAmount(mulDivDown(quote.buyAmount, order.sellAmount, quote.sellAmount))
      : order.buyAmount,
    feeAmount: quote.feeAmount,
    solver: quote.solver,
    verified: true,
    metadata: null,
  };
}

/** Keeps a scaled amount within the range of amounts. */
function clampAmount(atoms: bigint): bigint {
  return atoms < MAX_AMOUNT ? atoms : MAX_AMOUNT;
}

/** The market as a solver sees it. */
export interface SolverView {
  /** The pools. */
  readonly liquidity: Liquidity;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Native value of one atom of a token, in native atoms; `null` without a price. */
  readonly priceOf: (token: string) => number | null;
  /** Balance of an owner, in atoms. */
  readonly balanceOf: (owner: string, token: string) => bigint;
}

/** Base gas of a settlement, without trades. */
const SETTLEMENT_GAS = 106_391;
/** Gas per pool on the route. */
const POOL_GAS = 92_000;

/** Estimates the gas to settle an order through a number of pools. */
export function estimateGas(pools: number): number {
  return SETTLEMENT_GAS + POOL_GAS * pools;
}

/** The three doubles of a quote that determine its network fee. */
interface GasTerms {
  /** Estimated gas, in gas units. */
  readonly gasAmount: number;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Native value of one sell-token atom, in native atoms. */
  readonly sellTokenPrice: number;
}

/** Estimates the network fee in sell-token atoms, in doubles and rounded up, as in the service. */
export function estimateNetworkFee({ gasAmount, gasPrice, sellTokenPrice }: GasTerms): bigint {
  return BigInt(Math.ceil(gasAmount * gasPrice / sellTokenPrice));
}

/** Converts a double with every digit, as the service prints it: `0.1` is 0.1000000000000000055…. */
export function toExactDecimal(value: number): Decimal {
  const { mantissa, exponent } = toExactDouble(value);
  return exponent >= 0
    ? new Decimal(mantissa << BigInt(exponent), 0)
    : trimZeros(mantissa * 5n ** BigInt(-exponent), -exponent);
}

function trimZeros(coefficient: bigint, scale: number): Decimal {
  let mantissa = coefficient;
  let digits = scale;
  while (digits > 0 && mantissa % 10n === 0n) {
    mantissa /= 10n;
    digits--;
  }
  return new Decimal(mantissa, digits);
}

const BPS_IN_ONE = 10_000n;

/** Adds basis points to an amount, rounded down; negative ones reduce it. */
export function addBpsDown(atoms: bigint, bps: bigint): bigint {
  return mulDivDown(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}

/** Adds basis points to an amount, rounded up. */
export function addBpsUp(atoms: bigint, bps: bigint): bigint {
  return mulDivUp(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}

/** Milliseconds from one block to the next; every block has one auction. */
export const BLOCK_MS = 2_000;

/** Start of the virtual time of every sandbox. */
const OPENING_MS = Date.UTC(2026, 10, 21);
/** Microseconds of this age are safe integers. */
const MICROSECONDS_IN_MS = 1_000;
const NANOSECONDS_IN_MICROSECOND = 1_000n;

/** The time of a market: it advances by blocks, or with the system clock once it follows it. */
export class MarketTime {
  #ms = OPENING_MS;
  #wall: (() => number) | null = null;
  #lastMicroseconds = 0;

  /** Now, in milliseconds since the unix epoch. */
  get ms(): number {
    if (this.#wall !== null) this.#ms = Math.max(this.#ms, Math.floor(this.#wall()));
    return this.#ms;
  }

  /** Now, in whole unix seconds. */
  get seconds(): number {
    return Math.floor(this.ms / 1_000);
  }

  /** Now, as an instant. */
  get instant(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.ms);
  }

  /** Whether only blocks advance it now; once it follows the system clock, they no longer do. */
  get isVirtual(): boolean {
    return this.#wall === null;
  }

  /** Sets the time, in milliseconds since the unix epoch. */
  begin(ms: number): void {
    this.#ms = Math.floor(ms);
  }

  /** Advances by one block, unless it follows the system clock. */
  tick(): void {
    if (this.#wall === null) this.#ms += BLOCK_MS;
  }

  /** Follows a clock from now on, with an offset if the clock is behind: time never goes back. */
  follow(wall: () => number): void {
    const ahead = Math.max(0, this.ms - wall());
    this.#wall = () => wall() + ahead;
  }

  /** A timestamp for an event: in microseconds, and later than every earlier timestamp. */
  stamp(): Temporal.Instant {
    this.skipStamp();
    return Temporal.Instant.fromEpochNanoseconds(
      BigInt(this.#lastMicroseconds) * NANOSECONDS_IN_MICROSECOND,
    );
  }

  /** Skips one timestamp. */
  skipStamp(): void {
    const now = this.ms * MICROSECONDS_IN_MS;
    this.#lastMicroseconds = now > this.#lastMicroseconds ? now : this.#lastMicroseconds + 1;
  }
}
