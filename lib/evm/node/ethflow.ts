import { type DecodeEventLogReturnType, decodeFunctionData, encodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import {
  ETHFLOW_ABI,
  type EventLog,
  type EventPlace,
  LogDecoder,
  type OtherEvent,
  toLogError,
  toLowerCase,
  toOtherEvent,
  toPosition,
} from "../abis.ts";
import { asHex, hashUtf8, padAddress, requireHexBytes } from "../hex.ts";
import { computeOrderUid, normalizeReceiver, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import { sameHex } from "../../units/mod.ts";
import {
  type BlockHeader,
  type FundingUnknown,
  readHeader,
  toBlockTag,
  toHeaderCall,
  toUnknown,
} from "./block_at.ts";
import { toAnswerError, toMismatch, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import { GET_RECEIPT } from "./read_settlement_logs.ts";
import { GET_LOGS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

/** An order was placed on the chain. */
export interface OrderPlacementEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "OrderPlacement";
  /** Account that placed it; of an EthFlow order the trader. */
  readonly sender: string;
  /** The order that is settled: of an EthFlow order, without an end and selling the wrapped token. */
  readonly order: Required<SignableOrder>;
  /** Owner of the order: the EthFlow contract, or the account that its signature names. */
  readonly owner: string;
  /** Signing scheme. */
  readonly signingScheme: "eip1271" | "presign";
  /** The signature as an order body has it: without the owner, which comes first on the chain. */
  readonly signature: string;
  /** UID of the order, computed. */
  readonly orderUid: string;
  /** Quote that it names, which may be negative; `null` where another contract placed it. */
  readonly quoteId: bigint | null;
  /** Expiry that the trader set, in unix seconds; `null` where another contract placed it. */
  readonly userValidTo: number | null;
  /** Data that the contract adds to the order: of an EthFlow order, quote and expiry. */
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
  /** Account that sent the call, which anyone may: usually a service, rarely the trader. */
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
 * @returns One entry per log, in the same order; a log of another event is `"other"`.
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
    const decodedLog = ETHFLOW_LOGS.decode(log);
    if (decodedLog === null) return toOtherEvent(log);
    const { eventName, args } = decodedLog;
    if (eventName === "OrderPlacement") return toPlacement(args, log, domain);
    const orderUid = requireUid(args.orderUid, log);
    return eventName === "OrderInvalidation"
      ? { event: eventName, ...toPosition(log), orderUid }
      : { event: eventName, ...toPosition(log), orderUid, refunder: args.refunder };
  });
}

/** Its events by their first topics. */
const ETHFLOW_LOGS: LogDecoder<typeof ETHFLOW_ABI> = new LogDecoder(ETHFLOW_ABI);

type PlacementArguments = DecodeEventLogReturnType<typeof ETHFLOW_ABI, "OrderPlacement">["args"];

function toPlacement(
  { sender, order, signature, data }: PlacementArguments,
  log: EventLog,
  domain: OrderDomain,
): OrderPlacementEvent {
  const scheme = SCHEMES[signature.scheme];
  const owner = signature.data.slice(0, ADDRESS_END);
  if (scheme === undefined) throw toLogError(log, `its signing scheme is ${signature.scheme}`);
  if (owner.length !== ADDRESS_END) throw toLogError(log, "its signature names no owner");
  const { receiver, ...fields } = order;
  const signable: Required<SignableOrder> = {
    ...fields,
    receiver: normalizeReceiver(receiver),
    kind: findWord(order.kind, ["sell", "buy"], log),
    sellTokenBalance: findWord(order.sellTokenBalance, ["erc20", "external", "internal"], log),
    buyTokenBalance: findWord(order.buyTokenBalance, ["erc20", "internal"], log),
  };
  const [, quote, expiry] = EXTRA.exec(data) ?? [];
  return {
    event: "OrderPlacement",
    ...toPosition(log),
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

/** Finds the word whose hash an order has for its kind or a balance. */
function findWord(hash: string, words: readonly string[], log: EventLog): string {
  const word = words.find((candidate) => hashUtf8(candidate) === hash);
  if (word !== undefined) return word;
  throw toLogError(log, `${hash} is the hash of none of ${words.join(", ")}`);
}

function requireUid(orderUid: string, log: EventLog): string {
  if (/^0x[0-9a-f]{112}$/.test(orderUid)) return orderUid;
  throw toLogError(log, "its order UID has not 56 bytes");
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
  /** Its action: place an order, or cancel orders and return their funds. */
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
 * assertThrows(() => decodeEthFlowCall("0x4c84c1c8"), InputError, "not a call of an EthFlow contract");
 * ```
 */
export function decodeEthFlowCall(input: string): EthFlowCall {
  try {
    const { functionName, args: [argument] } = decodeFunctionData({
      abi: ETHFLOW_ABI,
      data: requireHexBytes(input),
    });
    return {
      action: functionName === "createOrder" ? "create" : "invalidate",
      orders: toLowerCase([argument].flat()),
    };
  } catch (cause) {
    throw new InputError("Cannot decode the calldata: it is not a call of an EthFlow contract", {
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
interface DatedEvent<Event extends EthFlowEvent> {
  /** The event. */
  readonly event: Event;
  /** Its block. */
  readonly header: BlockHeader;
}

/** Blocks on both sides of the one in which an order was placed by its time. */
const SEARCH_BLOCKS = 16;
const WANTED = "the events of an EthFlow order";

/**
 * Finds the placement of an order among the logs around a block.
 *
 * @param sender Account that placed it, by whose topic the logs are searched.
 * @returns `null` if there is none.
 * @throws {MismatchError} If a log was not requested.
 * @throws {HttpError} If the node returns an invalid response, or an error.
 */
export async function findPlacement(
  source: NodeSource,
  question: EthFlowQuestion,
  { sender, near, ...options }: RpcOptions & { readonly sender: string; readonly near: number },
): Promise<DatedEvent<OrderPlacementEvent> | null> {
  const ask = requireNode(source, WANTED, options);
  const [topic] = [...ETHFLOW_LOGS.events].find(([, { name }]) => name === "OrderPlacement")!;
  const [fromBlock, toBlock] = [Math.max(0, near - SEARCH_BLOCKS), near + SEARCH_BLOCKS];
  const [answer] = await ask([{
    method: GET_LOGS,
    params: [{
      address: question.contract,
      topics: [topic, padAddress(sender)],
      fromBlock: toBlockTag(fromBlock),
      toBlock: toBlockTag(toBlock),
    }],
  }]);
  const logs = readLogs(unwrap(answer!, WANTED), WANTED);
  for (const event of listOwnEvents(logs, question)) {
    const isInRange = event.blockNumber >= fromBlock && event.blockNumber <= toBlock;
    if (!isInRange) {
      throw toMismatch(GET_LOGS, "block of a log", `${fromBlock} to ${toBlock}`, event.blockNumber);
    }
    if (event.event === "OrderPlacement") return { event, header: await fetchHeader(ask, event) };
  }
  return null;
}

/**
 * Reads the refund or cancellation of an order in a transaction.
 *
 * @returns Why it is not known, if the node does not have the transaction or it is about others.
 * @throws {MismatchError} If the receipt is not the requested one.
 * @throws {HttpError} If the node returns an invalid response, or an error.
 */
export async function readRefund(
  source: NodeSource,
  question: EthFlowQuestion,
  { txHash, ...options }: RpcOptions & { readonly txHash: string },
): Promise<DatedEvent<OrderRefundEvent | OrderInvalidationEvent> | FundingUnknown> {
  const ask = requireNode(source, WANTED, options);
  const [answer] = await ask([{ method: GET_RECEIPT, params: [txHash] }]);
  const receipt = unwrap(answer!, WANTED);
  if (receipt === null) {
    return toUnknown("no_such_block", null, `The node does not have transaction ${txHash}`);
  }
  const logs = readLogs(Object(receipt).logs, WANTED);
  const stray = logs.find(({ transactionHash }) => !sameHex(transactionHash, txHash));
  if (stray !== undefined) {
    throw toMismatch(GET_RECEIPT, "transactionHash", txHash, stray.transactionHash);
  }
  for (const event of listOwnEvents(logs, question)) {
    if (event.event === "OrderPlacement") continue;
    return { event, header: await fetchHeader(ask, event) };
  }
  const detail = `Transaction ${txHash} has no event of ${question.contract} about the order`;
  return toUnknown("contract_does_not_answer", null, detail);
}

/** Lists events about the order that its own contract emitted: anyone can emit the same. */
function listOwnEvents(
  logs: readonly EventLog[],
  { domain, contract, uid }: EthFlowQuestion,
): Exclude<EthFlowEvent, { readonly event: "other" }>[] {
  const ownLogs = logs.filter(({ address }) => sameHex(address, contract));
  return decodeEthFlowEvents(ownLogs, domain).filter((event) => event.event !== "other")
    .filter(({ orderUid }) => sameHex(orderUid, uid));
}

async function fetchHeader(ask: RpcNode, { blockNumber }: EthFlowEvent): Promise<BlockHeader> {
  const [answer] = await ask([toHeaderCall(blockNumber)]);
  const header = readHeader(answer!, blockNumber, WANTED);
  if (header === null) {
    throw toMismatch("eth_getBlockByNumber", "block", blockNumber, "none");
  }
  return header;
}

/** Reads a list of logs. */
export function readLogs(value: unknown, wanted: string): readonly EventLog[] {
  const isLog = (log: unknown) => {
    const { address, topics, data, transactionHash } = Object(log);
    return [address, data, transactionHash].every((field) => typeof field === "string") &&
      Array.isArray(topics) && topics.every((field) => typeof field === "string");
  };
  if (Array.isArray(value) && value.every(isLog)) return value;
  throw toAnswerError(value, wanted, "it has no logs");
}

/**
 * Encodes `invalidateOrder(order)` of an EthFlow contract, which returns what the order did not sell.
 *
 * The contract finds the order by a hash of its terms without its expiry and its quote, so any quote does.
 *
 * @see {@link https://github.com/cowprotocol/ethflowcontract/blob/fd72a5375e12/src/libraries/EthFlowOrder.sol | toCoWSwapOrder of the contract}
 */
export function encodeEthFlowInvalidation(order: EthFlowOrder): string {
  const { buyToken, receiver, appData, ...terms } = order;
  const hex = { buyToken: asHex(buyToken), receiver: asHex(receiver), appData: asHex(appData) };
  return encodeFunctionData({
    abi: ETHFLOW_ABI,
    functionName: "invalidateOrder",
    args: [{ ...terms, ...hex }],
  });
}
