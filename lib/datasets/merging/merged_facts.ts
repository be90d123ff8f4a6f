import { InputError } from "../../errors/mod.ts";
import { countIds, mergeStates, unionOf, without } from "../layout/id_ranges.ts";
import type {
  DatasetFailure,
  DatasetManifest,
  DatasetRequest,
  IdRanges,
  ItemState,
  WalkedSettlements,
} from "../layout/manifest.ts";
import type { AnswerIndex } from "./answer_index.ts";

const FAILURES_SHOWN = 100;

/** What the manifest of a merged dataset says besides its files. */
export type MergedFacts =
  & MergedRequest
  & Pick<
    DatasetManifest,
    "resolution" | "ids" | "items" | "isComplete" | "failures" | "answers" | "reportsRefused"
  >;

/**
 * What datasets of one environment contain together; first what their manifests say, then, with the
 * index of their answers, what is in them.
 *
 * @throws {InputError} If they cannot be merged.
 */
export function mergedFacts(
  inputs: readonly { readonly folder: string; readonly manifest: DatasetManifest }[],
): MergedRequest & { finish: (index: AnswerIndex) => MergedFacts } {
  const manifests = inputs.map(({ manifest }) => manifest);
  const asked = mergedRequest(inputs);
  const ids = mergeStates(manifests.map((one) => one.ids));
  const refusals = manifests.map(({ reportsRefused }) => reportsRefused);
  const complete = unionOf(
    manifests.flatMap(({ isComplete, range }) =>
      isComplete && range !== null ? [[range.from, range.to] as const] : []
    ),
  );
  const finish = (index: AnswerIndex): MergedFacts => {
    const failures = failuresOf(manifests, index);
    return {
      ...asked,
      resolution: null,
      ids,
      items: itemsOf(index, ids, failures),
      isComplete: ids.hidden.length === 0 && ids.failed.length === 0 && failures.length === 0 &&
        (asked.walk !== undefined || !hasHoles(asked, ids)) && manifests.every(areFailuresNamed) &&
        manifests.every((one) => isToldWhole(one, complete)),
      reportsRefused: refusals.includes(null) ? null : refusals[0] ?? null,
      failures: failures.slice(0, FAILURES_SHOWN),
      answers: index.routes(),
    };
  };
  return { ...asked, finish };
}

/** Ids of the range that no dataset has a state for. */
function hasHoles({ range }: MergedRequest, ids: DatasetManifest["ids"]): boolean {
  if (range === null) return false;
  const known = unionOf(Object.values(ids).flat());
  return without([[range.from, range.to]], known).length > 0;
}

/**
 * Whether nothing of a dataset is still to be asked for that no state of an id and no failure tells of:
 * fills, say, of an export that was interrupted. Datasets that are complete make up for it in their
 * ranges.
 */
function isToldWhole(
  { isComplete, walk, request, range, ids, failures, merged }: DatasetManifest,
  complete: IdRanges,
): boolean {
  if (isComplete) return true;
  if (walk !== undefined) return false;
  if (range !== null && without([[range.from, range.to]], complete).length === 0) return true;
  if (merged?.every((one) => one.isComplete) === true) return true;
  const isNamed = ids.hidden.length > 0 || ids.failed.length > 0 || failures.length > 0;
  return isNamed && !hasHoles({ request, range }, ids);
}

function areFailuresNamed({ items, failures }: DatasetManifest): boolean {
  const failed = Object.values(items).reduce((sum, { failed = 0 }) => sum + failed, 0);
  return failed <= failures.length;
}

/** What failed in one dataset, and in no other did not. */
function failuresOf(manifests: readonly DatasetManifest[], index: AnswerIndex): DatasetFailure[] {
  const failures = new Map<string, DatasetFailure>();
  for (const [input, manifest] of manifests.entries()) {
    for (const failure of manifest.failures) {
      const { kind, key } = failure;
      const found = index.inputOf(kind, kind === "competition" ? key.padStart(10, "0") : key);
      if (found === undefined || found === input) failures.set(`${kind} ${key}`, failure);
    }
  }
  return [...failures.values()].sort((a, b) =>
    a.kind === b.kind ? (a.key < b.key ? -1 : 1) : a.kind < b.kind ? -1 : 1
  );
}

function itemsOf(
  index: AnswerIndex,
  ids: DatasetManifest["ids"],
  failures: readonly DatasetFailure[],
): DatasetManifest["items"] {
  const counts: Record<string, Partial<Record<ItemState, number>>> = {};
  const add = (kind: string, state: ItemState, count: number) => {
    if (count === 0) return;
    const states = counts[kind] ??= {};
    states[state] = (states[state] ?? 0) + count;
  };
  for (const state of ["absent", "beforeHistory", "failed", "hidden", "present"] as const) {
    add("competition", state, countIds(ids[state]));
  }
  for (const { kind, state, count } of index.states()) {
    if (kind === "competition") continue;
    const failed = failures.filter((one) =>
      one.kind === kind && index.inputOf(kind, one.key) !== undefined
    ).length;
    add(kind, state, state === "present" ? Math.max(0, count - failed) : count);
  }
  for (const { kind } of failures) if (kind !== "competition") add(kind, "failed", 1);
  return Object.fromEntries(
    Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1).map(([kind, states]) => [
      kind,
      Object.fromEntries(Object.entries(states).sort(([a], [b]) => a < b ? -1 : 1)),
    ]),
  );
}

/** A dataset that is merged, for errors. */
export interface NamedManifest {
  /** Its folder. */
  readonly folder: string;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
}

/** What a dataset of several stands for. */
interface MergedRequest {
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
function mergedRequest(inputs: readonly NamedManifest[]): MergedRequest {
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
