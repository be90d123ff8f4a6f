import * as Plot from "@observablehq/plot";
import { linearAxis } from "./axis_scale.ts";
import type { Chart } from "./chart.ts";
import { type ChartOptions, checkedWidth, type FacetOptions } from "./chart_options.ts";
import { COLORS } from "./colors.ts";
import {
  areSingle,
  dotNote,
  dotStrips,
  medianLegend,
  STRIP_AREAS,
  stripAxis,
  type StripDot,
} from "./dot_strips.ts";
import { drawFigure, emptyFigure, labelRoom, type LegendEntry, type Panel } from "./figure.ts";
import { type Group, largestGroups } from "./largest_groups.ts";
import { policyName } from "./policy_name.ts";
import {
  captionText,
  count,
  isNumber,
  rowsWithNumbers,
  rowsWithTexts,
  wholeText,
} from "./row_selection.ts";
import { shortHex } from "./short_hex.ts";
import { fixedAxis, type ValueAxis, valueAxis } from "./value_axis.ts";

/** What one policy took from one fill, as a rate: columns of `protocolFeesTable`. */
export interface FeeRateRow {
  /** UID of the order. */
  order_uid: string;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, as `WETH → USDC`. */
  pair?: string | null;
  /** Kind of the policy, as `surplus`, `volume` or `priceImprovement`; `null` where none was named. */
  policy_kind: string | null;
  /** Whether the fee goes to a partner of the app data; `null` where that is not known. */
  is_partner?: boolean | null;
  /** `inMarket` or `outOfMarket`: the order's limit against its quote; `null` where not known. */
  market_position: string | null;
  /** The fee, in basis points of the surplus-token amount before this policy's fee. */
  fee_bps: number | null;
  /** The most the policy may take, in the same basis points; `null` for a policy without a cap. */
  cap_bps?: number | null;
  /** Whether the cap made the fee smaller. */
  cap_bit?: boolean | null;
}

/** Options of {@linkcode feeRateByPolicy}. */
export interface FeeRateByPolicyOptions
  extends ChartOptions, FacetOptions<"market_position" | "kind" | "pair"> {
  /** Column by whose values the rows are split into panels. @default {"market_position"} */
  facet?: "market_position" | "kind" | "pair";
}

/** Rates up to this stand on a linear axis, in basis points. */
const MOST_LINEAR = 1_000;
const MOST_POLICIES = 20;
const MOST_PANELS = 6;
/** How many different caps of one policy are drawn in a panel. */
const MOST_CAPS = 12;

const FILLS = {
  protocol: { label: "fee of the protocol", fill: COLORS.orange },
  partner: { label: "of a partner", fill: COLORS.purple },
  unknown: { label: "of unknown origin", fill: COLORS.sky },
} as const;
const CAPPED = { label: "its cap bit", fill: COLORS.vermilion } as const;
const CAP: LegendEntry = { label: "cap", fill: "none", stroke: COLORS.vermilion, shape: "tick" };

interface Rated extends FeeRateRow {
  fee_bps: number;
}

function originOf({ is_partner }: FeeRateRow): keyof typeof FILLS {
  return is_partner === true ? "partner" : is_partner === false ? "protocol" : "unknown";
}

function nameOf(row: FeeRateRow): string {
  const name = policyName(row.policy_kind, row.is_partner);
  return row.policy_kind === null || row.policy_kind === undefined
    ? `${name} without policy`
    : name;
}

