import * as Plot from "@observablehq/plot";
import {
  createFixedAxis,
  createLinearScale,
  createValueAxis,
  type ValueAxis,
} from "../axes/axis_scale.ts";
import { createListAxis, type ListSize } from "../axes/row_axes.ts";
import type { GroupOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { createListPanel, drawNoteColumn, measureColumnMargin } from "../marks/bars.ts";
import {
  createMedianLegend,
  describeDots,
  drawDotStrips,
  hasSingleDots,
  type StripDot,
} from "../marks/dot_strips.ts";
import {
  declare,
  type Group,
  groupLargest,
  isNumber,
  listGroups,
  readText,
  selectNumeric,
  type WithNumbers,
} from "../rows.ts";
import { max, median } from "../statistics.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import {
  formatBpsNumber,
  formatExact,
  formatPercent,
  MARKET_POSITIONS,
} from "../texts/label_text.ts";
import { nameGroup, namePolicy, shortenHex } from "../texts/short_names.ts";

/** The fee of one policy on one fill, as a rate: columns of `fees`. */
export interface FeeRateRow {
  /** UID of the order. */
  order_uid: string;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Kind of the policy: `surplus`, `volume` or `priceImprovement`; `null` if none is named. */
  policy_kind: string | null;
  /** Whether the fee goes to a partner of the app data; `null` if unknown. */
  is_partner?: boolean | null;
  /** `in_market` or `out_of_market`: the order's limit against its quote; `null` if unknown. */
  market_position: string | null;
  /** The fee, in basis points of the surplus-token amount before this policy's fee. */
  fee_bps: number | null;
  /** The most the policy may take, in the same basis points; `null` for a policy without a cap. */
  cap_bps?: number | null;
  /** Whether the cap made the fee smaller. */
  is_capped?: boolean | null;
}

/** Options of {@linkcode feeRateByPolicy}. */
export interface FeeRateByPolicyOptions extends GroupOptions {
  /**
   * Column by whose values the rows are split into panels: `market_position`, `kind`, `pair`, or one of
   * your own. @default {"market_position"}
   */
  by?: string;
}

const TITLE = "What fee policies charged";

/** Highest rate on a linear axis, in basis points. */
const MAX_LINEAR = 1_000;

const MAX_POLICIES = 20;
const MAX_PANELS = 6;

/**
 * Draws what each policy charged, in basis points of the surplus-token amount before its fee,
 * against its cap: one dot per fee, split by the order's market position.
 *
 * Market position is the order's limit against its quote; the service calls every order of today
 * `limit`, so its class is not informative. More than 1,500 fees are drawn as dots sized by count.
 *
 * @param rows Rows or a frame. One row per charged policy of a fill; without rows the figure says
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
 * assertMatch(chart.title, /at most 98.0 bps; 1 of 2 fees with a cap reached it/);
 * ```
 */
