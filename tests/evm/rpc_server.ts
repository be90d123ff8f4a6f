import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem/utils";
import { readJson } from "../../tools/metrics/read_json.ts";

/** One call as a client sends it. */
interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** How a test node differs from a good one. */
export interface RpcServerOptions {
  /** Answers what the recorded chain does not tell; `undefined` falls through. */
  answer?: (call: Call) => unknown;
  /** Decimals of tokens, by address in lower case. */
  decimals?: ReadonlyMap<string, number>;
  /** Whether the chain has the Multicall3 contract. */
  hasMulticall?: boolean;
  /** Whether the node takes several calls in one request. */
  takesBatches?: boolean;
}

/** A node on loopback that answers from the recorded chain of `market_1`. */
export interface RpcServer extends AsyncDisposable {
  /** Its address. */
  url: string;
  /** Bodies of the requests it got, parsed. */
  requests: (Call | Call[])[];
}

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const MULTICALL3_ABI = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
]);

/** The chain as it was recorded: a settlement's numbers are read, a log's are JSON-RPC's own. */
interface Chain {
  settlements: Record<string, {
    from: string;
    to: string;
    input: string;
    blockNumber: number;
    gasUsed: string;
    effectiveGasPrice: string;
    status: string;
  }>;
  logs: { transactionHash: string }[];
}

const chain = await readJson(
  new URL("../../data/recorded/market_1.chain.json", import.meta.url).pathname,
) as Chain;

function quantity(value: number | string): string {
  return `0x${BigInt(value).toString(16)}`;
}

function word(value: number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Starts a node; it ends with `await using`. */
export function startRpcServer(options: RpcServerOptions = {}): RpcServer {
  const { decimals = new Map(), hasMulticall = false, takesBatches = true } = options;

  function ethCall({ to, data }: { to: string; data: `0x${string}` }): string {
    if (to === MULTICALL3 && hasMulticall) {
      const { args: [calls] } = decodeFunctionData({ abi: MULTICALL3_ABI, data });
      return encodeFunctionResult({
        abi: MULTICALL3_ABI,
        result: calls.map(({ target }) => {
          const known = decimals.get(target.toLowerCase());
          return {
            success: known !== undefined,
            returnData: known === undefined ? "0x" : word(known),
          };
        }),
      });
    }
    const known = decimals.get(to);
    return known === undefined ? "0x" : word(known);
  }

  function resultOf({ method, params }: Call): unknown {
    const hash = params[0] as string;
    const made = chain.settlements[hash];
    if (method === "eth_call") return ethCall(params[0] as { to: string; data: `0x${string}` });
    if (method === "eth_getTransactionByHash") {
      return made === undefined ? null : { from: made.from, to: made.to, input: made.input };
    }
    if (method !== "eth_getTransactionReceipt") throw new Error(`no method ${method}`);
    if (made === undefined) return null;
    return {
      status: made.status,
      blockNumber: quantity(made.blockNumber),
      gasUsed: quantity(made.gasUsed),
      effectiveGasPrice: quantity(made.effectiveGasPrice),
      logs: chain.logs.filter(({ transactionHash }) => transactionHash === hash),
    };
  }

  function answer(call: Call): unknown {
    const custom = options.answer?.(call);
    if (custom !== undefined) return custom;
    return { jsonrpc: "2.0", id: call.id, result: resultOf(call) };
  }

  const requests: (Call | Call[])[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body: Call | Call[] = await request.json();
    requests.push(body);
    if (!Array.isArray(body)) return Response.json(answer(body));
    if (!takesBatches) {
      return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } });
    }
    // Answers to a batch may come in any order.
    return Response.json(body.map(answer).reverse());
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
