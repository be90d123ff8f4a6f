import { extent, max } from "../numbers/statistics.ts";
import { alikeTexts } from "../texts/alike_texts.ts";
import { axisText, exactText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import type { FeeWaterfallRow } from "./fee_waterfall_row.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { policyName } from "../texts/policy_name.ts";
import { shortName } from "../texts/short_names.ts";
import { isWhole, rangeOf, type WaterfallStep } from "./waterfall_levels.ts";

/** What the legend says of the parts of a waterfall. */
export const PARTS: Readonly<Record<string, LegendEntry>> = {
  clearing: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  executed: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  network: { label: "network fee", fill: COLORS.grey },
  protocol: { label: "protocol fee", fill: COLORS.orange },
  partner: { label: "partner fee", fill: COLORS.purple },
};
/** What it says of a fee whose receiver is not known. */
export const OTHER: LegendEntry = { label: "fee of unknown origin", fill: COLORS.sky };
/** What it says of the part of a fee that is not certain. */
export const UNCERTAIN: LegendEntry = {
  label: "may also be network fee: only a range is known",
  fill: "#e6e9ec",
  stroke: COLORS.grey,
};
/** What the legend says of a step. */
export function partOf(row: FeeWaterfallRow): LegendEntry {
  return Object.hasOwn(PARTS, row.part) ? PARTS[row.part]! : OTHER;
}

/** The token that amounts are of. */
export function tokenOf(row: FeeWaterfallRow | undefined): string {
  return row?.token || "surplus token";
}

/** What a step is called. */
export function stepLabel(row: FeeWaterfallRow): string {
  switch (row.part) {
    case "clearing":
      return "at clearing prices";
    case "executed":
      return row.kind === "buy" ? "owner paid" : "owner got";
    case "network":
      return "network fee";
  }
  const name = policyName(row.policy_kind, row.part === "partner");
  return row.part === "protocol" || row.part === "partner" ? name : `${name}?`;
}

/** Writes amounts with as many digits as their differences need. */
export function amountTexts(levels: readonly number[]): (amount: number) => string {
  const [low = 0, high = 0] = extent(levels);
  const span = high - low;
  const size = max([0, ...levels.map(Math.abs)]);
  if (!(span > 0)) return axisText;
  if (size >= 1e9 || size < 1e-3) {
    const digits = Math.min(15, 2 + Math.max(0, Math.ceil(Math.log10(size / span))));
    return (amount) => amount.toExponential(digits).replace(/\.?0*e\+?/, "e").replaceAll("-", "−");
  }
  const decimals = Math.min(18, Math.max(0, 2 - Math.floor(Math.log10(span))));
  return (amount) =>
    amount.toLocaleString("en-US", { maximumFractionDigits: decimals }).replace(/^-/, "−");
}

/** `3 to 4`; once where both read the same. */
export function rangeText(
  { low, high }: { low: number; high: number },
  text: (amount: number) => string,
): string {
  return text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
}

/** Writes the sizes of all fees of a waterfall in one form. */
export function feeTexts(steps: readonly WaterfallStep[]): (size: number) => string {
  const sizes = steps.flatMap(({ row }) => {
    const range = isWhole(row) ? null : rangeOf(row);
    return range === null ? [] : [Math.abs(range.low), Math.abs(range.high)];
  });
  const texts = alikeTexts(sizes);
  const bySize = new Map(sizes.map((size, at) => [size, texts[at] ?? ""]));
  return (size) => bySize.get(size) ?? axisText(size);
}

/** What stands beside a step: its amount, or that it is not known. */
export function stepNote(
  { row, level }: WaterfallStep,
  { text, feeText }: { text: (amount: number) => string; feeText: (size: number) => string },
): string {
  const range = rangeOf(row);
  if (range === null) return "not known";
  if (isWhole(row)) {
    return `${rangeText(range, text)} ${shortName(tokenOf(row))}`;
  }
  const [up, down] = row.kind === "buy" ? ["+", "−"] : ["−", "+"];
  const signed = (fee: number) =>
    `${fee === 0 ? "" : fee > 0 ? up : down}${feeText(Math.abs(fee))}`;
  const [least, most] = [signed(range.low), signed(range.high)];
  const amount = least !== most
    ? `${least} to ${most}`
    : `${range.low === range.high ? "" : "about "}${least}`;
  const where = level === null ? ", place not known" : "";
  return `${amount}${row.is_capped === true ? ", capped" : ""}${where}`;
}

/** What the tooltip of a step says. */
export function stepTooltip({ row }: WaterfallStep): string {
  const range = rangeOf(row);
  const amount = range === null
    ? "not known"
    : range.low === range.high
    ? `${exactText(range.low)} ${tokenOf(row)}`
    : `${exactText(range.low)} to ${exactText(range.high)} ${tokenOf(row)}`;
  const goesTo = isWhole(row) ? "" : ` (${partOf(row).label})`;
  return `${stepLabel(row)}${goesTo}\n${amount}${row.is_capped === true ? "\ncapped" : ""}`;
}
