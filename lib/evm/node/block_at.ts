import { formatInstant, sameHex } from "../../units/mod.ts";
import { malformedAnswer, mismatch, numberIn, resultOf } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import { RPC_CODES } from "./serve_json_rpc.ts";
import type { RpcAnswer, RpcCall, RpcNode, RpcOptions } from "./rpc_batches.ts";

/** How to look for a block. */
interface BlockAtOptions extends RpcOptions {
  /** Times of some blocks, between which it is looked for. @default {none} */
  readonly known?: ReadonlyMap<number, Temporal.Instant>;
}

const WANTED = "the block of a time";
/** Blocks per request: a range shrinks to a seventeenth. */
const PROBES = 16;
/** How far behind a time the latest block may be and still be the last one before it. */
const MOST_BEHIND_SECONDS = 300;

/**
 * The last block that was produced at a time or before: its state was the latest one then.
 *
 * Between two known blocks it takes one or two requests, otherwise about seven.
 *
 * @returns That the node does not have it, where a time is before its first block or minutes after
 * its latest one.
 * @throws {MismatchError} If the node returns another block, or timestamps that are not ascending.
 */
export async function blockAt(
  source: NodeSource,
  time: Temporal.Instant,
  { known = new Map(), ...sending }: BlockAtOptions = {},
): Promise<BlockHeader | FundingUnknown> {
  const ask = nodeOf(source, WANTED, sending);
  const seconds = Math.floor(time.epochMilliseconds / 1_000);
  const numbers = [...known.keys()].sort((a, b) => a - b);
  const isBefore = (block: number) => known.get(block)!.epochMilliseconds <= time.epochMilliseconds;
  const [first, last] = await headers(ask, [
    numbers.findLast(isBefore) ?? "earliest",
    numbers.find((block) => !isBefore(block)) ?? "latest",
  ]);
  if (first == null || first.timestamp > seconds) return missing(time, "is before its first block");
  if (last == null) return missing(time, "cannot be found: it has no latest block");
  if (last.timestamp <= seconds) {
    return seconds - last.timestamp <= MOST_BEHIND_SECONDS
      ? last
      : missing(time, `is after its latest block, ${last.number}`);
  }
  return await between(ask, { first, last, seconds }) ??
    missing(time, `cannot be found: it lacks blocks between ${first.number} and ${last.number}`);
}

/** Where to look: the time is at or after the first block, and before the last one. */
interface Range {
  readonly first: BlockHeader;
  readonly last: BlockHeader;
  readonly seconds: number;
}

async function between(ask: RpcNode, range: Range): Promise<BlockHeader | null> {
  let { first, last } = range;
  while (last.number - first.number > 1) {
    const inner = last.number - first.number - 1;
    const count = Math.min(PROBES, inner);
    const start = first.number;
    const places = Array.from(
      { length: count },
      (_, place) => start + Math.floor(((place + 1) * (inner + 1)) / (count + 1)),
    );
    const found = (await headers(ask, places)).filter((header) => header !== null);
    if (found.length === 0) return null;
    requireAscending([first, ...found, last]);
    first = found.findLast(({ timestamp }) => timestamp <= range.seconds) ?? first;
    last = found.find(({ timestamp }) => timestamp > range.seconds) ?? last;
  }
  return first;
}

async function headers(
  ask: RpcNode,
  blocks: readonly (number | "latest" | "earliest")[],
): Promise<(BlockHeader | null)[]> {
  const answers = await ask(blocks.map(headerCall));
  return answers.map((answer, place) => {
    const block = blocks[place]!;
    return readHeader(answer, typeof block === "number" ? block : null, WANTED);
  });
}

function requireAscending(blocks: readonly BlockHeader[]): void {
  for (const [place, { timestamp, number }] of blocks.entries()) {
    const before = blocks[place - 1]?.timestamp ?? timestamp;
    if (timestamp >= before) continue;
    throw mismatch(METHOD, `timestamp of block ${number}`, `at least ${before}`, timestamp);
  }
}

function missing(time: Temporal.Instant, why: string): FundingUnknown {
  return fundingUnknown(
    "no_such_block",
    null,
    `The node does not have the block of ${formatInstant(time)}, which ${why}`,
  );
}

/** What identifies a block. */
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
const LATEST_SECONDS = 2 ** 32 - 1;
const METHOD = "eth_getBlockByNumber";

/** The block parameter of a call: a number as hex, or a tag. */
export function blockTag(block: number | "latest" | "earliest"): string {
  return typeof block === "number" ? `0x${block.toString(16)}` : block;
}

/** The call for a header. */
export function headerCall(block: number | "latest" | "earliest"): RpcCall {
  return { method: METHOD, params: [blockTag(block), false] };
}

/**
 * Reads a header; `null` if the node does not have the block.
 *
 * @param asked Number that was asked for; `null` for a tag.
 * @throws {MismatchError} If it is of another block.
 * @throws {HttpError} If it is invalid, or another error.
 */
