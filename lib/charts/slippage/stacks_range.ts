import { fencedRange } from "../axes/difference_axis.ts";
import { largest, smallest } from "../numbers/extremes.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { SLIPPAGE_PARTS, type Stack, stackOf } from "./slippage_stacks.ts";

/** If more fills than this share are far out, the axis shows them. */
const MOST_FAR = 0.1;
const FEWEST_FILLS = 5;

/** From where to where a row of bars reaches: costs pile up left of zero, gains right of it. */
export function reachOf({ parts }: Stack): readonly [number, number] {
  const values = SLIPPAGE_PARTS.map(({ part }) => parts[part]);
  const sum = (side: number) =>
    values.filter((value) => value * side > 0).reduce((total, value) => total + value, 0);
  return [sum(-1) + 0, sum(1)];
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
  const low = Math.min(0, smallest(reaches.map(([left]) => left)));
  const high = Math.max(0, largest(reaches.map(([, right]) => right)));
  return low === high ? [-1, 1] : [low, high];
}
