import { type DatasetManifest, formatLibrary } from "../layout/manifest.ts";
import { SETTLEMENT_TABLES } from "../shards/published_tables.ts";
import { CREATOR, type TimeSpan } from "./citation.ts";
import type { DatasetModel } from "./dataset_model.ts";
import { formatCowPrices } from "./cow_price_lines.ts";
import { formatExportCommand, formatGaps } from "./dataset_gaps.ts";

/** Headings with which what a publication adds to a card begins: of its picture, or of itself. */
export const PUBLICATION_HEADINGS = ["## Picture", "## This publication"] as const;

/**
 * Formats the dataset card: content, grain, units, gaps, caveats, origin and citation. It depends on
 * the responses alone, not on the time of a run: equal responses give equal bytes.
 */
export function formatCard(model: DatasetModel): string {
  const { manifest, span, tables, citation: { title, text, bibtex, version } } = model;
  const { source, about = {} } = manifest;
  return `${formatHead(model)}
# ${title}

Auctions, solutions, orders and fills of the order book service of CoW Protocol, as the service
sent them, and as tables.

- Creator of the records: ${CREATOR}; of this edition: ${about.creator ?? "not named"}
- Version: ${version}, the first digits of the SHA-256 of \`manifest.json\`
- Network: ${formatNetwork(manifest)}
- Chain id: ${source.chainId}
- Settlement contract: \`${source.settlementContract}\`
- Requested: ${formatRequest(manifest)}
- Times: ${formatTimes(span)}
- Made by: Orderlens ${formatLibrary(manifest)}
- License: ${formatLicense(about.license)}
${formatCowPrices(about.cowPrice, source).map((line) => `- ${line}\n`).join("")}
## Cite

${text}

\`\`\`bibtex
${bibtex}
\`\`\`

\`sha256sum manifest.json\` gives the number that is cited, and the manifest has the SHA-256 of every
other file of records: whoever has the same number has the same bytes. \`sha256sum -c SHA256SUMS\`
checks all of them. No DOI is registered; whoever publishes the folder may add one.

## Tables

Every table has one Parquet file per 1,000 auction ids. All begin with \`network\`, \`environment\` and
\`chain_id\`. Amounts are decimal text in atoms, exact; columns of type double are for axes.
\`datapackage.json\` describes every column, and keys.

Record tables have what the service and the chain sent. Derived tables are computed by the library
from all records together: equal records give equal tables, however many runs fetched them.

| table | kind | one row | key | rows |
| --- | --- | --- | --- | --- |
${formatTables(tables)}

## Units

Columns without a unit are not listed: names, ids, hashes, places and states.

${formatUnits(tables)}

## Gaps

${formatGaps(manifest).map((line) => `- ${line}`).join("\n")}

${formatDrift(manifest)}## Caveats

${listCaveats(manifest).map((line) => `- ${line}`).join("\n")}

## How it was made

\`\`\`sh
${formatCommands(manifest)}
\`\`\`

\`raw/\` has the responses: \`orderlens rebuild DIR\` builds every table from them, and
\`orderlens verify DIR --recompute\` recomputes winners and scores. \`orderlens check DIR\` lists what
may make results wrong, such as prices that do not agree, each with its consequence.
`;
}

function formatLicense(license: string | undefined): string {
  return license === undefined
    ? "unknown: the records are responses of an API. The license of Orderlens does not cover them."
    : `${license}, as the creator of this edition says`;
}

const SIZES = ["n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M"] as const;

/**
 * The head that catalogues of datasets read: one configuration per table. Loaders refuse a table
 * without rows, so those have none.
 */
