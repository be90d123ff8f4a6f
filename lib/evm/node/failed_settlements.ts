import { sameHex } from "../../units/mod.ts";
import { WORD_DIGITS } from "../hex.ts";
import {
  AUCTION_ID_DIGITS,
  decodeSettlement,
  SETTLE_SELECTOR,
  type SettlementTrade,
} from "../settlement/decode_settlement.ts";
import { decodeRevert, type RevertReason } from "../settlement/decode_revert.ts";
import {
  type BlockHeader,
  type FundingUnknown,
  readHeader,
  toBlockTag,
  toHeaderCall,
  toNoBlock,
  toUnknown,
} from "./block_at.ts";
import { classifyFault, findRefusal, formatMessage } from "./contract_calls.ts";
import { toAnswerError, toMismatch, toNodeError, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import { listInnerCalls, type MinedTransaction, readMined } from "./read_settlement.ts";
import { GET_RECEIPT, type OnchainSettlement, toSettlementCalls } from "./read_settlement_logs.ts";
import {
  isBusy,
  isQuantity,
  type RpcAnswer,
  type RpcNode,
  type RpcOptions,
} from "./rpc_batches.ts";

/** The settlements of an auction in a range of blocks. */
export interface AttemptQuestion {
  /** The settlement contract. */
  readonly settlementContract: string;
  /** The auction, whose id drivers append to the calldata. */
  readonly auctionId: number;
  /** The solver, which may settle through a contract of its own; `null` if unknown. */
  readonly solver: string | null;
  /** First block. */
  readonly fromBlock: number;
  /** Last block. */
  readonly toBlock: number;
  /** Whether a trade of the calldata is the wanted one. */
  readonly isWanted: (trade: SettlementTrade) => boolean;
}

/**
 * A replay of a failed transaction at the block before its own: it reverts for a reason, it does not
 * revert there, or the node does not tell.
 */
export type Replay =
  | { readonly outcome: "reverted"; readonly reason: RevertReason }
  | { readonly outcome: "succeeded" }
  | { readonly outcome: "unknown"; readonly why: string; readonly remedy: string };

/**
 * Evidence that a transaction was to settle an order in an auction: the order and the auction are in its
 * calldata, or only one of them in that of a transaction of the solver to another contract.
 */
export type AttemptBasis = "order_and_auction" | "order" | "auction";

/** A settlement that failed on the chain. */
export interface FailedSettlement
  extends Pick<OnchainSettlement, "txHash" | "from" | "gasUsed" | "effectiveGasPrice"> {
  /** The contract that it called, if that is not the settlement contract. */
  readonly through: string | null;
  /** Evidence that it was to settle the order. */
  readonly basis: AttemptBasis;
  /** Its block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** The most gas that it could use; `null` if the node does not report it. */
  readonly gasLimit: bigint | null;
  /** Its replay. */
  readonly replay: Replay;
}

/** Failed settlements in a range of blocks. */
export interface FailedSettlements {
  /** The settlements, by block. */
  readonly failures: readonly FailedSettlement[];
  /** Last block that the node has of the range. */
  readonly toBlock: number;
  /** Hash of that block; `null` if the node does not report it. */
  readonly lastHash: string | null;
}

const WANTED = "the transactions of failed settlements";

/**
 * Finds the transactions that were to settle an order in an auction, and failed: those to the settlement
 * contract, and those of the solver to other contracts. Each is replayed with `eth_call` in the state of
 * the block before it.
 *
 * Two requests, and two for each such transaction. Transactions are read with their receipts, and checked as
 * `settlement` does.
 *
 * @returns The transactions, and the last block that was searched; or why the node does not have the blocks with their transactions.
 * @throws {MismatchError} If answers contradict each other.
 * @throws {OrderlensError} If the node does not answer.
 */
export async function findFailedSettlements(
  source: NodeSource,
  question: AttemptQuestion,
  options: RpcOptions = {},
): Promise<FailedSettlements | FundingUnknown> {
  const ask = requireNode(source, WANTED, options);
  const blocks = await readBlocks(ask, question);
  if ("reason" in blocks) return blocks;
  const failures: FailedSettlement[] = [];
  for (const { header, parentHash, transactions } of blocks) {
    for (const { hash, to, from: sender, input, gas, value } of transactions) {
      const isComplete = typeof hash === "string" && typeof input === "string" &&
        typeof to === "string" && typeof sender === "string";
      if (!isComplete || !isCandidate({ to, from: sender, input }, question)) continue;
      const mined = readMined(hash, await ask(toSettlementCalls(hash)), WANTED);
      const { from, blockNumber, gasUsed, effectiveGasPrice } = mined;
      if (blockNumber !== header.number) {
        throw toMismatch(GET_RECEIPT, "blockNumber", header.number, blockNumber);
      }
      const basis = mined.succeeded ? null : recognizeAttempt(mined, question);
      if (basis === null) continue;
      const gasLimit = isQuantity(gas) ? BigInt(gas) : null;
      const paid = isQuantity(value) && BigInt(value) > 0n ? { value } : {};
      const call = { from, to, data: input, ...gasLimit === null ? {} : { gas }, ...paid };
      failures.push({
        ...{ txHash: hash, from, basis, gasUsed, effectiveGasPrice, gasLimit },
        through: sameHex(to, question.settlementContract) ? null : mined.to,
        block: header.number,
        at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
        replay: await replayCall(ask, call, { header, parentHash }),
      });
    }
  }
  const { number: toBlock, hash: lastHash } = blocks.at(-1)!.header;
  return { failures, toBlock, lastHash };
}

type Call = Pick<MinedTransaction, "to" | "from" | "input">;

/** Whether a transaction may be an attempt; its receipt is read then. */
function isCandidate({ to, from, input }: Call, question: AttemptQuestion): boolean {
  const { settlementContract, solver } = question;
  if (sameHex(to, settlementContract)) {
    return input.startsWith(SETTLE_SELECTOR) && endsWithAuction(input, question);
  }
  return solver !== null && sameHex(from, solver) &&
    (endsWithAuction(input, question) || input.toLowerCase().includes(SETTLE_SELECTOR.slice(2)));
}

function endsWithAuction(input: string, { auctionId }: AttemptQuestion): boolean {
  return input.toLowerCase().endsWith(auctionId.toString(16).padStart(AUCTION_ID_DIGITS, "0"));
}

/** Recognizes the attempt in the calldata of a candidate; `null` for those of other orders and auctions. */
function recognizeAttempt({ to, input }: Call, question: AttemptQuestion): AttemptBasis | null {
  const { auctionId, settlementContract, isWanted } = question;
  const settlements = sameHex(to, settlementContract)
    ? [decodeSettlement(input)]
    : [...listInnerCalls(input)];
  const hasAuction = endsWithAuction(input, question);
  if (settlements.length === 0) return hasAuction ? "auction" : null;
  const settlement = settlements.find((call) =>
    (call.auctionId ?? findAppendedId(input) ?? auctionId) === auctionId &&
    call.trades.some(isWanted)
  );
  if (settlement === undefined) return null;
  return hasAuction || settlement.auctionId !== null ? "order_and_auction" : "order";
}

/** Finds the id of an auction behind arguments of whole words; `null` where other bytes are there. */
function findAppendedId(input: string): number | null {
  const id = Number(`0x${input.slice(-AUCTION_ID_DIGITS)}`);
  const isAppended = (input.length - SETTLE_SELECTOR.length) % WORD_DIGITS === AUCTION_ID_DIGITS;
  return isAppended && id > 0 && Number.isSafeInteger(id) ? id : null;
}

/**
 * Whether the chain still has the last block of a search, and so all blocks before it: one request.
 *
 * @throws {OrderlensError} If the node does not answer.
 */
export async function hasLastBlock(
  source: NodeSource,
  { toBlock, lastHash }: Pick<FailedSettlements, "toBlock" | "lastHash">,
  options: RpcOptions = {},
): Promise<boolean> {
  const [answer] = await requireNode(source, WANTED, options)([toHeaderCall(toBlock)]);
  const hash = readHeader(answer!, toBlock, WANTED)?.hash ?? null;
  return hash !== null && lastHash !== null && sameHex(hash, lastHash);
}

/** A block with its transactions, as the node returned them. */
interface WholeBlock {
  readonly header: BlockHeader;
  readonly parentHash: unknown;
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

async function readBlocks(
  ask: RpcNode,
  { fromBlock, toBlock }: AttemptQuestion,
): Promise<WholeBlock[] | FundingUnknown> {
  const numbers = Array.from({ length: toBlock - fromBlock + 1 }, (_, index) => fromBlock + index);
  const answers = await ask(numbers.map((number) => ({
    method: "eth_getBlockByNumber",
    params: [toBlockTag(number), true],
  })));
  const blocks: WholeBlock[] = [];
  for (const [index, answer] of answers.entries()) {
    const number = numbers[index]!;
    const refusal = findRefusal(answer);
    if (refusal !== null) {
      const { reason, message } = refusal;
      const detail = `The node does not return the transactions of block ${number}: ${message}`;
      return toUnknown(reason, number, detail);
    }
    const header = readHeader(answer, number, WANTED);
    // Blocks after the latest one are still to come.
    if (header === null && blocks.length > 0) break;
    if (header === null) return toNoBlock(number);
    const block = Object(unwrap(answer, WANTED));
    const { transactions, parentHash } = block;
    const isWhole = Array.isArray(transactions) &&
      transactions.every((transaction) => typeof Object(transaction).input === "string");
    if (!isWhole) throw toAnswerError(block, WANTED, `block ${number} has no transactions in it`);
    blocks.push({ header, parentHash, transactions });
  }
  return blocks;
}

/** Calls again what failed, in the state that the block before left: others of its own block are not in it. */
async function replayCall(
  ask: RpcNode,
  call: object,
  { header, parentHash }: Pick<WholeBlock, "header" | "parentHash">,
): Promise<Replay> {
  const parentBlock = header.number - 1;
  const [headerAnswer, answer] = await ask([
    toHeaderCall(parentBlock),
    { method: "eth_call", params: [call, toBlockTag(parentBlock)] },
  ]);
  const parent = readHeader(headerAnswer!, parentBlock, WANTED);
  if (parent?.hash != null && typeof parentHash === "string" && !sameHex(parent.hash, parentHash)) {
    throw toMismatch("eth_getBlockByNumber", "hash of the block before", parentHash, parent.hash);
  }
  if ("result" in answer!) return { outcome: "succeeded" };
  const refusal = findRefusal(answer!);
  if (refusal !== null) {
    const detail = `The node does not execute calls at block ${parentBlock}: ${refusal.message}`;
    const { detail: why, remedy } = toUnknown(refusal.reason, parentBlock, detail);
    return { outcome: "unknown", why, remedy };
  }
  if (isBusy(answer!, { method: "eth_call" })) throw toNodeError(answer!, WANTED);
  return readRevert(answer!);
}

/** Reads the reason out of an error: from its data, otherwise from its message. */
function readRevert(answer: Exclude<RpcAnswer, { readonly result: unknown }>): Replay {
  const { error } = answer;
  const { data } = error;
  if (data !== undefined) return { outcome: "reverted", reason: decodeRevert(data) };
  if (classifyFault(error) !== "reverted") throw toNodeError(answer, WANTED);
  const text = formatMessage(error).replace(/^\W*execution reverted(?::\s*)?/i, "")
    .replace(/\s*\(-?\d+\)$/, "");
  return {
    outcome: "reverted",
    reason: {
      name: null,
      text: text === "" ? "no reason: the node passed on none" : text,
      data: null,
    },
  };
}
