import { decodeFunctionData, encodeFunctionData, encodeFunctionResult } from "viem/utils";
import { hideSecrets } from "../../errors/secrets.ts";
import { addressWord, hexText } from "../hex.ts";
import {
  another,
  type BlockHeader,
  blockTag,
  headerCall,
  readHeader,
  requireSameBlock,
} from "./block_at.ts";
import { resultOf } from "./json_rpc.ts";
import {
  aggregateCall,
  aggregatedResults,
  type ContractCall,
  MULTICALL3,
  MULTICALL3_ABI,
} from "./read_tokens.ts";
import { isBusy, type RpcAnswer, type RpcCall, type RpcNode } from "./rpc_batches.ts";
import { RPC_CODES } from "./serve_json_rpc.ts";

/**
 * Something to read of a block's state: a call of a contract, by an account that it may look at, or
 * the native balance of an account.
 */
export type StateCall = ContractCall & { readonly from?: string } | { readonly nativeOf: string };

/** What contracts return at one block; `undefined` where one does not exist or reverts. */
interface StateAnswers {
  /** Return data, one for each call. */
  readonly returned: readonly (string | undefined)[];
}

/** That a node does not serve the state of a block, and how it says so. */
export interface StateRefusal {
  /** Why. */
  readonly reason: "state_not_kept" | "calls_not_served";
  /** The words of the node. */
  readonly said: string;
}

/** Selectors of Multicall3 by what they return: `getBlockNumber()` and the others. */
const OWN_NUMBER = "0x42cbb15c";

const OWN_TIMESTAMP = "0x0f28c97d";

const NATIVE_BALANCE = "0x4d2301cc";

const MULTICALL = `0x${MULTICALL3.slice(2)}` as const;

/**
 * Reads the state of one block: in one call of the Multicall3 contract, which also says which block
 * it runs in, otherwise in a batch. The block is requested again behind the calls: had it been
 * replaced between, its hash would differ.
 *
 * @throws {MismatchError} If the answers are of another block.
 * @throws {HttpError} If the node returns an error that has nothing to do with the state.
 */
export async function callsAt(
  ask: RpcNode,
  header: BlockHeader,
  { calls, wanted }: { readonly calls: readonly StateCall[]; readonly wanted: string },
): Promise<StateAnswers | StateRefusal> {
  // Called by the Multicall3 contract, a contract would see that one.
  if (calls.some((call) => "from" in call)) return await oneByOne(ask, header, { calls, wanted });
  const tag = blockTag(header.number);
  const proof = [
    { to: MULTICALL, data: OWN_NUMBER },
    { to: MULTICALL, data: OWN_TIMESTAMP },
  ] as const;
  const data = aggregateCall([...proof, ...calls.map(aggregated)]);
  const [together, after] = await ask([ethCall(MULTICALL, data, tag), headerCall(header.number)]);
  requireSameBlock(header, readHeader(after!, header.number, wanted));
  const refusal = refusalIn(together!);
  if (refusal !== null) return refusal;
  const results = aggregatedResults(together!, proof.length + calls.length);
  if (results === undefined || results[0] === undefined || results[1] === undefined) {
    return await oneByOne(ask, header, { calls, wanted });
  }
  const [number, timestamp, ...returned] = results;
  if (!header.hasOtherNumber) requireEqual("block.number", header.number, number!);
  requireEqual("block.timestamp", header.timestamp, timestamp!);
  return { returned };
}

async function oneByOne(
  ask: RpcNode,
  header: BlockHeader,
  { calls, wanted }: { readonly calls: readonly StateCall[]; readonly wanted: string },
): Promise<StateAnswers | StateRefusal> {
  const tag = blockTag(header.number);
  const answers = await ask([
    ...calls.map((call): RpcCall =>
      "nativeOf" in call
        ? { method: "eth_getBalance", params: [call.nativeOf, tag] }
        : ethCall(call.to, call.data, tag, call.from)
    ),
    headerCall(header.number),
  ]);
  requireSameBlock(header, readHeader(answers.at(-1)!, header.number, wanted));
  const returned: (string | undefined)[] = [];
  for (const answer of answers.slice(0, -1)) {
    const refusal = refusalIn(answer);
    if (refusal !== null) return refusal;
    returned.push(returnedBy(answer, wanted));
  }
  return { returned };
}

