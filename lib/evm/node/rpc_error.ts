import type { RpcAnswer } from "./json_rpc.ts";

/**
 * Codes of JSON-RPC errors.
 *
 * @see {@link https://www.jsonrpc.org/specification | JSON-RPC 2.0}
 * @see {@link https://eips.ethereum.org/EIPS/eip-1474 | EIP-1474}
 */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  serverError: -32000,
  notRecorded: -32001,
  tooMuch: -32005,
  reverted: 3,
  prunedHistory: 4444,
} as const;

/** An error that a node returns for a call. */
export class RpcError extends Error {
  /** Error code. */
  readonly code: number;

  /** Creates an error of a kind, with its message. */
  constructor(kind: keyof typeof RPC_CODES, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = RPC_CODES[kind];
  }

  /** The error as an answer. */
  get answer(): RpcAnswer {
    const { code, message } = this;
    return { error: { code, message } };
  }
}
