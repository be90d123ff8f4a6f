import { encodeAbiParameters, toEventSelector } from "viem/utils";
import type { EventLog } from "./decode_settlement_events.ts";
import { SETTLEMENT_ABI } from "./settlement_abi.ts";

/** Topics and data of a log. */
export type EncodedEvent = Pick<EventLog, "topics" | "data">;

/** The execution of an order, as in an event of the settlement contract. */
export interface TradeFields {
  /** Owner of the order. */
  readonly owner: string;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought; `0xeeee…` for the native token. */
  readonly buyToken: string;
  /** Sold, in sell-token atoms, with the signed fee. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Signed fee, in sell-token atoms. */
  readonly feeAmount: bigint;
  /** UID of the order. */
  readonly orderUid: string;
}

/** Events that tokens emit, besides those of the settlement contract. */
const TOKEN_ABI = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
    ],
  },
  {
    type: "event",
    name: "Withdrawal",
    inputs: [
      { name: "src", type: "address", indexed: true },
      { name: "wad", type: "uint256", indexed: false },
    ],
  },
] as const;

/** Names of the encoded events. */
export type EncodedEventName =
  | "Trade"
  | "Interaction"
  | "Settlement"
  | "PreSignature"
  | typeof TOKEN_ABI[number]["name"];

type AbiParameters = Parameters<typeof encodeAbiParameters>[0];

interface EventShape {
  readonly topic: string;
  readonly inputs: AbiParameters;
}

const shapes = new Map<EncodedEventName, EventShape>();

/** Computed on first use: hashing takes longer than loading the module. */
function shapeOf(event: EncodedEventName): EventShape {
  const known = shapes.get(event);
  if (known !== undefined) return known;
  const found = [...SETTLEMENT_ABI, ...TOKEN_ABI].find((item) =>
    item.type === "event" && item.name === event
  );
  if (found?.type !== "event") throw new TypeError(`Unknown event ${event}`);
  const shape = {
    topic: toEventSelector(found),
    inputs: found.inputs.filter(({ indexed }) => !indexed),
  };
  shapes.set(event, shape);
  return shape;
}

/** The first topic of an event: the hash of its signature. */
export function eventTopic(event: EncodedEventName): string {
  return shapeOf(event).topic;
}

function encode(
  event: EncodedEventName,
  indexed: readonly string[],
  values: readonly unknown[],
): EncodedEvent {
  const { topic, inputs } = shapeOf(event);
  return {
    topics: [topic, ...indexed.map((address) => `0x${address.slice(2).padStart(64, "0")}`)],
    data: encodeAbiParameters(inputs, values),
  };
}

/** `Trade` of the settlement contract. */
export function encodeTradeEvent(trade: TradeFields): EncodedEvent {
  const { owner, sellToken, buyToken, sellAmount, buyAmount, feeAmount, orderUid } = trade;
  return encode("Trade", [owner], [
    sellToken,
    buyToken,
    sellAmount,
    buyAmount,
    feeAmount,
    orderUid,
  ]);
}

/** `Interaction` of the settlement contract; its selector is 0 for calldata of less than 4 bytes. */
export function encodeInteractionEvent(
  { target, value, callData }: { target: string; value: bigint; callData: string },
): EncodedEvent {
  const selector = callData.length < 10 ? "0x00000000" : callData.slice(0, 10);
  return encode("Interaction", [target], [value, selector]);
}

/** `Settlement` of the settlement contract. */
export function encodeSettlementEvent(solver: string): EncodedEvent {
  return encode("Settlement", [solver], []);
}

/** `PreSignature` of the settlement contract. */
export function encodePreSignatureEvent(
  { owner, orderUid, signed }: { owner: string; orderUid: string; signed: boolean },
): EncodedEvent {
  return encode("PreSignature", [owner], [orderUid, signed]);
}

/** `Transfer` of a token. */
export function encodeTransferEvent(
  { from, to, atoms }: { from: string; to: string; atoms: bigint },
): EncodedEvent {
  return encode("Transfer", [from, to], [atoms]);
}

/** `Withdrawal` of the wrapped native token: its holder unwraps atoms. */
export function encodeWithdrawalEvent(
  { from, atoms }: { from: string; atoms: bigint },
): EncodedEvent {
  return encode("Withdrawal", [from], [atoms]);
}
