import { InputError } from "../../errors/mod.ts";
import type { Deployment } from "../../recordings/deployment.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { countIds, unionOf } from "../layout/id_ranges.ts";
import type { BlockRange, DatasetManifest, WalkedSettlements } from "../layout/manifest.ts";

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

/** What all datasets that are merged have in common. */
function commonOf({ source: { network, chainId }, request: { tables, trades } }: DatasetManifest) {
  return { chain: `${network ?? "no name"}, chain ${chainId}`, tables, trades };
}

/** What those of one environment have in common. */
function commonInEnvironment(manifest: DatasetManifest) {
  const { source: { settlementContract }, request: { debugReports, blockTimes }, range } = manifest;
  const selection = range === null ? "orders" : "auctions";
  return { ...commonOf(manifest), debugReports, blockTimes, settlementContract, selection };
}

/**
 * Rejects datasets that differ in what they must have in common.
 *
 * @throws {InputError} Names two folders and what differs.
 */
export function requireCommon(groups: readonly (readonly MergeInput[])[]): void {
  requireSame(groups.map(([first]) => first!), commonOf);
  for (const group of groups) requireSame(group, commonInEnvironment);
}

function requireSame(
  [first, ...others]: readonly MergeInput[],
  of: (manifest: DatasetManifest) => Readonly<Record<string, unknown>>,
): void {
  for (const other of others) {
    const two = of(other.manifest);
    for (const [what, one] of Object.entries(of(first!.manifest))) {
      const facts = {
        "in the first": JSON.stringify(one),
        "in the second": JSON.stringify(two[what]),
      };
      if (facts["in the first"] === facts["in the second"]) continue;
      const folders = `${first!.paths.folder} with ${other.paths.folder}`;
      throw new InputError(`Cannot merge ${folders}: they differ in ${what}`, {
        facts,
        remedy: what === "tables"
          ? "Export them with the same tables; `orderlens rebuild DIR` adds those of later versions"
          : "Merge datasets of one chain that were exported with the same settings",
      });
    }
  }
}

/** What datasets of one environment stand for together. */
export function mergedRequest(
  manifests: readonly DatasetManifest[],
): Pick<DatasetManifest, "request" | "range" | "walk"> {
  const [{ request }] = manifests as [DatasetManifest];
  const range = hullOf(manifests.flatMap(({ range }) => range === null ? [] : [range]));
  const walks = manifests.flatMap(({ walk }) => walk ?? []);
  if (walks.length === manifests.length) {
    const walk = mergedWalk(walks);
    const blocks = hullOf(walk.blocks.map(([from, to]) => ({ from, to })));
    return { request: { ...request, dates: null, blocks }, range, walk };
  }
  const { walk: _, ...asked } = request;
  const only = (name: "owner" | "uids") =>
    manifests.every((one) => one.request[name] === request[name]) ? request[name] : null;
  const none = { dates: null, blocks: null, last: null, follow: false };
  const orders = { owner: only("owner"), uids: only("uids") };
  return { request: { ...asked, auctions: range, ...none, ...orders }, range };
}

/** Walks together; settlements of blocks that several have are not counted. */
function mergedWalk(walks: readonly WalkedSettlements[]): WalkedSettlements {
  const all = walks.flatMap(({ blocks }) => blocks);
  const blocks = unionOf(all);
  const isDisjoint = countIds(blocks) === countIds(all);
  const sum = (name: "settlements" | "unknown") => {
    const known = walks.flatMap((walk) => walk[name] ?? []);
    return isDisjoint && known.length === walks.length ? known.reduce((a, b) => a + b, 0) : null;
  };
  return { blocks, settlements: sum("settlements"), unknown: sum("unknown") };
}

function hullOf(ranges: readonly BlockRange[]): BlockRange | null {
  if (ranges.length === 0) return null;
  return {
    from: Math.min(...ranges.map(({ from }) => from)),
    to: Math.max(...ranges.map(({ to }) => to)),
  };
}
