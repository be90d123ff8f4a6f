import { isNumber, sortRows } from "../rows.ts";
import { extent, max } from "../statistics.ts";

/**
 * One step between what a fill was worth at clearing prices and what its owner got or paid: columns
 * of `fee_steps`.
 */
export interface FeeWaterfallRow {
  /** UID of the order; all rows are of one fill of it. */
  order_uid: string;
  /** Block of the settlement, to tell fills of an order apart. */
  block_number?: number | null;
  /** Index of the trade's event in the block, to tell fills of an order apart. */
  log_index?: number | null;
  /** `sell` or `buy`. */
  kind: string;
  /** Place of the step, in the order applied. */
  step: number;
  /**
   * Kind of the step: the amount at `clearing` prices, the `network` fee, a fee that goes to the
   * `protocol` or to a `partner` (`unknown` which), or what was `executed`.
   */
  part: string;
  /** Kind of the policy: `surplus`, `volume` or `priceImprovement`; `null` for other steps. */
  policy_kind?: string | null;
  /**
   * Amount of the surplus token, in tokens: of the whole fill for `clearing` and `executed`, of the
   * fee for fees, where positive is paid by the owner; `null` where only a range is known.
   */
  amount_tokens: number | null;
  /** The least the amount can be; where it is known, as `amount_tokens`. */
  amount_low_tokens?: number | null;
  /** The most the amount can be. */
  amount_high_tokens?: number | null;
  /** Symbol of the surplus token: the one bought by a sell order, the one sold by a buy order. */
  token: string;
  /** Whether the policy's cap made the fee smaller. */
  is_capped?: boolean | null;
}

export interface WaterfallStep {
  row: FeeWaterfallRow;
  /**
   * Amount before the step and after it; the same twice for a whole amount; `null` if not known.
   */
  level: { from: number; to: number } | null;
  /** Range of amounts in which it begins, if its amount is known as a range only. */
  uncertain: { from: number; to: number } | null;
}

/** Ranges narrower than this part of the picture are drawn as if they were exact. */
const MIN_VISIBLE = 1e-3;

/** Relative difference up to which doubles from exact amounts agree. */
const AGREE = 1e-9;

export function isWhole(row: FeeWaterfallRow): boolean {
  return row.part === "clearing" || row.part === "executed";
}

/** Reads the least and the most that the amount of a step can be; `null` if unknown. */
export function readRange(row: FeeWaterfallRow): { low: number; high: number } | null {
  const { amount_tokens: exact, amount_low_tokens: low, amount_high_tokens: high } = row;
  if (isNumber(exact)) return { low: exact, high: exact };
  return isNumber(low) && isNumber(high)
    ? { low: Math.min(low, high), high: Math.max(low, high) }
    : null;
}

/**
 * Lays the steps out from what was executed backwards, since that is what is always known: fees are
 * added to it for a sell order, which got less, and taken off for a buy order, which paid more.
 */
export function layOutSteps(rows: readonly FeeWaterfallRow[]) {
  const ordered = sortRows(rows, "step");
  const executedRow = ordered.findLast((row) => row.part === "executed");
  const clearingRow = ordered.find((row) => row.part === "clearing");
  const sign = ordered[0]?.kind === "buy" ? -1 : 1;
  let remaining = executedRow === undefined ? null : readRange(executedRow);
  const steps: WaterfallStep[] = [];
  for (const row of ordered.toReversed()) {
    const fee = readRange(row);
    if (isWhole(row)) {
      const level = fee === null ? null : { from: fee.low, to: fee.high };
      steps.push({ row, level, uncertain: null });
      continue;
    }
    if (remaining === null || fee === null) {
      remaining = null;
      steps.push({ row, level: null, uncertain: null });
      continue;
    }
    const to = remaining.low;
    const sure = fee.low > 0 ? fee.low : Math.min(0, fee.high);
    const ends = { from: to + sign * fee.high, to: to + sign * fee.low };
    steps.push({
      row,
      level: { from: to + sign * sure, to },
      uncertain: fee.low === fee.high ? null : ends,
    });
    remaining = { low: Math.min(ends.from, ends.to), high: Math.max(ends.from, ends.to) };
  }
  const total = clearingRow === undefined ? null : clearingRow.amount_tokens;
  const gap = remaining !== null && remaining.low === remaining.high && isNumber(total)
    ? total - remaining.low
    : 0;
  const isGap = Math.abs(gap) > AGREE * Math.max(Math.abs(total ?? 0), Number.MIN_VALUE);
  const widths = steps.flatMap(({ row, uncertain }) => {
    const range = uncertain === null ? null : readRange(row);
    return range === null ? [] : [measureWidth(range)];
  });
  return {
    steps: removeNarrowRanges(steps.reverse()),
    gap: isGap ? gap : null,
    widestRange: max(widths) ?? null,
  };
}

/** Measures a range in the digits that its ends leave: their own last ones are rounded. */
function measureWidth({ low, high }: { low: number; high: number }): number {
  const width = high - low;
  const rounding = Number.EPSILON * Math.max(Math.abs(low), Math.abs(high));
  if (!(width > 0) || rounding === 0) return width;
  const digits = Math.floor(Math.log10(width / rounding));
  return digits > MAX_DIGITS ? width : Number(width.toPrecision(Math.max(1, digits)));
}

const MAX_DIGITS = 15;

function removeNarrowRanges(steps: readonly WaterfallStep[]): WaterfallStep[] {
  const levels = steps.flatMap(({ level, uncertain }) => [level, uncertain])
    .flatMap((range) => range === null ? [] : [range.from, range.to]);
  const [low = 0, high = 0] = extent(levels);
  const minWidth = (high - low) * MIN_VISIBLE;
  const isNarrow = ({ from, to }: { from: number; to: number }) => Math.abs(from - to) < minWidth;
  return steps.map((step) => {
    const { row, level, uncertain } = step;
    if (level === null) return step;
    if (isWhole(row)) {
      return isNarrow(level) ? { ...step, level: { from: level.to, to: level.to } } : step;
    }
    return uncertain !== null && isNarrow(uncertain)
      ? { row, level: { from: uncertain.from, to: level.to }, uncertain: null }
      : step;
  });
}