/** What a call returned; `undefined` if it reverted. */
export function returnedBy(answer: RpcAnswer, wanted: string): string | undefined {
  if ("error" in answer && stateFault(answer.error) === "reverted") return undefined;
  const result = resultOf(answer, wanted);
  return typeof result === "string" ? result : undefined;
}

/** Why the node does not serve the state, if that is what its answer says. */
export function refusalIn(answer: RpcAnswer): StateRefusal | null {
  if ("result" in answer || isBusy(answer, { method: "eth_call" })) return null;
  const reason = stateFault(answer.error);
  if (reason === null || reason === "reverted") return null;
  return { reason, said: saidBy(answer.error) };
}

/** A call of a contract at a block. */
export function ethCall(to: string, data: string, tag: string, from?: string): RpcCall {
  const sent = from === undefined ? { to, data } : { from, to, data };
  return { method: "eth_call", params: [sent, tag] };
}

function aggregated(call: StateCall): ContractCall {
  if (!("nativeOf" in call)) return call;
  return { to: MULTICALL, data: `${NATIVE_BALANCE}${addressWord(call.nativeOf).slice(2)}` };
}

function requireEqual(field: string, expected: number, word: string): void {
  const found = /^0x[0-9a-f]{1,64}$/i.test(word) ? BigInt(word) : null;
  if (found === BigInt(expected)) return;
  throw another(field, `${expected}`, `${found ?? word.slice(0, 80)}`, "eth_call");
}

/** An error that a node returns for a call. */
type NodeError = Extract<RpcAnswer, { readonly error: unknown }>["error"];

/** What the error of a call at a block means. */
type StateFault = "state_not_kept" | "calls_not_served" | "reverted";

/** "Method not supported" of EIP-1474. */
const UNSUPPORTED = -32004;

/** Code of OpenEthereum and Nethermind for a call that fails. */
const FAILED_CALL = -32015;

/** The status of HTTP for too many requests, which some nodes use as a code. */
const TOO_MANY_REQUESTS = 429;

const MOST_SHOWN = 200;

const REVERTED =
  /\brevert|invalid (?:opcode|jump)|bad (?:jump|instruction)|out of gas|stack (?:under|over)flow|vm (?:execution|exception)|evm (?:error|exception)/i;

/**
 * How nodes say that they do not keep a state: geth, Erigon, Nethermind, Besu, Reth, Anvil, and
 * providers in front of them, which ask for another plan.
 */
const NOT_KEPT = new RegExp(
  [
    "missing trie node",
    "historical state",
    "header not found",
    "unknown block",
    "block not found",
    "prun(?:ed|ing)",
    "archiv",
    "not kept",
    "proof window",
    "blockoutofrange",
    "block (?:height )?(?:is )?out of range",
    "no state (?:is )?(?:available|found)",
    "(?:world ?)?state .{0,80}(?:not available|unavailable|not found|does not exist)",
    "world ?state unavailable",
    "old data not available",
    "history (?:is )?not available",
  ].join("|"),
  "i",
);

const NOT_SERVED =
  /not recorded|method .{0,60}(?:not (?:found|supported|available|allowed|exist)|does not exist|disabled)/i;

/** What the error of a call at a block means; `null` if it may be anything else. */
function stateFault({ code, message }: NodeError): StateFault | null {
  if (code === RPC_CODES.reverted || code === FAILED_CALL) return "reverted";
  if (code === RPC_CODES.tooMuch || code === TOO_MANY_REQUESTS) return null;
  if (code === RPC_CODES.prunedHistory) return "state_not_kept";
  if (code === RPC_CODES.unknownMethod || code === UNSUPPORTED) return "calls_not_served";
  if (NOT_SERVED.test(message)) return "calls_not_served";
  // What a contract reverts with may be any text, which is not the node's own.
  if (/^\W*(?:execution )?revert/i.test(message)) return "reverted";
  if (NOT_KEPT.test(message)) return "state_not_kept";
  return REVERTED.test(message) ? "reverted" : null;
}

/** What a node says, on one short line. */
function saidBy({ code, message }: NodeError): string {
  const words = hideSecrets(message).replace(/[\p{Cc}\s]+/gu, " ").trim();
  const short = words.length > MOST_SHOWN ? `${words.slice(0, MOST_SHOWN)}…` : words;
  return `${short} (${code})`;
}

