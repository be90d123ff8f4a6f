import { RpcError } from "../../evm/node/rpc_error.ts";

/** The error for what only the state of an earlier block would tell. */
export function stateNotKept(block: number): RpcError {
  return new RpcError(
    "serverError",
    `the state of block ${block} is not kept: only the latest block's is`,
  );
}
