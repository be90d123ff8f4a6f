import { unpack } from "../metrics/recorded_run.ts";

interface RecordedSolution {
  solverAddress: string;
  score: string;
  isWinner: boolean;
  filteredOut: boolean;
  txHash: string | null;
  orders: { sellToken: string; buyToken: string; sellAmount: string }[];
}

interface RecordedCompetition {
  auctionId: number;
  auctionDeadlineBlock: number;
  referenceScores: Record<string, string>;
  auction: { prices: Record<string, string> };
  solutions: RecordedSolution[];
}

/** Sums over the bids of one solver, in the order of the columns that tests select. */
export interface SolverSums {
  bids: number;
  filtered: number;
  wins: number;
  auctionsBid: number;
  auctionsWon: number;
  scoreWon: bigint;
  referenceScores: bigint;
  margins: bigint;
  marginAuctions: number;
  pairs: number;
  inTime: number;
  late: number;
  unsettled: number;
}

/** Competitions of `market_1`, and the block of each settlement, as their bodies have them. */
async function readBodies() {
  const competitions: RecordedCompetition[] = [];
  const blocks = new Map<string, number>();
  for (const line of (await unpack("market_1.ndjson.gz")).trimEnd().split("\n")) {
    const { path, responseBody } = JSON.parse(line);
    if (/^\/api\/v2\/solver_competition\/\d+$/.test(path)) {
      competitions.push(JSON.parse(responseBody));
    } else if (path.startsWith("/api/v1/trades?")) {
      for (const trade of JSON.parse(responseBody)) blocks.set(trade.txHash, trade.blockNumber);
    }
  }
  return { competitions, blocks };
}

/** Adds up the bids of `market_1` in a range of auctions from the recorded bodies alone. */
export async function sumRecordedBids({ from, to }: { from: number; to: number }) {
  const { competitions, blocks } = await readBodies();
  const solvers = new Map<string, SolverSums>();
  const seen = new Set<string>();
  const pairs = { n: 0, bids: 0, wins: 0, volume: 0n };
  const isNew = (...key: readonly unknown[]) => {
    const isAbsent = !seen.has(key.join());
    seen.add(key.join());
    return isAbsent;
  };
  for (const { auctionId, auctionDeadlineBlock, solutions, ...competition } of competitions) {
    if (auctionId < from || auctionId > to) continue;
    let totalScore = 0n;
    for (const { isWinner, score } of solutions) if (isWinner) totalScore += BigInt(score);
    for (const [index, { solverAddress: solver, ...solution }] of solutions.entries()) {
      const sums = solvers.getOrInsertComputed(solver, () => ({
        bids: 0,
        filtered: 0,
        wins: 0,
        auctionsBid: 0,
        auctionsWon: 0,
        scoreWon: 0n,
        referenceScores: 0n,
        margins: 0n,
        marginAuctions: 0,
        pairs: 0,
        inTime: 0,
        late: 0,
        unsettled: 0,
      }));
      sums.bids++;
      if (solution.filteredOut) sums.filtered++;
      if (isNew("bid", solver, auctionId)) sums.auctionsBid++;
      for (const { sellToken, buyToken, sellAmount } of solution.orders) {
        if (isNew("pair", solver, sellToken, buyToken)) {
          sums.pairs++;
          pairs.n++;
        }
        if (isNew("solution", auctionId, index, sellToken, buyToken)) {
          pairs.bids++;
          if (solution.isWinner) pairs.wins++;
        }
        const price = BigInt(competition.auction.prices[sellToken]!);
        if (solution.isWinner) pairs.volume += BigInt(sellAmount) * price / 10n ** 18n;
      }
      if (!solution.isWinner) continue;
      sums.wins++;
      sums.scoreWon += BigInt(solution.score);
      const block = blocks.get(solution.txHash ?? "");
      if (block === undefined) sums.unsettled++;
      else if (block <= auctionDeadlineBlock) sums.inTime++;
      else sums.late++;
      if (!isNew("won", solver, auctionId)) continue;
      sums.auctionsWon++;
      const reference = competition.referenceScores[solver];
      if (reference === undefined) continue;
      sums.marginAuctions++;
      sums.referenceScores += BigInt(reference);
      sums.margins += totalScore - BigInt(reference);
    }
  }
  return { solvers, pairs };
}
