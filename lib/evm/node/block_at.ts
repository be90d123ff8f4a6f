import type { MismatchError } from "../../errors/mod.ts";
import { formatInstant, sameHex } from "../../units/mod.ts";
import { readNumber, toAnswerError, toMismatch, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import { RPC_CODES } from "./serve_json_rpc.ts";
import type { RpcAnswer, RpcCall, RpcNode, RpcOptions } from "./rpc_batches.ts";

/** Options of {@linkcode findBlockAt}. */
interface BlockAtOptions extends RpcOptions {
  /** Known times of some blocks, which bound the search. @default {none} */
  readonly knownTimes?: ReadonlyMap<number, Temporal.Instant>;
}

const WANTED = "the block of a time";
/** Blocks per request: a range shrinks to a seventeenth. */
const PROBES = 16;
/** Maximum age of the latest block at which it counts as the last one before a time. */
const MAX_BEHIND_SECONDS = 300;

/**
 * Finds the last block produced at or before a time: its state was the latest one then.
 *
 * Between two known blocks it takes one or two requests, otherwise about seven.
 *
 * @returns The block; or why the node does not have it, if the time is before its first block or minutes
 * after its latest one.
 * @throws {MismatchError} If the node returns another block, or timestamps that are not ascending.
 */
export async function findBlockAt(
  source: NodeSource,
  time: Temporal.Instant,
  { knownTimes = new Map(), ...sending }: BlockAtOptions = {},
): Promise<BlockHeader | FundingUnknown> {
  const ask = requireNode(source, WANTED, sending);
  const seconds = Math.floor(time.epochMilliseconds / 1_000);
  const numbers = [...knownTimes.keys()].sort((a, b) => a - b);
  const isBefore = (block: number) =>
    knownTimes.get(block)!.epochMilliseconds <= time.epochMilliseconds;
  const [first, last] = await fetchHeaders(ask, [
    numbers.findLast(isBefore) ?? "earliest",
    numbers.find((block) => !isBefore(block)) ?? "latest",
  ]);
  if (first == null || first.timestamp > seconds) {
    return toMissingBlock(time, "is before its first block");
  }
  if (last == null) return toMissingBlock(time, "cannot be found: it has no latest block");
  if (last.timestamp <= seconds) {
    return seconds - last.timestamp <= MAX_BEHIND_SECONDS
      ? last
      : toMissingBlock(time, `is after its latest block, ${last.number}`);
  }
  return await searchRange(ask, { first, last, seconds }) ??
    toMissingBlock(
      time,
      `cannot be found: it lacks blocks between ${first.number} and ${last.number}`,
    );
}

/** The searched range: the time is at or after the first block, and before the last one. */
interface Range {
  readonly first: BlockHeader;
  readonly last: BlockHeader;
  readonly seconds: number;
}

async function searchRange(ask: RpcNode, range: Range): Promise<BlockHeader | null> {
  let { first, last } = range;
  while (last.number - first.number > 1) {
    const inner = last.number - first.number - 1;
    const count = Math.min(PROBES, inner);
    const start = first.number;
    const numbers = Array.from(
      { length: count },
      (_, index) => start + Math.floor(((index + 1) * (inner + 1)) / (count + 1)),
    );
    const probes = (await fetchHeaders(ask, numbers)).filter((header) => header !== null);
    if (probes.length === 0) return null;
    const fault = findDescent([first, ...probes, last]);
    if (fault !== null) throw fault;
    first = probes.findLast(({ timestamp }) => timestamp <= range.seconds) ?? first;
    last = probes.find(({ timestamp }) => timestamp > range.seconds) ?? last;
  }
  return first;
}

async function fetchHeaders(
  ask: RpcNode,
  blocks: readonly (number | "latest" | "earliest")[],
): Promise<(BlockHeader | null)[]> {
  const answers = await ask(blocks.map(toHeaderCall));
  return answers.map((answer, index) => {
    const block = blocks[index]!;
    return readHeader(answer, typeof block === "number" ? block : null, WANTED);
  });
}

/**
 * Looks for the first block whose timestamp is before that of the previous one.
 *
 * @param blocks Blocks by ascending number.
 * @returns The error about it; `null` if there is none.
 */
export function findDescent(
  blocks: readonly Pick<BlockHeader, "number" | "timestamp">[],
): MismatchError | null {
  for (const [index, { timestamp, number }] of blocks.entries()) {
    const previous = blocks[index - 1]?.timestamp ?? timestamp;
    if (timestamp >= previous) continue;
    return toMismatch(METHOD, `timestamp of block ${number}`, `at least ${previous}`, timestamp);
  }
  return null;
}

function toMissingBlock(time: Temporal.Instant, reason: string): FundingUnknown {
  return toUnknown(
    "no_such_block",
    null,
    `The node does not have the block of ${formatInstant(time)}, which ${reason}`,
  );
}

/** Fields that identify a block. */
export interface BlockHeader {
  /** Its number. */
  readonly number: number;
  /** Its hash; `null` if the node does not report it, as recordings. */
  readonly hash: string | null;
  /** Its timestamp, in unix seconds. */
  readonly timestamp: number;
  /** Whether contracts see the number of another chain's block as its number, as on Arbitrum. */
  readonly hasOtherNumber: boolean;
}

/** Codes of errors for a block that the node does not have. */
export const NOT_FOUND_CODES: readonly number[] = [-32001, -39001, RPC_CODES.prunedHistory];
const NOT_FOUND = /not found|unknown block|not recorded|prun|out of range/i;
/** The largest timestamp that the contracts' 32 bits hold, in 2106: no block is later. */
const MAX_SECONDS = 2 ** 32 - 1;
const METHOD = "eth_getBlockByNumber";

/** Formats the block parameter of a call: a number as hex, or a tag. */
export function toBlockTag(block: number | "latest" | "earliest"): string {
  return typeof block === "number" ? `0x${block.toString(16)}` : block;
}

/** Creates the call for a header. */
export function toHeaderCall(block: number | "latest" | "earliest"): RpcCall {
  return { method: METHOD, params: [toBlockTag(block), false] };
}

/**
 * Reads a header; `null` if the node does not have the block.
 *
 * @param requested Requested number; `null` for a tag.
 * @throws {MismatchError} If it is of another block.
 * @throws {HttpError} If it is invalid, or another error.
 */
export function readHeader(
  answer: RpcAnswer,
  requested: number | null,
  wanted: string,
): BlockHeader | null {
  if ("error" in answer && isNotFound(answer.error)) return null;
  const body = unwrap(answer, wanted);
  if (body === null) return null;
  if (typeof body !== "object") throw toAnswerError(body, wanted, "a block is not an object");
  const number = readNumber(body, "number", { subject: "a block", wanted });
  const timestamp = readNumber(body, "timestamp", { subject: "a block", wanted });
  if (requested !== null && number !== requested) {
    throw toMismatch(METHOD, "number", requested, number);
  }
  if (timestamp > MAX_SECONDS) {
    throw toAnswerError(body, wanted, "the timestamp of a block is not in seconds");
  }
  const hash: unknown = Reflect.get(body, "hash");
  const isHash = typeof hash === "string" && /^0x[0-9a-fA-F]{64}$/.test(hash);
  return {
    number,
    timestamp,
    hash: isHash ? hash.toLowerCase() : null,
    hasOtherNumber: Reflect.get(body, "l1BlockNumber") != null,
  };
}

/**
 * Requires that a block is unchanged, so that the calls in between were about it.
 *
 * @throws {MismatchError} If it is gone, or replaced.
 */
export function requireSameBlock(first: BlockHeader, second: BlockHeader | null): void {
  if (second === null) throw toMismatch(METHOD, "block", first.number, "none");
  if (first.hash !== null && second.hash !== null && !sameHex(first.hash, second.hash)) {
    throw toMismatch(METHOD, "hash", first.hash, second.hash);
  }
  if (first.timestamp !== second.timestamp) {
    throw toMismatch(METHOD, "timestamp", first.timestamp, second.timestamp);
  }
}

function isNotFound({ code, message }: { code: number; message: string }): boolean {
  return NOT_FOUND_CODES.includes(code) || NOT_FOUND.test(message);
}

/** Location of an order's sell token: the account, or the Balancer vault. */
export type FundingBalance = "erc20" | "external" | "internal";

/** The account and token to read: the fields of an order, under their wire names. */
export interface FundingQuestion {
  /** Token that is sold. */
  readonly sellToken: string;
  /** Owner of the order; of an EthFlow order the EthFlow contract. */
  readonly owner: string;
  /** The settlement contract, which names the contract that takes tokens from owners. */
  readonly settlementContract: string;
  /** Chain id of the settlement contract's network: a node of another chain is refused. */
  readonly chainId?: number;
  /** Location of the token. @default {"erc20"} */
  readonly sellTokenBalance?: FundingBalance;
  /**
   * Whether the owner's native balance counts too, because the owner wraps it before a settlement, as
   * the EthFlow contract does.
   * @default {false}
   */
  readonly wrapsNative?: boolean;
}

/** Balance and allowance of an account in the state of one block. */
export interface Funding {
  /** The block whose state it is. */
  readonly block: number;
  /** Hash of the block; `null` if the node does not report it. */
  readonly blockHash: string | null;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** Balance of the token, in atoms: of the account, or inside the vault for `internal`. */
  readonly balanceAtoms: bigint;
  /** Native balance that counts too, in atoms; `0n` unless the question has `wrapsNative`. */
  readonly nativeAtoms: bigint;
  /**
   * Amount that may be taken, in atoms. For `external` and `internal` it is `0n` unless the owner has approved
   * the relayer in the vault; with that, `internal` has no limit: 2^256 − 1.
   */
  readonly allowanceAtoms: bigint;
  /** Amount that a settlement can take: the minimum of all balances together and the allowance, in atoms. */
  readonly usableAtoms: bigint;
  /** The contract that the settlement contract takes tokens with. */
  readonly relayer: string;
  /** The contract that the allowance is for: the relayer; the vault for `external` and `internal`. */
  readonly spender: string;
  /** Whether the owner has approved the relayer in the vault; `null` for `erc20`. */
  readonly isRelayerApproved: boolean | null;
}

/** The reason why a node does not return the funds of an account at a block. */
export type FundingReason =
  | "state_not_kept"
  | "no_such_block"
  | "calls_not_served"
  | "contract_does_not_answer";

/** The result if a node does not return the funds of an account at a block. */
export interface FundingUnknown {
  /** Reason. */
  readonly reason: FundingReason;
  /** Reason as a sentence, with the block and the node's message. */
  readonly detail: string;
  /** The requested block; `null` for the latest one. */
  readonly block: number | null;
  /** Remedy. */
  readonly remedy: string;
}

const REMEDIES: Readonly<Record<FundingReason, string>> = {
  state_not_kept: "Ask an archive node, which keeps the state of every block",
  no_such_block: "Ask a node of the same network that is up to date and has all blocks",
  calls_not_served: "Ask a node, which executes calls: recordings have no state of contracts",
  contract_does_not_answer:
    "Check that the node belongs to the order's network, and that the contract existed at the block",
};

/** Creates the result for unknown funds, with its remedy. */
export function toUnknown(
  reason: FundingReason,
  block: number | null,
  detail: string,
): FundingUnknown {
  return { reason, detail, block, remedy: REMEDIES[reason] };
}

/** Creates the result for a block that a node lacks; without a number, any block. */
export function toNoBlock(block: number | undefined): FundingUnknown {
  const detail = `The node does not have ${block === undefined ? "any block" : `block ${block}`}`;
  return toUnknown("no_such_block", block ?? null, detail);
}

/** Creates the result for a contract that does not answer a call of a function. */
export function toNoAnswer(contract: string, name: string, block: number): FundingUnknown {
  const detail = `${contract} does not answer \`${name}\` in block ${block}`;
  return toUnknown("contract_does_not_answer", block, detail);
}
