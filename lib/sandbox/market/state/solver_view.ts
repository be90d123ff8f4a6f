import type { Liquidity } from "./liquidity.ts";

/** What a solver sees of the market. */
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
