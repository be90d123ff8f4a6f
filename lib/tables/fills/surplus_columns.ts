import {
  isNotComputable,
  type NotComputable,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
  surplusToken,
} from "../../metrics/mod.ts";
import { type Ratio, ratioToNumber } from "../../units/mod.ts";
import { amount, number, worth } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { pricedAtoms } from "../columns/native_worth.ts";
import type { FillFacts } from "./fill_row.ts";

type Bps = Ratio | NotComputable<string>;

/** Surplus by one of its denominators: 0 for a solver's liquidity. */
function rate(
  name: string,
  { of, source, bps }: {
    readonly of: string;
    readonly source: string;
    readonly bps: (row: FillFacts) => Bps | null;
  },
): Column<FillFacts> {
  return number(name, {
    unit: `basis points of ${of}`,
    source: `${source}; null for a limit without a price`,
    cell: (row) => {
      if (row.surplus === null) return null;
      const measured = bps(row);
      if (measured === null || isNotComputable(measured)) return null;
      return row.role === "liquidity" ? 0 : ratioToNumber(measured);
    },
  });
}

/** The limit, the surplus over it, and the surplus by each denominator. */
export const SURPLUS_COLUMNS: readonly Column<FillFacts>[] = [
  ...amount<FillFacts>("scaled_limit", {
    of: "surplus token",
    source: "scaledLimit: the limit for the executed part, rounded in the trader's favour",
    atoms: ({ scaledLimit }) => scaledLimit,
    token: ({ order }) => surplusToken(order),
  }),
  ...amount<FillFacts>("surplus", {
    of: "surplus token",
    source: "settledSurplus: how much better than scaled_limit, negative if worse; 0 for a " +
      "solver's liquidity; null if the auction does not list the order and its role is unknown",
    atoms: ({ surplus }) => surplus,
    token: ({ order }) => surplusToken(order),
  }),
  ...worth<FillFacts>("surplus_native", {
    source: "surplus at the native price of the auction",
    of: ({ surplus, order, prices }) => pricedAtoms(surplus, surplusToken(order), prices),
  }),
  rate("surplus_bps_of_limit", {
    of: "scaled_limit",
    source: "surplusBpsOfLimit",
    bps: ({ trade, order }) => surplusBpsOfLimit(trade, order),
  }),
  rate("surplus_bps_of_executed", {
    of: "the amount executed",
    source: "surplusBpsOfExecuted",
    bps: ({ trade, order }) => surplusBpsOfExecuted(trade, order),
  }),
  rate("surplus_bps_of_quote", {
    of: "the gross quote, scaled to the fill",
    source: "surplusBpsOfQuote; null without a quote",
    bps: ({ trade, order }) => order.quote ? surplusBpsOfQuote(trade, order, order.quote) : null,
  }),
  rate("surplus_bps_before_protocol_fees", {
    of: "the amount before protocol and partner fees",
    source: "surplusBpsBeforeFees; null if the fees are unknown",
    bps: ({ trade, order, fees }) =>
      fees === null ? null : surplusBpsBeforeFees(trade, order, { feeAtoms: fees }),
  }),
];
