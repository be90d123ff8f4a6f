import { assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../lib/cli/mod.ts";
import type { DatasetManifest } from "../../lib/datasets/layout/manifest.ts";
import { datasetCard } from "../../lib/datasets/state/dataset_card.ts";

const SHIPPED = new URL("../../data/datasets/market_1/manifest.json", import.meta.url);
const shipped: DatasetManifest = JSON.parse(await Deno.readTextFile(SHIPPED));
/** A request with every setting that a command has an option for. */
const request: DatasetManifest["request"] = {
  ...shipped.request,
  dates: { from: "2026-11-01T00:00:00Z", to: "2026-11-08T00:00:00Z" },
  blocks: { from: 1, to: 2 },
  last: 3,
  owner: `0x${"ab".repeat(20)}`,
  uids: "ab",
  tables: ["trades"],
  trades: false,
  debugReports: false,
  follow: true,
  blockTimes: true,
};

Deno.test("the commands on a card have only options that there are", () => {
  const part = { ...shipped, request, manifestSha256: "ab" };
  const card = datasetCard({ ...shipped, request, merged: [part, part] }, null);
  const lines = card.split("\n").filter((line) => /^orderlens \w+ DIR/.test(line));
  assertEquals(lines.map((line) => line.split(" ")[1]), ["export", "export", "merge"]);
  for (const line of lines) {
    const { options = {} } = COMMANDS.find(({ name }) => name === line.split(" ")[1])!;
    const known = Object.keys(options).map((flags) => flags.split(" ")[0]);
    const written = line.match(/--[\w-]+/g) ?? [];
    assertEquals(written.filter((option) => !known.includes(option)), [], line);
  }
});

Deno.test("the card of a deployment without a name says that its chain may be another", () => {
  const { source } = shipped;
  const card = datasetCard(shipped, null);
  assertStringIncludes(card, "- Network: not named: ");
  assertStringIncludes(card, "chain id 1 of a network without a name, settlement contract 0x");
  const named = { ...shipped, source: { ...source, network: "mainnet", environment: "staging" } };
  const other = datasetCard(named as DatasetManifest, null);
  assertStringIncludes(other, "- Network: mainnet, staging\n");
  assertStringIncludes(other, "; chain id 1, settlement contract 0x");
});
