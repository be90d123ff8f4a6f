/** One call as a client sends it. */
export interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** How a test chain differs from a good one. */
export interface BlockServerOptions {
  /** Number of the newest block. @default {10_000} */
  newest?: number;
  /** Timestamp of a block, in unix seconds. @default {twelve seconds per block, from 2023 on} */
  secondsOf?: (block: number) => number;
  /** Answers a request as a whole; `undefined` falls through. */
  answer?: (body: Call | Call[], count: number) => Response | undefined;
  /** Most calls in one request; more are rejected by `reject`. @default {any} */
  mostCalls?: number;
  /** Rejects a request that is too large. */
  reject?: (calls: Call[]) => Response;
  /** Id of the chain. @default {100} */
  chainId?: number;
  /** Hash of block 0. @default {0xab…} */
  firstHash?: string;
}

/** A chain of made-up blocks behind JSON-RPC on loopback. */
export interface BlockServer extends AsyncDisposable {
  /** Its address. */
  url: string;
  /** Bodies of the requests it got, parsed. */
  requests: (Call | Call[])[];
  /** How many blocks were asked for, block 0 aside. */
  asked(): number;
}

/** Timestamp of a block of the chain, in unix seconds. */
export function secondsOfBlock(block: number): number {
  return 1_700_000_000 + 12 * block;
}

/** Starts a chain; it ends with `await using`. */
export function startBlockServer(options: BlockServerOptions = {}): BlockServer {
  const { newest = 10_000, secondsOf = secondsOfBlock, mostCalls = Infinity } = options;
  const hex = (value: number) => `0x${value.toString(16)}`;

  function resultOf({ method, params: [number] }: Call): unknown {
    if (method === "eth_chainId") return hex(options.chainId ?? 100);
    const block = Number(number);
    if (block > newest) return null;
    const hash = block === 0 ? options.firstHash ?? `0x${"ab".repeat(32)}` : `0x${"cd".repeat(32)}`;
    return { number, hash, timestamp: hex(secondsOf(block)) };
  }

  const requests: (Call | Call[])[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body: Call | Call[] = await request.json();
    requests.push(body);
    const answer = options.answer?.(body, requests.length);
    if (answer !== undefined) return answer;
    const calls = [body].flat();
    if (calls.length > mostCalls) return options.reject!(calls);
    const answers = calls.map((call) => ({ jsonrpc: "2.0", id: call.id, result: resultOf(call) }));
    return Response.json(Array.isArray(body) ? answers.reverse() : answers[0]);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    asked: () =>
      requests.flat().filter(({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] !== "0x0"
      ).length,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Numbers from `first` on. */
export function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
