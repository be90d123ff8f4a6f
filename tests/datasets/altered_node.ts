import type { RpcAnswer, RpcCall, RpcNode } from "orderlens/evm";

/** A transaction and its receipt, as a node answers. */
export interface SettlementFields {
  /** The transaction. */
  // deno-lint-ignore no-explicit-any -- any field of an answer may be altered
  transaction: any;
  /** Its receipt. */
  // deno-lint-ignore no-explicit-any -- any field of an answer may be altered
  receipt: any;
}

/** A node that alters what it answers about settlements, and tells what it was asked. */
export class AlteredNode {
  /** The deployment of the source. */
  readonly deployment: unknown;
  /** Number of calls by method. */
  readonly calls = new Map<string, number>();
  /** Calls of each request. */
  readonly requests: RpcCall[][] = [];
  readonly #source: { readonly rpc: RpcNode; readonly deployment: unknown };
  readonly #alter: (hash: string, fields: SettlementFields) => void;

  /** Alters answers by hash; a field that is set to an `Error` becomes an error of the node. */
  constructor(
    source: { readonly rpc: RpcNode; readonly deployment: unknown },
    alter: (hash: string, fields: SettlementFields) => void = () => {},
  ) {
    this.#source = source;
    this.deployment = source.deployment;
    this.#alter = alter;
  }

  /** Number of calls for transactions and receipts. */
  get settlementCalls(): number {
    const { calls } = this;
    return (calls.get("eth_getTransactionByHash") ?? 0) +
      (calls.get("eth_getTransactionReceipt") ?? 0);
  }

  readonly rpc: RpcNode = async (calls) => {
    this.requests.push([...calls]);
    for (const { method } of calls) this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const answers = structuredClone(await this.#source.rpc(calls));
    for (const [place, { method, params: [hash] }] of calls.entries()) {
      if (method !== "eth_getTransactionByHash") continue;
      const at = calls.findIndex((call) =>
        call.method === "eth_getTransactionReceipt" && call.params[0] === hash
      );
      const [one, two] = [answers[place]!, answers[at]!];
      if (!("result" in one && "result" in two)) continue;
      const fields: SettlementFields = { transaction: one.result, receipt: two.result };
      this.#alter(String(hash), fields);
      answers[place] = answerOf(fields.transaction);
      answers[at] = answerOf(fields.receipt);
    }
    return answers;
  };
}

function answerOf(value: unknown): RpcAnswer {
  return value instanceof Error
    ? { error: { code: -32000, message: value.message } }
    : { result: value };
}
