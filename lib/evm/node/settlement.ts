import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { sameHex } from "../../units/mod.ts";
import { type DecodedSettlement, decodeSettlement } from "../settlement/decode_settlement.ts";
import {
  type DecodedEvent,
  decodeSettlementEvents,
  type EventLog,
} from "../settlement/decode_settlement_events.ts";
import { malformedAnswer, resultOf, type RpcAnswer } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import { RPC_OPTIONS, type RpcOptions } from "./rpc_options.ts";

/** A settlement transaction on the chain: its call and its result. */
export interface OnchainSettlement extends DecodedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Account that submitted it. */
  readonly from: string;
  /** Contract that was called: the settlement contract. */
  readonly to: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Whether it succeeded; a reverted transaction has no events. */
  readonly succeeded: boolean;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Price per unit of gas, in wei; `null` if the node does not report it. */
  readonly effectiveGasPrice: bigint | null;
  /** Events of the settlement contract, in order. */
  readonly events: readonly DecodedEvent[];
}

/**
 * Fetches a settlement from a node and decodes its calldata and its events.
 *
 * It makes fees exact: pass it to `networkFee` and `decomposeSlippage`, or keyed by hash as the
 * option `settlements` to tables.
 *
 * @param source A node of the settlement's network, or what answers like one: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param txHash Hash of the transaction.
 * @returns The transaction's call to the settlement contract, and its result.
 * @throws {InputError} If the hash or `source` is invalid; if the node does not have the transaction, or it is
 * not in a block yet; or if the transaction does not call `settle` of a settlement contract
 * directly.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | the contract}
 *
 * @example A hash unknown to the node
 * ```ts
 * import { InputError } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { assertRejects } from "@std/assert";
 *
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
 *   const calls: { id: number }[] = await request.json();
 *   return Response.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: null })));
 * });
 *
 * const asked = settlement(`http://127.0.0.1:${server.addr.port}`, `0x${"01".repeat(32)}`);
 * await assertRejects(() => asked, InputError, "no such transaction");
 * await server.shutdown();
 * ```
 */
export async function settlement(
  source: NodeSource,
  txHash: string,
  options: RpcOptions = {},
): Promise<OnchainSettlement> {
  const wanted = `settlement ${String(txHash).slice(0, 80)}`;
  checkOptions(options, RPC_OPTIONS, "Cannot ask for a settlement");
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`Cannot get ${wanted}: not a transaction hash`, {
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const ask = nodeOf(source, wanted, options);
  const [transaction, receipt] = await ask([
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
  ]);
  const sent = fieldsOf(transaction, wanted, "no such transaction");
  const made = fieldsOf(receipt, wanted, "no receipt for it, so it is not in a block yet");
  const decoded = decodeSettlement(hexOf(sent, "input", wanted));
  const to = hexOf(sent, "to", wanted);
  return {
    ...decoded,
    txHash: hash,
    from: hexOf(sent, "from", wanted).toLowerCase(),
    to: to.toLowerCase(),
    blockNumber: Number(quantityOf(made, "blockNumber", wanted)),
    succeeded: quantityOf(made, "status", wanted) === 1n,
    gasUsed: quantityOf(made, "gasUsed", wanted),
    effectiveGasPrice: made.effectiveGasPrice == null
      ? null
      : quantityOf(made, "effectiveGasPrice", wanted),
    events: decodeSettlementEvents(
      logsOf(made, wanted).filter(({ address }) => sameHex(address, to)),
    ),
  };
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
