import { BEST_UNEXECUTED_COLUMNS, findBestOtherBid } from "../auctions/best_other_bids.ts";
import {
  decomposeSlippage,
  type DollarToken,
  isNotComputable,
  type NotComputable,
  policyOrigins,
  scaledLimit,
  settledSurplus,
  slippage,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
  tolerance,
} from "../../metrics/mod.ts";
import { parsePartnerAppData } from "../../metrics/orders/calculate_status.ts";
import { measureByBaseline } from "../../metrics/quotes/quote_baseline.ts";
import { type Ratio, ratio } from "../../units/mod.ts";
import {
  appDataColumns,
  marketPositionColumn,
  onchainUserColumn,
  readDocument,
  receiverColumn,
  surplusAmount,
  surplusTokenColumn,
  surplusValue,
  toFilledFraction,
  tokenColumns,
} from "../columns/order_columns.ts";
import { gaps, native, number, secondsBetween, text, toValue, value } from "../columns/columns.ts";
import {
  FILL_AMOUNTS,
  FILL_COLUMNS,
  FILL_PRICE_SIDES,
  FILL_SOLVER_COLUMNS,
  findFillPriceSides,
  findKnownFills,
  type KnownFill,
  VOLUME,
} from "../columns/order_records.ts";
import type { Column } from "../columns/frame.ts";
import {
  BASELINE_COLUMNS,
  BASELINES,
  type FillFacts,
  PART_COLUMNS,
  TOLERANCE_COLUMNS,
} from "./slippage_columns.ts";
import { findFillDollarRate } from "../columns/dollar_rates.ts";
import { findDollarTokens } from "../columns/lookups.ts";
import { defineTable, type Table, TO_ORDER } from "../columns/table.ts";
import { computeOnce, type FilterOptions } from "../columns/records.ts";

import { DOLLAR_COLUMNS } from "./dollar_columns.ts";

type Bps = Ratio | NotComputable<string>;

/** Surplus by one of its denominators: 0 for a solver's liquidity. */
function rate(
  name: string,
  { denominator, source, bps }: {
    readonly denominator: string;
    readonly source: string;
    readonly bps: (row: FillFacts) => Bps | null;
  },
): Column<FillFacts> {
  return number(name, {
    unit: `basis points of ${denominator}`,
    source: `${source}; null for a limit without a price`,
    cell: (row) => {
      const measured = row.surplus === null ? null : toValue(bps(row));
      return measured !== null && row.role === "liquidity" ? 0 : measured;
    },
  });
}

/** The limit, the surplus over it, and the surplus by each denominator. */
const SURPLUS_COLUMNS: readonly Column<FillFacts>[] = [
  ...surplusAmount<FillFacts>("scaled_limit", {
    source: "scaledLimit: the limit for the executed part, rounded in the trader's favour",
    atoms: ({ scaledLimit }) => scaledLimit,
  }),
  ...surplusAmount<FillFacts>("surplus", {
    source: "settledSurplus: how much better than scaled_limit, negative if worse; 0 for a " +
      "solver's liquidity; null if the auction does not list the order and its role is unknown",
    atoms: ({ surplus }) => surplus,
  }),
  ...surplusValue<FillFacts>("surplus_native", {
    source: "surplus at the native price of the auction",
    atoms: ({ surplus }) => surplus,
  }),
  rate("surplus_bps_of_limit", {
    denominator: "scaled_limit",
    source: "surplusBpsOfLimit",
    bps: ({ trade, order }) => surplusBpsOfLimit(trade, order),
  }),
  rate("surplus_bps_of_executed", {
    denominator: "the amount executed",
    source: "surplusBpsOfExecuted",
    bps: ({ trade, order }) => surplusBpsOfExecuted(trade, order),
  }),
  rate("surplus_bps_of_quote", {
    denominator: "the gross quote, scaled to the fill",
    source: "surplusBpsOfQuote; null without a quote",
    bps: ({ trade, order }) => order.quote ? surplusBpsOfQuote(trade, order, order.quote) : null,
  }),
  rate("surplus_bps_before_protocol_fees", {
    denominator: "the amount before protocol and partner fees",
    source: "surplusBpsBeforeFees; null if the fees are unknown",
    bps: ({ trade, order, fees }) =>
      fees === null ? null : surplusBpsBeforeFees(trade, order, { feeAtoms: fees }),
  }),
];

