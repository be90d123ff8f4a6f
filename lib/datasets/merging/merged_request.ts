import { InputError } from "../../errors/mod.ts";
import type { Deployment } from "../../recordings/deployment.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { countIds, unionOf } from "../layout/id_ranges.ts";
import type { DatasetManifest, WalkedSettlements } from "../layout/manifest.ts";

/** A dataset that is merged. */
export interface MergeInput {
  /** Where its files are. */
  readonly paths: DatasetPaths;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
  /** SHA-256 of its manifest. */
  readonly sha256: string;
  /** Its deployment. */
  readonly deployment: Deployment;
}

/** What datasets that are merged must have in common. */
const COMMON: readonly (readonly [what: string, of: (one: DatasetManifest) => unknown])[] = [
  ["tables", ({ request }) => request.tables],
  ["trades", ({ request }) => request.trades],
  ["debugReports", ({ request }) => request.debugReports],
  ["blockTimes", ({ request }) => request.blockTimes],
  ["settlementContract", ({ source }) => source.settlementContract],
  ["selection", ({ range }) => range === null ? "orders" : "auctions"],
];

/**
 * Rejects datasets that differ in what all must have in common.
 *
 * @param except What may differ.
 * @throws {InputError} Names both folders and what differs.
 */
export function requireCommon(inputs: readonly MergeInput[], except: readonly string[] = []): void {
  const [first] = inputs as [MergeInput];
  for (const other of inputs) {
    for (const [what, of] of COMMON) {
      const [one, two] = [first, other].map(({ manifest }) => String(JSON.stringify(of(manifest))));
      if (one === two || except.includes(what)) continue;
      const folders = `${first.paths.folder} with ${other.paths.folder}`;
      throw new InputError(`Cannot merge ${folders}: they differ in ${what}`, {
        facts: { "in the first": one!, "in the second": two! },
        remedy: what === "tables"
          ? "Export them with the same tables; `orderlens rebuild DIR` adds those of later versions"
          : "Merge datasets of one chain that were exported with the same settings",
      });
    }
  }
}

/** What datasets of one environment stand for together. */
export function mergedRequest(
  inputs: readonly MergeInput[],
): Pick<DatasetManifest, "request" | "range" | "walk"> {
  const manifests = inputs.map(({ manifest }) => manifest);
  const [{ request }] = manifests as [DatasetManifest];
  const range = hullOf(manifests.map((one) => one.range));
  const walks = manifests.flatMap(({ walk }) => walk ?? []);
  if (walks.length === manifests.length) {
    const walk = mergedWalk(walks);
    const blocks = hullOf(walk.blocks.map(([from, to]) => ({ from, to })));
    return { request: { ...request, dates: null, blocks }, range, walk };
  }
  const { walk: _, ...asked } = request;
  const only = (name: "owner" | "uids") => {
    const isSame = manifests.every((one) => one.request[name] === request[name]);
    return { [name]: isSame ? request[name] : null };
  };
  const none = { dates: null, blocks: null, last: null, follow: false };
  return {
    request: { ...asked, auctions: range, ...none, ...only("owner"), ...only("uids") },
    range,
  };
}

/** Walks together; settlements of blocks that several have are not counted. */
function mergedWalk(walks: readonly WalkedSettlements[]): WalkedSettlements {
  const all = walks.flatMap(({ blocks }) => blocks);
  const blocks = unionOf(all);
  const isDisjoint = countIds(blocks) === countIds(all);
  const sum = (name: "settlements" | "unknown") =>
    isDisjoint && walks.every((walk) => walk[name] !== null)
      ? walks.reduce((total, walk) => total + walk[name]!, 0)
      : null;
  return { blocks, settlements: sum("settlements"), unknown: sum("unknown") };
}

function hullOf(ranges: readonly DatasetManifest["range"][]): DatasetManifest["range"] {
  const given = ranges.filter((range) => range !== null);
  if (given.length === 0) return null;
  return {
    from: Math.min(...given.map(({ from }) => from)),
    to: Math.max(...given.map(({ to }) => to)),
  };
}
