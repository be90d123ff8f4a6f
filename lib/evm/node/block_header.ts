import { MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { malformedAnswer, resultOf, type RpcAnswer, type RpcCall } from "./json_rpc.ts";
import { RPC_CODES } from "./rpc_error.ts";

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
const NOT_FOUND_CODES: readonly number[] = [-32001, -39001, RPC_CODES.prunedHistory];
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
  const number = quantityOf(body, "number", wanted);
  const timestamp = quantityOf(body, "timestamp", wanted);
  if (asked !== null && number !== asked) throw another("number", `${asked}`, `${number}`);
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
  if (after === null) throw another("block", `${before.number}`, "none");
  if (before.hash !== null && after.hash !== null && !sameHex(before.hash, after.hash)) {
    throw another("hash", before.hash, after.hash);
  }
  if (before.timestamp !== after.timestamp) {
    throw another("timestamp", `${before.timestamp}`, `${after.timestamp}`);
  }
}

/** The error for an answer about another block than asked for. */
export function another(
  field: string,
  asked: string,
  answered: string,
  request: string = METHOD,
): MismatchError {
  return new MismatchError({
    request,
    field,
    asked,
    answered,
    remedy:
      "Retry: the chain has been reorganized, or the address is of several nodes that differ, or of another network",
  });
}

function isNotFound({ code, message }: { code: number; message: string }): boolean {
  return NOT_FOUND_CODES.includes(code) || NOT_FOUND.test(message);
}

function quantityOf(body: object, name: string, wanted: string): number {
  const value: unknown = Reflect.get(body, name);
  if (typeof value === "string" && /^0x[0-9a-fA-F]{1,13}$/.test(value)) return Number(value);
  throw malformedAnswer(body, wanted, `the \`${name}\` of a block is not a hex number`);
}
