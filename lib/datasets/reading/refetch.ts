import type { OrderBook } from "../../client/order_book.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { getInstance, routeInstances } from "../../endpoints/instances.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { getOrdersByUids } from "../../endpoints/orders_by_uids.ts";
import {
  DecodeError,
  HttpError,
  InputError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
} from "../../errors/mod.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { Transport } from "../../http/mod.ts";
import {
  type Competition,
  encodeCompetition,
  encodeInstance,
  encodeOrder,
  type Instance,
  isClosedStatus,
  type Order,
} from "../../schemas/mod.ts";
import { type DatasetPaths, sha256 } from "../layout/files.ts";
import { countIds, mergeRanges } from "../layout/id_ranges.ts";
import { type DatasetManifest, listRaws } from "../layout/manifest.ts";
import { readRecords } from "../shards/shard_records.ts";
import { Sample } from "./chain_rows.ts";

/** Auctions and orders that were requested again. */
export interface RefetchResult {
  /** Number of auctions. */
  readonly auctions: number;
  /** Ids of those in which something has changed that cannot. */
  readonly differing: readonly number[];
  /** Number of orders. */
  readonly orders: number;
  /** UIDs of those in which something has changed that cannot. */
  readonly differingOrders: readonly string[];
  /** Number of instances of auctions. */
  readonly instances: number;
  /** Ids of the auctions of those in which something has changed that cannot. */
  readonly differingInstances: readonly number[];
  /** Number of ids that the dataset counts as absent, or before the history of the service. */
  readonly absent: number;
  /** Those of them that the service has, although that cannot change. */
  readonly differingAbsent: readonly number[];
  /**
   * Changes since the export that are possible: the hash of a late settlement, a fill, an id that a
   * quote had taken, an instance that its store has no longer.
   */
  readonly changed: readonly string[];
}

/**
 * Requests some auctions and as many orders and instances again, and compares all fields with what the
 * dataset has; and as many ids that it counts as absent, which the service must not have.
 *
 * @returns `null` if none are to be requested.
 */
export async function refetch(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { refetch: count = 0, seed, book, signal }: DrawOptions,
): Promise<RefetchResult | null> {
  if (count === 0 || book === undefined) return null;
  const [auctions, orders] = [new Sample<Competition>(count, seed), new Sample<Order>(count, seed)];
  const instances = new Sample<Instance>(count, seed);
  for (const { path } of listRaws(manifest)) {
    for await (const record of readRecords(paths.file(path))) {
      signal?.throwIfAborted();
      if (record.kind === "competition") {
        auctions.add(String(record.competition.auctionId), record.competition);
      } else if (record.kind === "order") orders.add(record.order.uid, record.order);
      else if (record.kind === "instance") {
        instances.add(`instance ${record.auctionId}`, record.instance);
      }
    }
  }
  const changed: string[] = [];
  const noteChange = <Key>(differing: Key[], subject: string, key: Key, change: Change | null) => {
    if (change?.isPossible === true) changed.push(`${subject} ${key}: ${change.fields}`);
    else if (change !== null) differing.push(key);
  };
  const differing: number[] = [];
  for (const then of auctions.values) {
    const change = await checkAuction(book.transport, then, signal);
    noteChange(differing, "auction", then.auctionId, change);
  }
  const differingOrders: string[] = [];
  const uids = orders.values.map(({ uid }) => uid);
  const { orders: current } = await getOrdersByUids(book.transport, uids, { signal });
  for (const then of orders.values) {
    const change = compareOrders(then, current.find(({ uid }) => uid === then.uid));
    noteChange(differingOrders, "order", then.uid, change);
  }
  const absent = drawAbsentIds(manifest, count, seed);
  const differingAbsent: number[] = [];
  for (const id of absent) {
    if (await isAbsent(book.transport, id, signal)) continue;
    const isPossible = (manifest.openIds ?? []).some(([from, to]) => from <= id && id <= to);
    noteChange(differingAbsent, "auction", id, { isPossible, fields: "it is there" });
  }
  const { instances: store } = manifest.request;
  const differingInstances: number[] = [];
  if (store !== undefined) {
    const transport = routeInstances(book.transport, store);
    for (const then of instances.values) {
      const change = await checkInstance(transport, then, signal);
      noteChange(differingInstances, "instance of auction", then.id!, change);
    }
  }
  return {
    auctions: auctions.values.length,
    differing: differing.sort((a, b) => a - b),
    orders: orders.values.length,
    differingOrders,
    instances: store === undefined ? 0 : instances.values.length,
    differingInstances: differingInstances.sort((a, b) => a - b),
    absent: absent.length,
    differingAbsent,
    changed,
  };
}

