import { decodeEventLog, toEventSelector } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { SETTLEMENT_ABI } from "./settlement_abi.ts";

/** A log as returned by JSON-RPC, or with its numbers already parsed. */
export interface EventLog {
  /** Contract that emitted it. */
  readonly address: string;
  /** Topics: the hash of the event, then the indexed parameters. */
  readonly topics: readonly string[];
  /** Data: the parameters that are not indexed, as hex. */
  readonly data: string;
  /** Block, as a number or as JSON-RPC's hex text. */
  readonly blockNumber: number | bigint | string;
  /** Transaction. */
  readonly transactionHash: string;
  /** Log index in the block, as a number or as JSON-RPC's hex text. */
  readonly logIndex: number | bigint | string;
}

/** Position of an event on the chain. */
export interface EventPlace {
  /** Block. */
  readonly blockNumber: number;
  /** Log index in the block. */
  readonly logIndex: number;
  /** Transaction. */
  readonly transactionHash: string;
  /** Contract that emitted it, in lower case. */
  readonly address: string;
}

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

/** A log that is not an event of the settlement contract. */
export interface OtherEvent extends EventPlace {
  /** Kind of event: unknown. */
  readonly event: "other";
  /** Topics, as received. */
  readonly topics: readonly string[];
  /** Data, as received. */
  readonly data: string;
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
 * @returns One entry per log, in the same order; a log of another event is kept as `"other"`.
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
  const known = eventHashes();
  return Array.from(logs, (log): DecodedEvent => {
    const place: EventPlace = {
      blockNumber: Number(log.blockNumber),
      logIndex: Number(log.logIndex),
      transactionHash: log.transactionHash,
      address: log.address.toLowerCase(),
    };
    const name = known.get(log.topics[0]?.toLowerCase() ?? "");
    if (name === undefined) {
      return { event: "other", ...place, topics: log.topics, data: log.data };
    }
    const plain = plainEvent(name, log);
    if (plain === null) return decodeKnown(log, place);
    const { event, ...parameters } = plain;
    return { event, ...place, ...parameters } as DecodedEvent;
  });
}

let hashes: ReadonlyMap<string, string> | undefined;

/** Computed on first use: hashing takes longer than loading the module. */
function eventHashes(): ReadonlyMap<string, string> {
  hashes ??= new Map(
    SETTLEMENT_ABI.filter((item) => item.type === "event")
      .map((item) => [toEventSelector(item), item.name]),
  );
  return hashes;
}

function decodeKnown(log: EventLog, place: EventPlace): DecodedEvent {
  const { eventName, args } = decodeArguments(log, place);
  switch (eventName) {
    case "Trade":
      return {
        event: eventName,
        ...place,
        ...args,
        owner: args.owner.toLowerCase(),
        sellToken: args.sellToken.toLowerCase(),
        buyToken: args.buyToken.toLowerCase(),
      };
    case "Interaction":
      return { event: eventName, ...place, ...args, target: args.target.toLowerCase() };
    case "Settlement":
      return { event: eventName, ...place, solver: args.solver.toLowerCase() };
    case "OrderInvalidated":
      return { event: eventName, ...place, ...args, owner: args.owner.toLowerCase() };
    case "PreSignature":
      return { event: eventName, ...place, ...args, owner: args.owner.toLowerCase() };
  }
}

function decodeArguments(log: EventLog, place: EventPlace) {
  const [first, ...rest] = log.topics.map((topic) => `0x${topic.slice(2)}` as const);
  try {
    return decodeEventLog({
      abi: SETTLEMENT_ABI,
      topics: first === undefined ? [] : [first, ...rest],
      data: `0x${log.data.slice(2)}`,
    });
  } catch (cause) {
    throw new InputError(
      `Cannot decode log ${place.logIndex} of block ${place.blockNumber}: its data does not match its event`,
      {
        facts: { transaction: place.transactionHash, topic: `${first}` },
        remedy: "Pass the log with all its topics and data, as returned by the node",
        cause,
      },
    );
  }
}

/** Parameters of an event, without its place. */
type Parameters<Event> = Omit<
  Event,
  "blockNumber" | "logIndex" | "transactionHash" | "address"
>;

/** Parameters of the events that each settlement has. */
type PlainEvent =
  | Parameters<TradeEvent>
  | Parameters<InteractionEvent>
  | Parameters<SettlementEvent>;

