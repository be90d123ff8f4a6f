import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatShare } from "orderlens";
import { join } from "node:path";
import type { HttpRequest } from "orderlens/http";
import { replay } from "orderlens/recordings";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { type RawMarket, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { saidIn } from "./committed.ts";
import { leastWaits, middle } from "./raw_times.ts";
import { sourceHere } from "./page_in_process.ts";
import { runCells } from "./run_cells.ts";

const REFUSED = "Debug reports: Pass a partner's key";

/** What each notebook then says instead of an answer, spaces as one. */
const UNDETERMINED: Readonly<Record<string, readonly string[]>> = {
  "01_auction_rankings": [
    REFUSED,
    "in_time late absent pending unknown",
    "1796 of 1798 filter flags",
  ],
  "02_fee_policies": [REFUSED, "fills_with_network_fee of_fills 660 664"],
  "03_slippage_against_quotes": [REFUSED, "with_known_parts 664 660"],
  "04_one_order": [
    "Ask with an API key of a partner",
    "attempts Only a debug report has",
    "Not known about its life: 3 things",
  ],
  "05_order_lifecycles": [
    REFUSED,
    "invalid_at_some_point of_orders null 938",
    "9 were of unknown outcome",
  ],
  "06_your_own_data": [REFUSED, "UnauthorizedError"],
  "08_solver_rewards": [REFUSED, "cap rewards upper", "unknown 9"],
};

/** What they say instead of times that only debug reports have, from the recorded bodies. */
const AT_THE_EARLIEST: Readonly<Record<string, (market: RawMarket) => readonly string[]>> = {
  "03_slippage_against_quotes": (market) => {
    const all = leastWaits(market);
    const ages = all.map(({ seconds }) => seconds).filter((seconds) => seconds > 0)
      .toSorted((a, b) => a - b);
    const [young, old] = [1, 7].map((group) => Math.round(group * ages.length / 8));
    const [youngest, oldest, last] = [ages[young! - 1]!, ages[old!]!, ages.at(-1)!]
      .map((age) => Number(age.toFixed(1)));
    return [
      `The ${young} fills with the youngest quotes`,
      `the ${ages.length - old!} fills with the oldest (from ${oldest} s on)`,
      `1 ${young} 0 ${youngest} `,
      `8 ${ages.length - old!} ${oldest} ${last} `,
      "bracketed",
    ];
  },
  "05_order_lifecycles": (market) => {
    const byOrder = Map.groupBy(leastWaits(market), ({ orderUid }) => orderUid);
    const waits = [...byOrder.values()].map((fills) =>
      fills.reduce((first, fill) => fill.blockNumber < first.blockNumber ? fill : first).seconds
    );
    const soon = formatShare(waits.filter((seconds) => seconds <= 30).length, waits.length);
    const least = `Half of those waited at least ${Number(middle(waits).toFixed(1))} s`;
    return [`${least}; at most ${soon} no longer than 30 s.`];
  },
};

/** What a missing number reads as. */
const NO_WORD = /\b(?:undefined|null|NaN|Infinity)\b/;

for (const [name, sentences] of Object.entries(UNDETERMINED)) {
  Deno.test(`${name} says what cannot be determined without debug reports`, async () => {
    const { said, texts } = saidIn(await shownWhereRefused(name));
    const bracketed = AT_THE_EARLIEST[name]?.(await readRawMarket()) ?? [];
    for (const sentence of [...sentences, ...bracketed]) assertStringIncludes(said, sentence);
    const sentencesOf = texts.filter((text) => text.includes("**"));
    assertEquals(NO_WORD.exec(sentencesOf.join(" ")), null);
  });
}

/** The recording, as a deployment serves it that answers 403 for reports. */
const RECORDING = await replay("market_1");
const { chainId, settlementContract } = RECORDING.deployment!;
const SOURCE = sourceHere({
  baseUrl: RECORDING.baseUrl,
  deployment: { chainId, settlementContract },
  send: (request: HttpRequest) =>
    request.path.includes("/debug/")
      ? Promise.resolve({ status: 403, contentType: null, headers: new Headers(), body: "" })
      : RECORDING.send(request),
});

/** The same for all notebooks, so that they share a market: 03 and 05 ask for accounts, 08 for rules. */
const PARAMETERS = { source: SOURCE, last: 1_020, accounts: 50, rewardsOf: "mainnet" };

/** What a notebook shows where reports are refused. */
async function shownWhereRefused(name: string): Promise<readonly string[]> {
  const notebook = join(PROJECT_ROOT, "notebooks", `${name}.ipynb`);
  return (await runCells(notebook, PARAMETERS)).texts;
}
