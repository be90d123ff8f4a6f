import { DamagedError, InputError } from "../../errors/mod.ts";
import { findNearestText } from "../../errors/orderlens_error.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { COMMIT, VERSION } from "../../http/mod.ts";
import type { CowPrice } from "../../metrics/mod.ts";
import type { NetworkName } from "../../networks/network.ts";
import type { DatasetPaths, FileFacts } from "./files.ts";
import { shippedDatasets } from "./shipped_datasets.ts";

/** Format of manifests that this library writes and reads. */
export const MANIFEST_SCHEMA = "orderlens/dataset@1";

/** Origin of the records of a dataset. */
export interface DatasetSource {
  /** Name of the network; `null` for a deployment without a name. */
  readonly network: string | null;
  /** Environment of the network; `null` for a deployment without a name. */
  readonly environment: string | null;
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract, in lower case. */
  readonly settlementContract: string;
}

/** The request of an export: an equal request resumes it, another one is rejected. */
export interface DatasetRequest {
  /** Range of auction ids; `null` if not requested. An export that follows has no end. */
  readonly auctions: { readonly from: number; readonly to: number | null } | null;
  /** Times as RFC 3339 text, the end excluded; `null` if not requested. */
  readonly dates: { readonly from: string; readonly to: string | null } | null;
  /** Range of start blocks; `null` if not requested. */
  readonly blocks: { readonly from: number; readonly to: number } | null;
  /** Number of latest auctions; `null` if not requested. */
  readonly last: number | null;
  /** Account whose orders were requested, in lower case; `null` without one. */
  readonly owner: string | null;
  /** SHA-256 of the sorted UIDs; `null` if none were requested. */
  readonly uids: string | null;
  /** Names of the tables. */
  readonly tables: readonly string[];
  /** Whether fills were requested. */
  readonly trades: boolean;
  /** Whether debug reports were requested, where the deployment provides them. */
  readonly debugReports: boolean;
  /** Whether timestamps of blocks were requested from a node. */
  readonly blockTimes: boolean;
  /** Whether the export continues with new auctions. */
  readonly follow: boolean;
  /**
   * Whether only auctions that settled were requested, found by the settlements of `dates` or
   * `blocks`; absent if all ids of the range were.
   */
  readonly walk?: "settlements";
  /**
   * Store of the instances that were requested, without credentials and query; absent if none were.
   */
  readonly instances?: string;
}

/** Blocks, both ends inclusive. */
export interface BlockRange {
  /** First block. */
  readonly from: number;
  /** Last block. */
  readonly to: number;
}

/** The settlements by which auctions were found. */
export interface WalkedSettlements {
  /** Blocks whose logs were read. */
  readonly blocks: IdRanges;
  /** Number of settlements in them; `null` where datasets that overlap were merged. */
  readonly settlements: number | null;
  /**
   * Number of those that the deployment has no auction for: of the other environment, or none of the
   * protocol's; `null` where datasets that overlap were merged.
   */
  readonly unknown: number | null;
}

/** Resolution of dates or blocks into auction ids. */
export interface RangeResolution {
  /**
   * Property of auctions that was compared: `timestamps` of their start blocks, `bounds` of their
   * times that follow from their orders, or the `startBlocks` themselves.
   */
  readonly basis: "timestamps" | "bounds" | "startBlocks";
  /** Whether the range also has auctions before or after the requested ones. */
  readonly isPadded: boolean;
  /** Notes for readers, in sentences. */
  readonly notes: readonly string[];
}

/** Final states of a requested auction id, order or other item. */
export type ItemState = "present" | "absent" | "hidden" | "beforeHistory" | "failed";

/** All item states. */
export const ITEM_STATES: readonly ItemState[] = [
  "present",
  "absent",
  "hidden",
  "beforeHistory",
  "failed",
];

/** Inclusive ranges of auction ids. */
export type IdRanges = readonly (readonly [from: number, to: number])[];

/** One file of a dataset. */
export interface DatasetFile extends FileFacts {
  /** Path in the folder. */
  readonly path: string;
  /** Rows of a table, lines of a file of responses. */
  readonly rows: number;
  /** Key of the first row; `null` without rows. */
  readonly leastKey: readonly (string | number | null)[] | null;
  /** Key of the last row; `null` without rows. */
  readonly greatestKey: readonly (string | number | null)[] | null;
  /**
   * Columns with amounts of more than 38 digits, which the decimals of other engines do not hold, and
   * the digits of the longest; absent without one.
   */
  readonly longAmounts?: Readonly<Record<string, number>>;
}

