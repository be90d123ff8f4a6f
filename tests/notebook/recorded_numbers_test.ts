import { assertEquals, assertStringIncludes } from "@std/assert";
import { type RawMarket, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { committed, nameOf } from "./committed.ts";
import { earliestStarts, middle } from "./raw_times.ts";

const market = await readRawMarket();

type Scores = ReadonlyMap<string, bigint>;

function sum(amounts: Iterable<bigint>): bigint {
  return [...amounts].reduce((all, one) => all + one, 0n);
}

/** Winning scores of some auctions by solver, the greatest first. */
function scoresOf(auctions: RawMarket["auctions"]): Scores {
  const bids = auctions.flatMap(({ solutions }) => solutions.filter(({ isWinner }) => isWinner));
  const scores = [...Map.groupBy(bids, ({ solverAddress }) => solverAddress)]
    .map(([solver, own]) => [solver, sum(own.map(({ score }) => BigInt(score)))] as const);
  return new Map(scores.toSorted(([, a], [, b]) => a > b ? -1 : 1));
}

/** A share as the nearest double. */
function shareOf(part: bigint, scores: Scores): number {
  return Number(part) / Number(sum(scores.values()));
}

/** What a page says of the solver with the largest part of all winning scores. */
function leaderText(scores: Scores): string {
  const [[solver, most] = ["", 0n]] = scores;
  const share = Math.round(shareOf(most, scores) * 100);
  return `${nameOf(solver)} has the largest share of all winning scores, ${share}%`;
}

Deno.test("01 says in short what the recorded competitions add up to", async () => {
  const won = scoresOf(market.auctions);
  let [all, filtered, bestFiltered] = [0, 0, 0];
  const margins: number[] = [];
  for (const { solutions, referenceScores } of market.auctions) {
    all += solutions.length;
    filtered += solutions.filter((one) => one.filteredOut).length;
    const best = solutions.toSorted((a, b) => BigInt(a.score) > BigInt(b.score) ? -1 : 1)[0];
    if (best?.filteredOut) bestFiltered++;
    const total = sum(solutions.filter((one) => one.isWinner).map(({ score }) => BigInt(score)));
    for (const score of Object.values(referenceScores)) {
      margins.push(Number(total - BigInt(score)) / Number(total));
    }
  }
  const { said, table } = await committed("01_auction_rankings");

  assertEquals([all, filtered, bestFiltered, won.size, margins.length], [1_798, 365, 137, 4, 646]);
  assertEquals(table("solvers", "filtered_out"), [
    { solutions: `${all}`, solvers: "4", winning: "646", filtered_out: `${filtered}` },
  ]);
  const [best] = table("best_was_filtered");
  assertEquals([best?.best_was_filtered, best?.of_auctions], [`${bestFiltered}`, "569"]);
  assertStringIncludes(said, leaderText(won));
  assertStringIncludes(said, `${Math.round(middle(margins) * 100)}% of the total score`);
  assertStringIncludes(said, `${margins.filter((one) => one === 1).length} of 646 (12%) wins`);
});

Deno.test("11 says in short what the recorded competitions of its dataset add up to", async () => {
  const auctions = market.auctions.filter(({ auctionId: id }) => id >= 1990 && id <= 2049);
  const won = scoresOf(auctions);
  const { said, table } = await committed("11_sql");

  assertEquals(auctions.length, 32);
  assertStringIncludes(said, leaderText(won));
  assertEquals(table("orders", "fills", "auctions")[0]?.auctions, "32");
  assertEquals(table("by_cast")[0]?.exact, `${sum(won.values())}`);
});

Deno.test("05 says in short how the recorded orders ended", async () => {
  const orders = [...market.orders.values()];
  const unfilled = orders.filter(({ executedSellAmount }) => executedSellAmount === "0");
  const ended = (status: string) => unfilled.filter((order) => order.status === status).length;
  const { said } = await committed("05_order_lifecycles");

  assertEquals(orders.length, 938);
  assertStringIncludes(said, `${orders.length - unfilled.length} of 938 (71%) orders were filled`);
  assertStringIncludes(
    said,
    `The others: ${ended("expired")} expired, ${ended("cancelled")} cancelled and ` +
      `${ended("open")} may still be filled`,
  );
});

/** Winning scores by solver, of each five minutes in which auctions began at the earliest. */
function scoresByPeriod(): Scores[] {
  const bidOn = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
    ),
  );
  const starts = earliestStarts(market, (uid) => bidOn.has(uid));
  const periodOf = (auctionId: number) => Math.floor(starts.get(auctionId)! / 300_000);
  return [...Map.groupBy(market.auctions, ({ auctionId }) => periodOf(auctionId)).values()]
    .map(scoresOf);
}

