import type { Abi, AbiFunction } from "viem";
import {
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  toFunctionSelector,
} from "viem/utils";
import { hideSecrets } from "../../errors/secrets.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { MULTICALL3_ABI, STATE_ABI, toLowerCase } from "../abis.ts";
import { asHex, requireHexBytes } from "../hex.ts";
import { readPlainValues } from "../plain_values.ts";
import {
  type BlockHeader,
  readHeader,
  requireSameBlock,
  toBlockTag,
  toHeaderCall,
} from "./block_at.ts";
import { toMismatch, unwrap } from "./json_rpc.ts";
import { isBusy, isQuantity, type RpcAnswer, type RpcCall, type RpcNode } from "./rpc_batches.ts";
import { RPC_CODES } from "./serve_json_rpc.ts";

/** A call that reads the state of a block. */
export interface StateCall {
  /** The contract, or for `getEthBalance` the account. */
  readonly to: string;
  /** The function. */
  readonly name: string;
  /** Its arguments. */
  readonly args?: readonly unknown[];
  /** The account that calls, where the contract may look at that. */
  readonly from?: string;
}

/** A node's refusal to serve the state of a block. */
export interface StateRefusal {
  /** Reason. */
  readonly reason: "state_not_kept" | "calls_not_served";
  /** The node's message. */
  readonly message: string;
}

/** The contract that batches calls; it has this address on every public network. */
export const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
/** Reads the native balance of an account: a function of Multicall3, and a method of nodes. */
const NATIVE_BALANCE = "getEthBalance";

/** Calls of Multicall3 about the block that it runs in. */
const BLOCK_CALLS: readonly StateCall[] = [
  { to: MULTICALL3, name: "getBlockNumber" },
  { to: MULTICALL3, name: "getCurrentBlockTimestamp" },
];

/** Creates the call for the native balance of an account. */
export function toBalanceCall(account: string): StateCall {
  return { to: account, name: NATIVE_BALANCE };
}

/**
 * Reads the state of one block: in one call of the Multicall3 contract, which also returns the block
 * it runs in, otherwise in a batch. The block is requested again after the calls: had it been
 * replaced in between, its hash would differ.
 *
 * @returns The value of each call; `undefined` where a contract does not exist or reverts.
 * @throws {MismatchError} If the responses are of another block.
 * @throws {HttpError} If the node returns an error that has nothing to do with the state.
 */
export async function readState(
  ask: RpcNode,
  header: BlockHeader,
  { calls, wanted }: { readonly calls: readonly StateCall[]; readonly wanted: string },
): Promise<readonly unknown[] | StateRefusal> {
  const tag = toBlockTag(header.number);
  const sendCalls = async (rpcCalls: readonly RpcCall[]): Promise<RpcAnswer[] | StateRefusal> => {
    const answers = await ask([...rpcCalls, toHeaderCall(header.number)]);
    requireSameBlock(header, readHeader(answers.pop()!, header.number, wanted));
    return answers.map(findRefusal).find((refusal) => refusal !== null) ?? answers;
  };
  // Called through Multicall3, a contract would see that contract as its caller.
  if (calls.every(({ from }) => from === undefined)) {
    const together = [...BLOCK_CALLS, ...calls];
    const answers = await sendCalls([toAggregateCall(together, tag)]);
    if ("reason" in answers) return answers;
    const data = decodeAggregate(together, answers[0]!) ?? [];
    const [number, timestamp, ...values] = data.map((result, index) =>
      decodeValue(together[index]!, result)
    );
    if (number !== undefined && timestamp !== undefined) {
      if (!header.hasOtherNumber) requireEqual("block.number", header.number, number);
      requireEqual("block.timestamp", header.timestamp, timestamp);
      return values;
    }
  }
  const answers = await sendCalls(calls.map((call) => toRpcCall(call, tag)));
  return "reason" in answers
    ? answers
    : answers.map((answer, index) => decodeAnswer(calls[index]!, answer, wanted));
}

/** Creates the call of a contract at a block, or for a native balance. */
export function toRpcCall({ to, name, args, from }: StateCall, tag: string): RpcCall {
  if (name === NATIVE_BALANCE) return { method: "eth_getBalance", params: [to, tag] };
  const transaction = {
    ...from === undefined ? {} : { from },
    to,
    data: encodeCalldata(name, args),
  };
  return { method: "eth_call", params: [transaction, tag] };
}

function encodeCalldata(functionName: string, args: readonly unknown[] = []): `0x${string}` {
  return encodeFunctionData({ abi: STATE_ABI, functionName, args });
}

/** Decodes the response to a call; `undefined` if it reverted, or returned another type. */
export function decodeAnswer(call: StateCall, answer: RpcAnswer, wanted: string): unknown {
  if ("error" in answer && classifyFault(answer.error) === "reverted") return undefined;
  const result = unwrap(answer, wanted);
  return typeof result === "string" ? decodeValue(call, result) : undefined;
}

/** Decodes the data that a call returned; `undefined` if it is not of the function's type. */
export function decodeValue({ name }: Pick<StateCall, "name">, data: string | undefined): unknown {
  if (data === undefined) return undefined;
  if (name === NATIVE_BALANCE) return isQuantity(data) ? BigInt(data) : undefined;
  try {
    const encoded = { abi: STATE_ABI, functionName: name, data: requireHexBytes(data) };
    return toLowerCase(decodeFunctionResult(encoded));
  } catch {
    return undefined;
  }
}