export function readHeader(
  answer: RpcAnswer,
  asked: number | null,
  wanted: string,
): BlockHeader | null {
  if ("error" in answer && isNotFound(answer.error)) return null;
  const body = resultOf(answer, wanted);
  if (body === null) return null;
  if (typeof body !== "object") throw malformedAnswer(body, wanted, "a block is no object");
  const number = numberIn(body, "number", { what: "a block", wanted });
  const timestamp = numberIn(body, "timestamp", { what: "a block", wanted });
  if (asked !== null && number !== asked) throw mismatch(METHOD, "number", asked, number);
  if (timestamp > LATEST_SECONDS) {
    throw malformedAnswer(body, wanted, "the timestamp of a block is not in seconds");
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
 * Requires that a block is the same as before, so that what was asked between was about it.
 *
 * @throws {MismatchError} If it is gone, or replaced.
 */
export function requireSameBlock(before: BlockHeader, after: BlockHeader | null): void {
  if (after === null) throw mismatch(METHOD, "block", before.number, "none");
  if (before.hash !== null && after.hash !== null && !sameHex(before.hash, after.hash)) {
    throw mismatch(METHOD, "hash", before.hash, after.hash);
  }
  if (before.timestamp !== after.timestamp) {
    throw mismatch(METHOD, "timestamp", before.timestamp, after.timestamp);
  }
}

function isNotFound({ code, message }: { code: number; message: string }): boolean {
  return NOT_FOUND_CODES.includes(code) || NOT_FOUND.test(message);
}

/** Where the sell token of an order is kept: in the account, or in the Balancer vault. */
export type FundingBalance = "erc20" | "external" | "internal";

/** Whose funds to read: the fields of an order, under their wire names. */
export interface FundingQuestion {
  /** Token that is sold. */
  readonly sellToken: string;
  /** Owner of the order; of an EthFlow order the EthFlow contract. */
  readonly owner: string;
  /** The settlement contract, which names the contract that takes tokens from owners. */
  readonly settlementContract: string;
  /** Chain id of the settlement contract's network: a node of another chain is refused. */
  readonly chainId?: number;
  /** Where the token is kept. @default {"erc20"} */
  readonly sellTokenBalance?: FundingBalance;
  /**
   * Whether the owner's native balance counts too, because the owner wraps it before a settlement, as
   * the EthFlow contract does.
   * @default {false}
   */
  readonly wrapsNative?: boolean;
}

/** What an account has of a token in the state of one block, and what may be taken of it. */
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
   * What may be taken, in atoms. For `external` and `internal` it is `0n` unless the owner has approved
   * the relayer in the vault; with that, `internal` has no limit: 2^256 − 1.
   */
  readonly allowanceAtoms: bigint;
  /** What a settlement can take: the smaller of all balances together and the allowance, in atoms. */
  readonly usableAtoms: bigint;
  /** The contract that the settlement contract takes tokens with. */
  readonly relayer: string;
  /** The contract that the allowance is for: the relayer; the vault for `external` and `internal`. */
  readonly spender: string;
  /** Whether the owner has approved the relayer in the vault; `null` for `erc20`. */
  readonly isRelayerApproved: boolean | null;
}

/** Why a node does not tell the funds of an account at a block. */
export type FundingReason =
  | "state_not_kept"
  | "no_such_block"
  | "calls_not_served"
  | "contract_does_not_answer";

/** That a node does not tell the funds of an account at a block, and why. */
export interface FundingUnknown {
  /** Why. */
  readonly reason: FundingReason;
  /** The same as a sentence, with the block and what the node says. */
  readonly detail: string;
  /** The block that was asked for; `null` for the latest one. */
  readonly block: number | null;
  /** What would show it. */
  readonly remedy: string;
}

const REMEDIES: Readonly<Record<FundingReason, string>> = {
  state_not_kept: "Ask an archive node, which keeps the state of every block",
  no_such_block: "Ask a node of the same network that is up to date and has all blocks",
  calls_not_served: "Ask a node, which executes calls: recordings have no state of contracts",
  contract_does_not_answer:
    "Check that the node belongs to the order's network, and that the contract existed at the block",
};

/** That the funds are not known, with its remedy. */
export function fundingUnknown(
  reason: FundingReason,
  block: number | null,
  detail: string,
): FundingUnknown {
  return { reason, detail, block, remedy: REMEDIES[reason] };
}

/** That a node lacks a block; without a number, any block. */
export function noSuchBlock(block: number | undefined): FundingUnknown {
  const detail = `The node does not have ${block === undefined ? "any block" : `block ${block}`}`;
  return fundingUnknown("no_such_block", block ?? null, detail);
}

/** That a contract does not answer a call of a function. */
export function silent(contract: string, name: string, block: number): FundingUnknown {
  const detail = `${contract} does not answer \`${name}\` in block ${block}`;
  return fundingUnknown("contract_does_not_answer", block, detail);
}
