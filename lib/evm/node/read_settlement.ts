import { InputError, MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { type DecodedSettlement, decodeSettlement } from "../settlement/decode_settlement.ts";
import {
  type DecodedEvent,
  decodeSettlementEvents,
  type EventLog,
  type SettlementEvent,
} from "../settlement/decode_settlement_events.ts";
import { requireEvents } from "../settlement/require_events.ts";
import { tokenTransfers } from "../settlement/token_transfers.ts";
import { malformedAnswer, resultOf, type RpcAnswer } from "./json_rpc.ts";
import { matchesBloom } from "./logs_bloom.ts";
import type { OnchainSettlement } from "./onchain_settlement.ts";
import { RECEIPT, TRANSACTION } from "./settlement_calls.ts";
import { transactionHash } from "./transaction_hash.ts";

/**
 * Reads and decodes the answers about a settlement.
 *
 * With the settlement contract, a transaction of another contract that calls it is read too: its
 * events, and its calldata where it contains the one call that emits them.
 *
 * @throws {InputError} If the node does not have the transaction, or it does not settle.
 * @throws {MismatchError} If the answers are about something else than asked, or contradict each
 * other.
 * @throws {HttpError} If an answer is invalid, or an error.
 */
export function readSettlement(
  hash: string,
  [transaction, receipt]: readonly (RpcAnswer | undefined)[],
  wanted: string,
  settlementContract?: string,
): OnchainSettlement {
  const sent = fieldsOf(transaction, wanted, "no such transaction");
  const made = fieldsOf(receipt, wanted, "no receipt for it, so it is not in a block yet");
  const input = hexOf(sent, "input", wanted);
  const to = hexOf(sent, "to", wanted).toLowerCase();
  const from = hexOf(sent, "from", wanted).toLowerCase();
  const isHashVerified = requireTransaction(sent, hash);
  requireSame(RECEIPT, "transactionHash", hash, made.transactionHash);
  requireSame(RECEIPT, "from", from, made.from);
  requireSame(RECEIPT, "to", to, made.to);
  requireSame(TRANSACTION, "blockHash", made.blockHash, sent.blockHash);
  const blockNumber = quantityOf(made, "blockNumber", wanted);
  requireNumber(TRANSACTION, "blockNumber", blockNumber, sent.blockNumber);
  const succeeded = quantityOf(made, "status", wanted) === 1n;
  const gasUsed = quantityOf(made, "gasUsed", wanted);
  const effectiveGasPrice = made.effectiveGasPrice == null
    ? null
    : quantityOf(made, "effectiveGasPrice", wanted);
  requireAtMost("gasUsed", gasUsed, sent.gas);
  requireAtMost("effectiveGasPrice", effectiveGasPrice, sent.maxFeePerGas ?? sent.gasPrice);
  const logs = logsOf(made, wanted);
  for (const log of logs) requireLog(log, { hash, blockNumber, blockHash: made.blockHash });
  if (!succeeded && logs.length > 0) {
    throw mismatch(RECEIPT, "logs", "none of a failed transaction", `${logs.length} logs`);
  }
  const call = settleCall(logs, { input, from, to, settlementContract, succeeded });
  const bloom = matchesBloom(logs, made.logsBloom);
  return {
    ...call,
    txHash: hash,
    from,
    blockNumber: Number(blockNumber),
    succeeded,
    gasUsed,
    effectiveGasPrice,
    transfers: tokenTransfers(logs),
    hasAllLogs: countThrough(logs) && bloom !== false,
    isBloomVerified: bloom === true,
    isHashVerified,
  };
}

type SettleCall =
  & DecodedSettlement
  & Pick<
    OnchainSettlement,
    "to" | "through" | "isDecoded" | "solver" | "events"
  >;

/** The call of `settle`: the transaction's own, or one that the contract it calls makes. */
function settleCall(
  logs: readonly EventLog[],
  { input, from, to, settlementContract, succeeded }: {
    readonly input: string;
    readonly from: string;
    readonly to: string;
    readonly settlementContract: string | undefined;
    readonly succeeded: boolean;
  },
): SettleCall {
  const eventsOf = (contract: string) =>
    decodeSettlementEvents(logs.filter(({ address }) => sameHex(address, contract)));
  const contract = settlementContract?.toLowerCase() ?? to;
  const inner = contract === to ? [] : eventsOf(contract);
  const ends = inner.filter((one): one is SettlementEvent => one.event === "Settlement");
  if (ends.length === 0) {
    const decoded = decodeSettlement(input);
    const events = eventsOf(to);
    if (succeeded) requireEvents(decoded, { events, solver: from });
    return { ...decoded, to, through: null, isDecoded: true, solver: from, events };
  }
  const solver = ends.length === 1 ? ends[0]!.solver : from;
  const decoded = ends.length === 1 ? innerCall(input, { events: inner, solver }) : null;
  const found = { to: contract, through: to, isDecoded: decoded !== null, solver, events: inner };
  return { ...decoded ?? UNDECODED, ...found };
}

const SETTLE = "13d79a0b";
const NOTHING = { pre: [], intra: [], post: [] };
const UNDECODED: DecodedSettlement = {
  tokens: [],
  clearingPrices: [],
  trades: [],
  interactions: NOTHING,
  auctionId: null,
  suffix: "0x",
};

/** The call of `settle` among the arguments of another call; `null` if none emits the events. */
function innerCall(
  input: string,
  emitted: { readonly events: readonly DecodedEvent[]; readonly solver: string },
): DecodedSettlement | null {
  const text = input.toLowerCase();
  for (let at = text.indexOf(SETTLE, 2); at >= 0; at = text.indexOf(SETTLE, at + 1)) {
    if (at % 2 !== 0) continue;
    // Bytes among arguments follow their number.
    const length = /^0{56}[0-9a-f]{8}$/.test(text.slice(Math.max(0, at - 64), at))
      ? 2 * Number.parseInt(text.slice(at - 8, at), 16)
      : Infinity;
    try {
      const decoded = decodeSettlement(`0x${text.slice(at, at + length)}`);
      requireEvents(decoded, emitted);
      return decoded;
    } catch (error) {
      if (!(error instanceof InputError || error instanceof MismatchError)) throw error;
    }
  }
  return null;
}

/** Requires the transaction that was asked for; returns whether its bytes prove it. */
function requireTransaction(sent: Fields, hash: string): boolean {
  requireSame(TRANSACTION, "hash", hash, sent.hash);
  const computed = transactionHash(sent);
  if (computed !== null) requireSame(TRANSACTION, "hash of the fields", hash, computed);
  return computed !== null;
}

function requireLog(
  log: EventLog,
  { hash, blockNumber, blockHash }: { hash: string; blockNumber: bigint; blockHash: unknown },
): void {
  requireSame(RECEIPT, "transactionHash of a log", hash, log.transactionHash);
  requireNumber(RECEIPT, "blockNumber of a log", blockNumber, log.blockNumber);
  requireSame(RECEIPT, "blockHash of a log", blockHash, Reflect.get(log, "blockHash"));
  if (Reflect.get(log, "removed") !== true) return;
  throw mismatch(RECEIPT, "logs", "logs of the chain", "a log that a reorganization removed");
}

/** Requires an equal value where the node reports one. */
function requireSame(request: string, field: string, asked: unknown, answered: unknown): void {
  if (asked == null || answered == null) return;
  if (sameHex(String(asked), String(answered))) return;
  throw mismatch(request, field, String(asked), String(answered));
}

function requireNumber(request: string, field: string, asked: bigint, answered: unknown): void {
  if (answered == null) return;
  const isNumber = typeof answered === "string"
    ? /^0x[0-9a-fA-F]{1,64}$/.test(answered)
    : typeof answered === "number" || typeof answered === "bigint";
  if (isNumber && BigInt(answered as string) === asked) return;
  throw mismatch(request, field, `${asked}`, String(answered));
}

/** Requires that a receipt stays within what the transaction allows. */
function requireAtMost(field: string, used: bigint | null, allowed: unknown): void {
  if (used === null || typeof allowed !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(allowed)) return;
  if (used > BigInt(allowed)) {
    throw mismatch(RECEIPT, field, `at most ${BigInt(allowed)}, as signed`, `${used}`);
  }
}

function mismatch(request: string, field: string, asked: string, answered: string): MismatchError {
  return new MismatchError({
    request,
    field,
    asked: asked.slice(0, 80),
    answered: answered.slice(0, 80),
    remedy:
      "Check the address of the node and any proxy in front of it, then retry: the answers are not about one transaction, or the chain has been reorganized",
  });
}

/** Whether the indices of the logs are consecutive. */
function countThrough(logs: readonly EventLog[]): boolean {
  const [first] = logs;
  return first !== undefined &&
    logs.every(({ logIndex }, place) => Number(logIndex) === Number(first.logIndex) + place);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(answer: RpcAnswer | undefined, wanted: string, missing: string): Fields {
  const result = answer === undefined ? null : resultOf(answer, wanted);
  if (typeof result !== "object" || result === null) {
    throw new InputError(`Cannot get ${wanted}: the node has ${missing}`, {
      remedy: "Check the hash, and that the node belongs to the right network and is up to date",
    });
  }
  return result as Fields;
}

function hexOf(fields: Fields, name: string, wanted: string): `0x${string}` {
  const field = fields[name];
  if (typeof field === "string" && /^0x[0-9a-fA-F]*$/.test(field)) return `0x${field.slice(2)}`;
  throw malformedAnswer(fields, wanted, `its \`${name}\` is not hex`);
}

function quantityOf(fields: Fields, name: string, wanted: string): bigint {
  const hex = hexOf(fields, name, wanted);
  if (hex !== "0x") return BigInt(hex);
  throw malformedAnswer(fields, wanted, `its \`${name}\` has no digits`);
}

function logsOf(fields: Fields, wanted: string): readonly EventLog[] {
  const { logs } = fields;
  if (!Array.isArray(logs)) throw malformedAnswer(fields, wanted, "it has no logs");
  if (logs.every(isLog)) return logs;
  throw malformedAnswer(fields, wanted, "a log has no address, no topics or no data");
}

function isLog(value: unknown): boolean {
  const { address, topics, data } = Object(value);
  return [address, data].every((one) => typeof one === "string") && Array.isArray(topics) &&
    topics.every((one) => typeof one === "string");
}
