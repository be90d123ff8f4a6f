import { InputError } from "../../errors/mod.ts";
import { countIds, unionOf } from "../layout/id_ranges.ts";
import type { DatasetManifest, DatasetRequest, WalkedSettlements } from "../layout/manifest.ts";

/** A dataset that is merged, for errors. */
export interface NamedManifest {
  /** Its folder. */
  readonly folder: string;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
}

/** What a dataset of several stands for. */
export interface MergedRequest {
  /** What it was asked for. */
  readonly request: DatasetRequest;
  /** From the least to the greatest id; `null` for orders. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** The settlements by which auctions were found, if they were in all datasets. */
  readonly walk?: WalkedSettlements;
}

/**
 * What datasets of one environment stand for together.
 *
 * @throws {InputError} If they have other tables, or not all are ranges.
 */
export function mergedRequest(inputs: readonly NamedManifest[]): MergedRequest {
  const [first] = inputs;
  if (first === undefined) throw new TypeError("There is nothing to merge");
  for (const other of inputs) requireSame(first, other);
  const requests = inputs.map(({ manifest }) => manifest.request);
  const { request } = first.manifest;
  const ranges = inputs.map(({ manifest }) => manifest.range);
  const only = (name: "owner" | "uids") =>
    requests.every((one) => one[name] === request[name]) ? request[name] : null;
  const range = hullOf(ranges);
  const { walk: _, ...asked } = request;
  if (requests.every(({ walk }) => walk !== undefined)) {
    return {
      request: { ...request, dates: null, blocks: hullOf(walkedOf(inputs)) },
      range,
      walk: mergedWalk(inputs),
    };
  }
  return {
    request: {
      ...asked,
      auctions: range,
      dates: null,
      blocks: null,
      last: null,
      owner: only("owner"),
      uids: only("uids"),
      follow: false,
    },
    range,
  };
}

function walkedOf(inputs: readonly NamedManifest[]): { from: number; to: number }[] {
  return inputs.flatMap(({ manifest: { walk } }) =>
    (walk?.blocks ?? []).map(([from, to]) => ({ from, to }))
  );
}

/** Walks together; settlements of blocks that several have are not counted. */
function mergedWalk(inputs: readonly NamedManifest[]): WalkedSettlements {
  const walks = inputs.flatMap(({ manifest: { walk } }) => walk ?? []);
  const all = walks.flatMap(({ blocks }) => blocks);
  const blocks = unionOf(all);
  const isDisjoint = countIds(blocks) === countIds(all);
  const sum = (name: "settlements" | "unknown") =>
    walks.reduce<number | null>((total, walk) => {
      const count = walk[name];
      return total === null || count === null ? null : total + count;
    }, 0);
  return {
    blocks,
    settlements: isDisjoint ? sum("settlements") : null,
    unknown: isDisjoint ? sum("unknown") : null,
  };
}

function requireSame(first: NamedManifest, other: NamedManifest): void {
  for (const name of ["tables", "trades", "debugReports", "blockTimes"] as const) {
    const [one, two] = [first, other].map(({ manifest }) => JSON.stringify(manifest.request[name]));
    if (one !== two) throw difference(first, other, { what: name, one, two });
  }
  for (const name of ["chainId", "settlementContract", "network"] as const) {
    const [one, two] = [first, other].map(({ manifest }) => JSON.stringify(manifest.source[name]));
    if (one !== two) throw difference(first, other, { what: name, one, two });
  }
  const kinds = [first, other].map(({ manifest }) =>
    manifest.range === null ? "orders" : "auctions"
  );
  if (kinds[0] !== kinds[1]) {
    throw difference(first, other, { what: "selection", one: kinds[0], two: kinds[1] });
  }
}

function difference(
  first: NamedManifest,
  other: NamedManifest,
  { what, one, two }: { what: string; one: string | undefined; two: string | undefined },
): InputError {
  return new InputError(
    `Cannot merge ${first.folder} with ${other.folder}: they differ in ${what}`,
    {
      facts: { "in the first": one ?? "nothing", "in the second": two ?? "nothing" },
      remedy: what === "tables"
        ? "Export them with the same tables; `orderlens rebuild DIR` adds those of later versions"
        : "Merge datasets of one chain that were exported with the same settings",
    },
  );
}

function hullOf(ranges: readonly DatasetManifest["range"][]): DatasetManifest["range"] {
  const given = ranges.filter((range) => range !== null);
  if (given.length === 0) return null;
  return {
    from: Math.min(...given.map(({ from }) => from)),
    to: Math.max(...given.map(({ to }) => to)),
  };
}
