import * as Plot from "@observablehq/plot";
import { oneOf } from "../../errors/option_rules.ts";
import { linearAxis } from "../axes/axis_scale.ts";
import { type GroupOptions, NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { near, numberAxis, timeAxis } from "../general/time_plan.ts";
import { type Bins, binsOf, usualEvery } from "../general/time_points.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { binBars, dotPlot } from "../marks/dot_plot.ts";
import { each, earliestNote, isNumber, type Known, rowsWithNumbers, secondsFrom } from "../rows.ts";
import { sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { addsUp, count } from "../texts/count_text.ts";
import { amountText, axisText, exactText, labelRoom, type Moment } from "../texts/label_text.ts";
import { describeDoubtful } from "../texts/price_text.ts";

/** What one policy, or the network, took from one fill: columns of `fees`. */
export interface FeeTimelineRow {
  /** Block of the settlement. */
  block_number: number | null;
  /** When it was filled, in unix milliseconds; the earliest if `time_basis` is `bracketed`. */
  filled_at_ms?: number | null;
  /** How that time is known: `block`, `event` or `bracketed`; `null` if it is not. */
  time_basis?: string | null;
  /** Time of that block, for rows without `filled_at_ms`; `null` if unknown. */
  timestamp?: Moment | null;
  /**
   * Kind of the policy: `surplus`, `volume` or `priceImprovement`, or `network`; `null` if none
   * is named.
   */
  policy_kind: string | null;
  /** Whether the fee goes to a partner of the app data; `null` if that is unknown. */
  is_partner?: boolean | null;
  /** The fee, in native tokens; `null` where the token has no price. */
  fee_native: number | null;
  /** Whether the native prices of the fill agree: `consistent`, `suspect` or `absurd`. */
  price_sides?: string | null;
}

/** Options of {@linkcode feeTimeline}. */
export interface FeeTimelineOptions extends NativeOptions, GroupOptions<"policy_kind"> {
  /** Draws each kind of fee in a panel with an axis of its own. @default {all stacked in one} */
  by?: "policy_kind";
}

const HEIGHT = 300;
const GROUP_HEIGHT = 150;
const BOTTOM = 44;
const RIGHT = 44;
/** Room below a panel whose axis is not named. */
const BARE_BOTTOM = 24;

const KINDS = {
  network: { label: "network fee", fill: COLORS.grey },
  surplus: { label: "surplus fee", fill: COLORS.orange },
  priceImprovement: { label: "price improvement fee", fill: COLORS.blue },
  volume: { label: "volume fee", fill: COLORS.green },
  partner: { label: "partner fee", fill: COLORS.purple },
  unknown: { label: "fee of unknown origin", fill: COLORS.sky },
  other: { label: "other fee", fill: COLORS.vermilion },
} as const satisfies Record<string, LegendEntry>;

type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** The kinds of fee that policies of the protocol name. */
const POLICIES: ReadonlySet<string | null> = new Set(["surplus", "priceImprovement", "volume"]);

function kindOf({ policy_kind: kind, is_partner: isPartner }: FeeTimelineRow): Kind {
  if (isPartner === true) return "partner";
  if (kind === "network") return "network";
  if (isPartner === null) return "unknown";
  return POLICIES.has(kind) ? kind as Kind : "other";
}

type Priced = Known<FeeTimelineRow, "fee_native">;

/** Fees with their place along x: seconds if the time of any is known, blocks otherwise. */
function placed(rows: readonly Priced[]) {
  const own = rows.map((row) => near(secondsFrom(row.filled_at_ms, row.timestamp)));
  const isTime = own.some((second) => second !== null);
  // Fills of one block happened at one time.
  const byBlock = new Map(
    rows.flatMap(({ block_number: block }, at): [number, number][] =>
      own[at] === null || own[at] === undefined || !isNumber(block) ? [] : [[block, own[at]]]
    ),
  );
  const fees = rows.flatMap((row, at) => {
    const { block_number: block } = row;
    const x = isTime ? own[at] ?? byBlock.get(block ?? NaN) : block;
    const isPlace = isTime ? isNumber(x) : Number.isSafeInteger(x);
    return isPlace ? [{ row, x: x! }] : [];
  });
  return { fees, isTime };
}

/** Bins of equal width along times or blocks, of which a bar is one. */
interface FeeBins extends Bins {
  readonly isTime: boolean;
}

/** An axis is at least this many bins long, so that one bar does not fill it. */
const LEAST_BINS = 12;

/** The scale of some bins: all of them, or more where they are few. */
function scaleOf({ count, at, isTime }: FeeBins): Plot.ScaleOptions {
  const missing = Math.max(0, LEAST_BINS - count);
  const before = Math.floor(missing / 2);
  const domain = [at(-before).x1, at(count - 1 + missing - before).x2] as const;
  return isTime ? timeAxis(domain, "Time") : numberAxis(domain, "Block");
}

/** What the tip of a bar says of its bin. */
function binText({ isTime, titleOf }: FeeBins, index: number): string {
  const text = titleOf(index);
  return isTime ? text : `${text.includes(" to ") ? "blocks" : "block"} ${text}`;
}

/** A fee at its place: seconds since 1970, or its block. */
type PlacedFee = ReturnType<typeof placed>["fees"][number];

/** The fees of each bin, one kind on the other: positive ones up from zero, negative ones down. */
function piecesOf(fees: readonly PlacedFee[], bins: FeeBins, native: string) {
  const byBin = Map.groupBy(fees, ({ x }) => bins.indexOf(x));
  return [...byBin].toSorted(([a], [b]) => a - b).flatMap(([index, members]) => {
    const ends = { up: 0, down: 0 };
    const byKind = Map.groupBy(members, ({ row }) => kindOf(row));
    return KIND_NAMES.flatMap((kind) => {
      const ofKind = byKind.get(kind) ?? [];
      return [1, -1].flatMap((sign) => {
        const same = ofKind.filter(({ row }) =>
          sign > 0 ? row.fee_native >= 0 : row.fee_native < 0
        );
        if (same.length === 0) return [];
        const side = sign > 0 ? "up" : "down";
        const y1 = ends[side];
        const total = sum(same, ({ row }) => row.fee_native);
        ends[side] += total;
        const title =
          `${binText(bins, index)}\n${KINDS[kind].label}: ${exactText(total)} ${native} ` +
          `in ${count(same.length, "fee")}`;
        return [{ color: KINDS[kind].fill, ...bins.at(index), y1, y2: ends[side], title }];
      });
    });
  });
}

/**
 * Draws fees over time, in native tokens, one kind stacked on the other: network,
 * protocol by policy, partners.
 *
 * Fees are added in bins of time, and of equally many blocks where the time of none is known. A fee
 * without a time has that of another one in its block. Fees whose time is an interval stand at its
 * start; the caption counts them, and those that are left out because their time is unknown.
 * Add rows with `policy_kind: "network"` to have network fees in it. Fees of policies of which it is not
 * known whether they are the protocol's or a partner's are fees of unknown origin.
 *
 * @param rows Rows or a frame. One row per fee; without rows the figure says so. Fees of tokens
 * without a native price are left out, and the caption says how many.
 * @returns The figure; its `rows` are the fees drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two fees in two blocks
 * ```ts
 * import { feeTimeline } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = feeTimeline([
 *   { block_number: 100, policy_kind: "surplus", fee_native: 0.5 },
 *   { block_number: 101, policy_kind: "network", fee_native: 0.25 },
 * ], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /0.75 ETH/);
 * ```
 */
export const feeTimeline: Draw<FeeTimelineRow, FeeTimelineOptions> = picture({
  chart: "feeTimeline",
  table: "fees",
  columns: {
    ...each("number", "block_number", "fee_native"),
    ...each("number?", "filled_at_ms"),
    ...each("text?", "time_basis", "price_sides"),
    ...each("moment?", "timestamp"),
    ...each("text", "policy_kind"),
    ...each("flag?", "is_partner"),
  },
  options: { ...NATIVE_OPTIONS, by: oneOf("policy_kind") },
  select: (rows) => {
    const { rows: known, leftOut } = rowsWithNumbers(rows, ["fee_native"]);
    const { fees, isTime } = placed(known);
    const kinds = KIND_NAMES.filter((kind) => fees.some(({ row }) => kindOf(row) === kind));
    return { known, leftOut, fees, isTime, kinds, drawn: fees.map(({ row }) => row) };
  },
  empty: {
    title: "Fees over time",
    noRows: "No fees in this range",
    noValues: "No fee in this range has a native price and a time or a block",
  },
  axes: ({ fees, isTime }) => {
    const places = fees.map(({ x }) => x);
    return { bins: { ...binsOf(places, usualEvery(places, isTime, "block")), isTime } };
  },
  panels: ({ fees, kinds, bins, by, nativeSymbol: native, ...size }) => {
    const groups = by === undefined ? [kinds] : kinds.map((kind) => [kind]);
    const stacks = groups.map((own) =>
      piecesOf(fees.filter(({ row }) => own.includes(kindOf(row))), bins, native)
    );
    const ends = stacks.flat().flatMap(({ y1, y2 }) => [axisText(y1), axisText(y2)]);
    const { height = by === undefined ? HEIGHT : GROUP_HEIGHT } = size;
    const { marginLeft = labelRoom([...ends, "0.0001"], 120) } = size;
    const x = scaleOf(bins);
    return stacks.map((pieces, at) => {
      const isLast = at === stacks.length - 1;
      const levels = pieces.flatMap(({ y1, y2 }) => [y1, y2]);
      const axis = linearAxis(levels, { label: `Fees (${native})`, towards: "up" });
      const panel = dotPlot({
        height,
        marginLeft,
        marginRight: RIGHT,
        marginBottom: isLast ? BOTTOM : BARE_BOTTOM,
        x: isLast ? x : { ...x, label: null },
        y: { ...axis, ticks: Math.max(2, Math.floor(height / 50)) },
        marks: [binBars(pieces, "fees"), Plot.ruleY([0])],
      });
      return { ...panel, heading: by === undefined ? undefined : KINDS[kinds[at]!].label };
    });
  },
  series: () => Object.values(KINDS),
  legend: ({ by, kinds }) => by === undefined ? kinds.map((kind) => KINDS[kind]) : [],
  finding: ({ drawn, fees, kinds, nativeSymbol: native }) => {
    const total = (own: readonly PlacedFee[]) => sum(own, ({ row }) => row.fee_native);
    const of = (kind: Kind) => total(fees.filter(({ row }) => kindOf(row) === kind));
    const most = kinds.reduce((a, b) => of(b) > of(a) ? b : a);
    const all = total(fees);
    return [
      `${count(drawn.length, "fee")} ${addsUp(drawn.length)} to ${amountText(all)} ${native}`,
      describeDoubtful(drawn, { noun: "fee", value: (row) => row.fee_native, native }),
      kinds.length > 1 && all > 0 && `The largest part are ${KINDS[most].label}s: ` +
        `${amountText(of(most))} ${native}, ${shareText(of(most) / all, fees.length, "of all")}`,
    ];
  },
  title: ({ drawn, nativeSymbol }) =>
    `Fees over time: ${axisText(sum(drawn, (row) => row.fee_native))} ${nativeSymbol} in total`,
  caption: ({ known, leftOut, fees, drawn, isTime, by, bins }) => [
    `n = ${count(fees.length, "fee")}`,
    leftOut > 0 && `${count(leftOut, "fee")} without a native price left out`,
    fees.length < known.length &&
    `${count(known.length - fees.length, "fee")} without a ` +
      (isTime ? "known time left out" : "block left out"),
    isTime && earliestNote(drawn, "fee"),
    bins && `One bar is ${/^\d/.test(bins.text) ? "" : "one "}${bins.text}`,
    bins && by !== undefined && "Each panel has its own axis",
  ],
});
