import { MismatchError } from "../../errors/mod.ts";
import {
  type EventLog,
  type EventPlace,
  LogDecoder,
  type OtherEvent,
  SETTLEMENT_ABI,
  TOKEN_EVENTS,
  toOtherEvent,
  toPosition,
} from "../abis.ts";
import { WORD_DIGITS, ZERO_ADDRESS } from "../hex.ts";
import type { DecodedSettlement, SettlementTrade } from "./decode_settlement.ts";

/** An order was filled, wholly or in part. */
export interface TradeEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "Trade";
  /** Owner of the order. */
  readonly owner: string;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought; `0xeeee…` for the native token. */
  readonly buyToken: string;
  /** Sold, in sell-token atoms, with the legacy signed fee. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Legacy signed fee taken, in sell-token atoms; `0n` for current orders. */
  readonly feeAmount: bigint;
  /** Order. */
  readonly orderUid: string;
}

/** A contract was called by a settlement. */
export interface InteractionEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "Interaction";
  /** Contract called. */
  readonly target: string;
  /** Native atoms sent along. */
  readonly value: bigint;
  /** First four bytes of the calldata. */
  readonly selector: string;
}

/** A settlement was executed; the last event of its transaction. */
export interface SettlementEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "Settlement";
  /** Account that submitted it. */
  readonly solver: string;
}

/** An order was cancelled on-chain. */
export interface OrderInvalidatedEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "OrderInvalidated";
  /** Owner of the order. */
  readonly owner: string;
  /** Order. */
  readonly orderUid: string;
}

/** An order was signed on-chain, or its signature was revoked. */
export interface PreSignatureEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "PreSignature";
  /** Owner of the order. */
  readonly owner: string;
  /** Order. */
  readonly orderUid: string;
  /** Whether it is signed now. */
  readonly signed: boolean;
}

/** An event of the settlement contract, or a log of something else. */
export type DecodedEvent =
  | TradeEvent
  | InteractionEvent
  | SettlementEvent
  | OrderInvalidatedEvent
  | PreSignatureEvent
  | OtherEvent;

/**
 * Decodes the events of the settlement contract: `Trade`, `Interaction`, `Settlement`,
 * `OrderInvalidated` and `PreSignature`.
 *
 * Identifies events by their hash, not by their emitter: pass logs of the settlement contract, or
 * compare `address`.
 *
 * @param logs Logs of a receipt or of `eth_getLogs`.
 * @returns One entry per log, in the same order; a log of another event is `"other"`.
 * Addresses are in lower case.
 * @throws {InputError} If a log is of one of these events, but malformed.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | events of the contract}
 *
 * @example
 * ```ts
 * import { decodeSettlementEvents } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const [event] = decodeSettlementEvents([{
 *   address: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 *   topics: [
 *     "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4",
 *     "0x0000000000000000000000009315fc8ffae493123b9b6b1c93d50c9b9eef0344",
 *   ],
 *   data: "0x",
 *   blockNumber: "0x95",
 *   transactionHash: "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575",
 *   logIndex: "0x13",
 * }]);
 *
 * assertEquals(event, {
 *   event: "Settlement",
 *   solver: "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344",
 *   blockNumber: 149,
 *   logIndex: 19,
 *   transactionHash: "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575",
 *   address: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * ```
 */
export function decodeSettlementEvents(logs: Iterable<EventLog>): DecodedEvent[] {
  return Array.from(logs, (log): DecodedEvent => {
    const decodedLog = SETTLEMENT_LOGS.decode(log);
    if (decodedLog === null) return toOtherEvent(log);
    return { event: decodedLog.eventName, ...toPosition(log), ...decodedLog.args } as DecodedEvent;
  });
}

const SETTLEMENT_LOGS = new LogDecoder(SETTLEMENT_ABI);

/** Atoms of a token that moved, according to a log of the token. */
export interface TokenTransfer {
  /** Event: `Deposit` and `Withdrawal` are those of wrapped native tokens. */
  readonly event: "Transfer" | "Deposit" | "Withdrawal";
  /** Contract that emitted it, in lower case: the token. */
  readonly token: string;
  /** Account that paid, in lower case; zero where atoms are created. */
  readonly from: string;
  /** Account that received, in lower case; zero where atoms are destroyed. */
  readonly to: string;
  /** Amount, in atoms. */
  readonly atoms: bigint;
  /** Log index in the block. */
  readonly logIndex: number;
}

