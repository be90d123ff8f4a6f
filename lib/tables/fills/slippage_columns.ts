import {
  type AtomInterval,
  type Baseline,
  isNotComputable,
  type LeftOnTheTable,
  type NotComputable,
  type Slippage,
  type SlippageParts,
  surplusToken,
  type Tolerance,
} from "../../metrics/mod.ts";
import { type Ratio, ratio } from "../../units/mod.ts";
import { number, toNativeValue, toValue } from "../columns/columns.ts";
import type { RatedRow } from "../columns/dollar_rates.ts";
import type { Column } from "../columns/frame.ts";
import type { KnownFill } from "../columns/order_records.ts";
import { surplusAmount } from "../columns/order_columns.ts";

/** A part of the slippage: an interval of atoms, a single value if exact. */
interface Part {
  readonly name: string;
  readonly source: string;
  readonly atoms: (parts: SlippageParts) => AtomInterval;
}

const PARTS: readonly Part[] = [
  {
    name: "network",
    source: "network cost charged",
    atoms: ({ networkCostAtoms }) => networkCostAtoms,
  },
  {
    name: "protocol",
    source: "protocol fees",
    atoms: ({ protocolFeeAtoms }) => toInterval(protocolFeeAtoms),
  },
  {
    name: "partner",
    source: "partner fees",
    atoms: ({ partnerFeeAtoms }) => toInterval(partnerFeeAtoms),
  },
  {
    name: "market",
    source: "the rest: price moves, and the solver relative to the quoter",
    atoms: ({ marketAtoms }) => marketAtoms,
  },
];

/** The baselines, with their names in columns and in prose. */
export const BASELINES: readonly [baseline: Baseline, name: string, words: string][] = [
  ["gross", "gross", "the stored quote before any fee"],
  ["net", "net", "the quote less its network fee"],
  ["userShown", "user_shown", "the net quote less volume fees (what the trader was shown)"],
  ["limit", "limit", "the signed limit"],
];

function toInterval(atoms: bigint): AtomInterval {
  return { low: atoms, high: atoms };
}

/** Finds the midpoint of an interval, for both network and market, so that the parts still add up. */
function findMidpoint({ low, high }: AtomInterval): Ratio {
  return ratio(low + high, 2n);
}

/** Converts atoms to basis points of the gross baseline. */
function toGrossBps({ numerator, denominator }: Ratio, row: FillFacts): Ratio | null {
  const gross = toValue(row.slippages.gross)?.baselineAtoms;
  if (gross === undefined) return null;
  return ratio(10_000n * numerator * gross.denominator, denominator * gross.numerator);
}

/** Per baseline: the slippage in atoms, in whole tokens, and in basis points. */
export const BASELINE_COLUMNS: readonly Column<FillFacts>[] = BASELINES.flatMap((
  [baseline, name, words],
) => [
  ...surplusAmount<FillFacts>(`slippage_${name}`, {
    sign: "positive = better",
    source: `slippage against ${words}, rounded down`,
    atoms: ({ slippages }) => toValue(slippages[baseline])?.atoms,
  }),
  number(`slippage_${name}_bps`, {
    unit: "basis points of the baseline, positive = better",
    source: `slippage against ${words}`,
    cell: ({ slippages }) => toValue(slippages[baseline])?.bps ?? null,
  }),
]);

/** Per part: its atoms, and for axes whole tokens, basis points of the gross quote, native tokens. */
export const PART_COLUMNS: readonly Column<FillFacts>[] = PARTS.flatMap(partColumns);

function partColumns({ name, source, atoms }: Part): Column<FillFacts>[] {
  const readPart = ({ parts }: FillFacts) => isNotComputable(parts) ? null : atoms(parts);
  const isExact = name === "protocol" || name === "partner";
  const boundColumns = (suffix: string, words: string, end: "low" | "high") =>
    surplusAmount<FillFacts>(`${name}_part${suffix}`, {
      sign: "negative = cost",
      source: `${source}${words}`,
      atoms: (row) => readPart(row)?.[end],
    });
  const midpointNote = isExact ? "" : ", the midpoint of low and high";
  return [
    ...isExact ? boundColumns("", "", "low") : [
      ...boundColumns("_low", ": lower bound", "low"),
      ...boundColumns("_high", ": upper bound; equal to low if a settlement was passed", "high"),
    ],
    number(`${name}_bps`, {
      unit: "basis points of the gross quote, negative = cost",
      source: `${name} part${midpointNote}; the four add up to slippage_gross_bps within an atom`,
      cell: (row) => {
        const part = readPart(row);
        return part === null ? null : toGrossBps(findMidpoint(part), row);
      },
    }),
    number(`${name}_native`, {
      unit: "native tokens, negative = cost",
      source: `${name} part${midpointNote}, at the native price of the auction`,
      cell: (row) => {
        const part = readPart(row);
        if (part === null) return null;
        const twice = toNativeValue(part.low + part.high, surplusToken(row.order), row.prices);
        return twice === null ? null : twice / 2;
      },
    }),
  ];
}

/** Per baseline of the quote: the tolerance of the limit. */
export const TOLERANCE_COLUMNS: readonly Column<FillFacts>[] = BASELINES.flatMap((
  [baseline, name, words],
) =>
  baseline === "limit" ? [] : [
    number<FillFacts>(`tolerance_signed_${name}_bps`, {
      unit: "basis points of the baseline",
      source: `how much worse the limit is than ${words}; negative if better`,
      cell: ({ tolerance }) => toValue(tolerance[baseline])?.signedBps ?? null,
    }),
  ]
);

/** The inputs of one row of fills. */
export interface FillFacts extends KnownFill, RatedRow {
  /** The limit, scaled to the fill, in surplus token atoms; `null` if it has no price. */
  readonly scaledLimit: bigint | null;
  /** Surplus over the limit; `null` if that or the role of the order is unknown. */
  readonly surplus: bigint | null;
  /** Slippage against each baseline, or the reason why it is unknown. */
  readonly slippages: Readonly<Record<Baseline, Slippage | NotComputable<string>>>;
  /** Parts of the difference from the gross quote, or the reason why they are unknown. */
  readonly parts: SlippageParts | NotComputable<string>;
  /** Tolerance of the fill relative to its quote. */
  readonly tolerance: Tolerance;
  /** Protocol and partner fees, in surplus token atoms; `null` if the trade names none. */
  readonly fees: bigint | null;
  /** Partner fees among them; `null` if unknown. */
  readonly partnerFees: bigint | null;
  /** The best bid that was not executed; `null` if nobody else bid, or the auction is unknown. */
  readonly leftOnTable: LeftOnTheTable | null;
  /** Whether that bid was filtered out; `null` without one, and where that was not stored. */
  readonly isLeftFiltered: boolean | null;
}
