import type { Competition, DebugReport, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";

/** Transactions that settled an auction. Old answers list them only for the auction as a whole. */
export function transactionsOf({ transactionHashes, solutions }: Competition): string[] {
  return [...transactionHashes, ...solutions.flatMap(({ txHash }) => txHash ?? [])];
}

/** Auctions by the transactions that settled them: the auction of a fill is that of its transaction. */
export function auctionsByTransaction(competitions: Iterable<Competition>): HexMap<Competition> {
  const auctions = new HexMap<Competition>();
  for (const competition of competitions) {
    for (const hash of transactionsOf(competition)) auctions.set(hash, competition);
  }
  return auctions;
}

/**
 * The auction of a fill according to a debug report: that of its trade at the same position on the
 * chain.
 *
 * @returns `null` without a report, or if it does not name the auction of the trade.
 */
export function reportedAuctionId(
  { blockNumber, logIndex }: Pick<Trade, "blockNumber" | "logIndex">,
  report: DebugReport | null | undefined,
): number | null {
  const twin = report?.trades.find((trade) =>
    trade.blockNumber === blockNumber && trade.logIndex === logIndex
  );
  return twin?.auctionId ?? null;
}