/** An item that could not be fetched or read, and the reason. */
export interface DatasetFailure {
  /**
   * Kind of item: `competition`, `instance`, `order`, `trades`, `app_data`, `report`, `block`,
   * `receipt`.
   */
  readonly kind: string;
  /** Auction id, UID or hash. */
  readonly key: string;
  /** The reason. */
  readonly reason: string;
}

/** Orders that could still change when they were requested last: later changes are missing. */
export interface OpenOrders {
  /** Number of orders. */
  readonly count: number;
  /**
   * Number of them by the status that they had then; `unknown` if the newest response failed.
   * Absent in manifests of earlier builds.
   */
  readonly statuses?: Readonly<Record<string, number>>;
  /**
   * The earliest of these times, RFC 3339, of an export that follows. `null` for others: the same
   * range has the same manifest whenever it is requested.
   */
  readonly askedSince: string | null;
}

/** A dataset that was merged with others: origin, request and ids of its manifest. */
export interface MergedDataset
  extends Pick<DatasetManifest, "source" | "request" | "range" | "ids" | "isComplete"> {
  /** SHA-256 of its manifest. */
  readonly manifestSha256: string;
}

/** A publisher's statements about a dataset, for card, data package, citation and manifest. */
export interface DatasetAbout {
  /** Its title. @default {what it has, from where} */
  title?: string | undefined;
  /** Name of its license, such as an SPDX identifier: `CC-BY-4.0`. @default {unknown} */
  license?: string | undefined;
  /** Publisher of this edition: a person or an organization. @default {nobody is named} */
  creator?: string | undefined;
  /** Network whose dated rules reward the solvers. @default {the network of the records} */
  rewardsOf?: NetworkName | undefined;
  /**
   * Prices of COW, on which rewards for quotes depend, each with its source; passed again, they
   * replace the earlier ones. @default {unknown}
   */
  cowPrice?: readonly CowPrice[] | undefined;
}

/** Facts of records that contradict each other, of one kind. */
export interface DatasetContradiction {
  /** The pair of facts, a `ContradictionKind` of `orderlens/metrics`. */
  readonly kind: string;
  /** Number of contradictions. */
  readonly count: number;
  /** The first ten: what each is about, both facts and their difference. */
  readonly examples: readonly string[];
}

/** Counts of differences between the responses and what this version of the library knows. */
export interface DatasetDrift {
  /** Unknown fields, by kind of wire object and path. */
  readonly unknownFields: readonly {
    /** Kind of wire object. */
    readonly kind: string;
    /** Path of the field; list indices are `[]` and map keys `*`. */
    readonly path: string;
    /** Number of occurrences. */
    readonly count: number;
  }[];
  /** Unknown values of open sets, by kind of wire object, path and value. */
  readonly unknownValues: readonly {
    /** Kind of wire object. */
    readonly kind: string;
    /** Path of the field. */
    readonly path: string;
    /** The value, at most 80 characters of it. */
    readonly value: string;
    /** Number of occurrences. */
    readonly count: number;
  }[];
  /** Optional members of app data documents that cannot be read, by kind and path. */
  readonly unreadableMembers: readonly {
    /** Kind of wire object. */
    readonly kind: string;
    /** Path of the member. */
    readonly path: string;
    /** Number of occurrences. */
    readonly count: number;
  }[];
  /** Fields that responses have since a date, and later ones here lack, by kind and path. */
  readonly missingFields: readonly {
    /** Kind of wire object. */
    readonly kind: string;
    /** Path of the field. */
    readonly path: string;
    /** First day on which responses are known to have it. */
    readonly since: string;
    /** Number of objects without it. */
    readonly count: number;
  }[];
}

