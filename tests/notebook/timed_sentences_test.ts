import { assertEquals, assertExists, assertStringIncludes } from "@std/assert";
import { type RawMarket, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { committed } from "./committed.ts";
import { earliestStarts, middle } from "./raw_times.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

/** A fill on the wire, with amounts that rewards do not need. */
interface RawFill {
  readonly orderUid: string;
  readonly txHash: string;
  readonly sellAmount: string;
  readonly buyAmount: string;
}

function nameOf(solver: string): string {
  const found = deployment.solvers.find(({ address }) => address === solver);
  assertExists(found);
  return found.name;
}

/** Winning scores by solver, of each five minutes in which auctions began at the earliest. */
function scoresByPeriod(market: RawMarket): Map<string, bigint>[] {
  const bidOn = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
    ),
  );
  const starts = earliestStarts(market, (uid) => bidOn.has(uid));
  const periods = new Map<number, Map<string, bigint>>();
  for (const { auctionId, solutions } of market.auctions) {
    const period = Math.floor(starts.get(auctionId)! / 300_000);
    const scores = periods.get(period) ?? new Map<string, bigint>();
    periods.set(period, scores);
    for (const { solverAddress, score } of solutions.filter(({ isWinner }) => isWinner)) {
      scores.set(solverAddress, (scores.get(solverAddress) ?? 0n) + BigInt(score));
    }
  }
  return [...periods.values()];
}

Deno.test("01 says which share the leader has in every five minutes of the recorded bodies", async () => {
  const { table } = await committed("01_auction_rankings");
  const periods = scoresByPeriod(await readRawMarket());
  const totals = new Map<string, bigint>();
  for (const [solver, score] of periods.flatMap((scores) => [...scores])) {
    totals.set(solver, (totals.get(solver) ?? 0n) + score);
  }
  const [leader = ""] = [...totals].toSorted(([, a], [, b]) => a > b ? -1 : 1)[0] ?? [];
  const led = periods.filter((scores) =>
    [...scores.values()].every((score) => score <= (scores.get(leader) ?? 0n))
  );
  const shares = periods.map((scores) =>
    Number(scores.get(leader) ?? 0n) / Number([...scores.values()].reduce((a, b) => a + b)) * 100
  );
  const [first] = table("periods_led", "least_share");
  assertEquals(first?.solver, leader);
  assertEquals(first?.solver_name, nameOf(leader));
  assertEquals([first?.periods_led, first?.of_periods], [`${led.length}`, `${periods.length}`]);
  assertEquals(Number(first?.least_share), Number((Math.min(...shares) / 100).toFixed(4)));
  assertEquals(Number(first?.largest_share), Number((Math.max(...shares) / 100).toFixed(4)));
});

Deno.test("01 names the solver of the highest score in the busiest of the recorded auctions", async () => {
  const { said } = await committed("01_auction_rankings");
  const { auctions } = await readRawMarket();
  const [busiest] = auctions.toSorted((a, b) =>
    Object.keys(b.referenceScores).length - Object.keys(a.referenceScores).length ||
    b.solutions.length - a.solutions.length || a.auctionId - b.auctionId
  );
  const [best] = busiest!.solutions.toSorted((a, b) => BigInt(a.score) > BigInt(b.score) ? -1 : 1);
  assertStringIncludes(said, `Ranking of auction ${busiest?.auctionId}: `);
  assertStringIncludes(said, `ETH, by ${nameOf(best!.solverAddress)}; that solution`);
});

Deno.test("03 names the recorded solvers with the best and the worst median", async () => {
  const { said } = await committed("03_slippage_against_quotes");
  const { auctions, trades, orders } = await readRawMarket();
  const settledBy = new Map(
    auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ txHash, solverAddress }) =>
        txHash === null ? [] : [[txHash, solverAddress]]
      )
    ),
  );
  // Double precision is enough for one decimal of a basis point.
  const fills = ([...trades.values()] as unknown as RawFill[]).map((fill) => {
    const { kind, quote } = orders.get(fill.orderUid)!;
    const [sell, buy] = [Number(quote!.sellAmount), Number(quote!.buyAmount)];
    const cost = Number(quote!.gasAmount) * Number(quote!.gasPrice) / Number(quote!.sellTokenPrice);
    const [sold, bought] = [Number(fill.sellAmount), Number(fill.buyAmount)];
    const price = kind === "sell" ? (buy - cost * buy / sell) / sell : buy / (sell + cost);
    const baseline = kind === "sell" ? price * sold : bought / price;
    const better = kind === "sell" ? bought - baseline : baseline - sold;
    return { solver: settledBy.get(fill.txHash)!, bps: 10_000 * better / baseline };
  });
  const groups = [...Map.groupBy(fills, ({ solver }) => solver)].map(([solver, own]) => ({
    median: middle(own.map(({ bps }) => bps)),
    who: `${nameOf(solver)}, ${own.length} fills`,
  })).sort((a, b) => a.median - b.median);
  const text = ({ median, who }: { median: number; who: string }) =>
    `${median < 0 ? "−" : "+"}${Math.abs(median).toFixed(1)} bps (${who})`;
  assertStringIncludes(said, `range from ${text(groups[0]!)} to ${text(groups.at(-1)!)}.`);
});
