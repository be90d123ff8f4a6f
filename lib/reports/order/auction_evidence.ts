import { auctionRole, type OrderAuction } from "../../metrics/mod.ts";
import type { Competition, DebugAuction, DebugReport, Order } from "../../schemas/mod.ts";
import { type Decimal, HexMap } from "../../units/mod.ts";
import type { AuctionEvidence } from "./judge_auction.ts";

/** The answers that auctions of an order come from. */
export interface AuctionAnswers {
  /** The order. */
  readonly order: Order;
  /** Its debug report; `null` without one. */
  readonly debugReport: DebugReport | null;
  /** Competitions that were read, of any auctions. */
  readonly competitions: readonly Competition[];
  /** Owners whose orders capture surplus although no auction lists them; `null` if unknown. */
  readonly capturingOwners: readonly string[] | null;
}

/** The auctions of an order with everything that judging them needs, in the same order. */
export function auctionEvidence(
  auctions: readonly OrderAuction[],
  { order, debugReport, competitions, capturingOwners }: AuctionAnswers,
): AuctionEvidence[] {
  const owners = { surplusCapturingJitOrderOwners: capturingOwners };
  const read = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  const reported = new Map(debugReport?.auctions.map((auction) => [auction.id, auction]));
  return auctions.map((auction) => {
    const competition = read.get(auction.auctionId);
    const report = reported.get(auction.auctionId);
    return {
      ...auction,
      // A debug report has only the auctions that listed the order.
      role: report === undefined ? auctionRole(order, competition?.auction, owners) : "listed",
      prices: pricesOf(order, report?.nativePrices ?? competition?.auction.prices ?? {}),
      attempts: report === undefined ? null : ownAttempts(report),
    };
  });
}

function pricesOf(
  { sellToken, buyToken }: Order,
  prices: Readonly<Record<string, bigint | Decimal>>,
): AuctionEvidence["prices"] {
  const byToken = new HexMap(Object.entries(prices));
  const [sell, buy] = [byToken.get(sellToken), byToken.get(buyToken)];
  return sell === undefined || buy === undefined ? null : { sell, buy };
}

/** A report lists the attempts of the whole auction: these are of the winners that hold the order. */
function ownAttempts({ proposedSolutions, settlementAttempts }: DebugAuction) {
  const winners = new Set(
    proposedSolutions.filter(({ isWinner }) => isWinner).map(({ solutionUid }) => solutionUid),
  );
  return settlementAttempts.filter(({ solutionUid }) => winners.has(solutionUid));
}
