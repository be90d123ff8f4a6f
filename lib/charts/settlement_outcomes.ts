/** What became of the winning solutions of one solver. */
export interface SettlementOutcomesRow {
  /** Address or name of the solver. */
  solver: string;
  /** Settled in the deadline block or before. */
  in_time: number;
  /** Settled after the deadline block. */
  late: number;
  /** Not settled. */
  absent: number;
  /** Not settled yet, before the deadline. */
  pending: number;
  /** What is at hand does not tell. @default {0} */
  unknown?: number | null;
}
