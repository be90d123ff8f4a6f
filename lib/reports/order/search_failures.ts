import type { OrderBook } from "../../client/order_book.ts";
import {
  type AttemptQuestion,
  type FailedSettlements,
  findFailedSettlements,
  hasLastBlock,
} from "../../evm/node/failed_settlements.ts";
import type { ReportNode } from "./order_report.ts";

/** A search for the transactions of one attempt to settle an order. */
interface FailureSearch {
  /** UID of the order. */
  readonly uid: string;
  /** Its auction and blocks. */
  readonly question: AttemptQuestion;
  /** Aborts the requests. */
  readonly signal: AbortSignal | undefined;
}

/** Complete searches of each node; those of nodes that are named by a URL belong to their book. */
const completeSearches = new WeakMap<object, Map<string, FailedSettlements>>();

/** Searches that are kept of each node; the oldest are dropped. */
const MAX_SEARCHES = 1_000;

/**
 * Finds the failed transactions of one attempt to settle an order. A search that read all of its blocks is
 * not made again while the chain has the last of them, which one request for its header shows.
 */
export async function searchFailures(
  book: OrderBook,
  node: ReportNode,
  { uid, question, signal }: FailureSearch,
): ReturnType<typeof findFailedSettlements> {
  const { source } = node;
  const [owner, name] = typeof source === "string" ? [book, source] : [source, ""];
  const { auctionId, solver, fromBlock, toBlock } = question;
  const key = [name, uid, auctionId, solver, fromBlock, toBlock].join(" ");
  const searches = completeSearches.get(owner) ?? new Map<string, FailedSettlements>();
  completeSearches.set(owner, searches);
  const earlier = searches.get(key);
  if (earlier !== undefined && await hasLastBlock(node, earlier, { signal })) return earlier;
  const result = await findFailedSettlements(node, question, { signal });
  if (!("reason" in result) && isComplete(result, question)) {
    searches.delete(key);
    searches.set(key, result);
    const [oldest] = searches.keys();
    if (searches.size > MAX_SEARCHES) searches.delete(oldest!);
  }
  return result;
}

/** Whether nothing of a search is still to come: another node may execute what this one does not. */
function isComplete(
  { failures, toBlock, lastHash }: FailedSettlements,
  question: AttemptQuestion,
): boolean {
  return toBlock === question.toBlock && lastHash !== null &&
    failures.every(({ replay }) => replay.outcome !== "unknown");
}
