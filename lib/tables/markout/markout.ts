import { isWhole } from "../../errors/option_rules.ts";
import { findNetwork } from "../auctions/auction_columns.ts";
import { tokenColumns } from "../columns/order_columns.ts";
import {
  isNotComputable,
  markout,
  type MarkoutReason,
  type NotComputable,
  pricedSide,
} from "../../metrics/mod.ts";
import { computeMarketValue } from "../../metrics/prices/markout.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import type { Instance } from "../../schemas/mod.ts";
import { MAX_DECIMALS } from "../../units/arithmetic.ts";
import { findByHex } from "../../units/hex_map.ts";
import { Decimal, type Ratio, sameHex } from "../../units/mod.ts";
import {
  FILL_AMOUNTS,
  FILL_COLUMNS,
  FILL_ROLE_COLUMNS,
  FILL_SOLVER_COLUMNS,
  findKnownFills,
  type KnownFill,
} from "../columns/order_records.ts";
import { findInstance } from "../columns/instance_facts.ts";
import type { TokenAmounts } from "../columns/lookups.ts";
import {
  chooseUnit,
  type FoundPrice,
  priceAt,
  type PriceReason,
  type PriceUnit,
} from "../columns/price_series.ts";
import { gaps, integer, number, text, time, toValue } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { defineTable, type Table } from "../columns/table.ts";
import { computeOnce, type ReadRecords } from "../columns/records.ts";

/** Records with the prices that fills are compared with. */
type MarkoutRecords = ReadRecords & Required<Pick<ReadRecords, "prices">>;

/** A price, or the reason why there is none. */
type PriceOrReason = FoundPrice | NotComputable<PriceReason | "time_unknown">;

/** The inputs of one row. */
interface MarkoutFacts extends KnownFill {
  /** Instance of the auction, which has decimals of its tokens. */
  readonly instance: Instance | undefined;
  /** Unit of the prices. */
  readonly unit: PriceUnit;
  /** Price of the token sold. */
  readonly sellPrice: PriceOrReason;
  /** Price of the token bought. */
  readonly buyPrice: PriceOrReason;
  /** Both in US dollars, whatever the unit. */
  readonly usd: { readonly sell: PriceOrReason; readonly buy: PriceOrReason };
}

const UNKNOWN_TIME: NotComputable<"time_unknown"> = Object.freeze({
  reason: "time_unknown",
  detail: "When the fill was executed is unknown: pass times",
});

/** Finds the market prices of both tokens at the time of a fill. */
function findMarketPrices(fill: KnownFill, options: MarkoutRecords): MarkoutFacts {
  const { sellToken, buyToken } = fill.order;
  const unit = options.unit ?? chooseUnit(options.prices);
  const pricedAt = fill.filledAt?.at.add({ milliseconds: options.delayMs ?? 0 }) ?? null;
  const findPrice = (token: string, unit: PriceUnit): PriceOrReason =>
    pricedAt === null ? UNKNOWN_TIME : findMarketPrice(token, pricedAt, { ...options, unit });
  const findBoth = (unit: PriceUnit) => ({
    sell: findPrice(sellToken, unit),
    buy: findPrice(buyToken, unit),
  });
  const { sell, buy } = findBoth(unit);
  const usd = unit === "usd" ? { sell, buy } : findBoth("usd");
  const instance = findInstance(options, fill.auctionId);
  return { ...fill, instance, unit, sellPrice: sell, buyPrice: buy, usd };
}

