import { pluralize } from "../../units/format.ts";
import { countIds, mergeRanges, printRanges, subtractRanges } from "../layout/id_ranges.ts";
import type {
  DatasetContradiction,
  DatasetManifest,
  IdRanges,
  OpenOrders,
  WalkedSettlements,
} from "../layout/manifest.ts";
import { formatPriceArgument } from "./cow_price_lines.ts";
import { formatDriftWarnings } from "./drift_lines.ts";
import {
  INSTANCE_TABLES,
  lacksDerived,
  SETTLEMENT_TABLES,
  TABLE_NAMES,
} from "../shards/published_tables.ts";

/** Ranges of one state that are listed; the manifest has all. */
const MAX_RANGES = 10;

const MEANINGS: Readonly<Record<string, readonly [ofOne: string, ofMany: string]>> = {
  present: ["is here", "are here"],
  absent: [
    "has no solutions, so the service does not store it",
    "have no solutions, so the service does not store them",
  ],
  hidden: ["was not published yet", "were not published yet"],
  beforeHistory: [
    "is older than what the service serves; public deployments serve about two months",
    "are older than what the service serves; public deployments serve about two months",
  ],
  failed: ["could not be read", "could not be read"],
};

export function findUnknownIds({ range, ids }: DatasetManifest): [number, number][] {
  if (range === null) return [];
  return subtractRanges([[range.from, range.to]], mergeRanges(Object.values(ids).flat()));
}

/** A line about a dataset, and whether it says that something is missing. */
interface ContentLine {
  readonly text: string;
  readonly isGap: boolean;
}

/** Formats what a dataset has and lacks, in lines. */
export function formatGaps(manifest: DatasetManifest): string[] {
  return listContents(manifest).map(({ text }) => text);
}

export function describeOrders({ request: { owner, uids } }: DatasetManifest): string {
  if (owner !== null) return `all orders of the account ${owner}`;
  return uids === null ? "every order that an auction lists" : "the requested orders";
}

/** Lists what a dataset lacks, and why; missing tables can be derived from its responses. */
export function listMissing(manifest: DatasetManifest): string[] {
  const { request, items, reportsRefused } = manifest;
  const countItems = (kind: string) =>
    Object.values(items[kind] ?? {}).reduce((sum, count) => sum + count, 0);
  const isOfAuctions = request.owner === null && request.uids === null;
  const unbid = countItems("order") - countItems("report");
  const derived = TABLE_NAMES.filter((name) =>
    name !== "blocks" && !SETTLEMENT_TABLES.includes(name) && !INSTANCE_TABLES.includes(name) &&
    !request.tables.includes(name)
  );
  return [
    ...listContents(manifest).flatMap(({ text, isGap }) => isGap ? [text] : []),
    ...request.trades ? [] : ["Fills: not requested."],
    ...request.debugReports ? [] : ["Debug reports: not requested."],
    ...isOfAuctions && request.debugReports && reportsRefused === null && unbid > 0
      ? [
        `Fills and debug reports of ${
          pluralize(unbid, "order")
        } that no solver bid on in these auctions.`,
      ]
      : [],
    ...countItems("receipt") > 0 ? [] : ["Settlements on the chain: not requested from a node."],
    ...derived.length === 0 ? [] : [
      `Tables that it lacks, derived here from its responses: ${derived.join(", ")}.`,
    ],
    ...formatDriftWarnings(manifest.drift).map((line) => `${line}.`),
  ];
}

