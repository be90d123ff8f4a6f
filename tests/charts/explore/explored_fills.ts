const SOLVERS = ["solver_a", "solver_b", "solver_c"];
const PAIRS = ["WETH → USDC", "USDC → WETH", "DAI → GNO"];

/**
 * Fills of made-up orders, the same for the same number: sizes from 0.01 to some 100, slippage from
 * −50 to 49, solvers and pairs in turn.
 */
export function exploredFills(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    order_uid: `0x${(at * 7919 + 1).toString(16).padStart(112, "0")}`,
    solver_name: SOLVERS[at % 3]!,
    pair: PAIRS[(at >> 2) % 3]!,
    kind: at % 5 === 0 ? "buy" : "sell",
    volume_native: 0.01 * (1 + at % 10_000),
    slippage_net_bps: (at * 37) % 100 - 50 as number | null,
    slippage_gross_bps: (at * 41) % 100 - 55,
  }));
}