export const feeRateByPolicy: Draw<FeeRateRow, FeeRateByPolicyOptions> = defineChart({
  chart: "feeRateByPolicy",
  table: "fees",
  columns: {
    ...declare("text", "order_uid", "policy_kind", "market_position"),
    ...declare("text?", "kind", "pair"),
    ...declare("flag?", "is_partner", "is_capped"),
    ...declare("number", "fee_bps"),
    ...declare("number?", "cap_bps"),
  },
  options: { by: String },
  selectColumns: ({ by = "market_position" }) => [by],
  defaults: { by: "market_position" },
  select: (rows, { by }) => {
    const { rows: rated, note } = selectNumeric(rows, ["fee_bps"], ["order_uid"]);
    const policies = listPolicies(rated);
    const drawnRows = rated.filter((row) => policies.includes(nameFeePolicy(row)));
    const noun = by === "market_position" ? "position" : nameGroup(by);
    const limits = { limit: MAX_PANELS, noun };
    const { groups, restGroup } = groupLargest(drawnRows, (row) => readText(row, by), limits);
    return { rated, note, policies, drawnRows, groups, restGroup };
  },
  empty: {
    title: TITLE,
    noRows: "No fees in this range",
    noValues: "No fee in this range has a known rate",
  },
  axes: ({ drawnRows }) => ({ axis: createRateAxis(drawnRows) }),
  panels: ({ drawnRows, policies, groups, restGroup, axis, by, ...size }) => {
    const panels = listGroups({ groups: sortPositions(groups), restGroup });
    const shared = {
      ...size,
      axis,
      isSingle: hasSingleDots(drawnRows.length),
      marginLeft: size.marginLeft ?? createListAxis(policies, size).marginLeft,
      marginRight: measureColumnMargin(
        panels.flatMap(({ rows }) => formatNotes(rows, policies, size.width)),
      ),
    };
    return panels.map((group) =>
      createRatePanel(group.rows, {
        ...shared,
        heading: formatHeading(group, by),
        policies: policies.filter((name) => group.rows.some((row) => nameFeePolicy(row) === name)),
      })
    );
  },
  legend: ({ drawnRows, policies }) => {
    const origins = new Set(drawnRows.filter((row) => row.is_capped !== true).map(findOrigin));
    return [
      ...(["protocol", "partner", "unknown"] as const).filter((origin) => origins.has(origin))
        .map((origin) => ({ ...FILLS[origin], shape: "dot" as const })),
      ...(drawnRows.some((row) => row.is_capped === true)
        ? [{ ...CAPPED, shape: "dot" as const }]
        : []),
      ...(drawnRows.some((row) => isNumber(row.cap_bps)) ? [CAP] : []),
      ...createMedianLegend(createDots(drawnRows, policies)),
    ];
  },
  finding: ({ rated }) => {
    const rates = rated.map((row) => row.fee_bps);
    const withCap = rated.filter((row) => isNumber(row.cap_bps) && row.cap_bps > 0);
    const capped = withCap.filter((row) => row.is_capped === true).length;
    const closest = max(withCap.map((row) => row.fee_bps / row.cap_bps!));
    return [
      `The median of ${count(rated.length, "fee")} is ${formatRate(median(rates)!)} bps, ` +
      `the highest ${formatRate(max(rates)!)} bps`,
      withCap.length > 0 && `${formatPart(capped, withCap.length)} fees with a cap reached it` +
        (capped > 0 ? "" : `; the one that came closest reached ${formatPercent(closest!)} of it`),
    ];
  },
  title: ({ rated }) => {
    const rates = rated.map((row) => row.fee_bps);
    const [middle, highest] = [median(rates)!, max(rates)!].map(formatRate);
    const summary = `${TITLE}: median ${middle} bps, at most ${highest} bps`;
    const withCap = rated.filter((row) => isNumber(row.cap_bps));
    if (withCap.length === 0) return summary;
    const capped = withCap.filter((row) => row.is_capped === true).length;
    const fees = `${formatWhole(capped)} of ${count(withCap.length, "fee")}`;
    return `${summary}; ${fees} with a cap reached it`;
  },
  caption: ({ rated, drawnRows, note, restGroup, by, axis }) => [
    `n = ${count(rated.length, "fee")}`,
    note,
    rated.length > drawnRows.length &&
    `${count(rated.length - drawnRows.length, "fee")} of rarer policies not shown`,
    restGroup !== null && `${restGroup.key} in one panel`,
    rated.length > 0 && describeDots(rated.length, "fee"),
    by === "market_position" && rated.length > 0 &&
    "Market position: the limit relative to the quote",
    axis?.note,
    drawnRows.some((row) => isNumber(row.cap_bps) && axis && axis.fraction(row.cap_bps) > 1) &&
    "Caps beyond the axis are shown at its right edge",
  ],
});

/** Formats a rate with one decimal, as `13.3`; more where it would read as zero. */
function formatRate(bps: number): string {
  return formatBpsNumber(bps).replace("+", "");
}

const POSITIONS: Readonly<Record<string, { long: string }>> = {
  ...MARKET_POSITIONS,
  "unknown position": { long: "Market position unknown" },
};

function formatHeading({ key, rows }: Group<RatedFee>, column: string): string {
  const name = column === "market_position" && Object.hasOwn(POSITIONS, key)
    ? POSITIONS[key]?.long
    : key;
  return `${name} (${count(rows.length, "fee")})`;
}

/** Sorts market positions in a fixed order, so that two charts can be compared. */
function sortPositions(groups: readonly Group<RatedFee>[]): readonly Group<RatedFee>[] {
  const positions = Object.keys(POSITIONS);
  const findIndex = ({ key }: Group<RatedFee>) => positions.indexOf(key);
  return groups.some((group) => findIndex(group) === -1)
    ? groups
    : groups.toSorted((a, b) => findIndex(a) - findIndex(b));
}

/** Lists names of policies, the protocol's before partners', each by number of fees. */
function listPolicies(rows: readonly RatedFee[]): string[] {
  const groups = [...Map.groupBy(rows, nameFeePolicy)].toSorted(([, a], [, b]) =>
    b.length - a.length
  )
    .slice(0, MAX_POLICIES);
  const isPartner = ([, [first]]: [string, RatedFee[]]) => Number(first?.is_partner === true);
  return groups.toSorted((a, b) => isPartner(a) - isPartner(b)).map(([name]) => name);
}

/** Creates an axis for rates; caps, which may be far above them, do not count. */
function createRateAxis(rows: readonly RatedFee[]): ValueAxis {
  const values = rows.map((row) => row.fee_bps);
  const meaning = { label: "Fee (bps of the amount before the fee)", noun: "rate" };
  return values.every((value) => Math.abs(value) <= MAX_LINEAR)
    ? createFixedAxis(createLinearScale(values, meaning))
    : createValueAxis(values, meaning);
}

