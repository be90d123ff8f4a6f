import { defineRule, isLine, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import type { CowPrice } from "../../metrics/mod.ts";
import { COW_PRICE_RECORDS, formatPriceSource } from "../../metrics/solvers/cow_price.ts";
import type { NetworkName } from "../../networks/network.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { compareTexts } from "../../recordings/recorded_competitions.ts";
import { type ColumnSpan, measureSpans } from "../../tables/columns/frame_files.ts";
import { type DatasetPaths, sha256 } from "../layout/files.ts";
import { printRanges } from "../layout/id_ranges.ts";
import {
  type DatasetAbout,
  type DatasetManifest,
  formatLibrary,
  printManifest,
  selectFiles,
} from "../layout/manifest.ts";

const VERSION_DIGITS = 12;

/** Citation of a dataset. */
export interface DatasetCitation {
  /** Its title. */
  readonly title: string;
  /** Publisher of this edition, if named, and creator of the records. */
  readonly creator: string;
  /** Its version: the first digits of the SHA-256 of its manifest, which covers every byte. */
  readonly version: string;
  /** SHA-256 of its manifest. */
  readonly manifestSha256: string;
  /** One sentence. */
  readonly text: string;
  /** An entry of BibTeX. */
  readonly bibtex: string;
}

/** Creator of the records. */
export const CREATOR = "Order book service of CoW Protocol";

/** Returns the version of a dataset: the first digits of the SHA-256 of its manifest. */
export function toVersion(manifestSha256: string): string {
  return manifestSha256.slice(0, VERSION_DIGITS);
}

/** Cites a dataset by its content, since no identifier is registered. */
export function citeDataset(
  manifest: DatasetManifest,
  { creators, span }: { readonly creators: readonly string[]; readonly span: TimeSpan | null },
): DatasetCitation {
  const manifestSha256 = sha256(printManifest(manifest));
  const version = toVersion(manifestSha256);
  const title = formatTitle(manifest);
  const year = span?.to.slice(0, 4) ?? null;
  const { source } = manifest;
  const library = formatLibrary(manifest);
  const chain = source.network === null ? " of a network without a name" : "";
  const location =
    `chain id ${source.chainId}${chain}, settlement contract ${source.settlementContract}`;
  const text =
    `${creators.join(", ")} (${year ?? "no date"}). ${title} [data set], version ${version}. ` +
    `Exported with Orderlens ${library}; ${location}; SHA-256 of manifest.json ${manifestSha256}.`;
  const fields = [
    ["title", `{${title}}`],
    ["author", creators.map((creator) => `{${creator}}`).join(" and ")],
    ...year === null ? [] : [["year", year]],
    ["version", version],
    ["howpublished", `Data set, exported with Orderlens ${library}`],
    ["note", `${location}, SHA-256 of manifest.json ${manifestSha256}`],
  ];
  const lines = fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("");
  const bibtex = `@misc{orderlens-${version},\n${lines}}`;
  return { title, creator: creators.join(", "), version, manifestSha256, text, bibtex };
}

/** Formats the title of a dataset: its content, network and range. */
function formatTitle(
  { about, source, range, request, walk }: DatasetManifest,
): string {
  if (about?.title !== undefined) return about.title;
  const network = source.network ?? `chain ${source.chainId}`;
  const { environment } = source;
  const name = environment === null ? network : `${network}, ${environment}`;
  if (walk !== undefined) {
    return `Settled batch auctions of ${name}: blocks ${printRanges(walk.blocks)}`;
  }
  if (range !== null) return `Batch auctions of ${name}: ${range.from} to ${range.to}`;
  const orders = request.owner === null ? "selected orders" : `orders of ${request.owner}`;
  return `Batch auctions of ${name}: ${orders}`;
}

export const ABOUT_OPTIONS: OptionRules<DatasetAbout> = {
  title: defineRule("one line of text", isLine),
  license: defineRule(
    "the name of a license, such as CC-BY-4.0",
    (value) => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value),
  ),
  creator: defineRule("one line of text", isLine),
  rewardsOf: oneOf(...Object.keys(NETWORKS) as NetworkName[]),
  cowPrice: COW_PRICE_RECORDS,
};