function listContents(manifest: DatasetManifest): ContentLine[] {
  const { items, isComplete, openOrders, openIds, reportsRefused, walk } = manifest;
  const { contradictions = [] } = manifest;
  const lines = formatIds(manifest.ids);
  const unknown = findUnknownIds(manifest);
  const lack = (...texts: string[]) => lines.push(...texts.map((text) => ({ text, isGap: true })));
  if (walk !== undefined) lack(...formatWalk(walk, countIds(unknown)));
  else if (unknown.length > 0) {
    lack(`${formatUnrequested(countIds(unknown), "")}: ${formatFirstRanges(unknown)}`);
  }
  for (const [kind, states] of Object.entries(items)) {
    if (kind === "competition" || kind === "settlement") continue;
    if (kind === "instance") {
      lines.push(formatInstances(states));
      continue;
    }
    const counts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
    const isGap = Object.entries(states).some(([state, count]) => state !== "present" && count > 0);
    lines.push({ text: `${kind}: ${counts.join(", ")}`, isGap });
  }
  if (openOrders !== undefined) {
    lack(`${formatOpenOrders(openOrders)}; the same export requests them again`);
  }
  if (openIds !== undefined) {
    const count = `${countIds(openIds)} of the absent auction ids`;
    lack(
      `${count} may belong to quotes whose orders have not arrived: ${
        formatFirstRanges(openIds)
      }; ` +
        "the same export requests them again an hour later",
    );
  }
  if (lacksDerived(manifest)) {
    lack(
      "Derived tables are missing: run the same export again, or `orderlens rebuild DIR`.",
    );
  }
  for (const contradiction of contradictions) lack(...formatContradictions(contradiction));
  if (reportsRefused !== null) lack("Debug reports: the deployment does not provide them");
  lines.push({
    text: isComplete && contradictions.length > 0
      ? "Everything requested is here, but records contradict each other as listed."
      : isComplete
      ? "Everything requested is here, or permanently absent."
      : "Not everything is here: `manifest.json` lists what is hidden and what failed, but not what is still to be requested. The same export fetches the rest.",
    isGap: !isComplete,
  });
  return lines;
}

/** Contradictions of a kind that lines name; the manifest names more. */
const MAX_EXAMPLES = 3;

/** Formats contradictions of one kind: the first of them, and their number. */
export function formatContradictions({ kind, count, examples }: DatasetContradiction): string[] {
  const shown = examples.slice(0, MAX_EXAMPLES);
  const more = count - shown.length;
  return [
    ...shown.map((example) => `Contradiction (${kind}): ${example}`),
    ...more === 0 ? [] : [`${pluralize(more, "more contradiction")} of the kind ${kind}`],
  ];
}

/** Words for orders of each status that may still change, in the order in which they are named. */
const OPEN_WORDS: Readonly<Record<string, string>> = {
  open: "open",
  presignaturePending: "without a pre-signature",
  cancelled: "cancelled",
  expired: "expired",
  fulfilled: "fulfilled",
  unknown: "of unknown status",
};

/** Formats how many orders may have changed since they were requested, and their statuses then. */
export function formatOpenOrders({ count, statuses = {}, askedSince }: OpenOrders): string {
  const names = [...new Set([...Object.keys(OPEN_WORDS), ...Object.keys(statuses)])];
  const parts = names.filter((name) => (statuses[name] ?? 0) > 0)
    .map((name) => `${statuses[name]} ${OPEN_WORDS[name] ?? name}`);
  const since = askedSince === null ? "" : `, ${askedSince} or later`;
  const had = parts.length === 0 ? "" : `: ${parts.join(", ")} when last requested${since}`;
  return `${pluralize(count, "order")} may still change${had}; later changes are missing`;
}

/** Formats the results of a walk over settlements, and what it leaves out. */
export function formatWalk(
  { blocks, settlements, unknown }: WalkedSettlements,
  ids: number,
): string[] {
  const walked = printRanges(blocks) || "none yet";
  return [
    `${
      settlements === null ? "The settlements" : pluralize(settlements, "settlement")
    } in blocks ${walked} led to these auctions` +
    (unknown === null ? "" : `; the service has no auction for ${unknown} of them`),
    `${
      formatUnrequested(ids, " between them")
    }: auctions that settled nothing in these blocks are missing here`,
  ];
}

function formatUnrequested(ids: number, which: string): string {
  return `${pluralize(ids, "auction id")}${which} ${ids === 1 ? "was" : "were"} not requested`;
}

