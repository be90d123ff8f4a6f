import { connect, InputError } from "orderlens";
import {
  describeDataset,
  describeText,
  exportDataset,
  type ExportOptions,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { openMarket, weekReport } from "orderlens/market";
import { records } from "orderlens/tables";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { formatPriceArgument } from "../../lib/datasets/state/cow_price_lines.ts";
import { registerSecret } from "../../lib/errors/secrets.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { recorded } from "./exported.ts";

const RECORDING = await recorded("market_1");
/** Auctions of the week from 2026-11-17, with fills that pay quoters. */
const AUCTIONS = { auctions: { from: 1990, to: 2049 }, rewardsOf: "mainnet" } as const;
const WEEK = "2026-11-17";

interface PricedRow {
  readonly cow_price_atoms: string | null;
  readonly cow_price_source: string | null;
  readonly quotes_earned: number;
  readonly quotes_possible: number;
  readonly quote_reward_low_atoms: string;
  readonly quote_reward_high_atoms: string;
}

async function readRewards(folder: string): Promise<PricedRow[]> {
  return records<PricedRow>(await (await openDataset(folder)).table("rewards").collect());
}

/** Both bounds for one quote of the first solver with quotes. */
async function readEach(folder: string): Promise<bigint[]> {
  const row = (await readRewards(folder)).find((row) => row.quotes_earned > 0)!;
  const { quotes_earned: earned, quotes_possible: possible } = row;
  return [
    BigInt(row.quote_reward_low_atoms) / BigInt(earned),
    BigInt(row.quote_reward_high_atoms) / BigInt(earned + possible),
  ];
}

/** Exports a dataset, and returns its statements. */
async function exportTo(folder: string, options: ExportOptions = {}) {
  await exportDataset(connect(RECORDING), folder, { ...AUCTIONS, ...options });
  return await readAbout(folder);
}

async function readAbout(folder: string) {
  return (await openDataset(folder)).manifest.about;
}

inFolder.test("a price of COW is in manifest, rewards, description, card, command and page, with its source", async (folder) => {
  const own = `${folder}/own`;
  const source = "mean of 24 hours, Dune prices.usd";
  const cowPrice = [{ week: WEEK, nativeAtoms: 63_100_000_000_000n, source }];
  const about = await exportTo(own, { cowPrice });
  assertEquals(about?.cowPrice, [{ week: WEEK, nativeAtoms: "63100000000000", source }]);
  for (const row of await readRewards(own)) {
    assertEquals([row.cow_price_atoms, row.cow_price_source], ["63100000000000", source]);
  }
  // 6 COW are 378600000000000 atoms, fewer than the 700000000000000 of mainnet.
  assertEquals(await readEach(own), [378_600_000_000_000n, 378_600_000_000_000n]);

  const described = await describeDataset(own);
  assertEquals(described.cowPrice, about?.cowPrice);
  assertStringIncludes(described.command!, "--rewards-of mainnet --cow-price PRICES.csv");
  const line = `Price of COW in the week of ${WEEK}: 0.0000631 native tokens (63100000000000 ` +
    `atoms) for one COW, from ${source}`;
  assertStringIncludes(describeText(described, { columns: 400 }), line);
  assertStringIncludes(await Deno.readTextFile(`${own}/README.md`), `- ${line}\n`);
  assertEquals((await verifyDataset(own, { recompute: true })).isWhole, true);
  assertStringIncludes(await weekReport(own, { week: WEEK }), `for one COW, from ${source}`);
  // Rules of the caller do not drop the price of the dataset.
  const market = await openMarket(own, { rewardsOf: "mainnet" });
  const rows = records<PricedRow>(await market.rewards());
  assertEquals(new Set(rows.map((row) => row.cow_price_source)), new Set([source]));
});

inFolder.test("a rebuild and a repeated export replace the price of COW, and what follows from it", async (folder) => {
  const own = `${folder}/own`;
  await exportTo(own);
  // Without a price a quote earns between nothing and the native amount.
  assertEquals(await readEach(own), [0n, 700_000_000_000_000n]);
  for (const row of await readRewards(own)) assertEquals(row.cow_price_atoms, null);
  const plain = await describeDataset(own);
  assertStringIncludes(describeText(plain, { columns: 400 }), "No price of COW was passed");
  assertStringIncludes(await weekReport(own, { week: WEEK }), "not passed: rewards for quotes");

  await rebuildDataset(own, { cowPrice: [{ nativeAtoms: "1" }] });
  assertEquals(await readEach(own), [6n, 6n]);
  const rebuilt = await describeDataset(own);
  assertStringIncludes(rebuilt.command!, "--cow-price 1");
  assertStringIncludes(describeText(rebuilt, { columns: 400 }), "every week: 0.000000000000000001");
  assertStringIncludes(describeText(rebuilt, { columns: 400 }), "source not stated");

  await exportTo(own, { cowPrice: [{ nativeAtoms: 2n, source: "a guess" }] });
  assertEquals(await readEach(own), [12n, 12n]);
  assertStringIncludes((await describeDataset(own)).command!, "--cow-price '2@a guess'");
  assertEquals((await verifyDataset(own, { recompute: true })).isWhole, true);
  // The same export in one run has the same bytes.
  await exportTo(`${folder}/once`, { cowPrice: [{ nativeAtoms: "2", source: "a guess" }] });
  const files = async (place: string) => await Deno.readTextFile(`${place}/SHA256SUMS`);
  assertEquals(await files(own), await files(`${folder}/once`));
});

inFolder.test("datasets by other prices of COW are not merged, and those by the same ones keep it", async (folder) => {
  const parts = [[1990, 1999], [2000, 2049]].map(([from, to]) => ({ from: from!, to: to! }));
  const cowPrice = [{ week: WEEK, nativeAtoms: 5n, source: "a test" }];
  for (const [index, auctions] of parts.entries()) {
    await exportTo(`${folder}/${index}`, { auctions, cowPrice });
  }
  const folders = [`${folder}/0`, `${folder}/1`];
  const { about } = await mergeDatasets(folders, `${folder}/all`);
  assertEquals(about?.cowPrice, [{ week: WEEK, nativeAtoms: "5", source: "a test" }]);
  for (const row of await readRewards(`${folder}/all`)) assertEquals(row.cow_price_atoms, "5");
  await rebuildDataset(folders[1]!, { cowPrice: [{ nativeAtoms: 6n }] });
  const merge = () => mergeDatasets(folders, `${folder}/both`);
  const error = await assertRejects(merge, InputError, "they differ in cowPrice");
  assertStringIncludes(error.message, "--cow-price");
});

inFolder.test("a source of a price that contains a secret is written without it", async (folder) => {
  registerSecret("planted-secret-of-a-price");
  const source = "https://prices.example/v1?api_key=0123456789abcdef, planted-secret-of-a-price";
  const about = await exportTo(folder, {
    auctions: { from: 2048, to: 2049 },
    cowPrice: [{ nativeAtoms: 1n, source }],
  });
  const stored = about?.cowPrice?.[0]?.source ?? "";
  assert(stored.startsWith("https://prices.example/v1"));
  assert(!/0123456789abcdef|planted/.test(stored), stored);
});

Deno.test("the command of a price has its source without the secrets of a URL", () => {
  const source = "https://me:hunter2@prices.example/cow?api_key=s3cret";
  assertEquals(
    formatPriceArgument([{ nativeAtoms: 1n, source }]),
    "'1@https://[hidden]@prices.example/cow?api_key=[hidden]'",
  );
});
