import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename, join } from "node:path";
import { replay } from "orderlens/recordings";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { type CellOutput, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { sentencesInShort } from "./in_short.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"));

/** What a page says in short only, worked out from numbers that it shows in other words. */
const ONLY_IN_SHORT = new Set([
  "4 of 4 (100%)",
  "137 of 569 (24%)",
  "0.4140 ETH",
  "0.4735 ETH",
  "0.6085 ETH",
  "2.1327 ETH",
  "0.4443 ETH",
  "2 of 2 (100%)",
  "69 of 69",
  "3,343",
]);

function texts(outputs: readonly CellOutput[]): string {
  return outputs.flatMap(({ data = {} }) =>
    ["text/plain", "text/markdown", "image/svg+xml"].map((type) => String(data[type] ?? ""))
  ).join(" ");
}

async function inShort(name: string): Promise<string> {
  const path = NOTEBOOKS.find((one) => basename(one).startsWith(name));
  const { cells } = await readNotebook(path ?? name);
  return String(cells.at(-1)?.outputs[0]?.data?.["text/markdown"] ?? "");
}

Deno.test("every page says in short, in three sentences, the numbers that it shows", async (t) => {
  for (const path of NOTEBOOKS) {
    await t.step(basename(path), async () => {
      const { cells } = await readNotebook(path);
      const short = await inShort(basename(path));
      assertEquals(sentencesInShort([short]).length, 3, short);
      const above = cells.slice(0, -1).map(({ outputs }) => texts(outputs)).join(" ")
        .replaceAll("**", "");
      for (const [, said = ""] of short.matchAll(/\*\*(.+?)\*\*/g)) {
        assert(ONLY_IN_SHORT.has(said) || above.includes(said), `${said} is not shown above`);
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
  const short = await inShort("01");
  const sorted = margins.toSorted((a, b) => a - b);
  const median = (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;

  assertEquals([all, filtered, bestFiltered, won.size, margins.length], [1_798, 365, 137, 4, 646]);
  assertStringIncludes(short, "**365 of 1,798 (20%)** solutions");
  assertStringIncludes(short, "**137 of 569 (24%)** auctions");
  const named = deployment.solvers.find(({ address }) => address === leader?.[0]);
  assertStringIncludes(short, `**${named?.name}** has`);
  assertStringIncludes(
    short,
    `**${Math.round(Number(leader?.[1]) / Number(whole) * 100)}%** of all`,
  );
  assertStringIncludes(short, `added **${Math.round(median * 100)}%** of`);
  assertStringIncludes(short, `**${margins.filter((one) => one === 1).length} of 646 (12%)** wins`);
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
  const short = await inShort("11");

  assertEquals(competitions.length, 32);
  assertStringIncludes(short, `**${solver.slice(0, 6)}…${solver.slice(-4)}** leads`);
  assertStringIncludes(
    short,
    `**${Math.round(Number(most) / Number(whole) * 100)}%** of all score`,
  );
  assertStringIncludes(short, "in **32** auctions");
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
  const short = await inShort("05");

  assertEquals(orders.length, 938);
  assertStringIncludes(short, `**${orders.length - unfilled.length} of 938 (71%)** orders`);
  assertStringIncludes(
    short,
    `of the **${unfilled.length}** others, **${ended("expired")}** expired, ` +
      `**${ended("cancelled")}** were cancelled and **${ended("open")}** may still be filled`,
  );
});
