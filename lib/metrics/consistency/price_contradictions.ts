import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { divide, type Ratio } from "../../units/mod.ts";
import { isNotComputable } from "../not_computable.ts";
import { exchangedSellAmount, findReportedAuctionId } from "../orders/fills.ts";
import { findNativePrice } from "../prices/price_interval.ts";
import { comparePriceSides } from "../prices/price_sides.ts";
import type { Contradiction } from "./contradiction.ts";
import { formatFill } from "./order_contradictions.ts";

/**
 * Compares both sides of a fill at the native prices of its auction: where one is worth more than
 * 1,000 times the other, one of the prices is absurd, and so is every native amount that it values.
 *
 * @param order The order of the fill.
 * @param trade The fill.
 * @param auction Its auction, from a competition or from the debug report, which takes precedence.
 */
export function* compareFillPrices(
  { sellToken, buyToken }: Order,
  trade: Trade,
  { competition, debugReport }: {
    readonly competition: Competition | undefined;
    readonly debugReport: DebugReport | null;
  },
): Generator<Contradiction> {
  const reportedId = findReportedAuctionId(trade, debugReport);
  const reportedAuction = debugReport?.auctions.find(({ id }) => id === reportedId);
  const auctionId = reportedAuction?.id ?? competition?.auctionId;
  if (auctionId === undefined) return;
  const sellAmount = exchangedSellAmount(trade);
  const sides = comparePriceSides(
    { sellToken, sellAmount, buyToken, buyAmount: trade.buyAmount },
    (token) =>
      (reportedAuction && findByHex(reportedAuction.nativePrices, token)) ??
        (competition && findNativePrice(competition.auction, token)),
  );
  if (isNotComputable(sides) || sides.verdict !== "absurd") return;
  const [soldValue, boughtValue] = [sides.sellValue, sides.buyValue].map(roundDown) as [
    bigint,
    bigint,
  ];
  yield {
    kind: "price_sides",
    subject: formatFill(trade),
    facts: [
      {
        source: `value of ${sellAmount} atoms sold at the native price of ${sellToken} in ` +
          `auction ${auctionId}`,
        value: `${soldValue} native atoms`,
      },
      {
        source: `value of ${trade.buyAmount} atoms bought at that of ${buyToken}`,
        value: `${boughtValue} native atoms`,
      },
    ],
    difference: boughtValue - soldValue,
  };
}

function roundDown({ numerator, denominator }: Ratio): bigint {
  return divide(numerator, denominator, { rounding: "floor" });
}
