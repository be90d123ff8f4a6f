import { findBlockAt } from "../../evm/node/block_at.ts";
import { findPlacement, readRefund } from "../../evm/node/ethflow.ts";
import { ethFlowRefund } from "../../metrics/mod.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import type { Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { ChainSource } from "./order_funds.ts";
import {
  explainFailure,
  type ReadFailure,
  type ReportedUnknown,
  toInstant,
} from "./order_report.ts";
import type { ReportedPlacement, ReportedRefund } from "./verdicts.ts";

/** Finds the placement of an EthFlow order by its time, and reads the refund that the service names. */
export async function readOnchainHistory(order: Order, source: ChainSource) {
  const unknowns: ReportedUnknown[] = [];
  if (source.node === undefined || order.ethflowData == null) {
    return { placement: null, refund: null, unknown: unknowns };
  }
  const placement = await readOrNote(
    "placement",
    unknowns,
    () => readOrderPlacement(order, source),
  );
  const { refundTxHash } = order.ethflowData;
  const refund = refundTxHash == null
    ? null
    : await readOrNote("refund", unknowns, () => readOrderRefund(order, refundTxHash, source));
  return { placement, refund, unknown: unknowns };
}

/** Runs a node query; on failure notes the reason, and the report continues. */
async function readOrNote<Fact extends object>(
  name: string,
  unknowns: ReportedUnknown[],
  ask: () => Promise<Fact | ReadFailure>,
): Promise<Fact | null> {
  try {
    const fact = await ask();
    if (!("why" in fact)) return fact;
    unknowns.push({ what: name, why: fact.why, remedy: fact.remedy });
  } catch (error) {
    unknowns.push({ what: name, ...explainFailure(error) });
  }
  return null;
}

async function readOrderPlacement(
  order: Order,
  { node, domain, signal }: ChainSource,
): Promise<ReportedPlacement | ReadFailure> {
  const sender = order.onchainOrderData?.sender ?? order.onchainUser;
  if (sender == null) {
    return { why: "The service does not say who placed it", remedy: SENDER_REMEDY };
  }
  const nearBlock = await findBlockAt(node!, order.creationDate, { signal });
  if ("reason" in nearBlock) return { why: nearBlock.detail, remedy: nearBlock.remedy };
  const { owner: contract, uid } = order;
  const question = { domain, contract, uid };
  const placed = await findPlacement(node!, question, { signal, sender, near: nearBlock.number });
  if (placed === null) {
    return {
      why: `No placement of it is in the logs of ${contract} around block ${nearBlock.number}`,
      remedy: "Use a node that has the logs of that time",
    };
  }
  const { event, header } = placed;
  const { sellAmount, feeAmount } = event.order;
  return {
    txHash: event.transactionHash,
    block: event.blockNumber,
    at: toInstant(header.timestamp),
    sender: event.sender,
    nativeAtoms: sellAmount + feeAmount,
    quoteId: event.quoteId,
    userValidTo: event.userValidTo,
  };
}

const SENDER_REMEDY = "No action: the placement cannot be found without it";

async function readOrderRefund(
  order: Order,
  txHash: string,
  { node, domain, signal }: ChainSource,
): Promise<ReportedRefund | ReadFailure> {
  const { owner: contract, uid } = order;
  const refunded = await readRefund(node!, { domain, contract, uid }, { signal, txHash });
  if ("reason" in refunded) return { why: refunded.detail, remedy: refunded.remedy };
  const { event, header } = refunded;
  const [filled] = readFilled(order);
  const trader = order.onchainOrderData?.sender ?? order.onchainUser ?? null;
  const refunder = event.event === "OrderRefund" ? event.refunder : trader;
  return {
    txHash: event.transactionHash,
    block: event.blockNumber,
    at: toInstant(header.timestamp),
    event: event.event,
    refunder,
    isByTrader: refunder === null || trader === null ? null : sameHex(refunder, trader),
    nativeAtoms: order.sellAmount === 0n || filled > order.sellAmount
      ? null
      : ethFlowRefund(order, filled),
  };
}
