import { connect } from "../../client/connect.ts";
import { computeOrderUid, hashAppData, orderDomain } from "../../evm/mod.ts";
import { findDomain, tryRecoverSigner } from "../../evm/orders/sign_order.ts";
import {
  auditFees,
  inferMaxWinners,
  isNotComputable,
  policiesByAuction,
  replayCompetition,
  type ReplayDifference,
  scoreSolution,
} from "../../metrics/mod.ts";
import { listPossibleStatuses } from "../../metrics/consistency/order_contradictions.ts";
import type { Competition, Order, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, type DatasetSource, listRawFiles } from "../layout/manifest.ts";
import { readRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";

/** How much of one kind agrees with what was recomputed of it. */
export interface RecomputedPart {
  /** Number of those that agree. */
  readonly agreeing: number;
  /** The others, each with what was reported and what was recomputed. */
  readonly differing: readonly string[];
  /** Number of those that cannot be recomputed, by reason. */
  readonly notComputable: Readonly<Record<string, number>>;
}

/** A kind of what is recomputed. */
export type RecomputedKind =
  | "filter"
  | "winners"
  | "scores"
  | "referenceScores"
  | "fees"
  | "statuses"
  | "orders";

/** What of a dataset agrees with what was recomputed of it. */
export interface RecomputeResult extends Readonly<Record<RecomputedKind, RecomputedPart>> {
  /** Number of auctions whose filter, winners, places and reference scores follow from the answer. */
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
   * Statuses of orders. `time_unknown` counts those that depend on the moment of the answer: open,
   * expired, and waiting for a signature.
   */
  readonly statuses: RecomputedPart;
  /**
   * UIDs, hashes of app data and signers, of orders: they commit to owner, receiver, limit, expiry and
   * app data. `contract_signature` counts those whose signature only the chain can check.
   */
  readonly orders: RecomputedPart;
}

/**
 * Recomputes what follows from the answers of a dataset, one file after another: of every auction
 * its filter, winners, scores and reference scores, of every fill its fees, of every order its
 * status.
 */
export async function recompute(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<RecomputeResult> {
  const { chainId, settlementContract } = manifest.source;
  const dataset = new Dataset(paths, manifest, { chainId, settlementContract });
  const tally = new Tally();
  for (const { path } of listRawFiles(manifest)) {
    const file = paths.file(path);
    const records = new FileRecords();
    await records.read(file, signal, (record) => {
      if (record.kind === "competition") records.noteBids(record.competition);
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
    tally.add(await recomputeAuctions(file, records, signal));
  }
  return tally.toResult();
}

/**
 * Recomputes the auctions of a file with the usual maximum number of winners, which no answer has;
 * where winners differ, with the one that most of its auctions agree with.
 */
async function recomputeAuctions(
  file: string,
  records: FileRecords,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const tallyWith = async (maxWinners?: number) => {
    const tally = new Tally();
    for await (const competition of readCompetitions(file, signal)) {
      recomputeAuction(competition, records, tally, maxWinners);
    }
    return tally;
  };
  const usual = await tallyWith();
  if (usual.countDiffering("winners") === 0) return usual;
  const inferred = inferMaxWinners(await Array.fromAsync(readCompetitions(file, signal)), {
    orders: records.orders,
  });
  if (isNotComputable(inferred)) return usual;
  const other = await tallyWith(inferred.maxWinners);
  return other.countDiffering("winners") < usual.countDiffering("winners") ? other : usual;
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
  for (const [place, fee] of auditFees(trade, order).fees.entries()) {
    if (fee.verdict === "exact") tally.addAgreeing("fees");
    else if (fee.verdict === "not_computable") tally.skip("fees", fee.reason);
    else {
      tally.addDiffering(
        "fees",
        `${where}, fee ${place + 1} (${fee.kind}) is ${fee.reportedAtoms}, ` +
          `recomputed ${fee.recomputedAtoms}`,
      );
    }
  }
}

/**
 * Derives the status of an order. It depends on the moment of the answer, which answers do not name:
 * a status that one moment gives and another does not is possible, but not recomputed.
 */
function recomputeStatus(order: Order, tally: Tally): void {
  const possible = listPossibleStatuses(order);
  if (!possible.has(order.status)) {
    tally.addDiffering(
      "statuses",
      `order ${order.uid} is ${order.status}, recomputed ${[...possible].join(" or ")}`,
    );
  } else if (possible.size === 1) tally.addAgreeing("statuses");
  else tally.skip("statuses", "time_unknown");
}

/**
 * Recomputes what commits to the fields of an order: its UID, the hash of its app data, its signer.
 */
async function recomputeIdentity(
  order: Order,
  source: DatasetSource,
  tally: Tally,
): Promise<void> {
  const { uid, owner, appData, fullAppData, signingScheme, signature } = order;
  const differ = (what: string) => tally.addDiffering("orders", `order ${uid}: ${what}`);
  const deployed = orderDomain(source);
  const domain = findDomain(deployed, uid, order);
  if (domain === null) return differ(`its fields have the UID ${computeOrderUid(deployed, order)}`);
  if (fullAppData != null && !sameHex(hashAppData(fullAppData), appData)) {
    return differ(`its app data document has the hash ${hashAppData(fullAppData)}`);
  }
  if (signingScheme !== "eip712" && signingScheme !== "ethsign") {
    return tally.skip("orders", "contract_signature");
  }
  const signer = await tryRecoverSigner(domain, order);
  if (signer !== null && sameHex(signer, owner)) return tally.addAgreeing("orders");
  differ(signer === null ? `${signature} is no signature` : `${signer} signed it, not its owner`);
}

/** Recomputes the filter, the winners, the scores and the reference scores of an auction. */
function recomputeAuction(
  competition: Competition,
  records: FileRecords,
  tally: Tally,
  maxWinners?: number,
): void {
  const { auctionId, solutions } = competition;
  const policies = resolvePolicies(competition, records);
  const terms = { orders: records.orders, ...policies === undefined ? {} : { policies } };
  const { agrees, differences, possibleReasons, basis } = replayCompetition(competition, {
    ...terms,
    ...maxWinners === undefined ? {} : { maxWinners },
  });
  tally.countAuction(auctionId, agrees);
  const because = possibleReasons.length === 0 ? "" : `, perhaps ${possibleReasons.join(" or ")}`;
  const filtered = differences.filter(({ what }) => what === "filteredOut");
  for (const one of filtered) {
    tally.addDiffering("filter", `${formatDifference(auctionId, one)}${because}`);
  }
  tally.skip("filter", "terms_unknown", basis.filterFlagsReported);
  tally.addAgreeing("filter", basis.filterFlagsReplayed - filtered.length);
  const others = Map.groupBy(
    differences.filter(({ what }) => what !== "filteredOut"),
    ({ what }): RecomputedKind => what === "referenceScore" ? "referenceScores" : "winners",
  );
  for (const kind of ["winners", "referenceScores"] as const) {
    const [first] = others.get(kind) ?? [];
    if (first === undefined) tally.addAgreeing(kind);
    else tally.addDiffering(kind, `${formatDifference(auctionId, first)}${because}`);
  }
  for (const solution of solutions) recomputeScore(competition, solution, terms, tally);
}

function formatDifference(
  auctionId: number,
  { what, solver, reported, replayed }: ReplayDifference,
): string {
  return `auction ${auctionId}, solver ${solver}: ${what} is ${reported}, recomputed ${replayed}`;
}

function resolvePolicies({ auctionId, solutions, ...rest }: Competition, records: FileRecords) {
  const bids = new HexMap(
    solutions.flatMap(({ orders }) => orders.map(({ id }) => [id, true] as const)),
  );
  return policiesByAuction({
    trades: records.trades.filter(({ orderUid }) => bids.has(orderUid)),
    debugReports: [...bids.keys()].flatMap((uid) => records.reports.get(uid) ?? []),
    competitions: [{ auctionId, solutions, ...rest }],
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
  const { kind, score, unscored, agrees } = scored;
  if (agrees) return kind === "exact" ? tally.addAgreeing("scores") : tally.skip("scores", "bound");
  // The surplus of an order that a solver provided counts if its owner captures it, which no answer
  // of an export says.
  if (unscored.length > 0 && score < solution.score) return tally.skip("scores", "jit_orders");
  const where = `auction ${auctionId}, ranking ${solution.ranking}`;
  tally.addDiffering("scores", `${where}: score is ${solution.score}, recomputed ${kind} ${score}`);
}

interface Count {
  agreeing: number;
  readonly differing: string[];
  readonly notComputable: Record<string, number>;
}

/** Counts what was recomputed. */
class Tally {
  readonly #parts: Readonly<Record<RecomputedKind, Count>>;
  #agreeing = 0;
  readonly #differing: number[] = [];

  /** Has counted nothing. */
  constructor() {
    const none = (): Count => ({ agreeing: 0, differing: [], notComputable: {} });
    const auctions = { filter: none(), winners: none(), scores: none(), referenceScores: none() };
    this.#parts = { ...auctions, fees: none(), statuses: none(), orders: none() };
  }

  /** Counts an auction whose replay agrees or does not. */
  countAuction(auctionId: number, agrees: boolean): void {
    if (agrees) this.#agreeing++;
    else this.#differing.push(auctionId);
  }

  /** Counts some that agree. */
  addAgreeing(kind: RecomputedKind, count = 1): void {
    this.#parts[kind].agreeing += count;
  }

  /** Counts one that differs. */
  addDiffering(kind: RecomputedKind, found: string): void {
    this.#parts[kind].differing.push(found);
  }

  /** Counts some that cannot be recomputed. */
  skip(kind: RecomputedKind, reason: string, count = 1): void {
    if (count === 0) return;
    const { notComputable } = this.#parts[kind];
    notComputable[reason] = (notComputable[reason] ?? 0) + count;
  }

  /** Counts what another has counted. */
  add(other: Tally): void {
    this.#agreeing += other.#agreeing;
    for (const each of other.#differing) this.#differing.push(each);
    for (const [kind, part] of Object.entries(other.#parts) as [RecomputedKind, Count][]) {
      this.addAgreeing(kind, part.agreeing);
      for (const found of part.differing) this.addDiffering(kind, found);
      for (const [reason, count] of Object.entries(part.notComputable)) {
        this.skip(kind, reason, count);
      }
    }
  }

  /** Number of those of a kind that differ. */
  countDiffering(kind: RecomputedKind): number {
    return this.#parts[kind].differing.length;
  }

  /** What was counted. */
  toResult(): RecomputeResult {
    return { agreeing: this.#agreeing, differing: this.#differing, ...this.#parts };
  }
}
