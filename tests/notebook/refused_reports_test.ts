import { assertEquals, assertExists, assertStringIncludes } from "@std/assert";
import { formatShare } from "orderlens";
import { join } from "node:path";
import { replay } from "orderlens/recordings";
import type { MimeBundle } from "../../lib/notebook/mod.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { type RawMarket, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { leastWaits, middle } from "./raw_times.ts";
import { runCells } from "./run_cells.ts";

/** What each notebook then says instead of an answer. */
const UNDETERMINED: Readonly<Record<string, readonly string[]>> = {
  "01_auction_rankings": [
    "There are no debug reports: Pass a partner's key",
    "whether **9** others were **cannot be determined**",
    "the others **cannot be determined**",
  ],
  "02_fee_policies": [
    "There are no debug reports: Pass a partner's key",
    "that won but were not settled **cannot be determined**",
    "filled in parts it **cannot be determined**",
  ],
  "03_slippage_against_quotes": [
    "There are no debug reports: Pass a partner's key",
    "The parts of **4** fills **cannot be determined**",
  ],
  "04_one_order": [
    "but no debug report: Ask with an API key of a partner",
    "Unknown: **events**",
    "which attempts failed **cannot be determined** without a debug report",
  ],
  "05_order_lifecycles": [
    "There are no debug reports: Pass a partner's key",
    "**why orders waited cannot be determined**",
    "**what failed, and how, cannot be determined**",
  ],
  "06_your_own_data": ["There are no debug reports: Pass a partner's key"],
  "08_solver_rewards": [
    "There are no debug reports: Pass a partner's key",
    "for 9 **it cannot be determined** whether a cap did",
    "Who gets which part **cannot be determined**",
    "What was left over **cannot be determined** to the atom",
  ],
};

/** What they say instead of times that only debug reports have, from the recorded bodies. */
const AT_THE_EARLIEST: Readonly<Record<string, (market: RawMarket) => readonly string[]>> = {
  "03_slippage_against_quotes": (market) => {
    const all = leastWaits(market);
    const ages = all.map(({ seconds }) => seconds).filter((seconds) => seconds > 0)
      .toSorted((a, b) => a - b);
    const [young, old] = [1, 7].map((group) => Math.round(group * ages.length / 8));
    return [
      "Fills without an exact time are dated **at the earliest**",
      `above 0 s for **${
        formatShare(ages.length, all.length)
      }** fills with a quote. Among these, ` +
      `for the **${young}** fills with the youngest quotes (up to **${
        ages[young! - 1]!.toFixed(1)
      } s**)`,
      `for the **${ages.length - old!}** with the oldest (from **${ages[old!]!.toFixed(1)} s** on)`,
    ];
  },
  "04_one_order": (market) => {
    const trade = [...market.trades.values()].find(({ orderUid }) =>
      orderUid.startsWith("0x500b52")
    );
    assertExists(trade);
    return [`Its first fill was in block **${trade.blockNumber}**, at an unknown time; which`];
  },
  "05_order_lifecycles": (market) => {
    const byOrder = Map.groupBy(leastWaits(market), ({ orderUid }) => orderUid);
    const waits = [...byOrder.values()].map((fills) =>
      fills.reduce((first, fill) => fill.blockNumber < first.blockNumber ? fill : first).seconds
    );
    const soon = formatShare(waits.filter((seconds) => seconds <= 30).length, waits.length);
    const least = `Half of the filled orders waited **at least ${
      middle(waits).toFixed(1)
    } s** for their first fill; at most **${soon}**`;
    return [`${least} of them had it within 30 s.`, `${least} had it within 30 s.`];
  },
};

/** What a missing number reads as. */
const NO_WORD = /\b(?:undefined|null|NaN|Infinity)\b/;

for (const [name, sentences] of Object.entries(UNDETERMINED)) {
  Deno.test(`${name} says what cannot be determined without debug reports`, async () => {
    const answers = (await shownWhereRefused(name))
      .flatMap((bundle) => bundle["text/markdown"] ?? [])
      .join("\n");
    const bracketed = AT_THE_EARLIEST[name]?.(await readRawMarket()) ?? [];
    for (const sentence of [...sentences, ...bracketed]) assertStringIncludes(answers, sentence);
    assertEquals(NO_WORD.exec(answers), null);
  });
}

/** What the cells of a notebook show, run as one module, if its deployment answers 403 for reports. */
async function shownWhereRefused(name: string): Promise<readonly MimeBundle[]> {
  const recording = await replay("market_1");
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname.includes("/debug/")) return new Response("", { status: 403 });
      const text = await request.text();
      const { status, headers, body } = await recording.send({
        method: request.method as "GET" | "POST",
        path: pathname + search,
        ...(text === "" ? {} : { body: text }),
      });
      return new Response(body, { status, headers });
    },
  );
  const { chainId, settlementContract } = recording.deployment!;
  const url = `http://127.0.0.1:${server.addr.port}`;
  const notebook = join(PROJECT_ROOT, "notebooks", `${name}.ipynb`);
  return (await runCells(notebook, { url, chainId, settlementContract })).cells.flat();
}
