import {
  HttpError,
  HttpStatusError,
  InputError,
  NetworkError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnauthorizedError,
} from "../errors/mod.ts";
import { keepSecret } from "../errors/secrets.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  type HttpTransportOptions,
  retryAfterMs,
} from "../http/mod.ts";

/** How a node is asked: the options of a transport, and a signal. */
export interface RpcOptions extends Omit<HttpTransportOptions, "rootUrl" | "cacheFolder"> {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One call of JSON-RPC. */
export interface RpcCall {
  /** Name of the method, as `eth_call`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: readonly unknown[];
}

/** The answer to one call: a result, or why there is none. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Asks a node; what is asked together is sent together. */
export type RpcNode = (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>;

/** Calls in one request; nodes take at least this many. */
const CALLS_PER_REQUEST = 100;

/** How nodes write the keys in their addresses, as no word in an address looks. */
const LIKE_A_KEY = /^(?=.*\d).{16,}$/;

/**
 * A node by its address.
 *
 * Keys in the address are sent and shown nowhere: errors name its origin only.
 *
 * @param wanted What is asked for, as errors say it.
 * @throws {InputError} If the address is no http or https URL.
 */
export function rpcNode(rpcUrl: string, wanted: string, options: RpcOptions): RpcNode {
  const { signal, ...transportOptions } = options;
  const url = URL.parse(rpcUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot ask for ${wanted}: the address of the node is no http URL`, {
      remedy: "Pass the whole URL of a JSON-RPC endpoint, as https://host/path",
    });
  }
  const { username, password, pathname, search } = url;
  for (const part of [...pathname.split("/"), ...url.searchParams.values()]) {
    if (LIKE_A_KEY.test(part)) keepSecret(part);
  }
  const credentials = username === "" ? "" : `${username}:${password}@`;
  const transport = httpTransport(`${url.protocol}//${credentials}${url.host}`, transportOptions);

  async function post(body: unknown): Promise<unknown> {
    const request: HttpRequest = {
      method: "POST",
      path: pathname + search,
      body: JSON.stringify(body),
      isRead: true,
      ...(signal === undefined ? {} : { signal }),
    };
    const response = await transport.send(request).catch((error) => {
      throw withoutAddress(error, { wanted, origin: transport.baseUrl });
    });
    if (response.status !== 200) throw refusal(response, wanted);
    try {
      return JSON.parse(response.body);
    } catch {
      throw malformedAnswer(response.body, wanted, "it is not JSON");
    }
  }

  async function askOne(call: RpcCall): Promise<RpcAnswer> {
    return answerOf(await post({ jsonrpc: "2.0", id: 0, ...call }), wanted);
  }

  async function askTogether(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    if (calls.length === 1) return [await askOne(calls[0]!)];
    const body = await post(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));
    // A node that takes no batches answers with one error.
    if (!Array.isArray(body)) return await Array.fromAsync(calls, askOne);
    const byId = new Map(body.map((one) => [(one as { id?: unknown } | null)?.id, one]));
    return calls.map((_, id) => answerOf(byId.get(id), wanted));
  }

  return async (calls) => {
    const answers: RpcAnswer[] = [];
    for (let start = 0; start < calls.length; start += CALLS_PER_REQUEST) {
      answers.push(...await askTogether(calls.slice(start, start + CALLS_PER_REQUEST)));
    }
    return answers;
  };
}

/**
 * The result of a call that must have one.
 *
 * @throws {ServiceError} If the node refuses the call.
 */
export function resultOf(answer: RpcAnswer, wanted: string): unknown {
  if ("result" in answer) return answer.result;
  const { code, message } = answer.error;
  throw new ServiceError(`Cannot ask for ${wanted}: the node refuses`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(answer.error),
    errorType: `JSON-RPC ${code}`,
    description: message,
    remedy: "Check that the node is of the right network, and that it serves this method",
  });
}

function answerOf(body: unknown, wanted: string): RpcAnswer {
  if (typeof body === "object" && body !== null) {
    const { result, error } = body as { result?: unknown; error?: unknown };
    if (typeof error === "object" && error !== null) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      return { error: { code: Number(code), message: String(message) } };
    }
    if (result !== undefined) return { result };
  }
  throw malformedAnswer(body, wanted, "it is not JSON-RPC");
}

/** The error for an answer that means nothing. */
export function malformedAnswer(body: unknown, wanted: string, fault: string): HttpStatusError {
  return new HttpStatusError(`Cannot read the answer about ${wanted}: ${fault}`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(body) ?? "",
    remedy: "Check that the address is that of a node's JSON-RPC endpoint",
  });
}

/** Errors of the transport name the path and the URL, in which nodes have their keys. */
function withoutAddress(
  error: unknown,
  { wanted, origin }: { wanted: string; origin: string },
): unknown {
  const action = `Cannot ask for ${wanted}: no answer from ${origin}`;
  if (error instanceof UnansweredError) {
    const { attempts, mayHaveBeenReceived, remedy } = error;
    const options = { request: "POST", attempts, mayHaveBeenReceived, remedy };
    return error instanceof TimeoutError
      ? new TimeoutError(action, options)
      : new NetworkError(action, options);
  }
  if (error instanceof HttpError) {
    const { status, body, remedy } = error;
    return new HttpStatusError(action, { request: "POST", status, body, remedy });
  }
  return error;
}

function refusal({ status, body, headers }: HttpResponse, wanted: string): Error {
  const about = { request: "POST", status, body };
  if (status === 401 || status === 403) {
    return new UnauthorizedError(`Cannot ask for ${wanted}: the node does not allow it`, {
      ...about,
      remedy: "Check the key in the node's address or in the option `headers`",
    });
  }
  if (status === 429) {
    return new RateLimitedError(`Cannot ask for ${wanted}: the node had too many requests`, {
      ...about,
      retryAfterMs: retryAfterMs(headers),
      remedy: "Wait before asking again, and lower the option `rateLimit`",
    });
  }
  return new HttpStatusError(`Cannot ask for ${wanted}: the answer has status ${status}`, {
    ...about,
    remedy: "Check that the address is that of a node's JSON-RPC endpoint",
  });
}