const UID_INPUT = [{ name: "orderUid", type: "bytes" }] as const;
const NUMBER = [{ name: "", type: "uint256" }] as const;

/** Functions that tell what settlements make of an order, of the settlement contract and of wallets. */
const ORDER_ABI = [
  {
    type: "function",
    name: "filledAmount",
    stateMutability: "view",
    inputs: UID_INPUT,
    outputs: NUMBER,
  },
  {
    type: "function",
    name: "preSignature",
    stateMutability: "view",
    inputs: UID_INPUT,
    outputs: NUMBER,
  },
  {
    type: "function",
    name: "isValidSignature",
    stateMutability: "view",
    inputs: [{ name: "digest", type: "bytes32" }, { name: "signature", type: "bytes" }],
    outputs: [{ name: "", type: "bytes4" }],
  },
] as const;

/** What the contract stores for a pre-signed order: keccak256("GPv2Signing.Scheme.PreSign"). */
export const PRE_SIGNED = "0xf59c009283ff87aa78203fc4d9c2df025ee851130fb69cc3e068941f6b5e2d6f";
/** How the word begins that a wallet returns for a valid signature; the contract reads no more of it. */
const VALID = /^0x1626ba7e[0-9a-f]{56}/i;
/** What the contract counts as filled of an order that was cancelled on the chain. */
export const CANCELLED: bigint = 2n ** 256n - 1n;

/** The call for what is filled of an order. */
export function filledCall(settlementContract: string, uid: string): StateCall {
  return { to: hexText(settlementContract), data: encoded("filledAmount", uid) };
}

/** The call for whether an order is pre-signed. */
export function presignCall(settlementContract: string, uid: string): StateCall {
  return { to: hexText(settlementContract), data: encoded("preSignature", uid) };
}

/** The call for whether a wallet takes a signature for its own, as the settlement contract asks. */
export function walletCall(
  settlementContract: string,
  { owner, digest, signature }: { owner: string; digest: string; signature: string },
): StateCall {
  const data = encodeFunctionData({
    abi: ORDER_ABI,
    functionName: "isValidSignature",
    args: [hexText(digest), hexText(signature)],
  });
  return { from: settlementContract, to: hexText(owner), data };
}

/** Whether the contract has the order for pre-signed; `null` if it does not say. */
export function isPresigned(returned: string | undefined): boolean | null {
  const word = returned?.toLowerCase() ?? "";
  return /^0x[0-9a-f]{64}$/.test(word) ? word === PRE_SIGNED : null;
}

/** Whether a wallet says that a signature is valid, in the form that the contract requires. */
export function isApproved(returned: string | undefined): boolean {
  return VALID.test(returned ?? "");
}

/** What is filled; `null` if the contract does not say. */
export function filledIn(returned: string | undefined): bigint | null {
  return /^0x[0-9a-f]{64}$/i.test(returned ?? "") ? BigInt(returned!) : null;
}

function encoded(functionName: "filledAmount" | "preSignature", uid: string): `0x${string}` {
  return encodeFunctionData({ abi: ORDER_ABI, functionName, args: [hexText(uid)] });
}

/** One of several calls in one transaction. */
interface AggregatedCall {
  /** The contract, in lower case. */
  readonly to: string;
  /** Calldata. */
  readonly data: string;
  /** Whether the others continue if it fails. */
  readonly allowFailure: boolean;
}

/** The result of one of the calls. */
interface AggregatedResult {
  /** Whether it succeeded. */
  readonly success: boolean;
  /** Return data. */
  readonly returnData: string;
}

/** The calls in calldata of `aggregate3` of Multicall3; `null` for other calldata. */
export function decodeAggregate(data: string): readonly AggregatedCall[] | null {
  try {
    const { args: [calls] } = decodeFunctionData({ abi: MULTICALL3_ABI, data: hexText(data) });
    return calls.map(({ target, callData, allowFailure }) => ({
      to: target.toLowerCase(),
      data: callData,
      allowFailure,
    }));
  } catch {
    return null;
  }
}

/** The return data of `aggregate3`. */
export function encodeAggregateResults(results: readonly AggregatedResult[]): string {
  return encodeFunctionResult({
    abi: MULTICALL3_ABI,
    result: results.map(({ success, returnData }) => ({
      success,
      returnData: hexText(returnData),
    })),
  });
}