const ADDRESS = /^0x0{24}([0-9a-f]{40})$/i;
/** Two addresses, three amounts, the place and the length of a UID, the UID. */
const TRADE =
  /^0x0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})0{62}c00{62}38([0-9a-f]{112})0{16}$/i;
/** An amount and four bytes. */
const INTERACTION = /^0x([0-9a-f]{64})([0-9a-f]{8})0{56}$/i;

/**
 * Reads an event that is encoded as the settlement contract encodes it, which takes a tenth of the
 * time of a decoder of any layout.
 *
 * @returns `null` for other events and layouts: a decoder decides what they are.
 */
export function plainEvent(
  name: string | undefined,
  { topics, data }: Pick<EventLog, "topics" | "data">,
): PlainEvent | null {
  const indexed = topics.length === 2 ? ADDRESS.exec(topics[1]!)?.[1] : undefined;
  if (indexed === undefined) return null;
  const account = `0x${indexed.toLowerCase()}`;
  if (name === "Settlement") return data === "0x" ? { event: name, solver: account } : null;
  if (name === "Interaction") {
    const [, value, selector] = INTERACTION.exec(data) ?? [];
    return value === undefined || selector === undefined ? null : {
      event: name,
      target: account,
      value: BigInt(`0x${value}`),
      selector: `0x${selector.toLowerCase()}`,
    };
  }
  if (name !== "Trade") return null;
  const [, sellToken, buyToken, sold, bought, fee, uid] = TRADE.exec(data) ?? [];
  if (uid === undefined) return null;
  return {
    event: name,
    owner: account,
    sellToken: `0x${sellToken!.toLowerCase()}`,
    buyToken: `0x${buyToken!.toLowerCase()}`,
    sellAmount: BigInt(`0x${sold!}`),
    buyAmount: BigInt(`0x${bought!}`),
    feeAmount: BigInt(`0x${fee!}`),
    orderUid: `0x${uid.toLowerCase()}`,
  };
}

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

const NOBODY = `0x${"0".repeat(40)}`;
const WORD_DIGITS = 64;
/** An address as a word: twelve bytes of zeros, then the address. */
const ADDRESS_WORD = /^0{24}([0-9a-f]{40})$/;

let selectors: ReadonlyMap<string, TokenTransfer["event"]> | undefined;

/** Computed on first use: hashing takes longer than loading the module. */
function eventsBySelector(): ReadonlyMap<string, TokenTransfer["event"]> {
  return selectors ??= new Map<string, TokenTransfer["event"]>([
    [toEventSelector("Transfer(address,address,uint256)"), "Transfer"],
    [toEventSelector("Deposit(address,uint256)"), "Deposit"],
    [toEventSelector("Withdrawal(address,uint256)"), "Withdrawal"],
  ]);
}

/**
 * The transfers among logs, in their order; other logs are omitted, with those of tokens that have
 * ids instead of amounts (ERC-721).
 *
 * Contracts other than wrapped native tokens may emit `Deposit` and `Withdrawal` too: compare
 * `token`.
 */
export function tokenTransfers(logs: Iterable<EventLog>): TokenTransfer[] {
  const known = eventsBySelector();
  return Array.from(logs).flatMap((log) => {
    const event = known.get(log.topics[0]?.toLowerCase() ?? "");
    return event === undefined ? [] : readTransfer(event, log) ?? [];
  });
}

function readTransfer(event: TokenTransfer["event"], log: EventLog): TokenTransfer | null {
  // Some tokens index fewer parameters, or more: all of them are words in this order.
  const words = (log.topics.slice(1).map((topic) => topic.slice(2)).join("") + log.data.slice(2))
    .toLowerCase();
  const count = event === "Transfer" ? 3 : 2;
  if (log.topics.length > 3 || words.length !== count * WORD_DIGITS) return null;
  const accounts = Array.from({ length: count - 1 }, (_, place) => {
    const word = words.slice(place * WORD_DIGITS, (place + 1) * WORD_DIGITS);
    return ADDRESS_WORD.exec(word)?.[1] ?? null;
  });
  if (accounts.includes(null)) return null;
  const [first, second] = accounts.map((digits) => `0x${digits}`);
  return {
    event,
    token: log.address.toLowerCase(),
    from: event === "Deposit" ? NOBODY : first!,
    to: event === "Transfer" ? second! : event === "Deposit" ? first! : NOBODY,
    atoms: BigInt(`0x${words.slice(-WORD_DIGITS)}`),
    logIndex: Number(log.logIndex),
  };
}