/**
 * One row per fill: its surplus by each denominator, its slippage against four baselines of the
 * order's stored quote with the causes, its fees, and the best bid that was not executed.
 *
 * The difference from `gross` is split into network, protocol, partner and market parts, which add
 * up exactly. Without the decoded settlement, the network part is an interval, and so is the market
 * part. A fill without a quote has a row too, with the reason.
 *
 * @example An order without a quote is measured against its limit only
 * ```ts
 * import { decodeOrder, decodeTrade } from "orderlens/schemas";
 * import { buildTable, FILLS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const common = {
 *   owner: `0x${"02".repeat(20)}`,
 *   sellToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
 *   buyToken: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
 *   sellAmount: "1000000000000000000",
 * };
 * const order = decodeOrder({
 *   ...common,
 *   uid: `0x${"01".repeat(56)}`,
 *   creationDate: "2026-11-21T15:00:00Z",
 *   status: "fulfilled",
 *   kind: "sell",
 *   partiallyFillable: false,
 *   receiver: null,
 *   buyAmount: "2000000000",
 *   feeAmount: "0",
 *   validTo: 1795275000,
 *   appData: `0x${"00".repeat(32)}`,
 *   executedSellAmount: "1000000000000000000",
 *   executedSellAmountBeforeFees: "1000000000000000000",
 *   executedBuyAmount: "2100000000",
 *   executedFeeAmount: "0",
 *   invalidated: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "eip712",
 *   signature: "0x",
 * });
 * const trade = decodeTrade({
 *   ...common,
 *   blockNumber: 23_000_000,
 *   logIndex: 5,
 *   orderUid: order.uid,
 *   sellAmountBeforeFees: "1000000000000000000",
 *   buyAmount: "2100000000",
 *   txHash: null,
 * });
 *
 * const [row] = buildTable(FILLS, { records: [{ order, trades: [trade] }] }).toRecords();
 * assertEquals([row?.slippage_limit_bps, row?.slippage_limit_atoms], [500, "100000000"]);
 * assertEquals([row?.slippage_gross_bps, row?.slippage_reason], [null, "no_quote"]);
 * ```
 */
