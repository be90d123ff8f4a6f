import { needed } from "../../errors/option_rules.ts";
import { isNotComputable, type NotComputable } from "../../metrics/mod.ts";
import { Decimal, type Ratio, ratioToNumber } from "../../units/mod.ts";
import { gaps, integer, number, text, time } from "../columns/columns.ts";
import { buildFrame, type Column, type Frame, type Table } from "../columns/frame.ts";
import {
  FILL_AMOUNTS,
  FILL_COLUMNS,
  FILL_SOLVER_COLUMNS,
  knownFills,
  type OrderRecords,
} from "../columns/order_records.ts";
import { optionsOn, readRecords, RECORDS_KIND, type TableInput } from "../columns/table_input.ts";
import type { TokenAmounts } from "../columns/lookups.ts";
import {
  MARKET_OPTIONS,
  type MarkoutFacts,
  markoutFacts,
  type MarkoutTableOptions,
  measure,
  type MeasuredMarkout,
  type PriceOrReason,
  volumeUsd,
} from "./markout_facts.ts";
import { SERIES } from "./price_series.ts";

/** Columns of a price: the exact number, its time and source, or why it is unknown. */
function priceColumns(side: "sell" | "buy"): Column<MarkoutFacts>[] {
  const of = (row: MarkoutFacts) => side === "sell" ? row.sellPrice : row.buyPrice;
  const known = (row: MarkoutFacts) => {
    const price: PriceOrReason = of(row);
    return isNotComputable(price) ? null : price;
  };
  return [
    text(`${side}_price`, {
      unit: `price_unit for one whole ${side} token`,
      source:
        "priceAt: last price of the series at or before filled_at + delayMs, every digit; in " +
        "native tokens, 1 at any time for the native token and the one that wraps it",
      cell: (row) => known(row)?.price.toString() ?? null,
    }),
    ...time<MarkoutFacts>(`${side}_price_at`, {
      source: `time of ${side}_price`,
      at: (row) => {
        const price = known(row);
        return price === null ? null : Temporal.Instant.fromEpochMilliseconds(price.timeMs);
      },
    }),
    number(`${side}_price_age_seconds`, {
      unit: "seconds",
      source:
        `from ${side}_price_at to filled_at + delayMs, both in whole milliseconds, rounded down`,
      cell: (row) => {
        const price = known(row);
        return price === null ? null : price.ageMs / 1_000;
      },
    }),
    text(`${side}_price_source`, {
      source: "source of the price series",
      cell: (row) => known(row)?.source ?? null,
    }),
    text(`${side}_price_reason`, {
      source: "why there is no price: time_unknown, token_not_in_series, no_price_in_unit, " +
        "before_first_price or price_too_old; null if there is one",
      cell: (row) => {
        const price = of(row);
        return isNotComputable(price) ? price.reason : null;
      },
    }),
  ];
}

/** Columns of a markout: for axes, and the exact share. */
function markoutColumns(
  name: string,
  { source, of }: { source: string; of: (measured: MeasuredMarkout) => MeasuredMarkout["net"] },
): Column<MarkoutFacts>[] {
  const known = (row: MarkoutFacts, amounts: TokenAmounts) => {
    const answer = of(measure(row, amounts));
    return isNotComputable(answer) ? null : answer;
  };
  return [
    number(`${name}_bps`, {
      unit: "basis points, positive = better than the market",
      source,
      cell: (row, amounts) => {
        const bps = known(row, amounts);
        return bps === null ? null : ratioToNumber(bps);
      },
    }),
    text(`${name}_exact`, {
      unit: "share of one, as a fraction",
      source: `${name}_bps / 10^4, exact, as numerator/denominator in lowest terms`,
      cell: (row, amounts) => {
        const bps = known(row, amounts);
        return bps === null
          ? null
          : fractionText({ ...bps, denominator: bps.denominator * 10_000n });
      },
    }),
    text(`${name}_reason`, {
      source: "why there is none: a reason of either price, decimals_unknown, price_zero, " +
        "nothing_sold, or of its fees; null if there is one",
      cell: (row, amounts) => {
        const answer: Ratio | NotComputable<string> = of(measure(row, amounts));
        return isNotComputable(answer) ? answer.reason : null;
      },
    }),
  ];
}

