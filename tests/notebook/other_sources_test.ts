import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatShare } from "orderlens";
import { basename, join } from "node:path";
import type { HttpRequest } from "orderlens/http";
import { replay, shippedRecordings } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { type RawMarket, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { BROKEN, saidIn, sentencesInShort } from "./committed.ts";
import { runCells, type Shown, sourceHere } from "./run_cells.ts";
import { leastWaits, middle } from "./raw_times.ts";

/** With `ORDERLENS_ALL=1`, every notebook runs on every recording: half a minute more. */
const IS_ALL = Deno.env.has("ORDERLENS_ALL");
/** The notebooks that read a range of auctions, or one order of it; 07 trades in a sandbox anyway. */
const OF_ONE_MARKET = ["01", "02", "03", "04", "05", "06", "08", "10"];
const FOLDER = join(PROJECT_ROOT, "notebooks");
const NOTEBOOKS = await findNotebooks(FOLDER, [...OF_ONE_MARKET, "12", "13", "14", "15"]);

/** Sentences have no missing number, and there are three in short. */
function assertWhole({ texts }: Shown): void {
  for (const text of texts.filter((one) => one.includes("**"))) assert(!BROKEN.test(text), text);
  assertEquals(sentencesInShort(texts).length, 3);
}

/** Whether a figure, or an exploration, has no rows; it then names no source. */
function isEmpty(drawing: string): boolean {
  return drawing.includes("There is nothing to draw") || /<title>0 [a-z ]+: /.test(drawing);
}

/** What the notebooks take by themselves, so that their committed outputs are of it. */
const OWN = "market_1";
const OTHERS = (await shippedRecordings()).filter((name) => name !== OWN);
assert(NOTEBOOKS.length > 0 && OTHERS.length > 0);

for (const [place, path] of NOTEBOOKS.entries()) {
  Deno.test(`${basename(path)} runs on the other recordings that ship`, async (t) => {
    for (const [index, recording] of OTHERS.entries()) {
      // Each recording with two or three notebooks.
      if (!IS_ALL && (place + index) % 4 !== 0) continue;
      await t.step(recording, async () => {
        const isOfTwo = basename(path).startsWith("05");
        const shown = await runCells(path, {
          source: recording,
          ...(isOfTwo ? { rough: recording } : {}),
        });
        assertWhole(shown);
        const sources = shown.drawings.flatMap((drawing) =>
          [...drawing.matchAll(/Source: ([^<]*)/g)].map(([, source = ""]) => source)
        );
        assert(
          shown.drawings.every(isEmpty) || sources.some((source) => source.includes(recording)),
          `${sources} are not of ${recording}`,
        );
      });
    }
  });
}

Deno.test("the decimals in a page's parameters give amounts in tokens", async () => {
  const source = "trades_v2__trades_v2_endpoints";
  const decimals = { "0xC6E7DF5E7B4F2A278906862B61205850344D4E7D": 18 };
  for (const [parameters, unknown] of [[{}, "2"], [{ decimals }, "1"]] as const) {
    const { texts } = await runCells(NOTEBOOKS[5]!, { source, ...parameters });
    assertEquals(saidIn(texts).table("tokens_of_unknown_decimals"), [
      { tokens_of_unknown_decimals: unknown },
    ]);
  }
});

const YOUNG = NOTEBOOKS.slice(0, OF_ONE_MARKET.length);

/** Runs the notebooks on a sandbox. */
async function runYoung(auctions: number): Promise<Map<string, Shown>> {
  const source = sourceHere(await openSandbox({ seed: 7, auctions, clock: "virtual" }));
  const shown = new Map<string, Shown>();
  for (const path of YOUNG) shown.set(path, await runCells(path, { source, last: 40 }));
  return shown;
}

const SHOWN = new Map<number, Promise<Map<string, Shown>>>();

/** What each notebook shows of a deployment that has held some auctions; run once. */
function shownAfter(auctions: number): Promise<Map<string, Shown>> {
  return SHOWN.getOrInsertComputed(auctions, () => runYoung(auctions));
}

for (const auctions of [0, 1, 3, 12]) {
  Deno.test(`notebooks run on a deployment that has held ${auctions} auctions`, async (t) => {
    const pages = await shownAfter(auctions);
    assertEquals(pages.size, OF_ONE_MARKET.length);
    for (const [path, shown] of pages) {
      await t.step(basename(path), () => {
        const { texts, drawings } = shown;
        assert(texts.length > 5 && drawings.length > 0);
        assertWhole(shown);
        for (const drawing of drawings) {
          assert(!BROKEN.test(drawing), `${BROKEN.exec(drawing)?.[0]}: ${drawing.slice(0, 400)}`);
        }
      });
    }
  });
}

Deno.test("a deployment without auctions has empty figures that say so", async () => {
  const pages = await shownAfter(0);
  for (const [path, { drawings, texts }] of pages) {
    if (/\/0[45]/.test(path)) continue;
    for (const drawing of drawings) assert(isEmpty(drawing), basename(path));
    const shares = texts.join(" ").match(/\d+\s?%/g) ?? [];
    assertEquals(shares, [], `${basename(path)} has shares of nothing`);
  }
  const { texts } = pages.get(YOUNG[3]!)!;
  assertStringIncludes(texts.join("\n"), "This deployment does not have the order");
});

Deno.test("pages agree on how many settlements are pending", async () => {
  const pages = await shownAfter(3);
  const [winners, lives] = [YOUNG[0]!, YOUNG[4]!].map((path) => saidIn(pages.get(path)!.texts));
  assertEquals(winners!.table("pending")[0]!.pending, "3");
  assertStringIncludes(lives!.said, "3 were still pending");
});

const REFUSED = "Debug reports: Pass a partner's key";

/** What each notebook then says instead of an answer, spaces as one. */
const UNDETERMINED: Readonly<Record<string, readonly string[]>> = {
  "01_auction_rankings": [
    REFUSED,
    "in_time late absent pending unknown",
    "1796 of 1798 filter flags",
  ],
  "02_fee_policies": [REFUSED, "fills_with_network_fee of_fills negative 660 664 0"],
  "03_slippage_against_quotes": [REFUSED, "with_known_parts 664 660"],
  "04_one_order": [
    "Use an API key of a partner",
    "attempts Only a debug report has",
    "Unknown facts about its life: 3",
  ],
  "05_order_lifecycles": [
    REFUSED,
    "invalid_at_some_point of_orders null 938",
    "1 was settled late and 9 were not settled",
  ],
  "06_your_own_data": [REFUSED, "UnauthorizedError"],
  "08_solver_rewards": [REFUSED, "cap rewards share upper", "possible settlement_unknown 1"],
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
      `(${oldest} to ${Number(last!.toPrecision(3))} s, ${ages.length - old!} fills)`,
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
