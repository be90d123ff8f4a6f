import type { Liquidity } from "./liquidity.ts";

/** What of the market a solver sees. */
export interface SolverView {
  /** The pools. */
  readonly liquidity: Liquidity;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Worth of one atom of a token, in native atoms; `null` for one without a price. */
  readonly priceOf: (token: string) => number | null;
  /** What an owner has of a token, in atoms. */
  readonly balanceOf: (owner: string, token: string) => bigint;
}