function tooltipOf(row: Rated): string {
  return [
    `${nameOf(row)} of order ${shortHex(row.order_uid)}`,
    `${row.fee_bps} bps`,
    isNumber(row.cap_bps)
      ? `cap ${row.cap_bps} bps${row.cap_bit === true ? ", which bit" : ""}`
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
  const byPolicy = Map.groupBy(capped, nameOf);
  return [...byPolicy].flatMap(([name, members]) => {
    const place = policies.indexOf(name);
    if (place === -1) return [];
    const byCap = [...Map.groupBy(members, (row) => row.cap_bps ?? NaN)]
      .toSorted(([, a], [, b]) => b.length - a.length);
    return byCap.slice(0, MOST_CAPS).map(([bps, fees]) => ({
      place,
      bps,
      title: `cap ${bps} bps of ${count(fees.length, "fee")}`,
    }));
  });
}

interface PanelParts {
  policies: readonly string[];
  axis: ValueAxis;
  isSingle: boolean;
  options: FeeRateByPolicyOptions & { width: number };
}

function ratePanel(
  { key, rows }: Group<Rated>,
  { policies, axis, isSingle, options }: PanelParts,
): Panel {
  const { width, height, marginLeft } = options;
  const counts = policies.map((name) => {
    const fees = rows.filter((row) => nameOf(row) === name).length;
    return fees === 0 ? "none" : `n = ${wholeText(fees)}`;
  });
  const list = stripAxis(policies, { width, height, marginLeft });
  const marginRight = labelRoom(counts) + 8;
  const dots = dotsOf(rows, policies);
  return {
    heading: key,
    plot: {
      ...list,
      marginRight,
      x: axis.scale,
      r: STRIP_AREAS,
      marks: [
        ...(axis.isLinear ? [Plot.ruleX([0], { stroke: COLORS.grey })] : []),
        ...dotStrips(dots, {
          axis,
          axisWidth: width - list.marginLeft - marginRight,
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
        Plot.text(counts, {
          y: (_: string, place: number) => place,
          text: (text: string) => text,
          frameAnchor: "right",
          textAnchor: "start",
          dx: 8,
          fill: COLORS.muted,
        }),
      ],
    },
  };
}

function dotsOf(rows: readonly Rated[], policies: readonly string[]): StripDot[] {
  return rows.flatMap((row) => {
    const place = policies.indexOf(nameOf(row));
    const fill = row.cap_bit === true ? CAPPED.fill : FILLS[originOf(row)].fill;
    return place === -1 ? [] : [{ place, x: row.fee_bps, fill, title: tooltipOf(row) }];
  });
}

/**
 * Draws what each policy took from fills, in basis points of the surplus-token amount before its fee,
 * against its cap: one dot a fee, split by the order's market position.
 *
 * Market position is the order's limit against its quote; the service calls every order of today
 * `limit`, so its class tells nothing. More than 1,500 fees are drawn as dots whose size is how many.
 *
 * @param rows One row a charged policy of a fill; none draws a figure that says so.
 * @returns The figure; its `rows` are the fees drawn.
 * @throws {InputError} If an option is out of its range.
 *
 * @example A fee at its cap and one below
 * ```ts
 * import { feeRateByPolicy } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const fee = { order_uid: "0x01", policy_kind: "surplus", market_position: "outOfMarket" };
 * const chart = feeRateByPolicy([
 *   { ...fee, fee_bps: 98, cap_bps: 98, cap_bit: true },
 *   { ...fee, fee_bps: 12, cap_bps: 98, cap_bit: false },
 * ]);
 *
 * assertMatch(chart.title, /caps bit in 1 of 2 fees that have one/);
 * ```
 */
export function feeRateByPolicy(
  rows: readonly FeeRateRow[],
  options: FeeRateByPolicyOptions = {},
): Chart<FeeRateRow> {
  const width = checkedWidth(options);
  const { facet = "market_position", source } = options;
  const { rows: known, note } = rowsWithNumbers(rowsWithTexts(rows, ["order_uid"]), ["fee_bps"]);
  const rated = known as readonly Rated[];
  const policies = policiesOf(rated);
  const drawn = rated.filter((row) => policies.includes(nameOf(row)));
  const { groups, rest } = largestGroups(drawn, (row) => facetText(row[facet]), {
    limit: MOST_PANELS,
    noun: NOUNS[facet],
  });
  const panels = [...inReadingOrder(groups), ...(rest === null ? [] : [rest])];
  const withCap = rated.filter((row) => isNumber(row.cap_bps));
  const bit = withCap.filter((row) => row.cap_bit === true).length;
  const caption = captionText([
    `n = ${count(rated.length, "fee")}`,
    note,
    rated.length > drawn.length &&
    `${count(rated.length - drawn.length, "fee")} of rarer policies not drawn`,
    rest !== null && `${rest.key} in one panel`,
    rated.length > 0 && dotNote(rated.length, "fee"),
    facet === "market_position" && rated.length > 0 &&
    "Market position: the limit against the quote",
  ], source);
  if (drawn.length === 0) {
    return emptyFigure({
      title: "What fee policies took",
      reason: rows.length === 0 ? "No fees in this range" : "No fee in this range has a known rate",
      caption,
      width,
    });
  }
  const axis = rateAxis(drawn);
  const isSingle = areSingle(drawn.length);
  const title = "What fee policies took" +
    (withCap.length === 0
      ? ", in basis points"
      : `: caps bit in ${wholeText(bit)} of ${count(withCap.length, "fee")} that have one`);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: legendOf(drawn, policies),
    panels: panels.map((group) =>
      ratePanel(
        { key: headingOf(group, facet), rows: group.rows },
        { policies, axis, isSingle, options: { ...options, width } },
      )
    ),
    caption: captionText([caption, axis.note], undefined),
    width,
    rows: drawn,
  });
}

/** `null` where a row has no text to be split by. */
function facetText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const NOUNS = { market_position: "position", kind: "kind", pair: "pair" } as const;
const POSITIONS: Readonly<Record<string, string>> = {
  inMarket: "In market: the limit could be met at the quote",
  outOfMarket: "Out of market: the limit waits for a better price than the quote",
  "unknown position": "Market position not known",
};

function headingOf({ key, rows }: Group<Rated>, facet: keyof typeof NOUNS): string {
  const name = facet === "market_position" && Object.hasOwn(POSITIONS, key) ? POSITIONS[key] : key;
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
  const groups = [...Map.groupBy(rows, nameOf)].toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_POLICIES);
  const isPartner = ([, [first]]: [string, Rated[]]) => Number(first?.is_partner === true);
  return groups.toSorted((a, b) => isPartner(a) - isPartner(b)).map(([name]) => name);
}

function rateAxis(rows: readonly Rated[]): ValueAxis {
  const values = rows.flatMap(({ fee_bps, cap_bps }) =>
    isNumber(cap_bps) ? [fee_bps, cap_bps] : [fee_bps]
  );
  const meaning = { label: "Fee (bps of the amount before it)", noun: "rate" };
  return values.every((value) => Math.abs(value) <= MOST_LINEAR)
    ? fixedAxis(linearAxis(values, meaning))
    : valueAxis(values, meaning);
}

function legendOf(rows: readonly Rated[], policies: readonly string[]): LegendEntry[] {
  const origins = new Set(rows.filter((row) => row.cap_bit !== true).map(originOf));
  return [
    ...(["protocol", "partner", "unknown"] as const).filter((origin) => origins.has(origin))
      .map((origin) => ({ ...FILLS[origin], shape: "dot" as const })),
    ...(rows.some((row) => row.cap_bit === true) ? [{ ...CAPPED, shape: "dot" as const }] : []),
    ...(rows.some((row) => isNumber(row.cap_bps)) ? [CAP] : []),
    ...medianLegend(dotsOf(rows, policies)),
  ];
}