function formatHead(
  { manifest: { about }, citation: { title }, network, tables }: DatasetModel,
): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const size = SIZES[SIZES.findIndex((_, power) => rows < 10 ** (power + 3))] ?? "100M<n<1B";
  const configs = tables.flatMap(({ name, rows }) =>
    rows === 0
      ? []
      : [`- config_name: ${name}\n  data_files: ${JSON.stringify(`${name}/*.parquet`)}`]
  );
  return `---
pretty_name: ${JSON.stringify(title)}
license: ${about?.license?.toLowerCase() ?? "unknown"}
size_categories:
- ${size}
tags:
- batch-auctions
- cow-protocol
- ${network}
${configs.length === 0 ? "" : `configs:\n${configs.join("\n")}\n`}---`;
}

function formatNetwork({ source: { network, environment } }: DatasetManifest): string {
  if (network === null) {
    return "not named: the responses are from a URL, a recording or a sandbox, whose chain may be a test\n" +
      "  chain with the id of a public one";
  }
  return environment === null ? network : `${network}, ${environment}`;
}

function formatRequest({ request, range, merged }: DatasetManifest): string {
  if (merged !== undefined) return `${merged.length} datasets, merged`;
  const { last, owner, uids, dates, blocks, follow, walk } = request;
  if (owner !== null) return `the orders of ${owner}`;
  if (uids !== null) return `orders by UID, SHA-256 of the sorted list ${uids}`;
  const ids = `auctions ${range?.from} to ${range?.to}`;
  const end = dates?.to == null ? "" : `, and before ${dates.to}`;
  const period = dates === null ? "" : `from ${dates.from} on${end}`;
  const numbers = `in blocks ${blocks?.from} to ${blocks?.to}`;
  if (walk !== undefined) {
    return `auctions that settled ${
      period || numbers
    }, found by the logs of the settlement contract`;
  }
  if (blocks !== null) return `auctions that start ${numbers}, which were ${ids}`;
  const onwards = follow ? ", and new ones as they came" : "";
  if (dates !== null) return `auctions that began ${period}, which were ${ids}${onwards}`;
  return last === null
    ? `${ids}${onwards}`
    : `the last ${last} auctions, which were ${ids}${onwards}`;
}

function formatTimes(span: TimeSpan | null): string {
  return span === null
    ? "unknown: no response has a time"
    : `${span.of} between ${span.from} and ${span.to}`;
}

function formatTables(tables: DatasetModel["tables"]): string {
  return tables.map(({ name, kind, grain, key, rows }) =>
    `| ${name} | ${kind} | ${grain} | ${key.join(", ")} | ${rows} |`
  ).join("\n");
}

function formatUnits(tables: DatasetModel["tables"]): string {
  return tables.map(({ name, columns }) => {
    const units = columns.flatMap(({ name, unit }) => unit === null ? [] : [`${name} (${unit})`]);
    return `- **${name}**: ${units.join(", ") || "none"}`;
  }).join("\n");
}

function listCaveats(manifest: DatasetManifest): string[] {
  const { request, resolution, source } = manifest;
  return [
    ...source.network === null ? [] : [
      "Public deployments serve competitions for about two months (README of KaiserSolver/cow-backtester; not verified here): ids that were beforeHistory may have been auctions, and what was exported cannot be requested again later.",
    ],
    "The service does not store auctions without solutions: their ids are absent, which is no gap. An id next to the newest without a response is hidden.",
    "Competitions of this format begin on 2024-10-17 (cowprotocol/services#2980). Older ones were not filled in (#3056) and their old table was dropped on 2026-07-31 (#4687): their ids are beforeHistory.",
    "`filtered_out` is null before 2025-06-20, where the auction's time is known: the service filled earlier auctions in with `false` (cowprotocol/services#3445).",
    "Hashes of settlements came up to 30 minutes late (cowprotocol/services#2125): a competition counts as final when every winner has a hash, or long after its orders expired. A winner without a hash did not settle by the records.",
    "Orders are as of the request; `.orderlens/runs.ndjson`, where it is present, has the time of each run. A fill is in the file of the first auction of the range that bid on its order, and names its solver where the auction that settled it is in the same file.",
    "Derived tables are computed from the records of all files: `bids` and `fills` use orders and auctions of other files.",
    request.blockTimes
      ? "Times are timestamps of blocks, from a node; where it had none, `time_basis` says so."
      : "Times without a node are intervals: `time_basis` says so.",
    ...isWalked(manifest)
      ? [
        "Auctions were found by their settlements: those that settled nothing, and winners that failed, are missing, so shares and rates over all auctions cannot be computed from here. An id without a row may still have an auction.",
      ]
      : [],
    ...request.tables.includes("orders") && manifest.range !== null
      ? [
        "Every order that an auction lists has a row in `orders` and `lifecycle`: a share of them is of all listed orders, and `had_bid` in `lifecycle` says which ones a solver bid on. Those without a bid are in files named `unbid`; their fills and reports, which are of other auctions, were not requested.",
      ]
      : [],
    ...request.trades ? [] : ["Fills were not requested."],
    ...request.tables.some((table) => SETTLEMENT_TABLES.includes(table))
      ? [
        "Settlements are compared with the records of the same file: where it lacks an order or its fills, which are in the file of an earlier auction, `unverified` says so. A settlement without a row is among the failures; `orderlens verify DIR --check-chain` requests all of them again.",
      ]
      : [],
    ...resolution?.notes ?? [],
  ];
}

/** Whether auctions of it, or of a dataset that it was merged from, were found by settlements. */
function isWalked({ walk, merged = [] }: DatasetManifest): boolean {
  return walk !== undefined || merged.some(({ request }) => request.walk !== undefined);
}

function formatCommands(manifest: DatasetManifest): string {
  const { merged } = manifest;
  const version = `# Orderlens ${formatLibrary(manifest)}`;
  if (merged === undefined) return `${version}\n${formatExportCommand(manifest)}`;
  const exports = merged.map(({ manifestSha256, ...input }, index) =>
    `# SHA-256 of its manifest.json: ${manifestSha256}\n` +
    formatExportCommand(input).replace("DIR", `DIR${index + 1}`)
  );
  const folders = merged.map((_, index) => `DIR${index + 1}`).join(" ");
  return [version, ...exports, `orderlens merge ${folders} --into DIR`].join("\n");
}

/** Sections on what is in no table, and on what tables lack, where there is any. */
function formatDrift({ drift }: DatasetManifest): string {
  const { unknownFields, unknownValues, unreadableMembers, missingFields } = drift;
  const escapeCell = (text: string) => text.replaceAll("|", "\\|");
  const unknown = [
    ...unknownFields.map(({ kind, path, count }) =>
      `| ${kind} | \`${escapeCell(path)}\` | | ${count} |`
    ),
    ...unknownValues.map(({ kind, path, value, count }) =>
      `| ${kind} | \`${escapeCell(path)}\` | ${escapeCell(JSON.stringify(value))} | ${count} |`
    ),
  ];
  const missing = [
    ...missingFields.map(({ kind, path, since, count }) =>
      `| ${kind} | \`${escapeCell(path)}\` | missing, sent since ${since} | ${count} |`
    ),
    ...unreadableMembers.map(({ kind, path, count }) =>
      `| ${kind} | \`${escapeCell(path)}\` | cannot be read | ${count} |`
    ),
  ];
  return formatUnknown(unknown) + formatMissing(missing);
}

function formatMissing(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `## Missing from the responses

Fields that responses had before, and members of app data documents that cannot be read. Columns that
are read or computed from them are null.

| kind | field | why | times |
| --- | --- | --- | --- |
${lines.join("\n")}

`;
}

function formatUnknown(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `## Not known to this version

The responses have fields and values that this version of Orderlens does not know. Fields are in
\`raw/\` alone, values also in the tables. A rebuild with a newer version may know them.

| kind | field | value | times |
| --- | --- | --- | --- |
${lines.join("\n")}

`;
}
