import { defineRule, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import type { NetworkName } from "../../networks/network.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { type ColumnSpan, measureSpans } from "../../tables/columns/frame_files.ts";
import { type DatasetPaths, sha256 } from "../layout/files.ts";
import { printRanges } from "../layout/id_ranges.ts";
import {
  type DatasetAbout,
  type DatasetManifest,
  printManifest,
  selectFiles,
} from "../layout/manifest.ts";

const VERSION_DIGITS = 12;

/** How a dataset is cited. */
export interface DatasetCitation {
  /** Its title. */
  readonly title: string;
  /** Who publishes this edition, if anybody is named, and who made the records. */
  readonly creator: string;
  /** Its version: the first digits of the SHA-256 of its manifest, which stands for every byte. */
  readonly version: string;
  /** SHA-256 of its manifest. */
  readonly manifestSha256: string;
  /** One sentence. */
  readonly text: string;
  /** An entry of BibTeX. */
  readonly bibtex: string;
}

/** Who answered, and so made the records. */
export const CREATOR = "Order book service of CoW Protocol";

/** The version of a dataset: the first digits of the SHA-256 of its manifest. */
export function toVersion(manifestSha256: string): string {
  return manifestSha256.slice(0, VERSION_DIGITS);
}

/** The citation of a dataset: no identifier is registered, so that its content is one. */
export function citeDataset(
  manifest: DatasetManifest,
  { creators, span }: { readonly creators: readonly string[]; readonly span: TimeSpan | null },
): DatasetCitation {
  const manifestSha256 = sha256(printManifest(manifest));
  const version = toVersion(manifestSha256);
  const title = formatTitle(manifest);
  const year = span?.to.slice(0, 4) ?? null;
  const { source, library } = manifest;
  const chain = source.network === null ? " of a network without a name" : "";
  const place =
    `chain id ${source.chainId}${chain}, settlement contract ${source.settlementContract}`;
  const text =
    `${creators.join(", ")} (${year ?? "no date"}). ${title} [data set], version ${version}. ` +
    `Exported with Orderlens ${library}; ${place}; SHA-256 of manifest.json ${manifestSha256}.`;
  const fields = [
    ["title", `{${title}}`],
    ["author", creators.map((creator) => `{${creator}}`).join(" and ")],
    ...year === null ? [] : [["year", year]],
    ["version", version],
    ["howpublished", `Data set, exported with Orderlens ${library}`],
    ["note", `${place}, SHA-256 of manifest.json ${manifestSha256}`],
  ];
  const lines = fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("");
  const bibtex = `@misc{orderlens-${version},\n${lines}}`;
  return { title, creator: creators.join(", "), version, manifestSha256, text, bibtex };
}

/** The title of a dataset: what it is of, from where, and which range. */
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

const MAX_CHARACTERS = 200;

/** Rules of these options. */
export const ABOUT_OPTIONS: OptionRules<DatasetAbout> = {
  title: defineRule("one line of text", isLine),
  license: defineRule(
    "the name of a license, such as CC-BY-4.0",
    (value) => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value),
  ),
  creator: defineRule("one line of text", isLine),
  rewardsOf: oneOf(...Object.keys(NETWORKS) as NetworkName[]),
};

function isLine(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_CHARACTERS &&
    // What controls a terminal, and what ends a fence, a field of BibTeX or a code span.
    !/[\p{Cc}\p{Cf}{}`]/u.test(value);
}

/** What is said with some options, over what was said before; as a field of a manifest. */
export function mergeCitation(
  before: DatasetAbout | undefined,
  { title, license, creator, rewardsOf }: DatasetAbout,
): { about?: DatasetAbout } {
  const about = {
    ...before,
    ...title === undefined ? {} : { title: title.trim() },
    ...license === undefined ? {} : { license },
    ...creator === undefined ? {} : { creator: creator.trim() },
    ...rewardsOf === undefined ? {} : { rewardsOf },
  };
  return Object.keys(about).length === 0 ? {} : { about };
}

/** Times between which the auctions or fills of a dataset lie, as far as its answers tell. */
export interface TimeSpan {
  /** What lies between them. */
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
 * The time span of a dataset, from its tables: no clock of an export is in it. `null` if it has neither
 * auctions nor trades with times, or they cannot be read now.
 *
 * @param known Spans of files that were read before, to which those are added that are read now.
 */
export function readTimeSpan(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  known: FileSpans = new Map(),
): TimeSpan | null {
  for (const [table, of, at, latest] of COLUMNS) {
    const having = selectFiles(manifest, table).filter(({ rows }) => rows > 0);
    const unread = having.filter(({ sha256 }) => !known.has(sha256));
    try {
      const spans = measureSpans(unread.map(({ path }) => paths.file(path)), at, latest);
      for (const [place, span] of spans.entries()) known.set(unread[place]!.sha256, span);
    } catch {
      // A file may be damaged while others are being repaired.
      continue;
    }
    const spans = having.map(({ sha256 }) => known.get(sha256)!);
    const from = reduceTimes(Math.min, spans.map(([least]) => least));
    const to = reduceTimes(Math.max, spans.map(([, greatest]) => greatest));
    if (from !== null && to !== null) return { of, from, to };
  }
  return null;
}

/** The first or the last of some times, to the second; `null` without any. */
function reduceTimes(
  of: (a: number, b: number) => number,
  times: readonly (number | null)[],
): string | null {
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return null;
  const ms = known.reduce((a, b) => of(a, b));
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "second" });
}
