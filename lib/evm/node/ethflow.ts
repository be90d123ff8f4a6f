import { type DecodeEventLogReturnType, decodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import {
  ETHFLOW_ABI,
  type EventLog,
  type EventPlace,
  LogDecoder,
  lowerCase,
  malformedLog,
  type OtherEvent,
  otherEvent,
  placeOf,
} from "../abis.ts";
import { addressWord, keccakText, wholeBytes } from "../hex.ts";
import { computeOrderUid, normalizeReceiver, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import { sameHex } from "../../units/mod.ts";
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

/** An order was placed on the chain. */
export interface OrderPlacementEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "OrderPlacement";
  /** Who placed it; of an EthFlow order the trader. */
  readonly sender: string;
  /** The order that is settled: of an EthFlow order, without an end and selling the wrapped token. */
  readonly order: Required<SignableOrder>;
  /** Owner of the order: the EthFlow contract, or who its signature names. */
  readonly owner: string;
  /** How it is signed. */
  readonly signingScheme: "eip1271" | "presign";
  /** The signature as an order body has it: without the owner, which comes first on the chain. */
  readonly signature: string;
  /** UID of the order, computed. */
  readonly orderUid: string;
  /** Quote that it names, which may be negative; `null` where another contract placed it. */
  readonly quoteId: bigint | null;
  /** Expiry that the trader set, in unix seconds; `null` where another contract placed it. */
  readonly userValidTo: number | null;
  /** What the contract adds to the order: of an EthFlow order, quote and expiry. */
  readonly data: string;
}

/** An order was cancelled by its trader before its expiry, and its funds were returned. */
export interface OrderInvalidationEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "OrderInvalidation";
  /** Order. */
  readonly orderUid: string;
}

/** The funds of an expired order were returned to its trader. */
export interface OrderRefundEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "OrderRefund";
  /** Order. */
  readonly orderUid: string;
  /** Who sent the transaction's call, which anyone may: mostly a service, seldom the trader. */
  readonly refunder: string;
}

/** An event of an EthFlow contract, or a log of something else. */
export type EthFlowEvent =
  | OrderPlacementEvent
  | OrderInvalidationEvent
  | OrderRefundEvent
  | OtherEvent;

const SCHEMES = ["eip1271", "presign"] as const;
const ADDRESS_END = 2 + 2 * 20;
/** Quote (8 bytes) and expiry (4 bytes) of an EthFlow order. */
const EXTRA = /^0x([0-9a-f]{16})([0-9a-f]{8})$/i;

/**
 * Decodes the events of EthFlow contracts, and of other contracts that place orders on the chain:
 * `OrderPlacement`, `OrderInvalidation` and `OrderRefund`.
 *
 * Identifies events by their hash, not by their emitter, and anyone can emit them: pass logs of the
 * network's own contracts, or compare `address`.
 *
 * @param logs Logs of a receipt or of `eth_getLogs`.
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}, for UIDs.
 * @returns One entry per log, in the same order; a log of another event is kept as `"other"`.
 * Addresses are in lower case.
 * @throws {InputError} If a log is of one of these events, but malformed.
 * @see {@link https://github.com/cowprotocol/ethflowcontract/tree/fd72a5375e12/src/interfaces | events of the contract}
 *
 * @example A refund
 * ```ts
 * import { decodeEthFlowEvents, orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 * const orderUid = `0x${"12".repeat(56)}`;
 * const [event] = decodeEthFlowEvents([{
 *   address: "0xba3cb449bd2b4adddbc894d8697f5170800eadec",
 *   topics: [
 *     "0x195271068a288191e4b265c641a56b9832919f69e9e7d6c2f31ba40278aeb85a",
 *     `0x${"00".repeat(12)}${"a1".repeat(20)}`,
 *   ],
 *   data: `0x${"20".padStart(64, "0")}${"38".padStart(64, "0")}${orderUid.slice(2)}${"00".repeat(8)}`,
 *   blockNumber: "0x10",
 *   transactionHash: `0x${"ab".repeat(32)}`,
 *   logIndex: "0x3",
 * }], domain);
 *
 * assertEquals(event?.event === "OrderRefund" && [event.orderUid, event.refunder], [
 *   orderUid,
 *   `0x${"a1".repeat(20)}`,
 * ]);
 * ```
 */
export function decodeEthFlowEvents(logs: Iterable<EventLog>, domain: OrderDomain): EthFlowEvent[] {
  return Array.from(logs, (log): EthFlowEvent => {
    const decoded = ETHFLOW_LOGS.decode(log);
    if (decoded === null) return otherEvent(log);
    const { eventName, args } = decoded;
    if (eventName === "OrderPlacement") return placement(args, log, domain);
    const orderUid = checkedUid(args.orderUid, log);
    return eventName === "OrderInvalidation"
      ? { event: eventName, ...placeOf(log), orderUid }
      : { event: eventName, ...placeOf(log), orderUid, refunder: args.refunder };
  });
}

