import * as Plot from "@observablehq/plot";
import { oneOf } from "../../errors/option_rules.ts";
import { fixedAxis, linearAxis, type ValueAxis, valueAxis } from "../axes/axis_scale.ts";
import { listAxis, type ListSize } from "../axes/row_axes.ts";
import type { GroupOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { columnMargin, noteColumn, rankedList } from "../marks/bars.ts";
import { areSingle, dotNote, dotStrips, medianLegend, type StripDot } from "../marks/dot_strips.ts";
import {
  each,
  type Group,
  isNumber,
  type Known,
  largestGroups,
  listedGroups,
  rowsWithNumbers,
} from "../rows.ts";
import { max, median } from "../statistics.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { bpsNumber, exactText, MARKET_POSITIONS, percentText } from "../texts/label_text.ts";
import { policyName, shortHex } from "../texts/short_names.ts";

/** What one policy took from one fill, as a rate: columns of `fees`. */
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
export interface FeeRateByPolicyOptions extends GroupOptions<"market_position" | "kind" | "pair"> {
  /** Column by whose values the rows are split into panels. @default {"market_position"} */
  by?: "market_position" | "kind" | "pair";
}

/** What is seen. */
const WHAT = "What fee policies charged";

/** Rates up to this stand on a linear axis, in basis points. */
const MOST_LINEAR = 1_000;

const MOST_POLICIES = 20;
const MOST_PANELS = 6;

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
 * assertMatch(chart.title, /at most 98.0 bps; 1 of 2 fees with a cap was capped/);
 * ```
 */
export const feeRateByPolicy: Draw<FeeRateRow, FeeRateByPolicyOptions> = picture({
  chart: "feeRateByPolicy",
  table: "fees",
  columns: {
    ...each("text", "order_uid", "policy_kind", "market_position"),
    ...each("text?", "kind", "pair"),
    ...each("flag?", "is_partner", "is_capped"),
    ...each("number", "fee_bps"),
    ...each("number?", "cap_bps"),
  },
  options: { by: oneOf("market_position", "kind", "pair") },
  asks: ({ by = "market_position" }) => [by],
  defaults: { by: "market_position" },
  select: (rows, { by }) => {
    const { rows: rated, note } = rowsWithNumbers(rows, ["fee_bps"], ["order_uid"]);
    const policies = policiesOf(rated);
    const drawn = rated.filter((row) => policies.includes(policyOf(row)));
    const limits = { limit: MOST_PANELS, noun: NOUNS[by] };
    const textOf = ({ [by]: value }: Rated) => typeof value === "string" ? value : null;
    const { groups, rest } = largestGroups(drawn, textOf, limits);
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
    const shared = {
      ...size,
      axis,
      isSingle: areSingle(drawn.length),
      marginLeft: size.marginLeft ?? listAxis(policies, size).marginLeft,
      marginRight: columnMargin(
        panels.flatMap(({ rows }) => notesOf(rows, policies, size.width)),
      ),
    };
    return panels.map((group) =>
      ratePanel(group.rows, {
        ...shared,
        heading: headingOf(group, by),
        policies: policies.filter((name) => group.rows.some((row) => policyOf(row) === name)),
      })
    );
  },
  legend: ({ drawn, policies }) => {
    const origins = new Set(drawn.filter((row) => row.is_capped !== true).map(originOf));
    return [
      ...(["protocol", "partner", "unknown"] as const).filter((origin) => origins.has(origin))
        .map((origin) => ({ ...FILLS[origin], shape: "dot" as const })),
      ...(drawn.some((row) => row.is_capped === true)
        ? [{ ...CAPPED, shape: "dot" as const }]
        : []),
      ...(drawn.some((row) => isNumber(row.cap_bps)) ? [CAP] : []),
      ...medianLegend(dotsOf(drawn, policies)),
    ];
  },
  finding: ({ rated }) => {
    const rates = rated.map((row) => row.fee_bps);
    const withCap = rated.filter((row) => isNumber(row.cap_bps) && row.cap_bps > 0);
    const capped = withCap.filter((row) => row.is_capped === true).length;
    const closest = max(withCap.map((row) => row.fee_bps / row.cap_bps!));
    return [
      `The median of ${count(rated.length, "fee")} is ${rateText(median(rates)!)} bps, ` +
      `the highest ${rateText(max(rates)!)} bps`,
      withCap.length > 0 && `${partText(capped, withCap.length)} fees with a cap were capped` +
        (capped > 0 ? "" : `; the one that came closest reached ${percentText(closest!)} of it`),
    ];
  },
  title: ({ rated }) => {
    const rates = rated.map((row) => row.fee_bps);
    const [middle, most] = [median(rates)!, max(rates)!].map(rateText);
    const said = `${WHAT}: median ${middle}, at most ${most} bps`;
    const withCap = rated.filter((row) => isNumber(row.cap_bps));
    if (withCap.length === 0) return said;
    const capped = withCap.filter((row) => row.is_capped === true).length;
    return `${said}; ${wholeText(capped)} of ${count(withCap.length, "fee")} with a cap ` +
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
    axis && capsBeyond(drawn, axis) && "Caps beyond the axis stand at its right edge",
  ],
});

/** A rate with one decimal, as `13.3`; more where it would read as zero. */
function rateText(bps: number): string {
  return bpsNumber(bps).replace("+", "");
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

/** An axis for rates: caps do not count, which may be far above them. */
function rateAxis(rows: readonly Rated[]): ValueAxis {
  const values = rows.map((row) => row.fee_bps);
  const meaning = { label: "Fee (bps of the amount before the fee)", noun: "rate" };
  return values.every((value) => Math.abs(value) <= MOST_LINEAR)
    ? fixedAxis(linearAxis(values, meaning))
    : valueAxis(values, meaning);
}

/** Whether a cap lies beyond an axis. */
function capsBeyond(rows: readonly Rated[], { fraction }: ValueAxis): boolean {
  return rows.some(({ cap_bps: cap }) => isNumber(cap) && fraction(cap) > 1);
}

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
type Rated = Known<FeeRateRow, "fee_bps">;

function originOf({ is_partner }: FeeRateRow): keyof typeof FILLS {
  return is_partner === true ? "partner" : is_partner === false ? "protocol" : "unknown";
}

/** What the policy of a fee is called. */
function policyOf(row: FeeRateRow): string {
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

/** Each policy's most frequent caps. */
function capsOf(rows: readonly Rated[], policies: readonly string[]) {
  const capped = rows.filter((row) => isNumber(row.cap_bps));
  return [...Map.groupBy(capped, policyOf)].flatMap(([name, members]) => {
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
interface RatePanelOptions extends ListSize {
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

/** Narrower figures have the number of fees alone beside their strips. */
const LONG_NOTES_FROM = 600;

/** What each policy charged, and how often, beside its strip. */
function notesOf(rows: readonly Rated[], policies: readonly string[], width: number): string[] {
  const groups = Map.groupBy(rows, policyOf);
  return policies.flatMap((name) => {
    const rates = groups.get(name)?.map((row) => row.fee_bps) ?? [];
    const number = `n = ${wholeText(rates.length)}`;
    if (rates.length === 0) return [];
    return width < LONG_NOTES_FROM
      ? number
      : `median ${rateText(median(rates)!)}, max ${rateText(max(rates)!)}, ${number}`;
  });
}

/** The right end of an axis. */
function endOf({ scale }: ValueAxis): number {
  const { domain } = Plot.scale({ x: scale });
  return Number([...domain ?? []].at(-1));
}

/** Draws the rates of some fees: a strip of dots a policy, with its caps. */
function ratePanel(
  rows: readonly Rated[],
  { policies, isSingle, ...options }: RatePanelOptions,
): Panel {
  const { axis, width } = options;
  type CapMark = ReturnType<typeof capsOf>[number];
  return rankedList({
    ...options,
    labels: policies,
    isStrips: true,
    marks: ({ axisWidth }) => [
      ...dotStrips(dotsOf(rows, policies), {
        axis,
        axisWidth,
        noun: "fee",
        isSingle,
        className: "fee_rate",
      }),
      Plot.ruleX(capsOf(rows, policies), {
        x: (cap: CapMark) => axis.fraction(cap.bps) > 1 ? endOf(axis) : axis.place(cap.bps),
        y1: (cap: CapMark) => cap.place - 0.44,
        y2: (cap: CapMark) => cap.place + 0.44,
        stroke: COLORS.vermilion,
        strokeWidth: 2,
        title: "title",
        className: "cap",
      }),
      noteColumn(notesOf(rows, policies, width), { dx: 8, fill: COLORS.muted }),
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
