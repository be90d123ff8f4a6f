import { fencedRange } from "../axes/difference_axis.ts";
import { max, min, sum } from "../numbers/statistics.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { SLIPPAGE_PARTS, type Stack, stackOf } from "./slippage_stacks.ts";

/** If more fills than this share are far out, the axis shows them. */
const MOST_FAR = 0.1;
const FEWEST_FILLS = 5;

/** From where to where a row of bars reaches: costs pile up left of zero, gains right of it. */
export function reachOf({ parts }: Stack): readonly [number, number] {
  const values = SLIPPAGE_PARTS.map(({ part }) => parts[part]);
  const reach = (side: number) => sum(values.filter((value) => value * side > 0));
  return [reach(-1), reach(1)];
}

/**
 * Fills so far from the rest that one of them would decide what an axis shows; none where many are.
 */
export function farFills(rows: readonly SlippageRow[]): ReadonlySet<SlippageRow> {
  if (rows.length < FEWEST_FILLS) return new Set();
  const stacks = rows.map((row) => ({ row, slippage: stackOf("", [row], "bps").slippage }));
  const [low, high] = fencedRange(stacks.map(({ slippage }) => slippage));
  const far = stacks.filter(({ slippage }) => slippage < low || slippage > high);
  return new Set(far.length > MOST_FAR * rows.length ? [] : far.map(({ row }) => row));
}

/** The axis that shows some rows of bars: from zero to where the farthest of them reach. */
export function rangeOf(stacks: readonly Stack[]): readonly [number, number] {
  const reaches = stacks.map(reachOf);
  const low = min([0, ...reaches.map(([left]) => left)]);
  const high = max([0, ...reaches.map(([, right]) => right)]);
  return low === high ? [-1, 1] : [low, high];
}