/** Contents of a dataset, `manifest.json`. */
export interface DatasetManifest {
  /** Always `orderlens/dataset@1`. */
  readonly schema: "orderlens/dataset@1";
  /** Version of this library that built the tables. */
  readonly library: string;
  /** Commit that this version was packed from; absent for one that ran in a clone. */
  readonly commit?: string;
  /** Origin of the records. */
  readonly source: DatasetSource;
  /** The request. */
  readonly request: DatasetRequest;
  /** The publisher's statements; absent without any. */
  readonly about?: Readonly<DatasetAbout>;
  /** The range of auction ids that the request stands for; `null` for an export of orders. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Resolution of dates or blocks into that range; `null` if ids were requested. */
  readonly resolution: RangeResolution | null;
  /**
   * The settlements by which auctions were found: ids of the range without a state were not
   * requested, and may have an auction that did not settle. Absent if ids were requested.
   */
  readonly walk?: WalkedSettlements;
  /** Auction ids by final state. */
  readonly ids: Readonly<Record<ItemState, IdRanges>>;
  /** Number of other requested items, by kind and state. */
  readonly items: Readonly<Record<string, Readonly<Partial<Record<ItemState, number>>>>>;
  /** Whether every requested item is present, or permanently absent. */
  readonly isComplete: boolean;
  /** Reason for missing debug reports; `null` if there are reports, or none were requested. */
  readonly reportsRefused: string | null;
  /** The first hundred failures. */
  readonly failures: readonly DatasetFailure[];
  /**
   * Orders that could still change when they were requested: open ones, and closed ones until a day
   * after their expiry. Absent without any, and for a recording.
   */
  readonly openOrders?: OpenOrders;
  /**
   * Absent ids that a quote may have taken less than an hour before they were requested: their
   * auctions begin when its order arrives. Absent without any, and for a recording.
   */
  readonly openIds?: IdRanges;
  /** Files of tables and responses, by path. */
  readonly files: readonly DatasetFile[];
  /** Number of stored responses, by method, route and status. */
  readonly answers: Readonly<Record<string, number>>;
  /**
   * Library that computed the derived tables; `null` while there are none, as in an interrupted
   * export. Absent in manifests of versions without derived tables.
   */
  readonly derived?: {
    /** Version of this library. */
    readonly version: string;
  } | null;
  /** Differences between the responses and what the library knows. */
  readonly drift: DatasetDrift;
  /**
   * Facts of the records that contradict each other, found when tables were derived; absent if none
   * were found, and where no derived table was requested.
   */
  readonly contradictions?: readonly DatasetContradiction[];
  /** The datasets that it was merged from; absent for an export. */
  readonly merged?: readonly MergedDataset[];
}

/**
 * Reads the manifest of a dataset.
 *
 * @throws {InputError} If there is none, or it has another format.
 */
export async function readManifest(paths: DatasetPaths): Promise<DatasetManifest> {
  const action = `Cannot open the dataset ${paths.folder}`;
  let value: unknown;
  try {
    value = JSON.parse(await localFiles().readFile(paths.file("manifest.json"), "utf8"));
  } catch (cause) {
    if (isMissing(cause)) {
      const nearest = findNearestText(paths.folder, shippedDatasets());
      const reason = nearest === undefined
        ? "it has no manifest.json"
        : `did you mean "${nearest}"?`;
      throw new InputError(`${action}: ${reason}`, {
        remedy: `Pass the folder of an export${
          nearest === undefined ? ", or resume an interrupted one" : `, or the shipped ${nearest}`
        }`,
        cause,
      });
    }
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DamagedError(`${action}: its manifest.json is not JSON`, {
      remedy: "Resume the export, which writes it again, or download the published file",
      cause,
    });
  }
  const { schema } = Object(value);
  if (schema !== MANIFEST_SCHEMA) {
    throw new DamagedError(`${action}: its manifest.json has another format`, {
      facts: { expected: MANIFEST_SCHEMA, found: JSON.stringify(schema) ?? "none" },
      remedy: "Use the version of the library that wrote it",
    });
  }
  // Numbers above 2^53 - 1 and paths that lead out of the folder are none.
  const { contradictions = [] } = Object(value);
  const manifest = completeDrift(value as DatasetManifest);
  const fault = findFault({ ...manifest, contradictions }, MANIFEST, "manifest");
  if (fault === null) {
    requireUniquePaths(manifest, action);
    return manifest;
  }
  throw new DamagedError(`${action}: its manifest.json is malformed`, {
    facts: { where: fault },
    remedy: "Resume the export or rebuild, which write it again, or take the file from its source",
  });
}

/** Rejects a manifest that lists a file twice: each entry would be read and compared once more. */
function requireUniquePaths({ files }: DatasetManifest, action: string): void {
  const paths = new Set<string>();
  for (const { path } of files) {
    if (!paths.has(path)) paths.add(path);
    else {
      throw new DamagedError(`${action}: its manifest.json lists a file twice`, {
        facts: { path },
        remedy:
          "Resume the export or rebuild, which write it again, or take the file from its source",
      });
    }
  }
}

/** Adds missing kinds of drift: earlier versions counted only unknown fields and values. */
function completeDrift(manifest: DatasetManifest): DatasetManifest {
  const { drift } = manifest;
  return Object(drift) === drift ? { ...manifest, drift: { ...NO_DRIFT, ...drift } } : manifest;
}

const NO_DRIFT: DatasetDrift = {
  unknownFields: [],
  unknownValues: [],
  unreadableMembers: [],
  missingFields: [],
};

/** Returns the first field in which two objects differ, and both values as JSON. */
export function findDiff(
  stored: Readonly<Record<string, unknown>>,
  requested: Readonly<Record<string, unknown>>,
): [name: string, before: string, now: string] | null {
  for (const [name, value] of Object.entries(stored)) {
    const [before, now] = [value, requested[name]].map((field) => JSON.stringify(field ?? null));
    if (before !== now) return [name, before!, now!];
  }
  return null;
}

