import { divideDown, HexMap } from "../../units/mod.ts";

/** A fill, as far as its surplus and its gas go. */
export interface GasPayingFill {
  /** Address of the solver that settled it; `null` if unknown. */
  readonly solver: string | null;
  /** Surplus of the trader, in native atoms; negative if worse than the limit, `null` if unknown. */
  readonly surplus: bigint | null;
  /** Gas that was paid for the fill, in native atoms; `null` if the answer does not say. */
  readonly gasCost: bigint | null;
  /** Hash of its settlement; `null` if unknown. */
  readonly txHash: string | null;
}

/** What a settlement paid for gas, as its receipt says. */
export interface SettlementGas {
  /** Hash of the settlement. */
  readonly txHash: string;
  /** Gas used times its effective price, in native atoms; `null` if the node does not report it. */
  readonly gasCost: bigint | null;
  /** Trades of the settlement; `null` if unknown. */
  readonly tradeCount: number | null;
}

/** What the fills of one solver were worth to traders, less the gas that they took. */
export interface GasAdjustedSurplus {
  /** Address of the solver, as first written; `null` for fills without a known one. */
  readonly solver: string | null;
  /** Fills whose surplus and gas are known. */
  readonly fills: number;
  /** Fills that lack one of them, and are left out. */
  readonly unknownFills: number;
  /** Sum of their surplus, in native atoms; `null` without such fills. */
  readonly surplus: bigint | null;
  /** Sum of the gas paid for them, in native atoms; `null` without such fills. */
  readonly gasCost: bigint | null;
  /** `surplus - gasCost`; `null` without such fills. */
  readonly afterGas: bigint | null;
  /** Fills whose surplus is less than their gas. */
  readonly belowGas: number;
}

/**
 * The surplus of the fills of each solver after the gas that they took: `Σ surplus - Σ gas`, exactly.
 *
 * The gas of a fill is what the answer says. Where it says nothing, it is that of its settlement,
 * split equally over the trades and rounded down, as the service splits it. Surplus is what traders
 * got beyond their limits, which is already after the network fee that they paid for gas: the
 * difference is a lower bound of what the trades were worth, and comparable between solvers.
 *
 * @param fills Fills of one deployment.
 * @param settlements Gas of settlements, for fills whose answer does not say it.
 * @returns One per solver, in the order of their first fills.
 * @see {@link https://github.com/cowprotocol/services/pull/4540 | how the service splits the gas of a settlement}
 *
 * @example One fill in a settlement of two trades
 * ```ts
 * import { gasAdjustedSurplus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { solver: "0x01", surplus: 100n, gasCost: null, txHash: "0xaa" };
 * const [row] = gasAdjustedSurplus([fill], [{ txHash: "0xaa", gasCost: 61n, tradeCount: 2 }]);
 *
 * assertEquals([row?.gasCost, row?.afterGas], [30n, 70n]);
 * ```
 */
export function gasAdjustedSurplus(
  fills: Iterable<GasPayingFill>,
  settlements: Iterable<SettlementGas> = [],
): GasAdjustedSurplus[] {
  const shares = new HexMap<bigint>();
  for (const { txHash, gasCost, tradeCount } of settlements) {
    if (gasCost !== null && tradeCount) shares.set(txHash, divideDown(gasCost, BigInt(tradeCount)));
  }
  const solvers = Map.groupBy(fills, ({ solver }) => solver?.toLowerCase() ?? null);
  return [...solvers.values()].map((own) => {
    const known = own.flatMap(({ surplus, gasCost, txHash }) => {
      const gas = gasCost ?? (txHash === null ? undefined : shares.get(txHash));
      return surplus === null || gas === undefined ? [] : [{ surplus, gas }];
    });
    const sumOf = (amount: (one: typeof known[number]) => bigint) =>
      known.length === 0 ? null : known.reduce((sum, one) => sum + amount(one), 0n);
    return {
      solver: own[0]!.solver,
      fills: known.length,
      unknownFills: own.length - known.length,
      surplus: sumOf(({ surplus }) => surplus),
      gasCost: sumOf(({ gas }) => gas),
      afterGas: sumOf(({ surplus, gas }) => surplus - gas),
      belowGas: known.filter(({ surplus, gas }) => surplus < gas).length,
    };
  });
}