export const FILLS: Table<"records"> = defineTable<FillFacts, "records">({
  name: "fills",
  grain:
    "One fill of one order: its surplus, its slippage against four baselines with its causes, its fees, and the best other bid",
  kind: "derived",
  of: ["records"],
  key: ["chain_id", "block_number", "log_index"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_ORDER],
  columns: [
    ...FILL_COLUMNS,
    ...FILL_SOLVER_COLUMNS,
    text("owner", {
      source: "order.owner: of an order for native currency, the contract that placed it",
      cell: ({ order }) => order.owner,
    }),
    onchainUserColumn(({ order }) => order),
    receiverColumn(({ order }) => order),
    ...tokenColumns<FillFacts>("order", ({ order }) => order),
    surplusTokenColumn(({ order }) => order),
    marketPositionColumn(({ order }) => order),
    ...appDataColumns<FillFacts>(({ order }) => order),
    ...FILL_AMOUNTS,
    ...value<FillFacts>("volume", VOLUME),
    FILL_PRICE_SIDES,
    number("price_sides_ratio", {
      unit: "value bought for a value of 1 sold",
      source:
        "buy_amount / what was sold without the legacy fee, both at the native prices of the " +
        "auction; null if one of the tokens has no price, or the one sold a price of 0",
      cell: (fill) => {
        const sides = findFillPriceSides(fill);
        if (sides === null || sides.sellValue.numerator === 0n) return null;
        const [sell, buy] = [sides.sellValue, sides.buyValue];
        return ratio(buy.numerator * sell.denominator, buy.denominator * sell.numerator);
      },
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that this fill executed",
      cell: ({ trade, order }) => toFilledFraction(trade, order),
    }),
    number("quote_age_seconds", {
      unit: "seconds",
      source: "from order.creationDate, when the quote was stored, to filled_at",
      cell: ({ order, filledAt }) =>
        filledAt === null ? null : secondsBetween(order.creationDate, filledAt.at),
    }),
    ...SURPLUS_COLUMNS,
    ...BASELINE_COLUMNS,
    text("slippage_reason", {
      source: "reason for the first of the four that is unknown; null if all are known",
      cell: ({ slippages }) => {
        for (const [baseline] of BASELINES) {
          const measured = slippages[baseline];
          if (isNotComputable(measured)) return measured.reason;
        }
        return null;
      },
    }),
    ...surplusAmount<FillFacts>("protocol_fees", {
      source: "trade.executedProtocolFees: of the protocol and of partners; null without them",
      atoms: ({ fees }) => fees,
    }),
    ...surplusValue<FillFacts>("fee_native", {
      source: "protocol_fees at the native price of the auction",
      atoms: ({ fees }) => fees,
    }),
    ...surplusAmount<FillFacts>("partner_fees", {
      source: "those of partners, by policyOrigins; null if a fee may be of either",
      atoms: ({ partnerFees }) => partnerFees,
    }),
    ...PART_COLUMNS,
    text("decomposition_basis", {
      source: "what the network part is computed from: settlement (exact) or executed_fee",
      cell: ({ parts }) => isNotComputable(parts) ? null : parts.basis,
    }),
    text("decomposition_reason", {
      source: "why the four parts are unknown; null if they are known",
      cell: ({ parts }) => isNotComputable(parts) ? parts.reason : null,
    }),
    number("tolerance_asked_bps", {
      unit: "basis points",
      source: "metadata.quote.slippageBips of the app data document",
      cell: ({ tolerance }) => tolerance.askedBps,
    }),
    ...TOLERANCE_COLUMNS,
    ...native<FillFacts>("gas_cost", {
      source: "trade.gasCost: gas paid for the fill",
      atoms: ({ trade }) => trade.gasCost,
    }),
    ...BEST_UNEXECUTED_COLUMNS,
    ...surplusValue<FillFacts>("left_native", {
      source: "the same at the native price of the auction",
      atoms: ({ leftOnTable }) => leftOnTable?.atoms,
    }),
    ...DOLLAR_COLUMNS,
    gaps(
      "auction (and with it solver and native amounts) if neither competitions nor debug reports " +
        "name it, fill_time (and with it the quote age) if neither `times` nor a debug report " +
        "says when it happened",
      ({ auctionId, filledAt }) => [
        auctionId === null && "auction",
        filledAt === null && "fill_time",
      ],
    ),
  ],
  rows: (records) => {
    const dollarTokens = findDollarTokens(records);
    return computeOnce(records, findKnownFills)
      .map((fill) => measureFill(fill, dollarTokens, records));
  },
});

/** Measures the inputs of a row of fills. */
function measureFill(
  fill: KnownFill,
  dollarTokens: readonly DollarToken[],
  options: FilterOptions,
): FillFacts {
  const { order, trade, settlement, executedFee, role } = fill;
  const appData = readDocument(order);
  const fees = trade.executedProtocolFees;
  const origins = policyOrigins(
    fees?.map(({ policy }) => policy) ?? [],
    parsePartnerAppData(order),
  );
  const areOriginsKnown = fees !== undefined && origins.every(({ origin }) => origin !== "unknown");
  const sumFees = (isCounted: (index: number) => boolean) =>
    (fees ?? []).reduce((sum, { amount }, index) => isCounted(index) ? sum + amount : sum, 0n);
  return {
    ...fill,
    scaledLimit: toValue(scaledLimit(trade, order)),
    surplus: toValue(settledSurplus(trade, order, role)),
    slippages: measureByBaseline((baseline) =>
      slippage(trade, order, order.quote, baseline, { role })
    ),
    parts: decomposeSlippage(trade, order, {
      settlement,
      role,
      ...executedFee === undefined ? {} : { executedFee },
    }),
    tolerance: tolerance(order, order.quote, { appData, fill: trade }),
    fees: fees === undefined ? null : sumFees(() => true),
    partnerFees: areOriginsKnown ? sumFees((index) => origins[index]?.origin === "partner") : null,
    dollarRate: findFillDollarRate(fill, dollarTokens),
    ...findBestOtherBid(fill, options),
  };
}
