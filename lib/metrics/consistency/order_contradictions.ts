import { isOpenStatus, type Order, type Trade } from "../../schemas/mod.ts";
import { computeOrderUid } from "../../evm/orders/order_digest.ts";
import { orderDomain } from "../../evm/orders/order_uid.ts";
import { findDomain } from "../../evm/orders/sign_order.ts";
import { formatInstant } from "../../units/mod.ts";
import { calculateStatus } from "../orders/calculate_status.ts";
import {
  type BlockClock,
  measureMsOutsideLifespan,
  readStatedBlock,
  sumFills,
} from "../orders/fills.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";

/** A time after every expiry that an order can have. */
const AFTER_EVERY_EXPIRY = Temporal.Instant.fromEpochMilliseconds(2 ** 33 * 1_000);

/**
 * Lists the statuses that an order may have at some time after its creation: its status depends on the
 * time of the response, which responses do not state.
 */
export function listPossibleStatuses(order: Order): ReadonlySet<string> {
  return new Set([order.creationDate, AFTER_EVERY_EXPIRY].flatMap((now): readonly string[] => {
    const calculated = calculateStatus(order, { now });
    return calculated.status === null ? calculated.oneOf : [calculated.status];
  }));
}

/** Compares the status of an order with its amounts, its expiry and its cancellation. */
export function* compareStatus(order: Order): Generator<Contradiction> {
  const possible = listPossibleStatuses(order);
  if (possible.has(order.status)) return;
  yield* compareFacts(
    "order_status",
    `order ${order.uid}`,
    ["order.status", order.status],
    ["the status by its amounts, expiry and cancellation", [...possible].join(" or ")],
  );
}

/**
 * Compares the executed amounts of an order with the sums of all its fills. An open order may have been filled
 * after its own response: more fills than executed amounts are no contradiction there.
 */
export function* compareExecutedAmounts(
  order: Order,
  trades: readonly Trade[],
): Generator<Contradiction> {
  const sums = sumFills(trades);
  const isOpen = isOpenStatus(order.status);
  const pairs = [
    ["executedSellAmount", "sellAmount", order.executedSellAmount, sums.sellAmount],
    ["executedBuyAmount", "buyAmount", order.executedBuyAmount, sums.buyAmount],
    [
      "executedSellAmountBeforeFees",
      "sellAmountBeforeFees",
      order.executedSellAmountBeforeFees,
      sums.sellAmountBeforeFees ?? sums.sellAmount,
    ],
  ] as const;
  for (const [field, summedField, amount, sum] of pairs) {
    if (sum === amount || isOpen && sum > amount) continue;
    // Without a legacy fee, both sums of sold amounts are one fact.
    const isRepeated = field === "executedSellAmountBeforeFees" &&
      amount === order.executedSellAmount && sum === sums.sellAmount;
    if (isRepeated) continue;
    yield* compareFacts(
      "executed_amounts",
      `order ${order.uid}`,
      [`order.${field}`, amount],
      [`sum of ${trades.length} trade.${summedField}`, sum],
    );
  }
}

/** Compares owner and tokens of a fill with those of its order. */
export function* compareFillTerms(order: Order, trade: Trade): Generator<Contradiction> {
  for (const field of ["owner", "sellToken", "buyToken"] as const) {
    if (order[field] === trade[field]) continue;
    yield* compareFacts(
      "fill_terms",
      formatFill(trade),
      [`order.${field}`, order[field]],
      [`trade.${field}`, trade[field]],
    );
  }
}

/**
 * Compares the timestamp of a fill's block with the creation and the expiry of its order: the
 * settlement contract fills no order after `validTo`.
 *
 * @param order The order; the expiry that was signed counts, also for an EthFlow order.
 * @param trade One of its fills.
 * @param times Times of blocks; only timestamps of blocks are compared.
 */
export function* compareFillTime(
  order: Order,
  trade: Trade,
  times: BlockClock,
): Generator<Contradiction> {
  const stated = readStatedBlock(times, trade.blockNumber);
  if (stated === null) return;
  const outsideMs = measureMsOutsideLifespan(stated, order);
  if (outsideMs === 0) return;
  const expiry = Temporal.Instant.fromEpochMilliseconds(stated.epochMilliseconds - outsideMs);
  yield {
    kind: "fill_time",
    subject: formatFill(trade),
    facts: [
      outsideMs < 0
        ? { source: "order.creationDate", value: formatInstant(order.creationDate) }
        : { source: "order.validTo", value: formatInstant(expiry) },
      { source: `timestamp of block ${trade.blockNumber}`, value: formatInstant(stated) },
    ],
    difference: BigInt(Math.round(outsideMs / 1_000)),
  };
}

/** Chain and contract that orders were signed for. */
export interface SigningDeployment {
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract. */
  readonly settlementContract: string;
}

/** Recomputes the UID of an order from its terms, the chain and the contract. */
export function* compareOrderUid(
  order: Order,
  deployment: SigningDeployment,
): Generator<Contradiction> {
  const domain = orderDomain(deployment);
  if (findDomain(domain, order.uid, order) !== null) return;
  const { chainId, settlementContract } = deployment;
  yield* compareFacts(
    "order_uid",
    `order ${order.uid}`,
    ["order.uid", order.uid],
    [
      `the UID of its terms on chain ${chainId} with contract ${settlementContract}`,
      computeOrderUid(domain, order),
    ],
  );
}

/** Formats a fill as the subject of a contradiction. */
export function formatFill({ orderUid, blockNumber, logIndex }: Trade): string {
  return `fill of order ${orderUid} in block ${blockNumber}, log ${logIndex}`;
}
