import { sameHex } from "../../units/mod.ts";
import { addressWord } from "../hex.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import {
  decodeEthFlowEvents,
  ETHFLOW_LOGS,
  type EthFlowEvent,
  type OrderInvalidationEvent,
  type OrderPlacementEvent,
  type OrderRefundEvent,
} from "../settlement/ethflow.ts";
import type { EventLog } from "../settlement/abi_values.ts";
import {
  type BlockHeader,
  blockTag,
  type FundingUnknown,
  fundingUnknown,
  headerCall,
  readHeader,
} from "./block_at.ts";
import { malformedAnswer, mismatch, resultOf } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import { RECEIPT } from "./read_settlement_logs.ts";
import { GET_LOGS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

/** An order of an EthFlow contract. */
interface EthFlowQuestion {
  /** Chain and settlement contract. */
  readonly domain: OrderDomain;
  /** The EthFlow contract: the owner of the order. */
  readonly contract: string;
  /** UID of the order. */
  readonly uid: string;
}

/** An event with the time of its block. */
interface Dated<Event extends EthFlowEvent> {
  /** The event. */
  readonly event: Event;
  /** Its block. */
  readonly header: BlockHeader;
}

/** Blocks on both sides of the one in which an order was placed by its time. */
const AROUND = 16;
const WANTED = "the events of an EthFlow order";

/**
 * Finds the placement of an order among the logs around a block.
 *
 * @param sender Who placed it, whose topic the logs are searched by.
 * @returns `null` if there is none.
 * @throws {MismatchError} If a log is not as asked for.
 * @throws {HttpError} If the node returns an invalid answer, or an error.
 */
export async function findPlacement(
  source: NodeSource,
  question: EthFlowQuestion,
  { sender, near, ...options }: RpcOptions & { readonly sender: string; readonly near: number },
): Promise<Dated<OrderPlacementEvent> | null> {
  const ask = nodeOf(source, WANTED, options);
  const [topic] = [...ETHFLOW_LOGS.events].find(([, { name }]) => name === "OrderPlacement")!;
  const [fromBlock, toBlock] = [Math.max(0, near - AROUND), near + AROUND];
  const [answer] = await ask([{
    method: GET_LOGS,
    params: [{
      address: question.contract,
      topics: [topic, addressWord(sender)],
      fromBlock: blockTag(fromBlock),
      toBlock: blockTag(toBlock),
    }],
  }]);
  const logs = logsOf(resultOf(answer!, WANTED), WANTED);
  for (const event of ownEvents(logs, question)) {
    const isInRange = event.blockNumber >= fromBlock && event.blockNumber <= toBlock;
    if (!isInRange) {
      throw mismatch(GET_LOGS, "block of a log", `${fromBlock} to ${toBlock}`, event.blockNumber);
    }
    if (event.event === "OrderPlacement") return { event, header: await headerOf(ask, event) };
  }
  return null;
}

/**
 * Reads the refund or cancellation of an order in a transaction.
 *
 * @returns Why it is not known, if the node does not have the transaction or it is about others.
 * @throws {MismatchError} If the receipt is not as asked for.
 * @throws {HttpError} If the node returns an invalid answer, or an error.
 */
export async function readRefund(
  source: NodeSource,
  question: EthFlowQuestion,
  { txHash, ...options }: RpcOptions & { readonly txHash: string },
): Promise<Dated<OrderRefundEvent | OrderInvalidationEvent> | FundingUnknown> {
  const ask = nodeOf(source, WANTED, options);
  const [answer] = await ask([{ method: RECEIPT, params: [txHash] }]);
  const receipt = resultOf(answer!, WANTED);
  if (receipt === null) {
    return fundingUnknown("no_such_block", null, `The node does not have transaction ${txHash}`);
  }
  const logs = logsOf(Object(receipt).logs, WANTED);
  const stray = logs.find(({ transactionHash }) => !sameHex(transactionHash, txHash));
  if (stray !== undefined) {
    throw mismatch(RECEIPT, "transactionHash", txHash, stray.transactionHash);
  }
  for (const event of ownEvents(logs, question)) {
    if (event.event === "OrderPlacement") continue;
    return { event, header: await headerOf(ask, event) };
  }
  const detail = `Transaction ${txHash} has no event of ${question.contract} about the order`;
  return fundingUnknown("contract_does_not_answer", null, detail);
}

/** Events about the order that its own contract emitted: anyone can emit the same. */
function ownEvents(
  logs: readonly EventLog[],
  { domain, contract, uid }: EthFlowQuestion,
): Exclude<EthFlowEvent, { readonly event: "other" }>[] {
  const own = logs.filter(({ address }) => sameHex(address, contract));
  return decodeEthFlowEvents(own, domain).filter((each) => each.event !== "other")
    .filter(({ orderUid }) => sameHex(orderUid, uid));
}

async function headerOf(ask: RpcNode, { blockNumber }: EthFlowEvent): Promise<BlockHeader> {
  const [answer] = await ask([headerCall(blockNumber)]);
  const header = readHeader(answer!, blockNumber, WANTED);
  if (header === null) throw mismatch("eth_getBlockByNumber", "block", blockNumber, "none");
  return header;
}

/** Reads a list of logs. */
export function logsOf(value: unknown, wanted: string): readonly EventLog[] {
  const isLog = (one: unknown) => {
    const { address, topics, data, transactionHash } = Object(one);
    return [address, data, transactionHash].every((each) => typeof each === "string") &&
      Array.isArray(topics) && topics.every((each) => typeof each === "string");
  };
  if (Array.isArray(value) && value.every(isLog)) return value;
  throw malformedAnswer(value, wanted, "it has no logs");
}
