import { oneOf } from "../../errors/option_rules.ts";
import { linearAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { areSingle, dotNote } from "../marks/dot_strips.ts";
import { countRoom, policyOf, type Rated, rateLegend, ratePanel } from "./fee_rate_panel.ts";
import { FEE_RATE_ROWS, type FeeRateByPolicyOptions, type FeeRateRow } from "./fee_rate_row.ts";
import { type Group, largestGroups, listedGroups } from "../rows/largest_groups.ts";
import { MARKET_POSITIONS } from "../texts/market_position_text.ts";
import type { Rows } from "../rows/row_kind.ts";
import {
  count,
  isNumber,
  rowsWithNumbers,
  rowsWithTexts,
  wholeText,
} from "../rows/row_selection.ts";
import { fixedAxis, type ValueAxis, valueAxis } from "../axes/value_axis.ts";
import { type ChartInput, picture } from "../figure/picture.ts";

/** What is seen. */
const WHAT = "What fee policies charged";
/** Rates up to this stand on a linear axis, in basis points. */
const MOST_LINEAR = 1_000;
const MOST_POLICIES = 20;
const MOST_PANELS = 6;

const INPUT: ChartInput<FeeRateRow, FeeRateByPolicyOptions> = {
  chart: "feeRateByPolicy",
  rows: FEE_RATE_ROWS,
  options: { by: oneOf("market_position", "kind", "pair") },
  asks: ({ by = "market_position" }) => [by],
};

const draw = picture(INPUT, {
  defaults: { by: "market_position" },
  select: (rows, { by }) => {
    const { rows: known, note } = rowsWithNumbers(rowsWithTexts(rows, ["order_uid"]), ["fee_bps"]);
    const rated = known as readonly Rated[];
    const policies = policiesOf(rated);
    const drawn = rated.filter((row) => policies.includes(policyOf(row)));
    const limits = { limit: MOST_PANELS, noun: NOUNS[by] };
    const { groups, rest } = largestGroups(drawn, (row) => groupText(row[by]), limits);
    return { rated, note, policies, drawn, groups, rest };
  },
  empty: {
    title: WHAT,
    noRows: "No fees in this range",
    noValues: "No fee in this range has a known rate",
  },
  axes: ({ drawn }) => ({ axis: rateAxis(drawn) }),
  panels: ({ drawn, policies, groups, rest, axis, by, ...size }) => {
    const panels = listedGroups({ groups: inReadingOrder(groups), rest });
    const isSingle = areSingle(drawn.length);
    const marginRight = countRoom(panels, policies);
    return panels.map((group) =>
      ratePanel(group.rows, {
        ...size,
        heading: headingOf(group, by),
        policies,
        axis,
        isSingle,
        marginRight,
      })
    );
  },
  legend: ({ drawn, policies }) => rateLegend(drawn, policies),
  title: ({ rated }) => {
    const withCap = rated.filter((row) => isNumber(row.cap_bps));
    if (withCap.length === 0) return `${WHAT}, in basis points`;
    const capped = withCap.filter((row) => row.is_capped === true).length;
    return `${WHAT}: ${wholeText(capped)} of ${count(withCap.length, "fee")} with a cap ` +
      `${capped === 1 ? "was" : "were"} capped`;
  },
  caption: ({ rated, drawn, note, rest, by, axis }) => [
    `n = ${count(rated.length, "fee")}`,
    note,
    rated.length > drawn.length &&
    `${count(rated.length - drawn.length, "fee")} of rarer policies not drawn`,
    rest !== null && `${rest.key} in one panel`,
    rated.length > 0 && dotNote(rated.length, "fee"),
    by === "market_position" && rated.length > 0 &&
    "Market position: the limit relative to the quote",
    axis?.note,
  ],
});

/**
 * Draws what each policy charged, in basis points of the surplus-token amount before its fee,
 * against its cap: one dot per fee, split by the order's market position.
 *
 * Market position is the order's limit against its quote; the service calls every order of today
 * `limit`, so its class is not informative. More than 1,500 fees are drawn as dots sized by count.
 *
 * @param given Rows or a frame. One row per charged policy of a fill; without rows the figure says
 * so.
 * @returns The figure; its `rows` are the fees drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fee at its cap and one below
 * ```ts
 * import { feeRateByPolicy } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const fee = { order_uid: "0x01", policy_kind: "surplus", market_position: "out_of_market" };
 * const chart = feeRateByPolicy([
 *   { ...fee, fee_bps: 98, cap_bps: 98, is_capped: true },
 *   { ...fee, fee_bps: 12, cap_bps: 98, is_capped: false },
 * ]);
 *
 * assertMatch(chart.title, /1 of 2 fees with a cap was capped/);
 * ```
 */
export function feeRateByPolicy(
  given: Rows<FeeRateRow>,
  options: FeeRateByPolicyOptions = {},
): Chart<FeeRateRow> {
  return draw(given, options);
}

/** `null` where a row has no text to be split by. */
function groupText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const NOUNS = { market_position: "position", kind: "kind", pair: "pair" } as const;
const POSITIONS: Readonly<Record<string, { long: string }>> = {
  ...MARKET_POSITIONS,
  "unknown position": { long: "Market position not known" },
};

function headingOf({ key, rows }: Group<Rated>, by: keyof typeof NOUNS): string {
  const name = by === "market_position" && Object.hasOwn(POSITIONS, key)
    ? POSITIONS[key]?.long
    : key;
  return `${name} (${count(rows.length, "fee")})`;
}

/** Positions in the order of the list above, so that two charts can be compared. */
function inReadingOrder(groups: readonly Group<Rated>[]): readonly Group<Rated>[] {
  const known = Object.keys(POSITIONS);
  const placeOf = ({ key }: Group<Rated>) => known.indexOf(key);
  return groups.some((group) => placeOf(group) === -1)
    ? groups
    : groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Names of policies, the protocol's before partners', each by how many fees it took. */
function policiesOf(rows: readonly Rated[]): string[] {
  const groups = [...Map.groupBy(rows, policyOf)].toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_POLICIES);
  const isPartner = ([, [first]]: [string, Rated[]]) => Number(first?.is_partner === true);
  return groups.toSorted((a, b) => isPartner(a) - isPartner(b)).map(([name]) => name);
}

function rateAxis(rows: readonly Rated[]): ValueAxis {
  const values = rows.flatMap(({ fee_bps, cap_bps }) =>
    isNumber(cap_bps) ? [fee_bps, cap_bps] : [fee_bps]
  );
  const meaning = { label: "Fee (bps of the amount before the fee)", noun: "rate" };
  return values.every((value) => Math.abs(value) <= MOST_LINEAR)
    ? fixedAxis(linearAxis(values, meaning))
    : valueAxis(values, meaning);
}
