import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename, join } from "node:path";
import { replay } from "orderlens/recordings";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { committed } from "./committed.ts";
import { sentencesInShort } from "./in_short.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"));

/** What a page says in short only, worked out from numbers that it shows in other words. */
const ONLY_IN_SHORT = new Set(["3", "662"]);

Deno.test("every page says in short, in three points, what it shows", async (t) => {
  for (const path of NOTEBOOKS) {
    await t.step(basename(path), async () => {
      const { texts } = await committed(basename(path, ".ipynb"));
      const points = sentencesInShort(texts);
      assertEquals(points.length, 3, texts.at(-1));
      const above = texts.slice(0, -1).join(" ").replaceAll("**", "");
      for (const point of points) {
        // The finding of a picture, as it stands below it.
        if (above.includes(point.slice("- ".length).trim())) continue;
        for (const [, said = ""] of point.matchAll(/\*\*(.+?)\*\*/g)) {
          assert(ONLY_IN_SHORT.has(said) || above.includes(said), `${said} is not shown above`);
        }
      }
    });
  }
});

interface RecordedCompetition {
  readonly referenceScores: Readonly<Record<string, string>>;
  readonly solutions: readonly {
    readonly solverAddress: string;
    readonly score: string;
    readonly isWinner: boolean;
    readonly filteredOut: boolean;
  }[];
}

Deno.test("01 says in short what the recorded competitions add up to", async () => {
  const recording = await replay("market_1");
  const competitions: RecordedCompetition[] = await Promise.all(
    recording.recorded.auctionIds.map(async (id) =>
      JSON.parse(
        (await recording.send({ method: "GET", path: `/api/v2/solver_competition/${id}` })).body,
      )
    ),
  );
  const won = new Map<string, bigint>();
  let [all, filtered, bestFiltered] = [0, 0, 0];
  const margins: number[] = [];
  for (const { solutions, referenceScores } of competitions) {
    all += solutions.length;
    filtered += solutions.filter((one) => one.filteredOut).length;
    const best = solutions.toSorted((a, b) => BigInt(a.score) > BigInt(b.score) ? -1 : 1)[0];
    if (best?.filteredOut) bestFiltered++;
    const winners = solutions.filter((one) => one.isWinner);
    const total = winners.reduce((sum, { score }) => sum + BigInt(score), 0n);
    for (const { solverAddress, score } of winners) {
      won.set(solverAddress, (won.get(solverAddress) ?? 0n) + BigInt(score));
    }
    for (const score of Object.values(referenceScores)) {
      margins.push(Number(total - BigInt(score)) / Number(total));
    }
  }
  const [leader] = [...won].toSorted(([, a], [, b]) => a > b ? -1 : 1);
  const whole = [...won.values()].reduce((sum, score) => sum + score, 0n);
  const { said, table } = await committed("01_auction_rankings");
  const sorted = margins.toSorted((a, b) => a - b);
  const median = (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;

  assertEquals([all, filtered, bestFiltered, won.size, margins.length], [1_798, 365, 137, 4, 646]);
  assertEquals(table("solvers", "filtered_out"), [
    {
      solutions: `${all}`,
      solvers: "4",
      winning: `${margins.length}`,
      filtered_out: `${filtered}`,
    },
  ]);
  const [best] = table("best_was_filtered");
  assertEquals([best?.best_was_filtered, best?.of_auctions], [`${bestFiltered}`, "569"]);
  const named = deployment.solvers.find(({ address }) => address === leader?.[0]);
  const share = Math.round(Number(leader?.[1]) / Number(whole) * 100);
  assertStringIncludes(
    said,
    `${named?.name} has the largest part of all winning scores, ${share}%`,
  );
  assertStringIncludes(said, `${Math.round(median * 100)}% of the total score`);
  assertStringIncludes(said, `${margins.filter((one) => one === 1).length} of 646 (12%) wins`);
});

Deno.test("11 says in short what the recorded competitions of its dataset add up to", async () => {
  const recording = await replay("market_1");
  const ids = recording.recorded.auctionIds.filter((id) => id >= 1990 && id <= 2049);
  const competitions: RecordedCompetition[] = await Promise.all(
    ids.map(async (id) =>
      JSON.parse(
        (await recording.send({ method: "GET", path: `/api/v2/solver_competition/${id}` })).body,
      )
    ),
  );
  const won = new Map<string, bigint>();
  for (const { solutions } of competitions) {
    for (const { solverAddress, score, isWinner } of solutions) {
      if (isWinner) won.set(solverAddress, (won.get(solverAddress) ?? 0n) + BigInt(score));
    }
  }
  const whole = [...won.values()].reduce((sum, score) => sum + score, 0n);
  const [solver = "", most = 0n] = [...won].toSorted(([, a], [, b]) => a > b ? -1 : 1)[0] ?? [];
  const { said, table } = await committed("11_sql");

  assertEquals(competitions.length, 32);
  const share = Math.round(Number(most) / Number(whole) * 100);
  const name = deployment.solvers.find(({ address }) =>
    address.toLowerCase() === solver.toLowerCase()
  )?.name;
  assertStringIncludes(said, `${name} has the largest part of all winning scores, ${share}%`);
  assertEquals(table("orders", "fills", "auctions")[0]?.auctions, "32");
  assertEquals(table("by_cast")[0]?.exact, `${whole}`);
});

interface RecordedOrder {
  readonly status: string;
  readonly executedSellAmount: string;
}

Deno.test("05 says in short how the recorded orders ended", async () => {
  const recording = await replay("market_1");
  const orders: RecordedOrder[] = await Promise.all(
    recording.recorded.orderUids.map(async (uid) =>
      JSON.parse((await recording.send({ method: "GET", path: `/api/v1/orders/${uid}` })).body)
    ),
  );
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