/** Creates the call of several contracts at once, of which any may fail. */
export function toAggregateCall(calls: readonly StateCall[], tag: string): RpcCall {
  const aggregated = calls.map((call) => {
    const isNative = call.name === NATIVE_BALANCE;
    return {
      target: asHex(isNative ? MULTICALL3 : call.to),
      allowFailure: true,
      callData: encodeCalldata(call.name, isNative ? [call.to] : call.args),
    };
  });
  const data = encodeFunctionData({ abi: MULTICALL3_ABI, args: [aggregated] });
  return { method: "eth_call", params: [{ to: MULTICALL3, data }, tag] };
}

/**
 * Decodes the data that each of the aggregated calls returned, `undefined` for one that failed; `undefined` as
 * a whole if the contract does not exist, or is a different one.
 */
export function decodeAggregate(
  calls: readonly StateCall[],
  answer: RpcAnswer,
): readonly (string | undefined)[] | undefined {
  if (!("result" in answer) || typeof answer.result !== "string") return undefined;
  try {
    const data = requireHexBytes(answer.result);
    const results = decodeFunctionResult({ abi: MULTICALL3_ABI, data });
    if (results.length !== calls.length) return undefined;
    return results.map(({ success, returnData }) => success ? returnData : undefined);
  } catch {
    return undefined;
  }
}

/** Returns why the node does not serve the state, if its response says so. */
export function findRefusal(answer: RpcAnswer): StateRefusal | null {
  if ("result" in answer || isBusy(answer, { method: "eth_call" })) return null;
  const reason = classifyFault(answer.error);
  if (reason === null || reason === "reverted") return null;
  return { reason, message: formatMessage(answer.error) };
}

function requireEqual(field: string, header: number, returned: unknown): void {
  if (returned === BigInt(header)) return;
  throw toMismatch("eth_call", field, header, returned);
}

/** An error that a node returns for a call. */
type NodeError = Extract<RpcAnswer, { readonly error: unknown }>["error"];

/** Meaning of the error of a call at a block. */
type StateFault = "state_not_kept" | "calls_not_served" | "reverted";

/** "Method not supported" of EIP-1474. */
const UNSUPPORTED = -32004;

/** Code of OpenEthereum and Nethermind for a call that fails. */
const FAILED_CALL = -32015;

/** The status of HTTP for too many requests, which some nodes use as a code. */
const TOO_MANY_REQUESTS = 429;

const MAX_MESSAGE_CHARS = 200;

const REVERTED =
  /\brevert|invalid (?:opcode|jump)|bad (?:jump|instruction)|out of gas|stack (?:under|over)flow|vm (?:execution|exception)|evm (?:error|exception)/i;

/**
 * Messages of nodes that do not keep a state: geth, Erigon, Nethermind, Besu, Reth, Anvil, and
 * providers in front of them, which ask for another plan.
 */
const MISSING_STATE = new RegExp(
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

/** Classifies the error of a call at a block; `null` if it may be anything else. */
export function classifyFault({ code, message }: NodeError): StateFault | null {
  if (code === RPC_CODES.reverted || code === FAILED_CALL) return "reverted";
  if (code === RPC_CODES.tooMuch || code === TOO_MANY_REQUESTS) return null;
  if (code === RPC_CODES.prunedHistory) return "state_not_kept";
  if (code === RPC_CODES.unknownMethod || code === UNSUPPORTED) return "calls_not_served";
  if (NOT_SERVED.test(message)) return "calls_not_served";
  // The reason of a revert may be any text, which is not the node's own.
  if (/^\W*(?:execution )?revert/i.test(message)) return "reverted";
  if (MISSING_STATE.test(message)) return "state_not_kept";
  return REVERTED.test(message) ? "reverted" : null;
}

/** Formats a node's message as one short line. */
export function formatMessage({ code, message }: NodeError): string {
  const words = hideSecrets(message).replace(/[\p{Cc}\s]+/gu, " ").trim();
  const short = words.length > MAX_MESSAGE_CHARS ? `${words.slice(0, MAX_MESSAGE_CHARS)}…` : words;
  return `${short} (${code})`;
}

/** Value that the contract stores for a pre-signed order: keccak256("GPv2Signing.Scheme.PreSign"). */
export const PRE_SIGNED = "0xf59c009283ff87aa78203fc4d9c2df025ee851130fb69cc3e068941f6b5e2d6f";
/** Filled amount that the contract stores for an order that was cancelled on the chain. */
export const CANCELLED_ATOMS: bigint = MAX_AMOUNT;

const functions = new Map<string, AbiFunction>();

/**
 * Reads the call in calldata, hex in lower case, with an encoder of its result; `null` if its function is
 * none of those read here, or its arguments are not.
 */
export function readCall(data: string) {
  if (functions.size === 0) {
    for (const item of [...STATE_ABI, ...MULTICALL3_ABI]) {
      if (item.type === "function") functions.set(toFunctionSelector(item), item);
    }
  }
  const called = functions.get(data.slice(0, SELECTOR_END));
  if (called === undefined) return null;
  const { name, inputs } = called;
  const args = inputs.length === 0 ? [] : readPlainValues(inputs, data.slice(SELECTOR_END))?.values;
  const abi: Abi = [called];
  const returns = (result: unknown): string => encodeFunctionResult({ abi, result });
  return args === undefined ? null : { name, args, returns };
}

const SELECTOR_END = 2 + 8;
