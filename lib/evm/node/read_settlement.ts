import { InputError, MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { decodeSettlement } from "../settlement/decode_settlement.ts";
import { decodeSettlementEvents, type EventLog } from "../settlement/decode_settlement_events.ts";
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
 * @throws {InputError} If the node does not have the transaction, or it does not settle.
 * @throws {MismatchError} If the answers are about something else than asked, or contradict each
 * other.
 * @throws {HttpError} If an answer is invalid, or an error.
 */
export function readSettlement(
  hash: string,
  [transaction, receipt]: readonly (RpcAnswer | undefined)[],
  wanted: string,
): OnchainSettlement {
  const sent = fieldsOf(transaction, wanted, "no such transaction");
  const made = fieldsOf(receipt, wanted, "no receipt for it, so it is not in a block yet");
  const input = hexOf(sent, "input", wanted);
  const to = hexOf(sent, "to", wanted).toLowerCase();
  const from = hexOf(sent, "from", wanted).toLowerCase();
  const isHashVerified = requireTransaction(sent, hash);
  const decoded = decodeSettlement(input);
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
  const logs = logsOf(made, wanted);
  for (const log of logs) requireLog(log, { hash, blockNumber, blockHash: made.blockHash });
  const events = decodeSettlementEvents(logs.filter(({ address }) => sameHex(address, to)));
  if (!succeeded && logs.length > 0) {
    throw mismatch(RECEIPT, "logs", "none of a failed transaction", `${logs.length} logs`);
  }
  if (succeeded) requireEvents(decoded, { events, solver: from });
  return {
    ...decoded,
    txHash: hash,
    from,
    to,
    blockNumber: Number(blockNumber),
    succeeded,
    gasUsed,
    effectiveGasPrice,
    events,
    transfers: tokenTransfers(logs),
    hasAllLogs: countThrough(logs) && matchesBloom(logs, made.logsBloom) !== false,
    isHashVerified,
  };
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
