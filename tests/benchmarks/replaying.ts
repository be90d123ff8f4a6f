import type { Competition } from "orderlens";
import { asReplayed, replayCompetition } from "orderlens/metrics";
import { decodeCompetition, encodeCompetition } from "orderlens/schemas";
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
