import { connect } from "../../client/connect.ts";
import { computeOrderUid, hashAppData, orderDomain } from "../../evm/mod.ts";
import { findDomain, recoverOrderSignerOrNull } from "../../evm/orders/sign_order.ts";
import {
  auditFees,
  completeTerms,
  inferMaxWinners,
  isNotComputable,
  policiesByAuction,
  replayCompetition,
  type ReplayDifference,
  scoreSolution,
} from "../../metrics/mod.ts";
import { listPossibleStatuses } from "../../metrics/consistency/order_contradictions.ts";
import type { Competition, Instance, Order, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, type DatasetSource, listRaws } from "../layout/manifest.ts";
import { selectOrders } from "../shards/shard_contents.ts";
import { readRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";

/** Agreement of one kind with its recomputed values. */
export interface RecomputedPart {
  /** Number of those that agree. */
  readonly agreeing: number;
  /** The others, each with the reported and the recomputed value. */
  readonly differing: readonly string[];
  /** Number of those that cannot be recomputed, by reason. */
  readonly notComputable: Readonly<Record<string, number>>;
}

/** Agreement of a dataset with its recomputed values. */
export interface RecomputeResult {
  /** Number of auctions whose filter, winners, places and reference scores follow from their record. */
  readonly agreeing: number;
  /** Ids of the others. */
  readonly differing: readonly number[];
  /**
   * Filtered flags, of solutions. `terms_unknown` counts those for which limits or fee policies of
   * orders are needed and not known.
   */
  readonly filter: RecomputedPart;
  /** Winners and places, of auctions. */
  readonly winners: RecomputedPart;
  /**
   * Scores of solutions, to the atom. `bound` counts those of which only a lower bound is known, and
   * the reported score is not below it.
   */
  readonly scores: RecomputedPart;
  /** Reference scores, of auctions. */
  readonly referenceScores: RecomputedPart;
  /** Protocol and partner fees of fills, to the atom. */
  readonly fees: RecomputedPart;
  /**
   * Statuses of orders. `time_unknown` counts those that depend on the time of the response: open,
   * expired, and waiting for a signature.
   */
  readonly statuses: RecomputedPart;
  /**
   * UIDs, hashes of app data and signers, of orders: they commit to owner, receiver, limit, expiry and
   * app data. `contract_signature` counts those whose signature only the chain can check.
   */
  readonly orders: RecomputedPart;
}

/** Kind of recomputed values. */
export type RecomputedKind = Exclude<keyof RecomputeResult, "agreeing" | "differing">;

/**
 * Recomputes what follows from the records of a dataset, one file after another: of every auction its
 * filter, winners, scores and reference scores, of every fill its fees, of every order its status.
 */
export async function recompute(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<RecomputeResult> {
  const { chainId, settlementContract } = manifest.source;
  const dataset = new Dataset(paths, manifest, { chainId, settlementContract });
  const tally = new Tally();
  for (const { path } of listRaws(manifest)) {
    const file = paths.file(path);
    const records = new FileRecords();
    const instances = new Map<number, Instance>();
    await records.read(file, signal, (record) => {
      if (record.kind === "competition") records.noteBids(record.competition);
      else if (record.kind === "instance") {
        const { auctionId, instance } = record;
        instances.set(auctionId, selectOrders(instance, (uid) => records.hasBid(uid)));
      }
    });
    for (const order of records.orders.values()) {
      signal?.throwIfAborted();
      recomputeStatus(order, tally);
      await recomputeIdentity(order, manifest.source, tally);
    }
    for (const trade of records.trades) {
      recomputeFees(trade, records.orders.get(trade.orderUid), tally);
    }
    await records.addMissing(connect(dataset), signal);
    tally.add(await recomputeAuctions(file, { records, instances }, signal));
  }
  return tally.toResult();
}

/** Records of the orders of a file, and instances of its auctions by their ids. */
interface AuctionRecords {
  readonly records: FileRecords;
  readonly instances: ReadonlyMap<number, Instance>;
}

/**
 * Recomputes the auctions of a file with the usual maximum number of winners, which no response states;
 * where winners differ, with the one that most of its auctions agree with.
 */
async function recomputeAuctions(
  file: string,
  fileRecords: AuctionRecords,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const tallyWith = async (maxWinners?: number) => {
    const tally = new Tally();
    for await (const competition of readCompetitions(file, signal)) {
      recomputeAuction(competition, fileRecords, tally, maxWinners);
    }
    return tally;
  };
  const usual = await tallyWith();
  if (usual.countDiffering("winners") === 0) return usual;
  const inferred = inferMaxWinners(await Array.fromAsync(readCompetitions(file, signal)), {
    orders: fileRecords.records.orders,
  });
  if (isNotComputable(inferred)) return usual;
  const alternative = await tallyWith(inferred.maxWinners);
  return alternative.countDiffering("winners") < usual.countDiffering("winners")
    ? alternative
    : usual;
}

async function* readCompetitions(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Competition, void, undefined> {
  for await (const record of readRecords(file)) {
    signal?.throwIfAborted();
    if (record.kind === "competition") yield record.competition;
  }
}

/** Recomputes each fee of a fill from its policy. */
function recomputeFees(trade: Trade, order: Order | undefined, tally: Tally): void {
  const fees = trade.executedProtocolFees;
  if (fees === undefined) return tally.skip("fees", "not_reported");
  if (order === undefined) return tally.skip("fees", "no_order", fees.length);
  const where = `order ${trade.orderUid}, block ${trade.blockNumber}, log ${trade.logIndex}`;
  for (const [index, fee] of auditFees(trade, order).fees.entries()) {
    if (fee.verdict === "exact") tally.agree("fees");
    else if (fee.verdict === "not_computable") tally.skip("fees", fee.reason);
    else {
      tally.differ(
        "fees",
        `${where}, fee ${index + 1} (${fee.kind}) is ${fee.reportedAtoms}, ` +
          `recomputed ${fee.recomputedAtoms}`,
      );
    }
  }
}

/**
 * Derives the status of an order. It depends on the time of the response, which is not stored: a status
 * that holds at some times only is possible, but not recomputed.
 */
function recomputeStatus(order: Order, tally: Tally): void {
  const possible = listPossibleStatuses(order);
  if (!possible.has(order.status)) {
    tally.differ(
      "statuses",
      `order ${order.uid} is ${order.status}, recomputed ${[...possible].join(" or ")}`,
    );
  } else if (possible.size === 1) tally.agree("statuses");
  else tally.skip("statuses", "time_unknown");
}

/**
 * Recomputes the commitments to the fields of an order: its UID, the hash of its app data, its signer.
 */
async function recomputeIdentity(order: Order, source: DatasetSource, tally: Tally): Promise<void> {
  const { uid, owner, appData, fullAppData, signingScheme, signature } = order;
  const differ = (difference: string) => tally.differ("orders", `order ${uid}: ${difference}`);
  const deployed = orderDomain(source);
  const domain = findDomain(deployed, uid, order);
  if (domain === null) {
    return differ(`its fields have the UID ${computeOrderUid(deployed, order)}`);
  }
  if (fullAppData != null && !sameHex(hashAppData(fullAppData), appData)) {
    return differ(`its app data document has the hash ${hashAppData(fullAppData)}`);
  }
  if (signingScheme !== "eip712" && signingScheme !== "ethsign") {
    return tally.skip("orders", "contract_signature");
  }
  const signer = await recoverOrderSignerOrNull(domain, order);
  if (signer !== null && sameHex(signer, owner)) return tally.agree("orders");
  differ(signer === null ? `${signature} is no signature` : `${signer} signed it, not its owner`);
}

/** Recomputes the filter, the winners, the scores and the reference scores of an auction. */
function recomputeAuction(
  competition: Competition,
  { records, instances }: AuctionRecords,
  tally: Tally,
  maxWinners?: number,
): void {
  const { auctionId, solutions } = competition;
  const policies = resolvePolicies(competition, records);
  const terms = completeTerms(instances.get(auctionId), {
    orders: records.orders,
    ...policies === undefined ? {} : { policies },
  });
  const { agrees, differences, possibleReasons, basis } = replayCompetition(competition, {
    ...terms,
    ...maxWinners === undefined ? {} : { maxWinners },
  });
  tally.countAuction(auctionId, agrees);
  const because = possibleReasons.length === 0 ? "" : `, perhaps ${possibleReasons.join(" or ")}`;
  const filtered = differences.filter(({ what }) => what === "filteredOut");
  for (const difference of filtered) {
    tally.differ("filter", `${formatDifference(auctionId, difference)}${because}`);
  }
  tally.skip("filter", "terms_unknown", basis.filterFlagsReported);
  tally.agree("filter", basis.filterFlagsReplayed - filtered.length);
  const otherDifferences = Map.groupBy(
    differences.filter(({ what }) => what !== "filteredOut"),
    ({ what }): RecomputedKind => what === "referenceScore" ? "referenceScores" : "winners",
  );
  for (const kind of ["winners", "referenceScores"] as const) {
    const [first] = otherDifferences.get(kind) ?? [];
    if (first === undefined) tally.agree(kind);
    else tally.differ(kind, `${formatDifference(auctionId, first)}${because}`);
  }
  for (const solution of solutions) recomputeScore(competition, solution, terms, tally);
}

function formatDifference(
  auctionId: number,
  { what, solver, reported, replayed }: ReplayDifference,
): string {
  return `auction ${auctionId}, solver ${solver}: ${what} is ${reported}, recomputed ${replayed}`;
}

function resolvePolicies({ auctionId, solutions, ...fields }: Competition, records: FileRecords) {
  const bids = new HexMap(
    solutions.flatMap(({ orders }) => orders.map(({ id }) => [id, true] as const)),
  );
  return policiesByAuction({
    trades: records.trades.filter(({ orderUid }) => bids.has(orderUid)),
    debugReports: [...bids.keys()].flatMap((uid) => records.reports.get(uid) ?? []),
    competitions: [{ auctionId, solutions, ...fields }],
  }).get(auctionId);
}

function recomputeScore(
  { auctionId, auction }: Competition,
  solution: Solution,
  terms: Parameters<typeof scoreSolution>[2],
  tally: Tally,
): void {
  const scored = scoreSolution(solution, auction, terms);
  if (isNotComputable(scored)) return tally.skip("scores", scored.reason);
  const { kind, score, missing, agrees } = scored;
  if (agrees) return kind === "exact" ? tally.agree("scores") : tally.skip("scores", "bound");
  // The surplus of an order that a solver provided counts if its owner captures it, which only the
  // instance of the auction says.
  const isRoleUnknown = missing.some((input) => input.missing === "jit_owner");
  if (isRoleUnknown && score < solution.score) return tally.skip("scores", "jit_orders");
  const where = `auction ${auctionId}, ranking ${solution.ranking}`;
  tally.differ("scores", `${where}: score is ${solution.score}, recomputed ${kind} ${score}`);
}

interface Count {
  agreeing: number;
  readonly differing: string[];
  readonly notComputable: Record<string, number>;
}

class Tally {
  readonly #parts: Readonly<Record<RecomputedKind, Count>>;
  #agreeing = 0;
  readonly #differing: number[] = [];

  constructor() {
    const zero = (): Count => ({ agreeing: 0, differing: [], notComputable: {} });
    const auctions = { filter: zero(), winners: zero(), scores: zero(), referenceScores: zero() };
    this.#parts = {
      ...auctions,
      fees: zero(),
      statuses: zero(),
      orders: zero(),
    };
  }

  countAuction(auctionId: number, agrees: boolean): void {
    if (agrees) this.#agreeing++;
    else this.#differing.push(auctionId);
  }

  agree(kind: RecomputedKind, count = 1): void {
    this.#parts[kind].agreeing += count;
  }

  differ(kind: RecomputedKind, difference: string): void {
    this.#parts[kind].differing.push(difference);
  }

  skip(kind: RecomputedKind, reason: string, count = 1): void {
    if (count === 0) return;
    const { notComputable } = this.#parts[kind];
    notComputable[reason] = (notComputable[reason] ?? 0) + count;
  }

  add(other: Tally): void {
    this.#agreeing += other.#agreeing;
    for (const auctionId of other.#differing) this.#differing.push(auctionId);
    for (const [kind, part] of Object.entries(other.#parts) as [RecomputedKind, Count][]) {
      this.agree(kind, part.agreeing);
      for (const difference of part.differing) this.differ(kind, difference);
      for (const [reason, count] of Object.entries(part.notComputable)) {
        this.skip(kind, reason, count);
      }
    }
  }

  countDiffering(kind: RecomputedKind): number {
    return this.#parts[kind].differing.length;
  }

  toResult(): RecomputeResult {
    return { agreeing: this.#agreeing, differing: this.#differing, ...this.#parts };
  }
}
