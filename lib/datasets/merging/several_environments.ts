import { InputError } from "../../errors/mod.ts";
import type { DatasetManifest, ItemState, MergedDataset } from "../layout/manifest.ts";
import { sumOfDrift } from "../shards/shard_records.ts";
import type { MergeInput } from "./merge_environment.ts";
import type { MergedFacts } from "./merged_facts.ts";

const NO_IDS: DatasetManifest["ids"] = {
  present: [],
  absent: [],
  hidden: [],
  beforeHistory: [],
  failed: [],
};

/**
 * What datasets of several environments contain together; ranges and ids of each stand with what it
 * was merged from.
 *
 * @throws {InputError} If the environments have different tables.
 */
export function severalFacts(
  parts: readonly (MergedFacts & Pick<DatasetManifest, "files" | "drift">)[],
): MergedFacts & Pick<DatasetManifest, "files" | "drift"> {
  const [first] = parts;
  if (first === undefined) throw new TypeError("There is nothing to merge");
  const { tables, trades, debugReports } = first.request;
  const settings = JSON.stringify([tables, trades]);
  for (const { request } of parts) {
    if (JSON.stringify([request.tables, request.trades]) === settings) continue;
    throw new InputError("Cannot merge environments with different tables", {
      facts: { one: tables.join(", "), other: request.tables.join(", ") },
      remedy: "Export them with the same tables and settings; `orderlens rebuild DIR` adds the " +
        "tables of later versions",
    });
  }
  const items: Record<string, Partial<Record<ItemState, number>>> = {};
  const answers: Record<string, number> = {};
  for (const part of parts) {
    for (const [kind, states] of Object.entries(part.items)) {
      for (const [state, count] of Object.entries(states) as [ItemState, number][]) {
        (items[kind] ??= {})[state] = (items[kind]?.[state] ?? 0) + count;
      }
    }
    for (const [route, count] of Object.entries(part.answers)) {
      answers[route] = (answers[route] ?? 0) + count;
    }
  }
  return {
    request: {
      ...first.request,
      auctions: null,
      dates: null,
      blocks: null,
      last: null,
      owner: null,
      uids: null,
      tables,
      trades,
      debugReports,
      follow: false,
    },
    range: null,
    resolution: null,
    ids: NO_IDS,
    items,
    isComplete: parts.every(({ isComplete }) => isComplete),
    reportsRefused: parts.every(({ reportsRefused }) => reportsRefused !== null)
      ? first.reportsRefused
      : null,
    failures: parts.flatMap(({ failures }) => failures).slice(0, 100),
    files: [],
    drift: sumOfDrift(parts.map(({ drift }) => drift)),
    answers,
  };
}

/** What the manifest says of a dataset that was merged. */
export function mergedOf({ manifest, sha256 }: MergeInput): MergedDataset {
  const { source, request, range, ids, isComplete } = manifest;
  return { manifestSha256: sha256, source, request, range, ids, isComplete };
}
