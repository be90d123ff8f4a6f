import { findBlockAt } from "../../evm/node/block_at.ts";
import { findPlacement, readRefund } from "../../evm/node/ethflow.ts";
import { ethFlowRefund } from "../../metrics/mod.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import type { Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { ChainSource } from "./order_funds.ts";
import { atSecond, type NotTold, notToldBy, type ReportedUnknown } from "./order_report.ts";
import type { ReportedPlacement, ReportedRefund } from "./verdicts.ts";

/** Finds the placement of an EthFlow order by its time, and reads the refund that the service names. */
export async function onchainHistory(order: Order, source: ChainSource) {
  const unknown: ReportedUnknown[] = [];
  if (source.node === undefined || order.ethflowData == null) {
    return { placement: null, refund: null, unknown };
  }
  const placement = await told("placement", unknown, () => placementOf(order, source));
  const { refundTxHash } = order.ethflowData;
  const refund = refundTxHash == null
    ? null
    : await told("refund", unknown, () => refundOf(order, refundTxHash, source));
  return { placement, refund, unknown };
}

/** What the node tells; otherwise why not is noted, and the rest of the report stays as it is. */
async function told<Fact extends object>(
  what: string,
  unknown: ReportedUnknown[],
  ask: () => Promise<Fact | NotTold>,
): Promise<Fact | null> {
  try {
    const found = await ask();
    if (!("why" in found)) return found;
    unknown.push({ what, why: found.why, remedy: found.remedy });
  } catch (error) {
    unknown.push({ what, ...notToldBy(error) });
  }
  return null;
}

async function placementOf(
  order: Order,
  { node, domain, signal }: ChainSource,
): Promise<ReportedPlacement | NotTold> {
  const sender = order.onchainOrderData?.sender ?? order.onchainUser;
  if (sender == null) return { why: "The service does not say who placed it", remedy: NO_SENDER };
  const near = await findBlockAt(node!, order.creationDate, { signal });
  if ("reason" in near) return { why: near.detail, remedy: near.remedy };
  const { owner: contract, uid } = order;
  const question = { domain, contract, uid };
  const found = await findPlacement(node!, question, { signal, sender, near: near.number });
  if (found === null) {
    return {
      why: `No placement of it is in the logs of ${contract} around block ${near.number}`,
      remedy: "Ask a node that keeps the logs of that time",
    };
  }
  const { event, header } = found;
  const { sellAmount, feeAmount } = event.order;
  return {
    txHash: event.transactionHash,
    block: event.blockNumber,
    at: atSecond(header.timestamp),
    sender: event.sender,
    nativeAtoms: sellAmount + feeAmount,
    quoteId: event.quoteId,
    userValidTo: event.userValidTo,
  };
}

const NO_SENDER = "No action: the placement cannot be found without it";

async function refundOf(
  order: Order,
  txHash: string,
  { node, domain, signal }: ChainSource,
): Promise<ReportedRefund | NotTold> {
  const { owner: contract, uid } = order;
  const found = await readRefund(node!, { domain, contract, uid }, { signal, txHash });
  if ("reason" in found) return { why: found.detail, remedy: found.remedy };
  const { event, header } = found;
  const [filled] = readFilled(order);
  const trader = order.onchainOrderData?.sender ?? order.onchainUser ?? null;
  const refunder = event.event === "OrderRefund" ? event.refunder : trader;
  return {
    txHash: event.transactionHash,
    block: event.blockNumber,
    at: atSecond(header.timestamp),
    event: event.event,
    refunder,
    isByTrader: refunder === null || trader === null ? null : sameHex(refunder, trader),
    nativeAtoms: order.sellAmount === 0n || filled > order.sellAmount
      ? null
      : ethFlowRefund(order, filled),
  };
}
