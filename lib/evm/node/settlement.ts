import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import type { OnchainSettlement } from "./onchain_settlement.ts";
import { readSettlement } from "./read_settlement.ts";
import { settlementCalls } from "./settlement_calls.ts";
import { RPC_OPTIONS, type RpcOptions } from "./rpc_options.ts";

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
 * @throws {MismatchError} If the answers are about another transaction, or contradict each other:
 * other bytes than the hash is of, another block, logs that the calldata does not emit.
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
  return readSettlement(hash, await ask(settlementCalls(hash)), wanted);
}