/**
 * Checks whether records can be requested again.
 *
 * @throws {InputError} If there is no book, or it is of another chain, contract or environment.
 */
export function requireBook(
  { refetch = 0, book }: VerifyOptions,
  manifest: DatasetManifest,
): void {
  if (refetch === 0) return;
  if (book === undefined) {
    throw new InputError("Cannot verify a dataset with refetch but without a book", {
      remedy: "Pass what `connect` returns as book",
    });
  }
  const { chainId, settlementContract, environment } = manifest.source;
  const hasOther = environment !== null && book.environment !== null &&
    environment !== book.environment;
  const isSame = chainId === book.chainId && !hasOther &&
    settlementContract.toLowerCase() === book.settlementContract.toLowerCase();
  if (isSame) return;
  throw new InputError("Cannot compare a dataset with another deployment", {
    facts: {
      dataset: formatDeployment(chainId, settlementContract, environment),
      deployment: formatDeployment(book.chainId, book.settlementContract, book.environment),
    },
    remedy: "Pass the deployment that the dataset was exported from",
  });
}

function formatDeployment(chainId: number, contract: string, environment: string | null): string {
  return `chain ${chainId}, ${contract}${environment === null ? "" : `, ${environment}`}`;
}

/** Draws random ids that the dataset claims to be no auctions, in order. */
function drawAbsentIds(manifest: DatasetManifest, count: number, seed: number): number[] {
  const ranges = mergeRanges([...manifest.ids.absent, ...manifest.ids.beforeHistory]);
  const total = countIds(ranges);
  const ids = new Set<number>();
  for (let lot = 0; ids.size < Math.min(count, total); lot++) {
    // Few ids are all taken; of many, a lot seldom falls on one twice.
    let index = total <= count ? lot : Number(
      BigInt(`0x${sha256(`${seed} absent ${lot}`)}`) %
        BigInt(total),
    );
    for (const [from, to] of ranges) {
      if (index <= to - from) {
        ids.add(from + index);
        break;
      }
      index -= to - from + 1;
    }
  }
  return [...ids].sort((a, b) => a - b);
}

/**
 * Whether the service says that it has no such auction; one that a recording lacks is not known to
 * exist.
 */
async function isAbsent(
  transport: Transport,
  id: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await getCompetition(transport, id, { signal });
    return false;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof NotRecordedError) return true;
    // The service has it, in a form that cannot be read.
    if (error instanceof DecodeError || error instanceof MismatchError) return false;
    throw error;
  }
}

async function checkAuction(
  transport: Transport,
  then: Competition,
  signal: AbortSignal | undefined,
): Promise<Change | null> {
  try {
    return compareCompetitions(then, await getCompetition(transport, then.auctionId, { signal }));
  } catch (error) {
    if (error instanceof NotFoundError) return { isPossible: false, fields: "it is gone" };
    throw error;
  }
}

/** Compares an instance with that of its store, which keeps it for about a month; `null` if equal. */
async function checkInstance(
  store: Transport,
  then: Instance,
  signal: AbortSignal | undefined,
): Promise<Change | null> {
  const id = then.id!;
  try {
    const now = { ...await getInstance(store, id, { signal }), id };
    const fields = listChangedFields(encodeInstance(then), encodeInstance(now));
    return fields.length === 0 ? null : { isPossible: false, fields: fields.join(", ") };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof MismatchError) {
      return { isPossible: false, fields: "it cannot be read" };
    }
    if (!(error instanceof HttpError)) throw error;
    const fields = error instanceof NotFoundError
      ? "its store has it no longer"
      : `its store refuses it, with status ${error.status}`;
    return { isPossible: true, fields };
  }
}

interface Change {
  /** Whether the service may change it: a late hash, a fill, a cancellation. */
  readonly isPossible: boolean;
  readonly fields: string;
}