/** Maximum number of different caps drawn per policy and panel. */
const MAX_CAPS = 12;

const FILLS = {
  protocol: { label: "protocol fee", fill: COLORS.orange },
  partner: { label: "partner fee", fill: COLORS.purple },
  unknown: { label: "fee of unknown origin", fill: COLORS.sky },
} as const;

const CAPPED = { label: "capped", fill: COLORS.vermilion } as const;
const CAP: LegendEntry = { label: "cap", fill: "none", stroke: COLORS.vermilion, shape: "tick" };

type RatedFee = WithNumbers<FeeRateRow, "fee_bps">;

function findOrigin({ is_partner }: FeeRateRow): keyof typeof FILLS {
  return is_partner === true ? "partner" : is_partner === false ? "protocol" : "unknown";
}

function nameFeePolicy(row: FeeRateRow): string {
  const name = namePolicy(row.policy_kind, row.is_partner);
  return row.policy_kind === null || row.policy_kind === undefined
    ? `${name} without policy`
    : name;
}

function formatTooltip(row: RatedFee): string {
  return [
    `${nameFeePolicy(row)} of order ${shortenHex(row.order_uid)}`,
    `${formatExact(row.fee_bps)} bps`,
    isNumber(row.cap_bps)
      ? `cap ${formatExact(row.cap_bps)} bps${row.is_capped === true ? ", capped" : ""}`
      : null,
    [row.kind, row.pair].filter((text) => text).join(" "),
  ].filter((line) => line).join("\n");
}

function countCaps(rows: readonly RatedFee[], policies: readonly string[]) {
  const capped = rows.filter((row) => isNumber(row.cap_bps));
  return [...Map.groupBy(capped, nameFeePolicy)].flatMap(([name, members]) => {
    const index = policies.indexOf(name);
    if (index === -1) return [];
    const byCap = [...Map.groupBy(members, (row) => row.cap_bps ?? NaN)]
      .toSorted(([, a], [, b]) => b.length - a.length);
    return byCap.slice(0, MAX_CAPS).map(([bps, fees]) => ({
      index,
      bps,
      title: `cap ${formatExact(bps)} bps: ${count(fees.length, "fee")}`,
    }));
  });
}

interface RatePanelOptions extends ListSize {
  heading: string;
  policies: readonly string[];
  axis: ValueAxis;
  isSingle: boolean;
  /** Room right of the axis, in pixels; equal in all panels. */
  marginRight: number;
}

/** Below this width, notes have the number of fees only. */
const LONG_NOTES_FROM = 600;

function formatNotes(
  rows: readonly RatedFee[],
  policies: readonly string[],
  width: number,
): string[] {
  const groups = Map.groupBy(rows, nameFeePolicy);
  return policies.flatMap((name) => {
    const rates = groups.get(name)?.map((row) => row.fee_bps) ?? [];
    const number = `n = ${formatWhole(rates.length)}`;
    const [cap, ...otherCaps] = new Set(
      groups.get(name)?.map((row) => row.cap_bps).filter(isNumber),
    );
    const capText = cap === undefined || otherCaps.length > 0 ? "" : `, cap ${formatRate(cap)}`;
    if (rates.length === 0) return [];
    return width < LONG_NOTES_FROM
      ? number
      : `median ${formatRate(median(rates)!)}, max ${formatRate(max(rates)!)}${capText}, ${number}`;
  });
}

function createRatePanel(
  rows: readonly RatedFee[],
  { policies, isSingle, ...options }: RatePanelOptions,
): Panel {
  const { axis, width } = options;
  type CapMark = ReturnType<typeof countCaps>[number];
  return createListPanel({
    ...options,
    labels: policies,
    isStrips: true,
    marks: ({ axisWidth }) => [
      ...drawDotStrips(createDots(rows, policies), {
        axis,
        axisWidth,
        noun: "fee",
        isSingle,
        className: "fee_rate",
      }),
      Plot.ruleX(countCaps(rows, policies), {
        x: (cap: CapMark) => axis.fraction(cap.bps) > 1 ? axis.valueAt(1) : axis.clamp(cap.bps),
        y1: (cap: CapMark) => cap.index - 0.44,
        y2: (cap: CapMark) => cap.index + 0.44,
        stroke: COLORS.vermilion,
        strokeWidth: 2,
        title: "title",
        className: "cap",
      }),
      drawNoteColumn(formatNotes(rows, policies, width), { dx: 8, fill: COLORS.muted }),
    ],
  });
}

function createDots(rows: readonly RatedFee[], policies: readonly string[]): StripDot[] {
  return rows.flatMap((row) => {
    const index = policies.indexOf(nameFeePolicy(row));
    const fill = row.is_capped === true ? CAPPED.fill : FILLS[findOrigin(row)].fill;
    return index === -1 ? [] : [{ index, x: row.fee_bps, fill, title: formatTooltip(row) }];
  });
}