/** An address as a word: twelve bytes of zeros, then the address. */
const ADDRESS_WORD = /^0{24}([0-9a-f]{40})$/;

const TOKEN_LOGS = new LogDecoder(TOKEN_EVENTS);

/**
 * Reads the transfers among logs, in their order; other logs are omitted, with those of tokens that have
 * ids instead of amounts (ERC-721).
 *
 * Contracts other than wrapped native tokens may emit `Deposit` and `Withdrawal` too: compare
 * `token`.
 */
export function readTokenTransfers(logs: Iterable<EventLog>): TokenTransfer[] {
  const { events } = TOKEN_LOGS;
  return Array.from(logs).flatMap((log) => {
    const event = events.get(log.topics[0]?.toLowerCase() ?? "");
    return event === undefined ? [] : readTransfer(event.name, log) ?? [];
  });
}

function readTransfer(event: TokenTransfer["event"], log: EventLog): TokenTransfer | null {
  // Some tokens index fewer parameters, or more: all of them are words in this order.
  const words = (log.topics.slice(1).map((topic) => topic.slice(2)).join("") + log.data.slice(2))
    .toLowerCase();
  const count = event === "Transfer" ? 3 : 2;
  if (log.topics.length > 3 || words.length !== count * WORD_DIGITS) return null;
  const accounts = Array.from({ length: count - 1 }, (_, index) => {
    const word = words.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS);
    return ADDRESS_WORD.exec(word)?.[1] ?? null;
  });
  if (accounts.includes(null)) return null;
  const [first, second] = accounts.map((digits) => `0x${digits}`);
  return {
    event,
    token: log.address.toLowerCase(),
    from: event === "Deposit" ? ZERO_ADDRESS : first!,
    to: event === "Transfer" ? second! : event === "Deposit" ? first! : ZERO_ADDRESS,
    atoms: BigInt(`0x${words.slice(-WORD_DIGITS)}`),
    logIndex: Number(log.logIndex),
  };
}

/**
 * Requires the events that the calldata of a successful settlement emits: its interactions, its
 * trades and its end, in order. Hooks may approve and cancel orders in between.
 *
 * @throws {MismatchError} If one is missing, added, or another.
 */
export function requireEvents(
  settlement: Pick<DecodedSettlement, "trades" | "interactions">,
  { events, solver }: { readonly events: readonly DecodedEvent[]; readonly solver: string },
): void {
  const requiredTexts = listEvents(settlement, solver);
  const eventTexts = events.flatMap((event) => formatEvent(event) ?? []);
  for (let index = 0; index < Math.max(requiredTexts.length, eventTexts.length); index++) {
    if (requiredTexts[index] === eventTexts[index]) continue;
    throw new MismatchError({
      request: "eth_getTransactionReceipt",
      field: "logs",
      asked: requiredTexts[index] ?? "no further event of the settlement contract",
      answered: eventTexts[index] ?? "no further event of the settlement contract",
      remedy: "Ask another node: the logs are not those of the transaction's calldata",
    });
  }
}

/** Lists the events that the settlement contract emits according to the calldata, in order. */
function listEvents(
  { trades, interactions: { pre, intra, post } }: Parameters<typeof requireEvents>[0],
  solver: string,
): string[] {
  const formatCall = ({ target, value, callData }: typeof pre[number]) =>
    `Interaction ${target} ${value} ${readSelector(callData).toLowerCase()}`;
  return [
    ...pre.map(formatCall),
    ...trades.map(formatTrade),
    ...intra.map(formatCall),
    ...post.map(formatCall),
    `Settlement ${solver}`,
  ];
}

type TradeTerms = Pick<SettlementTrade, "sellToken" | "buyToken" | "validTo">;

function formatTrade({ sellToken, buyToken, validTo }: TradeTerms): string {
  return `Trade ${sellToken} ${buyToken} ${validTo}`;
}

/** Formats an event for comparison; `null` for events that the calldata does not determine. */
function formatEvent(event: DecodedEvent): string | null {
  switch (event.event) {
    case "Trade":
      return formatTrade({ ...event, validTo: Number.parseInt(event.orderUid.slice(-8), 16) });
    case "Interaction":
      return `Interaction ${event.target} ${event.value} ${event.selector.toLowerCase()}`;
    case "Settlement":
      return `Settlement ${event.solver}`;
    default:
      return null;
  }
}

/** Returns the selector in the event of an interaction: zeros for shorter calldata. */
export function readSelector(callData: string): string {
  return callData.length < 10 ? "0x00000000" : callData.slice(0, 10);
}