/** Merges options into earlier statements of the publisher; returns a field of a manifest. */
export function mergeCitation(
  earlier: DatasetAbout | undefined,
  { title, license, creator, rewardsOf, cowPrice }: DatasetAbout,
): { about?: DatasetAbout } {
  const about = {
    ...earlier,
    ...title === undefined ? {} : { title: title.trim() },
    ...license === undefined ? {} : { license },
    ...creator === undefined ? {} : { creator: creator.trim() },
    ...rewardsOf === undefined ? {} : { rewardsOf },
    ...cowPrice === undefined ? {} : { cowPrice: storePrices(cowPrice) },
  };
  return Object.keys(about).length === 0 ? {} : { about };
}

/** Converts prices to what a manifest stores: by week, as text, without secrets of their sources. */
function storePrices(prices: readonly CowPrice[]): CowPrice[] {
  return prices.map(({ week, nativeAtoms, source }) => ({
    ...week !== undefined && { week },
    nativeAtoms: nativeAtoms.toString(),
    ...source !== undefined && { source: formatPriceSource(source) },
  })).sort((a, b) => compareTexts(a.week ?? "", b.week ?? ""));
}

/** Whether two statements of a publisher give other rewards. */
export function changesRewards(
  before: DatasetAbout | undefined,
  after: DatasetAbout | undefined,
): boolean {
  const formatTerms = (about: DatasetAbout = {}) =>
    JSON.stringify([about.rewardsOf ?? null, about.cowPrice ?? null]);
  return formatTerms(before) !== formatTerms(after);
}

/** Times between which the auctions or fills of a dataset lie, by its responses. */
export interface TimeSpan {
  /** Kind of records in the span. */
  readonly of: "auctions" | "fills";
  /** The earliest possible time, UTC, to the second. */
  readonly from: string;
  /** The latest possible time, UTC, to the second. */
  readonly to: string;
}

/** Tables with times: of blocks, which are exact, and the greatest of those that are intervals. */
const COLUMNS = [
  ["auctions", "auctions", "auction_at_ms", "auction_time_max_ms"],
  ["trades", "fills", "filled_at_ms", "fill_time_max_ms"],
] as const;

/** Spans of times in files, by SHA-256: of a run, which writes a manifest after each of its files. */
export type FileSpans = Map<string, ColumnSpan>;

/**
 * Reads the time span of a dataset from its tables, without any clock of an export. `null` if it has
 * neither auctions nor trades with times, or they cannot be read now.
 *
 * @param cache Spans of files that were read before; new ones are added.
 */
export function readTimeSpan(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  cache: FileSpans = new Map(),
): TimeSpan | null {
  for (const [table, subject, earliest, latest] of COLUMNS) {
    const files = selectFiles(manifest, table).filter(({ rows }) => rows > 0);
    const unread = files.filter(({ sha256 }) => !cache.has(sha256));
    try {
      const spans = measureSpans(unread.map(({ path }) => paths.file(path)), earliest, latest);
      for (const [index, span] of spans.entries()) cache.set(unread[index]!.sha256, span);
    } catch {
      // A file may be damaged while others are being repaired.
      continue;
    }
    const spans = files.map(({ sha256 }) => cache.get(sha256)!);
    const from = reduceTimes(Math.min, spans.map(([least]) => least));
    const to = reduceTimes(Math.max, spans.map(([, greatest]) => greatest));
    if (from !== null && to !== null) return { of: subject, from, to };
  }
  return null;
}

/** Returns the first or the last of some times, to the second; `null` without any. */
function reduceTimes(
  choose: (a: number, b: number) => number,
  times: readonly (number | null)[],
): string | null {
  const knownTimes = times.filter((time) => time !== null);
  if (knownTimes.length === 0) return null;
  const ms = knownTimes.reduce((a, b) => choose(a, b));
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "second" });
}
