/** How a solver bids and how reliable it is. */
export interface Solver {
  /** Address that it submits from. */
  readonly address: string;
  /** Name. */
  readonly name: string;
  /** How many pools it goes through at most. */
  readonly hops: number;
  /** What it keeps, in basis points: from, to. */
  readonly marginBps: readonly [number, number];
  /** Participation, in auctions per thousand. */
  readonly presence: number;
  /** Of a thousand settlements, how many fail: driver failures, timeouts, late ones. */
  readonly failures: readonly [reverts: number, timeouts: number, late: number];
  /** What it does beside bidding for single orders. */
  readonly habit?: "batches" | "robs";
}

const HABITS: readonly Omit<Solver, "address">[] = [
  { name: "direct", hops: 1, marginBps: [0, 4], presence: 970, failures: [6, 4, 2] },
  { name: "router", hops: 3, marginBps: [2, 9], presence: 950, failures: [8, 6, 4] },
  {
    name: "batcher",
    hops: 2,
    marginBps: [1, 7],
    presence: 900,
    failures: [12, 8, 6],
    habit: "batches",
  },
  { name: "unsteady", hops: 2, marginBps: [0, 5], presence: 850, failures: [90, 90, 70] },
  {
    name: "robber",
    hops: 2,
    marginBps: [1, 12],
    presence: 800,
    failures: [10, 5, 5],
    habit: "robs",
  },
];

/**
 * The solvers of the market: one that knows only direct pairs, one that routes, one that batches
 * and matches traders with each other, one that often fails to settle, and one that now and then
 * gives one order of a batch what it takes from another.
 */
export const SOLVERS: readonly Solver[] = Object.freeze(HABITS.map((habits, at) => ({
  address: `0x501e${String(at + 1).padStart(36, "0")}`,
  ...habits,
})));

/** Maximum number of solutions per solver. */
export const MAX_SOLUTIONS = 3;
