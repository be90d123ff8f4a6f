import * as Plot from "@observablehq/plot";
import { exactText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import { dotStrips, medianLegend, type StripDot } from "../marks/dot_strips.ts";
import type { FeeRateRow } from "./fee_rate_row.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { labelRoom } from "../texts/label_size.ts";
import type { Group } from "../rows/largest_groups.ts";
import type { ListSize } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { noteColumn } from "../marks/end_notes.ts";
import { policyName } from "../texts/policy_name.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { count, isNumber, wholeText } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import type { ValueAxis } from "../axes/value_axis.ts";

/** How many different caps of one policy are drawn in a panel. */
const MOST_CAPS = 12;

const FILLS = {
  protocol: { label: "protocol fee", fill: COLORS.orange },
  partner: { label: "partner fee", fill: COLORS.purple },
  unknown: { label: "fee of unknown origin", fill: COLORS.sky },
} as const;
const CAPPED = { label: "capped", fill: COLORS.vermilion } as const;
const CAP: LegendEntry = { label: "cap", fill: "none", stroke: COLORS.vermilion, shape: "tick" };

/** A fee whose rate is known. */
export interface Rated extends FeeRateRow {
  /** The fee, in basis points of the amount before it. */
  fee_bps: number;
}

function originOf({ is_partner }: FeeRateRow): keyof typeof FILLS {
  return is_partner === true ? "partner" : is_partner === false ? "protocol" : "unknown";
}

/** What the policy of a fee is called. */
export function policyOf(row: FeeRateRow): string {
  const name = policyName(row.policy_kind, row.is_partner);
  return row.policy_kind === null || row.policy_kind === undefined
    ? `${name} without policy`
    : name;
}

function tooltipOf(row: Rated): string {
  return [
    `${policyOf(row)} of order ${shortHex(row.order_uid)}`,
    `${exactText(row.fee_bps)} bps`,
    isNumber(row.cap_bps)
      ? `cap ${exactText(row.cap_bps)} bps${row.is_capped === true ? ", capped" : ""}`
      : null,
    [row.kind, row.pair].filter((one) => one).join(" "),
  ].filter((line) => line).join("\n");
}

interface CapMark {
  place: number;
  bps: number;
  title: string;
}

/** Each policy's most frequent caps. */
function capsOf(rows: readonly Rated[], policies: readonly string[]): CapMark[] {
  const capped = rows.filter((row) => isNumber(row.cap_bps));
  const byPolicy = Map.groupBy(capped, policyOf);
  return [...byPolicy].flatMap(([name, members]) => {
    const place = policies.indexOf(name);
    if (place === -1) return [];
    const byCap = [...Map.groupBy(members, (row) => row.cap_bps ?? NaN)]
      .toSorted(([, a], [, b]) => b.length - a.length);
    return byCap.slice(0, MOST_CAPS).map(([bps, fees]) => ({
      place,
      bps,
      title: `cap ${exactText(bps)} bps: ${count(fees.length, "fee")}`,
    }));
  });
}

/** How a panel of rates is set. */
export interface RatePanelOptions extends ListSize {
  /** What the panel shows. */
  heading: string;
  /** Names of the policies, from top to bottom. */
  policies: readonly string[];
  /** Axis of the rates. */
  axis: ValueAxis;
  /** Whether a dot is one fee. */
  isSingle: boolean;
  /** Room right of the axis, in pixels: the same in all panels, so that their axes are equal. */
  marginRight: number;
}

/** How many fees each policy took, beside its strip. */
function countTexts(rows: readonly Rated[], policies: readonly string[]): string[] {
  const counts = Map.groupBy(rows, policyOf);
  return policies.map((name) => {
    const fees = counts.get(name)?.length ?? 0;
    return fees === 0 ? "none" : `n = ${wholeText(fees)}`;
  });
}

/** Room for those counts in every panel, in pixels. */
export function countRoom(groups: readonly Group<Rated>[], policies: readonly string[]): number {
  return labelRoom(groups.flatMap(({ rows }) => countTexts(rows, policies))) + 8;
}

/** Draws the rates of some fees: a strip of dots a policy, with its caps. */
export function ratePanel(
  rows: readonly Rated[],
  { policies, isSingle, ...options }: RatePanelOptions,
): Panel {
  const { axis } = options;
  return rankedList({
    ...options,
    labels: policies,
    isStrips: true,
    marks: ({ axisWidth }) => [
      ...(axis.isLinear ? [Plot.ruleX([0], { stroke: COLORS.grey })] : []),
      ...dotStrips(dotsOf(rows, policies), {
        axis,
        axisWidth,
        noun: "fee",
        isSingle,
        className: "fee_rate",
      }),
      Plot.ruleX(capsOf(rows, policies), {
        x: (cap: CapMark) => axis.place(cap.bps),
        y1: (cap: CapMark) => cap.place - 0.44,
        y2: (cap: CapMark) => cap.place + 0.44,
        stroke: COLORS.vermilion,
        strokeWidth: 2,
        title: "title",
        className: "cap",
      }),
      noteColumn(countTexts(rows, policies), { dx: 8, fill: COLORS.muted }),
    ],
  });
}

function dotsOf(rows: readonly Rated[], policies: readonly string[]): StripDot[] {
  return rows.flatMap((row) => {
    const place = policies.indexOf(policyOf(row));
    const fill = row.is_capped === true ? CAPPED.fill : FILLS[originOf(row)].fill;
    return place === -1 ? [] : [{ place, x: row.fee_bps, fill, title: tooltipOf(row) }];
  });
}

/** What the dots and lines of all panels mean. */
export function rateLegend(rows: readonly Rated[], policies: readonly string[]): LegendEntry[] {
  const origins = new Set(rows.filter((row) => row.is_capped !== true).map(originOf));
  return [
    ...(["protocol", "partner", "unknown"] as const).filter((origin) => origins.has(origin))
      .map((origin) => ({ ...FILLS[origin], shape: "dot" as const })),
    ...(rows.some((row) => row.is_capped === true) ? [{ ...CAPPED, shape: "dot" as const }] : []),
    ...(rows.some((row) => isNumber(row.cap_bps)) ? [CAP] : []),
    ...medianLegend(dotsOf(rows, policies)),
  ];
}
