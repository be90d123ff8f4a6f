import { dollarValue, isNotComputable, surplusToken } from "../../metrics/mod.ts";
import type { Decimal, Ratio } from "../../units/mod.ts";
import { attachPrice, dollars, text } from "../columns/columns.ts";
import { NATIVE_USD } from "../columns/dollar_rates.ts";
import type { Column } from "../columns/frame.ts";
import { VOLUME } from "../columns/order_records.ts";
import type { FillFacts } from "./slippage_columns.ts";

/** An amount with its native price; `null` if one of both is unknown. */
type PricedAmount = { readonly atoms: bigint; readonly price: bigint | Decimal } | null;

function toDollars(amount: PricedAmount, { dollarRate: rate }: FillFacts): Ratio | null {
  return amount === null || isNotComputable(rate)
    ? null
    : dollarValue(amount.atoms, amount.price, rate);
}

/** Attaches the native price to an amount of the surplus token. */
function priceSurplus(row: FillFacts, atoms: bigint | null): PricedAmount {
  return attachPrice(atoms, surplusToken(row.order), row.prices);
}

/** Values of a fill in US dollars, and their rate. */
export const DOLLAR_COLUMNS: readonly Column<FillFacts>[] = [
  ...dollars<FillFacts>("volume", {
    source: "volume_atoms, not rounded, in US dollars by dollarRate",
    value: (row) => toDollars(VOLUME.amount(row), row),
  }),
  ...dollars<FillFacts>("surplus", {
    source: "surplus_native_atoms, not rounded, in US dollars by dollarRate",
    value: (row) => toDollars(priceSurplus(row, row.surplus), row),
  }),
  ...dollars<FillFacts>("fee", {
    source: "protocol_fees at the native price of the auction, in US dollars by dollarRate",
    value: (row) => toDollars(priceSurplus(row, row.fees), row),
  }),
  NATIVE_USD,
  text("usd_tokens", {
    source: "addresses of the dollar tokens with a native price in the auction, joined by commas",
    cell: ({ dollarRate: rate }) => isNotComputable(rate) ? null : rate.tokens.join(", "),
  }),
  text("usd_reason", {
    source: "why values have no US dollars: no_dollar_token (none of the network is listed), " +
      "no_auction, no_dollar_price (none has a price in the auction), suspect_price or " +
      "absurd_price (as price_sides), no_native_price (of a token of the order); null if they have",
    cell: (row) => {
      const { dollarRate: rate, surplus, fees } = row;
      if (isNotComputable(rate)) return rate.reason;
      const isUnpriced = VOLUME.amount(row) === null ||
        [surplus, fees].some((atoms) => atoms !== null && priceSurplus(row, atoms) === null);
      return isUnpriced ? "no_native_price" : null;
    },
  }),
];
