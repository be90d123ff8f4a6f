import { connect } from "../../client/connect.ts";
import { computeOrderUid, hashAppData, orderDomain } from "../../evm/mod.ts";
import { domainOfUid, signerOf } from "../../evm/orders/order_identity.ts";
import {
  auditFees,
  calculateStatus,
  inferMaxWinners,
  isNotComputable,
  policiesByAuction,
  replayCompetition,
  type ReplayDifference,
  scoreSolution,
} from "../../metrics/mod.ts";
import type { Competition, DebugReport, Order, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { isPartitioned } from "../layout/id_ranges.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { shardRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";
import { type Recomputed, type RecomputedKind, Tally } from "./recomputed.ts";

/**
 * Recomputes what follows from the answers of a dataset, one file after another: of every auction
 * its filter, winners, scores and reference scores, of every fill its fees, of every order its
 * status.
 */
export async function recompute(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<Recomputed> {
  const { chainId, settlementContract } = manifest.source;
  const dataset = new Dataset(paths, manifest, { chainId, settlementContract });
  const tally = new Tally();
  for (const { path } of manifest.files) {
    if (!path.startsWith("raw/")) continue;
    const file = paths.file(path);
    const records = new FileRecords();
    for await (const record of shardRecords(file)) {
      signal?.throwIfAborted();
      if (record.kind === "order") records.orders.set(record.order.uid, record.order);
      else if (record.kind === "trade") records.trades.push(record.trade);
      else if (record.kind === "report") {
        records.reports.set(record.report.orderUid, record.report);
      } else if (record.kind === "competition") records.note(record.competition);
    }
    for (const order of records.orders.values()) {
      signal?.throwIfAborted();
      recomputeStatus(order, tally);
      await recomputeIdentity(order, manifest.source, tally);
    }
    for (const trade of records.trades) {
      recomputeFeesOf(trade, records.orders.get(trade.orderUid), tally);
    }
    if (!isPartitioned(manifest)) await records.addFrom(connect(dataset), signal);
    tally.add(await recomputeAuctions(file, records, signal));
  }
  return tally.result();
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
    for await (const competition of competitionsOf(file, signal)) {
      recomputeAuction(competition, records, tally, maxWinners);
    }
    return tally;
  };
  const usual = await tallyWith();
  if (usual.differing("winners") === 0) return usual;
  const inferred = inferMaxWinners(await Array.fromAsync(competitionsOf(file, signal)), {
    orders: records.orders,
  });
  if (isNotComputable(inferred)) return usual;
  const other = await tallyWith(inferred.maxWinners);
  return other.differing("winners") < usual.differing("winners") ? other : usual;
}

async function* competitionsOf(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Competition, void, undefined> {
  for await (const record of shardRecords(file)) {
    signal?.throwIfAborted();
    if (record.kind === "competition") yield record.competition;
  }
}

/** After every expiry that an order can have. */
const LATEST = Temporal.Instant.fromEpochMilliseconds(2 ** 33 * 1_000);

/** Recomputes each fee of a fill from its policy. */
function recomputeFeesOf(trade: Trade, order: Order | undefined, tally: Tally): void {
  const fees = trade.executedProtocolFees;
  if (fees === undefined) return tally.skip("fees", "not_reported");
  if (order === undefined) return tally.skip("fees", "no_order", fees.length);
  const where = `order ${trade.orderUid}, block ${trade.blockNumber}, log ${trade.logIndex}`;
  for (const [place, fee] of auditFees(trade, order).fees.entries()) {
    if (fee.verdict === "exact") tally.agree("fees");
    else if (fee.verdict === "not_computable") tally.skip("fees", fee.reason);
    else {
      tally.differ(
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
  const possible = new Set<string>([order.creationDate, LATEST].flatMap((now) => {
    const { status, ...undecided } = calculateStatus(order, { now });
    return status ?? ("oneOf" in undecided ? undecided.oneOf : []);
  }));
  if (!possible.has(order.status)) {
    tally.differ(
      "statuses",
      `order ${order.uid} is ${order.status}, recomputed ${[...possible].join(" or ")}`,
    );
  } else if (possible.size === 1) tally.agree("statuses");
  else tally.skip("statuses", "time_unknown");
}

/** Where the orders of a dataset are signed for. */
interface OrderSource {
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract. */
  readonly settlementContract: string;
}

/**
 * Recomputes what commits to the fields of an order: its UID, the hash of its app data, its signer.
 */
async function recomputeIdentity(
  order: Order,
  source: OrderSource,
  tally: Tally,
): Promise<void> {
  const { uid, owner, appData, fullAppData, signingScheme, signature } = order;
  const differ = (what: string) => tally.differ("orders", `order ${uid}: ${what}`);
  const deployed = orderDomain(source);
  const domain = domainOfUid(deployed, uid, order);
  if (domain === null) return differ(`its fields have the UID ${computeOrderUid(deployed, order)}`);
  if (fullAppData != null && !sameHex(hashAppData(fullAppData), appData)) {
    return differ(`its app data document has the hash ${hashAppData(fullAppData)}`);
  }
  if (signingScheme !== "eip712" && signingScheme !== "ethsign") {
    return tally.skip("orders", "contract_signature");
  }
  const signer = await signerOf(domain, order);
  if (signer !== null && sameHex(signer, owner)) return tally.agree("orders");
  differ(signer === null ? `${signature} is no signature` : `${signer} signed it, not its owner`);
}

/** Records that explain an auction. */
interface AuctionRecords {
  /** Orders by UID. */
  readonly orders: HexMap<Order>;
  /** Fills of any orders. */
  readonly trades: readonly Trade[];
  /** Debug reports by UID. */
  readonly reports: HexMap<DebugReport>;
}

/** Recomputes the filter, the winners, the scores and the reference scores of an auction. */
function recomputeAuction(
  competition: Competition,
  records: AuctionRecords,
  tally: Tally,
  maxWinners?: number,
): void {
  const { auctionId, solutions } = competition;
  const policies = policiesOf(competition, records);
  const terms = { orders: records.orders, ...policies === undefined ? {} : { policies } };
  const { agrees, differences, possibleReasons, basis } = replayCompetition(competition, {
    ...terms,
    ...maxWinners === undefined ? {} : { maxWinners },
  });
  tally.auction(auctionId, agrees);
  const because = possibleReasons.length === 0 ? "" : `, perhaps ${possibleReasons.join(" or ")}`;
  const filtered = differences.filter(({ what }) => what === "filteredOut");
  for (const one of filtered) tally.differ("filter", `${textOf(auctionId, one)}${because}`);
  tally.skip("filter", "terms_unknown", basis.filterFlagsReported);
  tally.agree("filter", basis.filterFlagsReplayed - filtered.length);
  const others = Map.groupBy(
    differences.filter(({ what }) => what !== "filteredOut"),
    ({ what }): RecomputedKind => what === "referenceScore" ? "referenceScores" : "winners",
  );
  for (const kind of ["winners", "referenceScores"] as const) {
    const [first] = others.get(kind) ?? [];
    if (first === undefined) tally.agree(kind);
    else tally.differ(kind, `${textOf(auctionId, first)}${because}`);
  }
  for (const solution of solutions) recomputeScore(competition, solution, terms, tally);
}

function textOf(auctionId: number, { what, solver, reported, replayed }: ReplayDifference): string {
  return `auction ${auctionId}, solver ${solver}: ${what} is ${reported}, recomputed ${replayed}`;
}

function policiesOf({ auctionId, solutions, ...rest }: Competition, records: AuctionRecords) {
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
  if (agrees) return kind === "exact" ? tally.agree("scores") : tally.skip("scores", "bound");
  // The surplus of an order that a solver provided counts if its owner captures it, which no answer
  // of an export says.
  if (unscored.length > 0 && score < solution.score) return tally.skip("scores", "jit_orders");
  const where = `auction ${auctionId}, ranking ${solution.ranking}`;
  tally.differ("scores", `${where}: score is ${solution.score}, recomputed ${kind} ${score}`);
}