/** Its events by their first topics. */
const ETHFLOW_LOGS: LogDecoder<typeof ETHFLOW_ABI> = new LogDecoder(ETHFLOW_ABI);

type PlacementArguments = DecodeEventLogReturnType<typeof ETHFLOW_ABI, "OrderPlacement">["args"];

function placement(
  { sender, order, signature, data }: PlacementArguments,
  log: EventLog,
  domain: OrderDomain,
): OrderPlacementEvent {
  const scheme = SCHEMES[signature.scheme];
  const owner = signature.data.slice(0, ADDRESS_END);
  if (scheme === undefined) throw malformedLog(log, `its signing scheme is ${signature.scheme}`);
  if (owner.length !== ADDRESS_END) throw malformedLog(log, "its signature names no owner");
  const { receiver, ...fields } = order;
  const signable: Required<SignableOrder> = {
    ...fields,
    receiver: normalizeReceiver(receiver),
    kind: wordOf(order.kind, ["sell", "buy"], log),
    sellTokenBalance: wordOf(order.sellTokenBalance, ["erc20", "external", "internal"], log),
    buyTokenBalance: wordOf(order.buyTokenBalance, ["erc20", "internal"], log),
  };
  const [, quote, expiry] = EXTRA.exec(data) ?? [];
  return {
    event: "OrderPlacement",
    ...placeOf(log),
    sender,
    order: signable,
    owner,
    signingScheme: scheme,
    signature: `0x${signature.data.slice(ADDRESS_END)}`,
    orderUid: computeOrderUid(domain, signable, owner),
    quoteId: quote === undefined ? null : BigInt.asIntN(64, BigInt(`0x${quote}`)),
    userValidTo: expiry === undefined ? null : Number.parseInt(expiry, 16),
    data,
  };
}

/** The word whose hash an order has for its kind or a balance. */
function wordOf(hash: string, words: readonly string[], log: EventLog): string {
  const word = words.find((each) => keccakText(each) === hash);
  if (word !== undefined) return word;
  throw malformedLog(log, `${hash} is the hash of none of ${words.join(", ")}`);
}

function checkedUid(orderUid: string, log: EventLog): string {
  if (/^0x[0-9a-f]{112}$/.test(orderUid)) return orderUid;
  throw malformedLog(log, "its order UID has not 56 bytes");
}

/** An EthFlow order as its trader passes it to the contract. */
export interface EthFlowOrder {
  /** Token to buy, in lower case. */
  readonly buyToken: string;
  /** Receiver of the bought tokens, in lower case; never absent. */
  readonly receiver: string;
  /** Native atoms to sell. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Hash of the app data document. */
  readonly appData: string;
  /** Signed fee, in native atoms; `0n` in current orders. */
  readonly feeAmount: bigint;
  /** Expiry that the trader set, in unix seconds. */
  readonly validTo: number;
  /** Whether the order may be filled in parts. */
  readonly partiallyFillable: boolean;
  /** Quote that it names. */
  readonly quoteId: bigint;
}

/** A call of an EthFlow contract. */
export interface EthFlowCall {
  /** What it does: place an order, or cancel orders and return their funds. */
  readonly action: "create" | "invalidate";
  /** Its orders: one, unless several are cancelled at once. */
  readonly orders: readonly EthFlowOrder[];
}

/**
 * Decodes a call of an EthFlow contract: `createOrder`, `invalidateOrder` and
 * `invalidateOrdersIgnoringNotAllowed`.
 *
 * @param input Calldata of the transaction.
 * @returns The orders; amounts in atoms.
 * @throws {InputError} If it calls another function, or is malformed.
 * @see {@link https://github.com/cowprotocol/ethflowcontract/tree/fd72a5375e12/src/libraries/EthFlowOrder.sol | EthFlowOrder.Data}
 *
 * @example Calldata of something else
 * ```ts
 * import { InputError } from "orderlens";
 * import { decodeEthFlowCall } from "orderlens/evm";
 * import { assertThrows } from "@std/assert";
 *
 * assertThrows(() => decodeEthFlowCall("0x4c84c1c8"), InputError, "no call of an EthFlow contract");
 * ```
 */
export function decodeEthFlowCall(input: string): EthFlowCall {
  try {
    const { functionName, args: [passed] } = decodeFunctionData({
      abi: ETHFLOW_ABI,
      data: wholeBytes(input),
    });
    return {
      action: functionName === "createOrder" ? "create" : "invalidate",
      orders: lowerCase([passed].flat()),
    };
  } catch (cause) {
    throw new InputError("Cannot decode the calldata: it is no call of an EthFlow contract", {
      facts: { begins: String(input).slice(0, 10) },
      remedy: "Pass the input of a transaction that creates or invalidates EthFlow orders",
      cause,
    });
  }
}

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
