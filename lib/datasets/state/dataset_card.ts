import type { DatasetManifest, IdRanges } from "../layout/manifest.ts";
import { tablesOf } from "../shards/published_tables.ts";

/** The dataset card: what it is, its grain, its gaps, how it was made, how to cite it. */
export function datasetCard(manifest: DatasetManifest): string {
  const { source, request, range, library } = manifest;
  const name = source.network === null
    ? `chain ${source.chainId}`
    : `${source.network}, ${source.environment ?? "production"}`;
  const title = `Batch auctions of ${name}${
    range === null ? ": selected orders" : `: ${range.from} to ${range.to}`
  }`;
  return `${head(manifest, title)}
# ${title}

Auctions, solutions, orders and fills of the order book service of CoW Protocol, exactly as the
service answered, and as tables.

- Chain id: ${source.chainId}
- Settlement contract: \`${source.settlementContract}\`
- Asked for: ${askedFor(manifest)}
- Made by: Orderlens ${library}

## Tables

Every table has one Parquet file per 1,000 auction ids. All begin with \`network\`, \`environment\` and
\`chain_id\`. Amounts are decimal text in atoms, exact; columns of type double are for axes.
\`datapackage.json\` describes every column.

| table | one row | rows |
| --- | --- | --- |
${tableLines(manifest)}

## Gaps

${gapLines(manifest)}

${driftLines(manifest)}## Caveats

- An auction without solutions is not kept by the service: its id is absent.
- \`filtered_out\` says nothing before 2025-06-20: earlier auctions were filled in with \`false\`.
- Orders are as of the request. A fill stands in the file of the first auction of the range that bid
  on its order, and names its solver where the auction that settled it is in the same file.
- A bid on an order that stands in an earlier file is \`null\` where its limit is needed: join \`orders\`.
${resolutionLines(manifest)}${
    request.blockTimes
      ? "- Times are timestamps of blocks, which a node gave; where it had none, `time_basis` says so."
      : "- Times without a node are intervals: `time_basis` says so."
  }
${request.trades ? "" : "- Fills were not asked for.\n"}
## Check and cite

\`sha256sum -c SHA256SUMS\` checks every file. \`raw/\` has the answers: each table can be built from
them again. Cite the title, the version of Orderlens, and the SHA-256 of \`manifest.json\`.
`;
}

function head({ source }: DatasetManifest, title: string): string {
  return `---
pretty_name: ${JSON.stringify(title)}
tags:
- batch-auctions
- cow-protocol
- ${source.network ?? `chain-${source.chainId}`}
---`;
}

function askedFor({ request, range }: DatasetManifest): string {
  // Folders of earlier versions do not name dates and blocks.
  const { last, owner, uids, dates = null, blocks = null, follow } = request;
  if (owner !== null) return `the orders of ${owner}`;
  if (uids !== null) return `orders by UID, SHA-256 of the sorted list ${uids}`;
  const ids = `auctions ${range?.from} to ${range?.to}`;
  const onwards = follow ? ", and new ones as they came" : "";
  if (dates !== null) {
    const end = dates.to === null ? "" : `, and before ${dates.to}`;
    return `auctions that began from ${dates.from} on${end}, which were ${ids}${onwards}`;
  }
  if (blocks !== null) {
    return `auctions that start in blocks ${blocks.from} to ${blocks.to}, which were ${ids}`;
  }
  return last === null
    ? `${ids}${onwards}`
    : `the last ${last} auctions, which were ${ids}${onwards}`;
}

function resolutionLines({ resolution }: DatasetManifest): string {
  return (resolution?.notes ?? []).map((note) => `- ${note}\n`).join("");
}

function tableLines({ request, files }: DatasetManifest): string {
  return tablesOf(request.tables).map(({ table: { name, grain } }) => {
    const rows = files.filter(({ path }) => path.startsWith(`${name}/`))
      .reduce((sum, file) => sum + file.rows, 0);
    return `| ${name} | ${grain} | ${rows} |`;
  }).join("\n");
}

function gapLines({ ids, items, isComplete, reportsRefused }: DatasetManifest): string {
  const lines = Object.entries(ids).filter(([, ranges]) => ranges.length > 0)
    .map(([state, ranges]) => `- Auction ids ${state}: ${countOf(ranges)}`);
  for (const [kind, states] of Object.entries(items)) {
    if (kind === "competition") continue;
    const counts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
    lines.push(`- ${kind}: ${counts.join(", ")}`);
  }
  if (reportsRefused !== null) lines.push("- Debug reports: the deployment does not provide them");
  lines.push(
    isComplete
      ? "- Everything that was asked for is here, or absent for good."
      : "- Not everything is here: `manifest.json` lists what is hidden and what failed. The same export gets the rest.",
  );
  return lines.join("\n");
}

/** A section on what is in no table, where there is any. */
function driftLines({ drift: { unknownFields, unknownValues } }: DatasetManifest): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = [
    ...unknownFields.map(({ kind, path, count }) => `| ${kind} | \`${cell(path)}\` | | ${count} |`),
    ...unknownValues.map(({ kind, path, value, count }) =>
      `| ${kind} | \`${cell(path)}\` | ${cell(JSON.stringify(value))} | ${count} |`
    ),
  ];
  if (lines.length === 0) return "";
  return `## Not known to this version

The answers hold fields and values that this version of Orderlens does not know. Fields are in \`raw/\`
alone, values also in the tables. A rebuild with a newer version may know them.

| kind | field | value | times |
| --- | --- | --- | --- |
${lines.join("\n")}

`;
}

function countOf(ranges: IdRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}