Deno.test("01 says which share the leader has in every five minutes of the recorded bodies", async () => {
  const { table } = await committed("01_auction_rankings");
  const [leader = ""] = scoresOf(market.auctions).keys();
  const periods = scoresByPeriod();
  const led = periods.filter((scores) =>
    [...scores.values()].every((score) => score <= (scores.get(leader) ?? 0n))
  );
  const shares = periods.map((scores) => shareOf(scores.get(leader) ?? 0n, scores));
  const [first] = table("periods_led", "least_share");
  assertEquals([first?.solver, first?.solver_name], [leader, nameOf(leader)]);
  assertEquals([first?.periods_led, first?.of_periods], [`${led.length}`, `${periods.length}`]);
  assertEquals(Number(first?.least_share), Number(Math.min(...shares).toFixed(4)));
  assertEquals(Number(first?.largest_share), Number(Math.max(...shares).toFixed(4)));
});

Deno.test("01 names the solver of the highest score in the busiest of the recorded auctions", async () => {
  const { said } = await committed("01_auction_rankings");
  const [busiest] = market.auctions.toSorted((a, b) =>
    Object.keys(b.referenceScores).length - Object.keys(a.referenceScores).length ||
    b.solutions.length - a.solutions.length || a.auctionId - b.auctionId
  );
  const [best] = busiest!.solutions.toSorted((a, b) => BigInt(a.score) > BigInt(b.score) ? -1 : 1);
  assertStringIncludes(said, `Ranking of auction ${busiest?.auctionId}: `);
  assertStringIncludes(said, `ETH, by ${nameOf(best!.solverAddress)}; that solution`);
});

Deno.test("03 names the recorded solvers with the best and the worst median", async () => {
  const { said } = await committed("03_slippage_against_quotes");
  const { auctions, trades, orders } = market;
  const settledBy = new Map(
    auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ txHash, solverAddress }) =>
        txHash === null ? [] : [[txHash, solverAddress]]
      )
    ),
  );
  // Double precision is enough for one decimal of a basis point.
  const fills = [...trades.values()].map((fill) => {
    const { kind, quote } = orders.get(fill.orderUid)!;
    const [sell, buy] = [Number(quote!.sellAmount), Number(quote!.buyAmount)];
    const cost = Number(quote!.gasAmount) * Number(quote!.gasPrice) / Number(quote!.sellTokenPrice);
    const [sold, bought] = [Number(fill.sellAmount), Number(fill.buyAmount)];
    const price = kind === "sell" ? (buy - cost * buy / sell) / sell : buy / (sell + cost);
    const baseline = kind === "sell" ? price * sold : bought / price;
    const better = kind === "sell" ? bought - baseline : baseline - sold;
    return { solver: settledBy.get(fill.txHash!)!, bps: 10_000 * better / baseline };
  });
  const groups = [...Map.groupBy(fills, ({ solver }) => solver)].map(([solver, own]) => ({
    median: middle(own.map(({ bps }) => bps)),
    who: `${nameOf(solver)}, ${own.length} fills`,
  })).sort((a, b) => a.median - b.median);
  const signed = (bps: number) => `${bps < 0 ? "−" : "+"}${Math.abs(bps).toFixed(1)} bps`;
  const text = ({ median, who }: { median: number; who: string }) => `${signed(median)} (${who})`;
  const [worst, best] = [groups[0]!, groups.at(-1)!];
  assertStringIncludes(
    said,
    `The medians of ${groups.length} solvers differ: ${text(worst)} and ${text(best)}, ` +
      `a difference of ${signed(best.median - worst.median)} (95% interval `,
  );
});

Deno.test("15 judges every solution of several pairs in the recorded bodies, by each method", async () => {
  const { table } = await committed("15_published_figures");
  const several = market.auctions.flatMap(({ solutions }) =>
    solutions.filter(({ orders }) =>
      new Set(orders.map(({ sellToken, buyToken }) => `${sellToken} ${buyToken}`)).size > 1
    )
  );
  const filtered = several.filter((solution) => solution.filteredOut).length;
  assertEquals([several.length, filtered], [393, 365]);
  const methods = table("method", "their_differ");
  assertEquals(methods.map(({ method }) => method).toSorted(), [
    "raw",
    "scaled",
    "score",
    "surplus",
  ]);
  for (const { solutions, differ, keeps, drops } of methods) {
    assertEquals(solutions, `${several.length}`);
    assertEquals(Number(differ), Number(keeps) + Number(drops));
  }
  const brackets = table("bracket", "theirs");
  const sumOf = (column: string) => brackets.reduce((all, row) => all + Number(row[column]), 0);
  assertEquals([sumOf("solutions"), sumOf("filtered")], [several.length, filtered]);
  // Whatever the fees are, the service had to filter the one and to keep the other.
  const [must, keep] = ["must_filter", "must_keep"].map((one) =>
    brackets.find(({ bracket }) => bracket === one)
  );
  assertEquals([must?.filtered, keep?.filtered], [must?.solutions, "0"]);
  // What the analysis says of its 5,211 solutions.
  assertEquals(sumOf("theirs"), 5_211);
});
