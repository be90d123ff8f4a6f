import type { Abi, AbiFunction } from "viem";
import {
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  toFunctionSelector,
} from "viem/utils";
import { hideSecrets } from "../../errors/secrets.ts";
import { lowerCase, MULTICALL3_ABI, STATE_ABI } from "../abis.ts";
import { hexText, wholeBytes } from "../hex.ts";
import { readPlainValues } from "../plain_values.ts";
import {
  type BlockHeader,
  blockTag,
  headerCall,
  readHeader,
  requireSameBlock,
} from "./block_at.ts";
import { mismatch, resultOf } from "./json_rpc.ts";
import { isBusy, type RpcAnswer, type RpcCall, type RpcNode } from "./rpc_batches.ts";
import { RPC_CODES } from "./serve_json_rpc.ts";

/** Something to read of a block's state. */
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

/** That a node does not serve the state of a block, and how it says so. */
export interface StateRefusal {
  /** Why. */
  readonly reason: "state_not_kept" | "calls_not_served";
  /** The words of the node. */
  readonly said: string;
}

/** The contract that batches calls; it has this address on every public network. */
export const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
/** Reads the native balance of an account: a function of Multicall3, and a method of nodes. */
const NATIVE_BALANCE = "getEthBalance";

/** What Multicall3 says of the block that it runs in. */
const OWN_BLOCK: readonly StateCall[] = [
  { to: MULTICALL3, name: "getBlockNumber" },
  { to: MULTICALL3, name: "getCurrentBlockTimestamp" },
];

/** The call for the native balance of an account. */
export function nativeBalance(account: string): StateCall {
  return { to: account, name: NATIVE_BALANCE };
}

/**
 * Reads the state of one block: in one call of the Multicall3 contract, which also says which block
 * it runs in, otherwise in a batch. The block is requested again behind the calls: had it been
 * replaced between, its hash would differ.
 *
 * @returns What each call returned; `undefined` where a contract does not exist or reverts.
 * @throws {MismatchError} If the answers are of another block.
 * @throws {HttpError} If the node returns an error that has nothing to do with the state.
 */
export async function callsAt(
  ask: RpcNode,
  header: BlockHeader,
  { calls, wanted }: { readonly calls: readonly StateCall[]; readonly wanted: string },
): Promise<readonly unknown[] | StateRefusal> {
  const tag = blockTag(header.number);
  const asked = async (sent: readonly RpcCall[]): Promise<RpcAnswer[] | StateRefusal> => {
    const answers = await ask([...sent, headerCall(header.number)]);
    requireSameBlock(header, readHeader(answers.pop()!, header.number, wanted));
    return answers.map(refusalIn).find((refusal) => refusal !== null) ?? answers;
  };
  // Called by the Multicall3 contract, a contract would see that one.
  if (calls.every(({ from }) => from === undefined)) {
    const together = [...OWN_BLOCK, ...calls];
    const answers = await asked([aggregateCall(together, tag)]);
    if ("reason" in answers) return answers;
    const data = aggregatedData(together, answers[0]!) ?? [];
    const [number, timestamp, ...values] = data.map((one, place) => valueOf(together[place]!, one));
    if (number !== undefined && timestamp !== undefined) {
      if (!header.hasOtherNumber) requireEqual("block.number", header.number, number);
      requireEqual("block.timestamp", header.timestamp, timestamp);
      return values;
    }
  }
  const answers = await asked(calls.map((call) => rpcCall(call, tag)));
  return "reason" in answers
    ? answers
    : answers.map((answer, place) => valueIn(calls[place]!, answer, wanted));
}

/** A call of a contract at a block, or for a native balance. */
export function rpcCall({ to, name, args, from }: StateCall, tag: string): RpcCall {
  if (name === NATIVE_BALANCE) return { method: "eth_getBalance", params: [to, tag] };
  const sent = { ...from === undefined ? {} : { from }, to, data: calldata(name, args) };
  return { method: "eth_call", params: [sent, tag] };
}

function calldata(functionName: string, args: readonly unknown[] = []): `0x${string}` {
  return encodeFunctionData({ abi: STATE_ABI, functionName, args });
}

/** What a call returned; `undefined` if it reverted, or returned something else. */
export function valueIn(call: StateCall, answer: RpcAnswer, wanted: string): unknown {
  if ("error" in answer && stateFault(answer.error) === "reverted") return undefined;
  const result = resultOf(answer, wanted);
  return typeof result === "string" ? valueOf(call, result) : undefined;
}

/** The value in the data that a call returned; `undefined` if it is not of the function's type. */
export function valueOf({ name }: Pick<StateCall, "name">, data: string | undefined): unknown {
  if (data === undefined) return undefined;
  if (name === NATIVE_BALANCE) return /^0x[0-9a-f]{1,64}$/i.test(data) ? BigInt(data) : undefined;
  try {
    const encoded = { abi: STATE_ABI, functionName: name, data: wholeBytes(data) };
    return lowerCase(decodeFunctionResult(encoded));
  } catch {
    return undefined;
  }
}

/** The call of several contracts at once, of which any may fail. */
export function aggregateCall(calls: readonly StateCall[], tag: string): RpcCall {
  const aggregated = calls.map((call) => {
    const isNative = call.name === NATIVE_BALANCE;
    return {
      target: hexText(isNative ? MULTICALL3 : call.to),
      allowFailure: true,
      callData: calldata(call.name, isNative ? [call.to] : call.args),
    };
  });
  const data = encodeFunctionData({ abi: MULTICALL3_ABI, args: [aggregated] });
  return { method: "eth_call", params: [{ to: MULTICALL3, data }, tag] };
}

/**
 * The data that each of the aggregated calls returned, `undefined` for one that failed; `undefined` as
 * a whole if the contract does not exist, or is a different one.
 */
export function aggregatedData(
  calls: readonly StateCall[],
  answer: RpcAnswer,
): readonly (string | undefined)[] | undefined {
  if (!("result" in answer) || typeof answer.result !== "string") return undefined;
  try {
    const data = wholeBytes(answer.result);
    const results = decodeFunctionResult({ abi: MULTICALL3_ABI, data });
    if (results.length !== calls.length) return undefined;
    return results.map(({ success, returnData }) => success ? returnData : undefined);
  } catch {
    return undefined;
  }
}

/** Why the node does not serve the state, if that is what its answer says. */
export function refusalIn(answer: RpcAnswer): StateRefusal | null {
  if ("result" in answer || isBusy(answer, { method: "eth_call" })) return null;
  const reason = stateFault(answer.error);
  if (reason === null || reason === "reverted") return null;
  return { reason, said: saidBy(answer.error) };
}

function requireEqual(field: string, expected: number, found: unknown): void {
  if (found === BigInt(expected)) return;
  throw mismatch("eth_call", field, expected, found);
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

/** What the contract stores for a pre-signed order: keccak256("GPv2Signing.Scheme.PreSign"). */
export const PRE_SIGNED = "0xf59c009283ff87aa78203fc4d9c2df025ee851130fb69cc3e068941f6b5e2d6f";
/** What the contract counts as filled of an order that was cancelled on the chain. */
export const CANCELLED: bigint = 2n ** 256n - 1n;

const functions = new Map<string, AbiFunction>();

/**
 * The call in calldata, hex in lower case, with what encodes what it returns; `null` if its function is
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
