import type { Competition } from "orderlens";
import { asReplayed, findContradictions, replayCompetition } from "orderlens/metrics";
import {
  decodeCompetition,
  decodeOrder,
  decodeTrade,
  encodeCompetition,
  encodeOrder,
  encodeTrade,
} from "orderlens/schemas";
import { marketBodies } from "./market_bodies.ts";
import { type Benchmark, timed } from "./ratio.ts";

const OTHER_RULES = { fairness: false, maxWinners: 1 };
const COMPETITIONS = 10_000;
const SOLUTIONS = 20;

/** Auctions of twenty recorded solutions each, taken in turn, reported as they are selected. */
function crowded(recorded: readonly Competition[]): Competition[] {
  const all = recorded.flatMap(({ solutions }) => solutions);
  return Array.from({ length: COMPETITIONS }, (_, at) => {
    const base = recorded[at % recorded.length]!;
    const solutions = Array.from({ length: SOLUTIONS }, (_, place) => ({
      ...all[(at * 7 + place * 13) % all.length]!,
      ranking: place + 1,
    }));
    const orders = solutions.flatMap((solution) => solution.orders.map(({ id }) => id));
    const auction = { ...base.auction, orders: [...new Set([...base.auction.orders, ...orders])] };
    return asSelected({ ...base, auctionId: at, auction, solutions });
  });
}

function asSelected(competition: Competition): Competition {
  const replay = replayCompetition(competition);
  const solutions = replay.solutions.map(({ index, ranking, isWinner, filteredOut }) => ({
    ...competition.solutions[index]!,
    ranking,
    isWinner,
    filteredOut,
  }));
  const referenceScores = Object.fromEntries(replay.referenceScores);
  return { ...competition, solutions: solutions.reverse(), referenceScores };
}

const FILLS = 20_000;

/** Comparing recorded fills with their orders and auctions, against bare `JSON.parse` of all three. */
async function consistencyBenchmark(competitions: readonly Competition[]): Promise<Benchmark> {
  const [orders, trades] = await Promise.all(
    (["order", "trade"] as const).map(async (kind) =>
      (await marketBodies(kind)).map((text): unknown => JSON.parse(text))
    ),
  );
  const fillsOf = Map.groupBy(trades!.map((body) => decodeTrade(body)), (one) => one.orderUid);
  const filled = orders!.map((body) => decodeOrder(body))
    .filter(({ uid }) => fillsOf.has(uid))
    .map((order) => ({ order, trades: fillsOf.get(order.uid)!, debugReport: null }));
  const all = Array.from({ length: FILLS }, (_, index) => filled[index % filled.length]!);
  const text = JSON.stringify(all.map(({ order, trades }) => [
    encodeOrder(order),
    trades.map(encodeTrade),
  ]));
  return timed({
    name: `compare ${FILLS.toLocaleString("en")} filled orders with their records / JSON.parse`,
    bar: 1.0,
    reference: () => JSON.parse(text),
    measured: () => [...findContradictions({ orders: all, competitions })].length,
  });
}

/** Replaying auctions against bare `JSON.parse` of the same ones, and by other rules. */
export async function replayingBenchmarks(): Promise<Benchmark[]> {
  const recorded = (await marketBodies("competition_v2")).map((text) => JSON.parse(text));
  const made = crowded(recorded.map((body) => decodeCompetition(body)));
  const text = JSON.stringify(made.map(encodeCompetition));
  const decoded: Competition[] = (JSON.parse(text) as unknown[])
    .map((body) => decodeCompetition(body));
  const agree = () => decoded.every((competition) => replayCompetition(competition).agrees);
  const count = COMPETITIONS.toLocaleString("en");
  return [
    await consistencyBenchmark(recorded.map((body) => decodeCompetition(body))),
    timed({
      name: `replay ${count} competitions of ${SOLUTIONS} / JSON.parse`,
      bar: 1.0,
      reference: () => JSON.parse(text),
      measured: agree,
    }),
    timed({
      name: `replay ${count} competitions by other rules / by their own`,
      bar: 2.0,
      reference: agree,
      measured: () =>
        decoded.map((competition) =>
          asReplayed(competition, replayCompetition(competition, OTHER_RULES))
        ),
    }),
  ];
}
