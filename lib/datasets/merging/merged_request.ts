import { InputError } from "../../errors/mod.ts";
import { countIds, printRanges, unionOf } from "../layout/id_ranges.ts";
import type { DatasetManifest, DatasetRequest, WalkedSettlements } from "../layout/manifest.ts";
import { partOf } from "../layout/part_of_range.ts";

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
 * @throws {InputError} If they have other tables, not all are ranges, or parts are missing or twice.
 */
export function mergedRequest(inputs: readonly NamedManifest[]): MergedRequest {
  const [first] = inputs;
  if (first === undefined) throw new TypeError("There is nothing to merge");
  for (const other of inputs) requireSame(first, other);
  const requests = inputs.map(({ manifest }) => manifest.request);
  const { request } = first.manifest;
  const ranges = inputs.map(({ manifest }) => manifest.range);
  if (requests.some((one) => isPart(one))) {
    return { request: whole(request), range: partsOf(inputs) };
  }
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

function isPart({ part }: DatasetRequest): boolean {
  return part !== null && part !== undefined;
}

function whole(request: DatasetRequest): DatasetRequest {
  return { ...request, part: null };
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

/** The range of which all parts are given, each once. */
function partsOf(inputs: readonly NamedManifest[]): { from: number; to: number } {
  const [first] = inputs;
  const { part, auctions } = first!.manifest.request;
  const fail = (text: string, facts: Record<string, string>) =>
    new InputError(`Cannot merge parts of a range: ${text}`, {
      facts,
      remedy: "Pass every part of one range once",
    });
  const folders = new Map<number, string>();
  for (const { folder, manifest: { request } } of inputs) {
    if (!isPart(request)) throw fail("one is no part", { dataset: folder });
    const { index, of } = request.part!;
    const isOther = of !== part?.of ||
      JSON.stringify(request.auctions) !== JSON.stringify(auctions);
    if (isOther) {
      throw fail("they are of different ranges", { "in the first": first!.folder, other: folder });
    }
    const twin = folders.get(index);
    if (twin !== undefined) {
      throw fail(`part ${index} of ${of} is there twice`, { first: twin, second: folder });
    }
    folders.set(index, folder);
  }
  const { from, to } = auctions ?? { from: 0, to: null };
  if (part === null || part === undefined || to === null) {
    throw new TypeError("A part has no range");
  }
  const missing = Array.from({ length: part.of }, (_, place) => place + 1)
    .filter((index) => !folders.has(index));
  if (missing.length > 0) {
    const ranges = missing.map((index) => {
      const range = partOf({ from, to }, { index, of: part.of });
      return [range.from, range.to] as const;
    });
    throw fail(`part ${missing.join(", ")} of ${part.of} is missing`, {
      "missing auctions": printRanges(ranges),
    });
  }
  return { from, to };
}