/** Selects the files of a table, or with `raw` those of responses. */
export function selectFiles(
  { files }: Pick<DatasetManifest, "files">,
  folder: string,
): DatasetFile[] {
  return files.filter(({ path }) => path.startsWith(`${folder}/`));
}

/** Lists the files of responses. */
export function listRaws(manifest: Pick<DatasetManifest, "files">): DatasetFile[] {
  return selectFiles(manifest, "raw");
}

/** Counts the rows of a table. */
export function countRows(manifest: Pick<DatasetManifest, "files">, table: string): number {
  return selectFiles(manifest, table).reduce((sum, { rows }) => sum + rows, 0);
}

/** Fields of a manifest that name this library. */
export const LIBRARY: Pick<DatasetManifest, "library" | "commit"> = {
  library: VERSION,
  ...COMMIT === null ? {} : { commit: COMMIT },
};

/** Whether this version built a dataset; builds of which no commit is known count as equal. */
export function isOfThisLibrary({ library, commit }: DatasetManifest): boolean {
  return library === VERSION && (COMMIT === null || commit === undefined || commit === COMMIT);
}

/** Formats the library that built a dataset: `0.1.0`, or `0.1.0 (commit 1234…)`. */
export function formatLibrary({ library, commit }: DatasetManifest): string {
  return commit === undefined ? library : `${library} (commit ${commit})`;
}

/** Prints a manifest as in its file. */
export function printManifest(manifest: DatasetManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** Expected shape of a part of a manifest: a test, a list or record of one shape, or named fields. */
type Shape =
  | ((value: unknown) => boolean)
  | readonly [each: Shape]
  | { readonly [field: string]: Shape };

/** Describes the first part of a value that does not have its shape, by path; `null` if all do. */
function findFault(value: unknown, shape: Shape, path: string): string | null {
  const isPart = typeof shape === "function" ? shape(value) : Object(value) === value;
  if (!isPart) return `${path} is ${formatValue(value)}`;
  if (typeof shape === "function") return null;
  const [element] = Array.isArray(shape) ? shape : [];
  const names = element === undefined ? Object.keys(shape) : Object.keys(Object(value));
  for (const name of names) {
    const part: unknown = Reflect.get(Object(value), name);
    const fault = findFault(part, element ?? Reflect.get(shape, name), `${path}.${name}`);
    if (fault !== null) return fault;
  }
  return null;
}

function formatValue(value: unknown): string {
  return value === undefined ? "missing" : (JSON.stringify(value) ?? String(value)).slice(0, 80);
}

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const allowNull = (test: (value: unknown) => boolean) => (value: unknown) =>
  value === null || test(value);
/** Whether a value is a path that stays in the folder. */
const isPath = (value: unknown) =>
  isText(value) && /^[\w.=-]+(?:\/[\w.=-]+)+$/.test(value as string) &&
  !/(?:^|\/)\.\.?(?:\/|$)/.test(value as string);
const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1];
const isSum = (value: unknown) => isText(value) && /^[0-9a-f]{64}$/.test(value as string);
const isKey = allowNull((value) =>
  Array.isArray(value) && value.every((part) => part === null || /^(?:str|num)/.test(typeof part))
);
const RANGES: Shape = [isRange];
const COMMIT_TEXT = /^[0-9a-f]{40,64}$/;

const MANIFEST: Shape = {
  library: isText,
  commit: (value) => value === undefined || isText(value) && COMMIT_TEXT.test(value as string),
  source: {
    network: allowNull(isText),
    environment: allowNull(isText),
    chainId: (value) => isCount(value) && value !== 0,
    settlementContract: (value) => isText(value) && /^0x[0-9a-f]{40}$/i.test(value as string),
  },
  request: { tables: [isText] },
  range: allowNull((value) => isCount(Object(value).from) && isCount(Object(value).to)),
  ids: Object.fromEntries(ITEM_STATES.map((state) => [state, RANGES])),
  items: [[isCount]],
  isComplete: (value) => typeof value === "boolean",
  failures: [{ kind: isText, key: isText, reason: isText }],
  files: [{
    path: isPath,
    sha256: isSum,
    bytes: isCount,
    rows: isCount,
    leastKey: isKey,
    greatestKey: isKey,
    longAmounts: (value) => value === undefined || Object.values(Object(value)).every(isCount),
  }],
  answers: [isCount],
  drift: {
    unknownFields: [{ count: isCount }],
    unknownValues: [{ count: isCount }],
    unreadableMembers: [{ count: isCount }],
    missingFields: [{ count: isCount }],
  },
  contradictions: [{ kind: isText, count: isCount, examples: [isText] }],
};
