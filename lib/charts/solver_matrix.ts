/** How one solver did on one directed pair of tokens. */
export interface SolverMatrixRow {
  /** Address or name of the solver. */
  solver: string;
  /** Directed pair as text, as `WETH → USDC`. */
  pair: string;
  /** Solutions that trade the pair. */
  bids: number;
  /** Of those, the ones that won. */
  wins: number;
}