/** Fields of an order that change while it is open, and when its fills are indexed. */
const CHANGING = ["availableBalance", "ethflowData", "executed", "executedBuyAmount", "executedFee"]
  .concat(["executedFeeAmount", "executedFeeToken", "executedSellAmount"])
  .concat(["executedSellAmountBeforeFees", "invalidated", "status", "totalFee"]);

/** Compares a competition with its current record; `null` if equal. Only hashes may appear. */
function compareCompetitions(then: Competition, now: Competition): Change | null {
  const [before, after] = [then, now].map(encodeCompetition);
  const fields = listChangedFields(before, after);
  if (fields.length === 0) return null;
  const isOnlyLater = stringify(omitHashes(then, then)) === stringify(omitHashes(now, then)) &&
    then.transactionHashes.every((hash) => now.transactionHashes.includes(hash));
  return { isPossible: isOnlyLater, fields: fields.join(", ") };
}

/** Removes the hashes that an earlier record does not have yet. */
function omitHashes(competition: Competition, then: Competition): Competition {
  return {
    ...competition,
    transactionHashes: [],
    solutions: competition.solutions.map(({ txHash, ...solution }, index) => {
      const isLate = (then.solutions[index]?.txHash ?? null) === null;
      return isLate || txHash === undefined ? solution : { ...solution, txHash };
    }),
  };
}

/**
 * Compares an order with its current record; `null` if equal. An order that is gone has changed too.
 */
function compareOrders(then: Order, now: Order | undefined): Change | null {
  if (now === undefined) return { isPossible: false, fields: "it is gone" };
  const fields = listChangedFields(encodeOrder(then), encodeOrder(now));
  if (fields.length === 0) return null;
  const isPossible = fields.every((field) => CHANGING.includes(field)) &&
    now.executedSellAmount >= then.executedSellAmount &&
    now.executedBuyAmount >= then.executedBuyAmount &&
    !(then.invalidated && !now.invalidated) &&
    mayBecome(then.status, now.status);
  return { isPossible, fields: fields.join(", ") };
}

/**
 * Whether a status may change into another: a fill that was indexed late fulfils an order that had
 * expired or was cancelled.
 */
function mayBecome(then: Order["status"], now: Order["status"]): boolean {
  return then === now || then !== "fulfilled" && (now === "fulfilled" || !isClosedStatus(then)) ||
    then === "expired" && now === "cancelled";
}

/** Lists the fields of two encoded records that differ. */
function listChangedFields(before: unknown, after: unknown): string[] {
  const [then, now] = [Object(before), Object(after)];
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((field) => stringify(then[field]) !== stringify(now[field])).sort();
}

/** Converts a value to JSON with the fields of objects in a fixed order. */
function stringify(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1));
  }) ?? "none";
}

/** Options of {@linkcode verifyDataset}. */
export interface VerifyOptions extends CallOptions {
  /** The deployment to request from again, if `refetch` is passed. */
  book?: OrderBook | undefined;
  /**
   * Number of random auctions, of random orders, of random instances, and of random ids without an
   * auction, to request again and compare. @default {0}
   */
  refetch?: number | undefined;
  /** Seed that draws them. @default {a random one, which the result names} */
  seed?: number | undefined;
  /**
   * Whether to build the tables again from the stored responses, which must give equal ones, and to
   * recompute winners, places, scores, reference scores, fees and statuses, and the commitments to the
   * fields of orders: UIDs, hashes of app data and signers. A difference of these is no problem of the
   * dataset, which has the responses as they were.
   *
   * @default {false}
   */
  recompute?: boolean | undefined;
  /**
   * A node of the network, or an equivalent: its URL, a sandbox, a recording. The settlements of the
   * dataset are requested from it again, and the dataset is compared with the chain.
   */
  chain?: NodeSource | undefined;
  /** Number of random settlements to request from `chain`. @default {all of them} */
  sample?: number | undefined;
  /**
   * Public key that must have signed the manifest: the line of a `.pub` file of Ed25519, whose signature
   * `ssh-keygen -Y sign -n file` writes beside it as `manifest.json.sig`, or a key of minisign, with
   * `manifest.json.minisig`. @default {no signature is compared}
   */
  signer?: string | undefined;
}

export interface DrawOptions extends VerifyOptions {
  readonly seed: number;
}

/** A problem of a dataset. */
export interface DatasetProblem {
  /** Path of the file, or of the table's folder. */
  readonly file: string;
  /** The problem. */
  readonly problem: string;
}
