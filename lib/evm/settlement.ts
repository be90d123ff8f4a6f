import { InputError } from "../errors/mod.ts";
import { sameHex } from "../units/mod.ts";
import { type DecodedSettlement, decodeSettlement } from "./decode_settlement.ts";
import {
  type DecodedEvent,
  decodeSettlementEvents,
  type EventLog,
} from "./decode_settlement_events.ts";
import { malformedAnswer, resultOf, type RpcAnswer, rpcNode, type RpcOptions } from "./json_rpc.ts";

/** A settlement transaction as the chain has it: what it asked for, and what came of it. */
export interface OnchainSettlement extends DecodedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Account that submitted it. */
  readonly from: string;
  /** Contract that was called: the settlement contract. */
  readonly to: string;
  /** Block it stands in. */
  readonly blockNumber: number;
  /** Whether it succeeded; a transaction that was reverted has no events. */
  readonly succeeded: boolean;
  /** Gas it used, in gas units. */
  readonly gasUsed: bigint;
  /** What each unit of gas cost, in wei; `null` where the node does not say. */
  readonly effectiveGasPrice: bigint | null;
  /** Events of the settlement contract, in order. */
  readonly events: readonly DecodedEvent[];
}

/**
 * Fetches a settlement from a node and decodes its calldata and its events.
 *
 * With it fees are known exactly: pass it to `networkFee` and `decomposeSlippage`, or by hash as the
 * option `settlements` to tables.
 *
 * @param rpcUrl Address of a node of the settlement's network. Keys in it are shown nowhere.
 * @param txHash Hash of the transaction.
 * @returns What the transaction asked the settlement contract to do, and what came of it.
 * @throws {InputError} If the hash is not one; if the node has no such transaction, or it is not in a
 * block yet; or if it did not call `settle` of a settlement contract itself.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it does not answer in time.
 * @throws {HttpError} If it answers with something else, or refuses.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | the contract}
 *
 * @example A hash that the node does not know
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
  rpcUrl: string,
  txHash: string,
  options: RpcOptions = {},
): Promise<OnchainSettlement> {
  const wanted = `settlement ${txHash}`;
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`Cannot ask for ${wanted}: that is no transaction hash`, {
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const ask = rpcNode(rpcUrl, wanted, options);
  const [transaction, receipt] = await ask([
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
  ]);
  const sent = fieldsOf(transaction, wanted, "no such transaction");
  const made = fieldsOf(receipt, wanted, "no receipt of it, so it is in no block yet");
  const decoded = decodeSettlement(hexOf(sent, "input", wanted));
  const to = hexOf(sent, "to", wanted);
  return {
    ...decoded,
    txHash: hash,
    from: hexOf(sent, "from", wanted).toLowerCase(),
    to: to.toLowerCase(),
    blockNumber: Number(hexOf(made, "blockNumber", wanted)),
    succeeded: BigInt(hexOf(made, "status", wanted)) === 1n,
    gasUsed: BigInt(hexOf(made, "gasUsed", wanted)),
    effectiveGasPrice: made.effectiveGasPrice == null
      ? null
      : BigInt(hexOf(made, "effectiveGasPrice", wanted)),
    events: decodeSettlementEvents(
      logsOf(made, wanted).filter(({ address }) => sameHex(address, to)),
    ),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(answer: RpcAnswer | undefined, wanted: string, missing: string): Fields {
  const result = answer === undefined ? null : resultOf(answer, wanted);
  if (typeof result !== "object" || result === null) {
    throw new InputError(`Cannot ask for ${wanted}: the node has ${missing}`, {
      remedy: "Check the hash, and that the node is of the right network and up to date",
    });
  }
  return result as Fields;
}

function hexOf(fields: Fields, name: string, wanted: string): `0x${string}` {
  const field = fields[name];
  if (typeof field === "string" && /^0x[0-9a-fA-F]*$/.test(field)) return `0x${field.slice(2)}`;
  throw malformedAnswer(fields, wanted, `its \`${name}\` is no hex text`);
}

function logsOf(fields: Fields, wanted: string): readonly EventLog[] {
  if (!Array.isArray(fields.logs)) throw malformedAnswer(fields, wanted, "it has no logs");
  return fields.logs;
}
