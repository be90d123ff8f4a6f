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
} from "../../errors/mod.ts";
import { keepSecret } from "../../errors/secrets.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  type HttpTransportOptions,
  retryAfterMs,
} from "../../http/mod.ts";

/** Options of requests to a node: those of a transport, and a signal. */
export interface RpcOptions extends Omit<HttpTransportOptions, "rootUrl" | "cacheFolder"> {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One call of JSON-RPC. */
export interface RpcCall {
  /** Name of the method, such as `eth_call`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: readonly unknown[];
}

/** The answer to one call: a result or an error. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Calls a node; calls passed together are sent as one batch. */
export type RpcNode = (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>;

/** Calls per request; every node accepts at least this many. */
const CALLS_PER_REQUEST = 100;

/** The form of API keys in node URLs, which no ordinary word in a URL has. */
const LIKE_A_KEY = /^(?=.*\d).{16,}$/;

/**
 * Connects to a node by its URL.
 *
 * Keys in the URL are sent but never shown: errors name its origin only.
 *
 * @param wanted What is requested, for errors.
 * @throws {InputError} If the URL is not an http or https URL.
 */
export function rpcNode(rpcUrl: string, wanted: string, options: RpcOptions): RpcNode {
  const { signal, ...transportOptions } = options;
  const url = URL.parse(rpcUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot get ${wanted}: the address of the node is not an http URL`, {
      remedy: "Pass the complete URL of a JSON-RPC endpoint, for example https://host/path",
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
    // A node without batch support answers with one error.
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
 * Returns the result of a call, which must have one.
 *
 * @throws {ServiceError} If the node returns an error.
 */
export function resultOf(answer: RpcAnswer, wanted: string): unknown {
  if ("result" in answer) return answer.result;
  const { code, message } = answer.error;
  throw new ServiceError(`Cannot get ${wanted}: the node returned an error`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(answer.error),
    errorType: `JSON-RPC ${code}`,
    description: message,
    remedy: "Check that the node belongs to the right network and supports this method",
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

/** The error for an invalid answer. */
export function malformedAnswer(body: unknown, wanted: string, fault: string): HttpStatusError {
  return new HttpStatusError(`Cannot read the answer about ${wanted}: ${fault}`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(body) ?? "",
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}

/** Errors of the transport contain the path and the URL, which may include the node's API key. */
function withoutAddress(
  error: unknown,
  { wanted, origin }: { wanted: string; origin: string },
): unknown {
  const action = `Cannot get ${wanted}: no answer from ${origin}`;
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
    return new UnauthorizedError(`Cannot get ${wanted}: the node denies access`, {
      ...about,
      remedy: "Check the key in the node's address or in the option `headers`",
    });
  }
  if (status === 429) {
    return new RateLimitedError(`Cannot get ${wanted}: too many requests to the node`, {
      ...about,
      retryAfterMs: retryAfterMs(headers),
      remedy: "Wait before retrying, and lower the option `rateLimit`",
    });
  }
  return new HttpStatusError(`Cannot get ${wanted}: the answer has status ${status}`, {
    ...about,
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}