/** Finds a market price: of the native token 1 native token, or the dollars of the token that wraps it. */
function findMarketPrice(
  token: string,
  time: Temporal.Instant,
  { prices, unit, maxAgeMs, network, wrappedNativeToken }: MarkoutRecords,
): PriceOrReason {
  const wrapped = wrappedNativeToken ??
    findNetwork(network)?.wrappedNativeToken.address;
  const isNative = sameHex(token, NATIVE_TOKEN_ADDRESS);
  if (unit === "native" && (isNative || wrapped !== undefined && sameHex(token, wrapped))) {
    const timeMs = time.epochMilliseconds;
    return { price: ONE, timeMs, ageMs: 0, source: "native token" };
  }
  const options = {
    ...(unit === undefined ? {} : { unit }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  };
  const price = priceAt(prices, token, time, options);
  return isNative && isNotComputable(price) && wrapped !== undefined
    ? priceAt(prices, wrapped, time, options)
    : price;
}

const ONE = Decimal.parse("1");

/** The markout of a fill, without and with its fees added back, or the reason why there is none. */
interface MeasuredMarkout {
  /** The markout, in basis points. */
  readonly net: Ratio | NotComputable<MarkoutRowReason>;
  /** The markout with protocol and partner fees added back. */
  readonly gross: Ratio | NotComputable<MarkoutRowReason>;
}

/** Reason why a row has no markout. */
type MarkoutRowReason =
  | MarkoutReason
  | PriceReason
  | "time_unknown"
  | "decimals_unknown"
  | "fees_unknown";

/** Finds the decimals of a token: those that are known, otherwise those that solvers were told. */
function findDecimals(
  { instance }: Pick<MarkoutFacts, "instance">,
  token: string,
  amounts: TokenAmounts,
): { readonly decimals: number; readonly source: "known" | "instance" } | null {
  const knownDecimals = amounts.decimals(token);
  if (knownDecimals !== null) return { decimals: knownDecimals, source: "known" };
  const decimals = instance?.tokens && findByHex(instance.tokens, token)?.decimals;
  return isWhole(decimals, 0, MAX_DECIMALS) ? { decimals, source: "instance" } : null;
}

/** Measures one markout; decimals are known only when cells are built. */
function measureMarkout(row: MarkoutFacts, amounts: TokenAmounts): MeasuredMarkout {
  const { order, trade, sellPrice, buyPrice } = row;
  const toBoth = (reason: NotComputable<MarkoutRowReason>) => ({ net: reason, gross: reason });
  if (isNotComputable(sellPrice)) return toBoth(sellPrice);
  if (isNotComputable(buyPrice)) return toBoth(buyPrice);
  const [sellToken, buyToken] = [order.sellToken, order.buyToken];
  const sellDecimals = findDecimals(row, sellToken, amounts);
  const buyDecimals = findDecimals(row, buyToken, amounts);
  if (sellDecimals === null || buyDecimals === null) {
    const token = sellDecimals === null ? sellToken : buyToken;
    return toBoth({ reason: "decimals_unknown", detail: `The decimals of ${token} are unknown` });
  }
  const prices = {
    sell: { token: sellToken, decimals: sellDecimals.decimals, price: sellPrice.price },
    buy: { token: buyToken, decimals: buyDecimals.decimals, price: buyPrice.price },
  };
  const fees = trade.executedProtocolFees;
  return {
    net: markout(trade, prices),
    gross: fees === undefined
      ? { reason: "fees_unknown", detail: "The trade does not contain its fees" }
      : markout(trade, prices, { fees, kind: order.kind }),
  };
}

/** Calculates the amount sold in US dollars, or bought if the token sold has no price; exact. */
function calculateVolumeUsd(row: MarkoutFacts, amounts: TokenAmounts): Ratio | null {
  const { order, trade, usd } = row;
  const { sellToken, buyToken } = order;
  const { sellAmount, buyAmount } = trade;
  const side = pricedSide({ sellToken, sellAmount, buyToken, buyAmount }, (token) => {
    const price = token === sellToken ? usd.sell : usd.buy;
    if (isNotComputable(price)) return undefined;
    const decimals = findDecimals(row, token, amounts)?.decimals;
    if (decimals === undefined) return undefined;
    return price.price.coefficient === 0n ? undefined : { decimals, price: price.price };
  });
  return side === null ? null : computeMarketValue(side.atoms, side.price);
}

/** Columns of a price: the exact number, its time and source, or the reason why it is unknown. */
function priceColumns(side: "sell" | "buy"): Column<MarkoutFacts>[] {
  const readPrice = (row: MarkoutFacts) => side === "sell" ? row.sellPrice : row.buyPrice;
  const readKnownPrice = (row: MarkoutFacts) => toValue(readPrice(row));
  return [
    text(`${side}_price`, {
      unit: `price_unit for one whole ${side} token`,
      source:
        "priceAt: last price of the series at or before filled_at + delayMs, every digit; in " +
        "native tokens, 1 at any time for the native token and the one that wraps it",
      cell: (row) => readKnownPrice(row)?.price.toString() ?? null,
    }),
    ...time<MarkoutFacts>(`${side}_price_at`, {
      source: `time of ${side}_price`,
      instant: (row) => {
        const price = readKnownPrice(row);
        return price === null ? null : Temporal.Instant.fromEpochMilliseconds(price.timeMs);
      },
    }),
    number(`${side}_price_age_seconds`, {
      unit: "seconds",
      source:
        `from ${side}_price_at to filled_at + delayMs, both in whole milliseconds, rounded down`,
      cell: (row) => {
        const price = readKnownPrice(row);
        return price === null ? null : price.ageMs / 1_000;
      },
    }),
    text(`${side}_price_source`, {
      source: "source of the price series",
      cell: (row) => readKnownPrice(row)?.source ?? null,
    }),
    text(`${side}_price_reason`, {
      source: "why there is no price: time_unknown, token_not_in_series, no_price_in_unit, " +
        "before_first_price or price_too_old; null if there is one",
      cell: (row) => {
        const price = readPrice(row);
        return isNotComputable(price) ? price.reason : null;
      },
    }),
  ];
}

/** Source of the decimals of a side: those of a market come first. */
function decimalsColumn(side: "sell" | "buy"): Column<MarkoutFacts> {
  return text(`${side}_decimals_source`, {
    source:
      `known if the decimals of the ${side} token are, instance if only the instance of the ` +
      "auction has them; null if neither has",
    cell: (row, amounts) => findDecimals(row, row.order[`${side}Token`], amounts)?.source ?? null,
  });
}

/** Columns of a markout: for axes, and the exact share. */
function markoutColumns(
  name: string,
  { source, select }: {
    source: string;
    select: (measured: MeasuredMarkout) => MeasuredMarkout["net"];
  },
): Column<MarkoutFacts>[] {
  const readRatio = (row: MarkoutFacts, amounts: TokenAmounts) => {
    return toValue(select(measureMarkout(row, amounts)));
  };
  return [
    number(`${name}_bps`, {
      unit: "basis points, positive = better than the market",
      source,
      cell: readRatio,
    }),
    text(`${name}_exact`, {
      unit: "share of one, as a fraction",
      source: `${name}_bps / 10^4, exact, as numerator/denominator in lowest terms`,
      cell: (row, amounts) => {
        const bps = readRatio(row, amounts);
        return bps === null
          ? null
          : formatFraction({ ...bps, denominator: bps.denominator * 10_000n });
      },
    }),
    text(`${name}_reason`, {
      source: "why there is none: a reason of either price, decimals_unknown, price_zero, " +
        "nothing_sold, or of its fees; null if there is one",
      cell: (row, amounts) => {
        const measured: Ratio | NotComputable<string> = select(measureMarkout(row, amounts));
        return isNotComputable(measured) ? measured.reason : null;
      },
    }),
  ];
}

/**
 * One row per fill, compared with your own market prices: orders in the order given, their fills by
 * block.
 *
 * A markout compares both amounts of a trade with both prices at its time, so it needs no quote and
 * is comparable across venues. It is only as good as the prices: `sell_price_age_seconds` says how
 * old they were. `solver_efficiency` is the markout before protocol and partner fees.
 *
 * @example No orders
 * ```ts
 * import { buildTable, MARKOUT, priceSeries } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(MARKOUT, { records: [], prices: priceSeries([]) }).height, 0);
 * ```
 */
export const MARKOUT: Table<"records" | "prices"> = defineTable<MarkoutFacts, "records" | "prices">(
  {
    name: "markout",
    grain: "One fill of one order, against market prices when it was executed",
    kind: "derived",
    of: ["records", "prices"],
    key: ["chain_id", "block_number", "log_index"],
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
      ...tokenColumns<MarkoutFacts>("order", ({ order }) => order),
      ...FILL_AMOUNTS,
      text("price_unit", { source: "usd or native", cell: ({ unit }) => unit }),
      ...priceColumns("sell"),
      ...priceColumns("buy"),
      ...markoutColumns("markout", {
        source: "markout: (bought / sold) / (sell_price / buy_price) - 1, in whole tokens",
        select: ({ net }) => net,
      }),
      ...markoutColumns("solver_efficiency", {
        source: "markout with protocol and partner fees added back on the side of their token",
        select: ({ gross }) => gross,
      }),
      number("volume_usd", {
        unit: "US dollars",
        source: "sell_amount at its price in usd; buy_amount if the sell token has none",
        cell: calculateVolumeUsd,
      }),
      text("volume_usd_exact", {
        unit: "US dollars",
        source: "volume_usd with every digit",
        cell: (row, amounts) => {
          const volume = calculateVolumeUsd(row, amounts);
          return volume === null ? null : formatDecimal(volume);
        },
      }),
      decimalsColumn("sell"),
      decimalsColumn("buy"),
      ...FILL_ROLE_COLUMNS,
      gaps(
        "auction if neither competitions nor debug reports name the one it was settled from, fill_time " +
          "if neither `times` nor a debug report has it, prices if the series lacks one, fees if " +
          "the trade names none",
        ({ auctionId, filledAt, sellPrice, buyPrice, trade }) => [
          auctionId === null && "auction",
          filledAt === null && "fill_time",
          filledAt !== null && (isNotComputable(sellPrice) || isNotComputable(buyPrice)) &&
          "prices",
          trade.executedProtocolFees === undefined && "fees",
        ],
      ),
    ],
    rows: (records) =>
      computeOnce(records, findKnownFills).map((fill) => findMarketPrices(fill, records)),
  },
);

function formatFraction({ numerator, denominator }: Ratio): string {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${numerator / a}/${denominator / a}`;
}

/** Formats a fraction whose denominator is a power of ten as decimal text. */
function formatDecimal({ numerator, denominator }: Ratio): string {
  return new Decimal(numerator, denominator.toString().length - 1).toString();
}
