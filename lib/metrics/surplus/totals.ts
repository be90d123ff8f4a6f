import { HexMap, nativeValue } from "../../units/mod.ts";
import { isNotComputable } from "../not_computable.ts";
import type { AuctionRole, RoleHints } from "../orders/auction_role.ts";
import type { Fill, OrderPair } from "../orders/fill.ts";
import { priceOf } from "../prices/price_of.ts";
import { settledSurplus } from "./settled_surplus.ts";
import { surplusToken } from "./surplus_token.ts";

/** A fill to sum, with its order and what is known about its fees and prices. */
export interface TotalledFill {
  /** Which amount is fixed, the limit, and the tokens. */
  readonly order: OrderPair & RoleHints;
  /** The executed amounts, after all fees. */
  readonly fill: Fill;
  /** Protocol and partner fees, as in trades; absent if unknown. */
  readonly protocolFees?:
    | readonly { readonly amount: bigint; readonly token: string }[]
    | undefined;
  /** All fees of this fill, in sell-token atoms; absent if unknown. */
  readonly executedFee?: bigint | undefined;
  /** Native prices of the fill's auction, by token: native atoms for 10^18 of the token's atoms. */
  readonly prices?: Readonly<Record<string, bigint>> | undefined;
  /** Role of the order in its auction, from `auctionRole`. @default {that without the auction} */
  readonly role?: AuctionRole | undefined;
}

/** The sum of one token. */
export interface TokenTotal {
  /** Address of the token, as first written. */
  readonly token: string;
  /** Atoms of the token. */
  readonly atoms: bigint;
  /** Native value of the amounts that have a price. */
  readonly nativeAtoms: bigint;
  /** Number of amounts without a price, which `nativeAtoms` excludes. */
  readonly unpriced: number;
}

/** The sum of one quantity over all tokens. */
export interface Total {
  /** By token, in the order of first occurrence. */
  readonly tokens: readonly TokenTotal[];
  /** Native value of all amounts that have a price. */
  readonly nativeAtoms: bigint;
  /** Number of amounts without a price. */
  readonly unpriced: number;
  /** Number of fills whose amount is unknown. */
  readonly unknown: number;
}

/** Sums over fills. */
export interface Totals {
  /** Number of fills. */
  readonly fills: number;
  /** Volume sold, all fees included. */
  readonly sold: Total;
  /** Volume bought, after all fees. */
  readonly bought: Total;
  /** Surplus over the limit prices, after all fees; 0 for a solver's liquidity. */
  readonly surplus: Total;
  /** Protocol and partner fees. */
  readonly protocolFees: Total;
  /** All fees, network and protocol, in the sell tokens. */
  readonly allFees: Total;
}

/**
 * Volume, surplus and fees over many fills: by token, and in the native token.
 *
 * Each amount is valued separately at the native price of its own auction,
 * `floor(atoms * price / 10^18)`, rounded down as in the service, and the values are summed. An
 * amount whose token has no price there is in the sum of its token, but not in the native sum, and
 * counts as unpriced. Unknown fees count as unknown, and so does the surplus of an order of unknown
 * role or without a limit price. `sold` and `bought` are two views of the same volume: never add
 * them.
 *
 * @param fills Fills, each once.
 * @returns Sums; zeros for no fills.
 * @throws {InputError} If a role is unknown.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | native values in the service}
 *
 * @example Two fills, one of them of a token without a price
 * ```ts
 * import { totals } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 10n,
 *   buyAmount: 20n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * } as const;
 * const prices = { "0xb2": 2n * 10n ** 18n };
 * const sums = totals([
 *   { order, fill: { sellAmount: 10n, buyAmount: 25n }, prices },
 *   { order, fill: { sellAmount: 5n, buyAmount: 11n } },
 * ]);
 *
 * assertEquals(sums.surplus.tokens, [
 *   { token: "0xb2", atoms: 6n, nativeAtoms: 10n, unpriced: 1 },
 * ]);
 * assertEquals(sums.protocolFees.unknown, 2);
 * ```
 */
export function totals(fills: Iterable<TotalledFill>): Totals {
  const [sold, bought, surplus] = [new Sum(), new Sum(), new Sum()];
  const [protocolFees, allFees] = [new Sum(), new Sum()];
  let count = 0;
  for (const { order, fill, prices, protocolFees: fees, executedFee, role } of fills) {
    count++;
    sold.add(order.sellToken, fill.sellAmount, prices);
    bought.add(order.buyToken, fill.buyAmount, prices);
    const gained = settledSurplus(fill, order, role);
    if (isNotComputable(gained)) surplus.miss();
    else surplus.add(surplusToken(order), gained, prices);
    if (fees === undefined) protocolFees.miss();
    else for (const { amount, token } of fees) protocolFees.add(token, amount, prices);
    if (executedFee === undefined) allFees.miss();
    else allFees.add(order.sellToken, executedFee, prices);
  }
  return {
    fills: count,
    sold: sold.total(),
    bought: bought.total(),
    surplus: surplus.total(),
    protocolFees: protocolFees.total(),
    allFees: allFees.total(),
  };
}

class Sum {
  readonly #tokens = new HexMap<{ -readonly [K in keyof TokenTotal]: TokenTotal[K] }>();
  #unknown = 0;

  add(token: string, atoms: bigint, prices: Readonly<Record<string, bigint>> | undefined): void {
    let total = this.#tokens.get(token);
    if (total === undefined) {
      this.#tokens.set(token, total = { token, atoms: 0n, nativeAtoms: 0n, unpriced: 0 });
    }
    total.atoms += atoms;
    const price = prices === undefined ? undefined : priceOf({ prices }, token);
    if (price === undefined) total.unpriced++;
    else total.nativeAtoms += nativeValue(atoms, price);
  }

  miss(): void {
    this.#unknown++;
  }

  total(): Total {
    const tokens = [...this.#tokens.values()];
    return {
      tokens,
      nativeAtoms: tokens.reduce((sum, each) => sum + each.nativeAtoms, 0n),
      unpriced: tokens.reduce((sum, each) => sum + each.unpriced, 0),
      unknown: this.#unknown,
    };
  }
}