function formatIds(ids: DatasetManifest["ids"]): ContentLine[] {
  return Object.entries(ids).filter(([, ranges]) => ranges.length > 0).map(([state, ranges]) => {
    const isGap = state !== "present" && state !== "absent";
    const count = countIds(ranges);
    const meaning = MEANINGS[state]?.[count === 1 ? 0 : 1] ?? state;
    return {
      text: `${pluralize(count, "auction id")} ${meaning} (${state})` +
        (isGap ? `: ${formatFirstRanges(ranges)}` : ""),
      isGap,
    };
  });
}

/** Formats of how many auctions there is an instance. */
function formatInstances(
  { present = 0, absent = 0, failed = 0 }: DatasetManifest["items"][string],
): ContentLine {
  const gapTexts = [
    ...absent === 0 ? [] : [`${absent} that their store does not have, or no longer (absent)`],
    ...failed === 0
      ? []
      : [`${failed} that it refused or that cannot be read, as the failures say (failed)`],
  ];
  return {
    text: `Instances of ${pluralize(present, "auction")} are here` +
      (gapTexts.length === 0 ? "" : `; ${gapTexts.join(", ")}`),
    isGap: gapTexts.length > 0,
  };
}

function formatFirstRanges(ranges: IdRanges): string {
  const more = ranges.length - MAX_RANGES;
  return printRanges(ranges.slice(0, MAX_RANGES)) + (more > 0 ? `, and ${more} more ranges` : "");
}

/** Formats the command of a request; a list of UIDs and URLs are left to fill in. */
export function formatExportCommand(
  { source, request, about = {} }: Pick<DatasetManifest, "source" | "request" | "about">,
): string {
  const { network, environment, chainId, settlementContract } = source;
  return [
    "orderlens export DIR",
    network === null
      ? `--url URL --chain-id ${chainId} --settlement ${settlementContract}`
      : `--network ${network}`,
    ...network === null || environment === null ? [] : [`--env ${environment}`],
    ...listSelectionFlags(request),
    ...(["title", "license", "creator"] as const).flatMap((name) =>
      about[name] === undefined ? [] : `--${name} '${about[name].replaceAll("'", "'\\''")}'`
    ),
    ...about.rewardsOf === undefined ? [] : [`--rewards-of ${about.rewardsOf}`],
    ...about.cowPrice === undefined ? [] : [`--cow-price ${formatPriceArgument(about.cowPrice)}`],
  ].join(" ");
}

function listSelectionFlags(request: DatasetManifest["request"]): string[] {
  const { auctions, dates, blocks, last, owner, uids, tables } = request;
  const hasSettlements = tables.some((name) => SETTLEMENT_TABLES.includes(name));
  const hasNode = request.blockTimes || hasSettlements;
  const defaults = TABLE_NAMES.filter((name) =>
    (request.blockTimes || name !== "blocks") &&
    (hasSettlements || !SETTLEMENT_TABLES.includes(name)) &&
    (request.instances !== undefined || !INSTANCE_TABLES.includes(name))
  );
  return [
    ...auctions === null ? [] : [`--auctions ${auctions.from}..${auctions.to ?? ""}`],
    ...dates === null
      ? []
      : [`--from ${dates.from}${dates.to === null ? "" : ` --to ${dates.to}`}`],
    ...blocks === null ? [] : [`--blocks ${blocks.from}..${blocks.to}`],
    ...request.walk === undefined ? [] : [`--discover-by ${request.walk}`],
    ...last === null ? [] : [`--last ${last}`],
    ...owner === null ? [] : [`--owner ${owner}`],
    ...uids === null ? [] : ["--uids FILE"],
    ...tables.join() === defaults.join() ? [] : [`--tables ${tables.join()}`],
    ...request.trades ? [] : ["--no-trades"],
    ...request.debugReports ? [] : ["--no-debug-reports"],
    ...request.instances === undefined ? [] : [`--instances '${request.instances}'`],
    ...request.follow ? ["--follow"] : [],
    ...hasNode ? ["--rpc-url URL"] : [],
    ...hasNode && !request.blockTimes ? ["--no-block-times"] : [],
    ...hasNode && !hasSettlements ? ["--no-settlements"] : [],
  ];
}
