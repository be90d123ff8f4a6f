import type { RpcAnswer, RpcCall, RpcNode } from "orderlens/evm";
import { keccak256, type TransactionSerializable } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { parseTransaction } from "viem/utils";

/** A node in this process that answers each call, and the calls that it was sent. */
export function nodeThat(
  answer: (call: RpcCall) => RpcAnswer | Promise<RpcAnswer>,
): { rpc: RpcNode; sent: RpcCall[] } {
  const sent: RpcCall[] = [];
  return {
    rpc(calls) {
      sent.push(...calls);
      return Promise.all(calls.map(answer));
    },
    sent,
  };
}

/** One call as a client sends it. */
export interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** Answers a request as a whole; `undefined` leaves it to the node. */
export type Respond = (
  calls: Call[],
  count: number,
) => Response | undefined | Promise<Response | undefined>;

/** A node behind JSON-RPC on loopback. */
export interface NodeServer extends AsyncDisposable {
  /** Its address. */
  url: string;
  /** The calls of each request it got. */
  requests: Call[][];
}

/** Serves a node; it ends with `await using`. */
export function serveNode(rpc: RpcNode, respond: Respond = () => undefined): NodeServer {
  const requests: Call[][] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body: Call | Call[] = await request.json();
    const calls = [body].flat();
    const response = await respond(calls, requests.push(calls));
    if (response !== undefined) return response;
    const answers = (await rpc(calls))
      .map((answer, place) => ({ jsonrpc: "2.0", id: calls[place]!.id, ...answer }));
    // Answers to a batch may come in any order.
    return Response.json(Array.isArray(body) ? answers.reverse() : answers[0]);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Timestamp of a made-up block, in unix seconds. */
export function secondsOfBlock(block: number): number {
  return 1_700_000_000 + 12 * block;
}

/** How a chain of made-up blocks differs from a good one. */
export interface BlockServerOptions {
  /** Timestamp of a block, in unix seconds. @default {twelve seconds per block, from 2023 on} */
  secondsOf?: (block: number) => number;
  /** Answers a request as a whole. */
  respond?: Respond;
  /** Id of the chain. @default {100} */
  chainId?: number;
  /** Hash of block 0. @default {0xab…} */
  firstHash?: string;
}

/** Serves a chain of 10,000 made-up blocks; `asked` counts those asked for, block 0 aside. */
export function startBlockServer(
  { secondsOf = secondsOfBlock, respond, chainId = 100, firstHash = `0x${"ab".repeat(32)}` }:
    BlockServerOptions = {},
): NodeServer & { asked(): number } {
  const hex = (value: number) => `0x${value.toString(16)}`;
  const resultOf = (number: unknown) => {
    const block = Number(number);
    const hash = block === 0 ? firstHash : `0x${"cd".repeat(32)}`;
    return block > 10_000 ? null : { number, hash, timestamp: hex(secondsOf(block)) };
  };
  const node = serveNode((calls) =>
    Promise.resolve(calls.map(({ method, params: [number] }) => ({
      result: method === "eth_chainId" ? hex(chainId) : resultOf(number),
    }))), respond);
  const asked = () =>
    node.requests.flat().filter(({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] !== "0x0"
    ).length;
  return { ...node, asked };
}

/** A byte, so many times. */
export function hex(byte: string, bytes: number): `0x${string}` {
  return `0x${byte.repeat(bytes)}`;
}

/** A number as a word of the EVM. */
export function word(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Numbers from `first` on. */
export function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

const TYPES: Readonly<Record<string, string>> = { legacy: "0x0", eip2930: "0x1", eip1559: "0x2" };

/** A signed transaction as a node writes it, quantities without leading zeros, and its hash. */
export async function signedTransaction(
  account: PrivateKeyAccount,
  transaction: TransactionSerializable,
) {
  const serialized = await account.signTransaction(transaction);
  const { r, s, v, yParity, ...fields } = parseTransaction(serialized as `0x02${string}`);
  const quantity = (value: bigint | number | undefined) =>
    value === undefined ? undefined : `0x${value.toString(16)}`;
  const body = {
    type: TYPES[transaction.type!],
    to: fields.to,
    input: fields.data,
    nonce: quantity(fields.nonce ?? 0),
    gas: quantity(fields.gas),
    value: quantity(fields.value ?? 0n),
    gasPrice: quantity(Reflect.get(fields, "gasPrice")),
    maxFeePerGas: quantity(fields.maxFeePerGas),
    maxPriorityFeePerGas: quantity(fields.maxPriorityFeePerGas),
    chainId: quantity(fields.chainId),
    accessList: transaction.type === "legacy" ? undefined : fields.accessList ?? [],
    r: quantity(BigInt(r!)),
    s: quantity(BigInt(s!)),
    v: quantity(v ?? BigInt(yParity!)),
    yParity: quantity(yParity),
  };
  return { hash: keccak256(serialized), body };
}