/** One row per fill; see {@linkcode markoutTable}. */
export const MARKOUT: Table<MarkoutFacts> = {
  name: "markout",
  grain: "One fill of one order, against market prices when it was executed",
  columns: [
    ...FILL_COLUMNS,
    ...FILL_SOLVER_COLUMNS,
    integer("bidder_count", {
      unit: "solvers",
      source: "solvers with a bid on the order in the auction that settled it; null if unknown",
      cell: ({ auction }) =>
        auction === null
          ? null
          : new Set(auction.bids.map(({ solver }) => solver.toLowerCase())).size,
    }),
    text("owner", { source: "order.owner", cell: ({ order }) => order.owner }),
    text("sell_token", { source: "order.sellToken", cell: ({ order }) => order.sellToken }),
    text("buy_token", { source: "order.buyToken", cell: ({ order }) => order.buyToken }),
    ...FILL_AMOUNTS,
    text("price_unit", { source: "usd or native", cell: ({ unit }) => unit }),
    ...priceColumns("sell"),
    ...priceColumns("buy"),
    ...markoutColumns("markout", {
      source: "markout: (bought / sold) / (sell_price / buy_price) - 1, in whole tokens",
      of: ({ net }) => net,
    }),
    ...markoutColumns("solver_efficiency", {
      source: "markout with protocol and partner fees added back on the side of their token",
      of: ({ gross }) => gross,
    }),
    number("volume_usd", {
      unit: "US dollars",
      source: "sell_amount at its price in usd; buy_amount if the sell token has none",
      cell: (row, amounts) => {
        const volume = volumeUsd(row, amounts);
        return volume === null ? null : ratioToNumber(volume);
      },
    }),
    text("volume_usd_exact", {
      unit: "US dollars",
      source: "volume_usd with every digit",
      cell: (row, amounts) => {
        const volume = volumeUsd(row, amounts);
        return volume === null ? null : decimalOf(volume);
      },
    }),
    gaps(
      "auction if neither competitions nor debug reports name the one it was settled from, fill_time " +
        "if neither `times` nor a debug report has it, prices if the series lacks one, fees if " +
        "the trade names none",
      ({ auctionId, filledAt, sellPrice, buyPrice, trade }) => [
        auctionId === null && "auction",
        filledAt === null && "fill_time",
        filledAt !== null && (isNotComputable(sellPrice) || isNotComputable(buyPrice)) && "prices",
        trade.executedProtocolFees === undefined && "fees",
      ],
    ),
  ],
};

function fractionText({ numerator, denominator }: Ratio): string {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${numerator / a}/${denominator / a}`;
}

/** Decimal text of a fraction whose denominator is a power of ten. */
function decimalOf({ numerator, denominator }: Ratio): string {
  return new Decimal(numerator, denominator.toString().length - 1).toString();
}

const INPUT: TableInput<OrderRecords, MarkoutTableOptions> = {
  table: "markoutTable",
  records: RECORDS_KIND,
  options: { ...optionsOn("fills"), ...MARKET_OPTIONS, prices: needed(SERIES) },
};

/**
 * One row per fill, compared with your own market prices: orders in the order given, their fills by
 * block.
 *
 * A markout compares both amounts of a trade with both prices at its time, so it needs no quote and
 * is comparable across venues. It is only as good as the prices: `sell_price_age_seconds` says how
 * old they were. `solver_efficiency` is the markout before protocol and partner fees.
 *
 * @param records Orders with their fills; debug reports add times and auctions.
 * @param options The prices, and the times of fills; decimals of tokens that `data/tokens.json`
 * does not list; competitions, for solvers.
 * @returns A frame with the columns of {@linkcode MARKOUT}; no orders give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No orders
 * ```ts
 * import { markoutTable, priceSeries } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(markoutTable([], { prices: priceSeries([]) }).height, 0);
 * ```
 */
export function markoutTable(
  records: Iterable<OrderRecords>,
  options: MarkoutTableOptions,
): Frame {
  const fills = knownFills(readRecords(records, options, INPUT), options);
  return buildFrame(MARKOUT, fills.map((fill) => markoutFacts(fill, options)), options);
}
