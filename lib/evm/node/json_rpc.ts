import {
  HttpError,
  HttpStatusError,
  InputError,
  MismatchError,
  NetworkError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnauthorizedError,
} from "../../errors/mod.ts";
import { hideSecrets, registerSecret } from "../../errors/secrets.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  retryAfterMs,
} from "../../http/mod.ts";
import {
  GET_LOGS,
  inBatches,
  isBusy,
  type RpcAnswer,
  type RpcCall,
  type RpcNode,
  type RpcOptions,
} from "./rpc_batches.ts";

/** The forms of API keys in node URLs, which no ordinary word in a URL has. */
const LIKE_A_KEY = /^(?:(?=.*\d).{16,}|(?=.*[a-z])(?=.*[A-Z]).{16,}|[A-Za-z]{24,})$/;

/** Names of parameters whose values are keys, of at least so many characters. */
const NAMES_A_KEY = /key|token|secret|auth|pass/i;
const SHORTEST_KEY = 4;

/**
 * Connects to a node by its URL.
 *
 * Keys in the URL are sent but never shown: errors name its origin only. An answer belongs to the call
 * whose id it has. The transport of viem goes by the order of the ids instead: if a node answers one
 * call twice and leaves out the next, the balance of one account stands for that of another there.
 *
 * @param wanted What is requested, for errors.
 * @throws {InputError} If the URL is not an http or https URL.
 */
export function rpcNode(rpcUrl: string, wanted: string, options: RpcOptions): RpcNode {
  const { signal, concurrency: _, ...transportOptions } = options;
  const url = URL.parse(rpcUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot get ${wanted}: the address of the node is not an http URL`, {
      remedy: "Pass the complete URL of a JSON-RPC endpoint, for example https://host/path",
    });
  }
  const { username, password, pathname, search } = url;
  for (const part of [...pathname.split("/"), ...url.searchParams.values()]) {
    if (LIKE_A_KEY.test(part)) registerSecret(part);
  }
  for (const [name, value] of url.searchParams) {
    if (NAMES_A_KEY.test(name) && value.length >= SHORTEST_KEY) registerSecret(value);
  }
  const credentials = username === "" ? "" : `${username}:${password}@`;
  const transport = httpTransport(`${url.protocol}//${credentials}${url.host}`, transportOptions);

  async function post(body: unknown): Promise<HttpResponse> {
    const request: HttpRequest = {
      method: "POST",
      path: pathname + search,
      body: JSON.stringify(body),
      isRead: true,
      ...(signal === undefined ? {} : { signal }),
    };
    return await transport.send(request).catch((error) => {
      throw withoutAddress(error, { wanted, origin: transport.baseUrl });
    });
  }

  async function askOne(call: RpcCall): Promise<RpcAnswer> {
    const response = await post({ jsonrpc: "2.0", id: 0, ...call });
    const body = jsonOf(response);
    // Some providers return errors of JSON-RPC with a status of their own, such as 400 or 413.
    if (response.status !== 200 && (!hasError(body) || isDenial(response))) {
      throw refusal(response, wanted);
    }
    if (body === NO_JSON) throw malformedAnswer(response.body, wanted, "it is not JSON");
    const answer = answerOf(body, wanted);
    if ("result" in answer && idOf(body) !== 0) {
      throw malformedAnswer(body, wanted, "it is the answer to another call");
    }
    return answer;
  }

  async function askTogether(calls: readonly RpcCall[]): Promise<(RpcAnswer | undefined)[] | null> {
    if (calls.length === 1) return [await askOne(calls[0]!)];
    const response = await post(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));
    const { status } = response;
    if (status === 413) return null;
    if (isDenial(response)) throw refusal(response, wanted);
    const body = jsonOf(response);
    const whole = ofWholeBatch(body);
    if (hasError(whole)) {
      const answer = answerOf(whole, wanted);
      // A limit of calls per second is said of the batch, as of each of its calls.
      return isBusy(answer, { method: GET_LOGS }) ? calls.map(() => answer) : null;
    }
    // Some nodes refuse batches, or large ones, in plain text: one call shows whether it is that.
    if (status === 400) return null;
    if (status !== 200) throw refusal(response, wanted);
    if (body === NO_JSON) throw malformedAnswer(response.body, wanted, "it is not JSON");
    if (!Array.isArray(body)) throw malformedAnswer(body, wanted, "it is not JSON-RPC");
    const byId = Map.groupBy(body, idOf);
    const answers = calls.map((_, id) => {
      const [own, other] = byId.get(id) ?? [];
      if (other !== undefined) {
        throw malformedAnswer(body, wanted, `it has several to call ${id}`);
      }
      return own === undefined ? undefined : answerOf(own, wanted);
    });
    // What is missing is asked for again, unless nothing is there.
    if (answers.some((answer) => answer !== undefined)) return answers;
    throw malformedAnswer(body, wanted, "it has none to any call");
  }

  return inBatches(askTogether, { options, refused: (answer) => refusedBy(answer, wanted) });
}

const NO_JSON = Symbol("no JSON");

/** Whether a node refuses its caller, whatever is asked. */
function isDenial({ status }: HttpResponse): boolean {
  return status === 401 || status === 403 || status === 429;
}

function jsonOf({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return NO_JSON;
  }
}

function idOf(body: unknown): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "id") : undefined;
}

/** The one answer to a batch as a whole, which some nodes put into a list with the id null. */
function ofWholeBatch(body: unknown): unknown {
  return Array.isArray(body) && body.length === 1 && idOf(body[0]) === null ? body[0] : body;
}

/** Whether a node answers a batch with one error for all of its calls. */
function hasError(body: unknown): boolean {
  return typeof body === "object" && body !== null && !Array.isArray(body) &&
    typeof Reflect.get(body, "error") === "object" && Reflect.get(body, "error") !== null;
}

/**
 * Returns the result of a call, which must have one.
 *
 * @throws {ServiceError} If the node returns an error.
 */
export function resultOf(answer: RpcAnswer, wanted: string): unknown {
  if ("result" in answer) return answer.result;
  throw refusedBy(answer, wanted);
}

const TOO_OFTEN = "Wait before retrying, or lower the options `rateLimit` and `concurrency`";

/** The error for an error that the node returned. */
export function refusedBy(answer: RpcAnswer, wanted: string): ServiceError {
  const error = "error" in answer ? answer.error : { code: 0, message: "no answer" };
  const { code, message } = error;
  return new ServiceError(`Cannot get ${wanted}: the node returned an error`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(error),
    errorType: `JSON-RPC ${code}`,
    description: message,
    remedy: isBusy({ error }, { method: "" })
      ? TOO_OFTEN
      : "Check that the node belongs to the right network and supports this method",
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
  return new HttpStatusError(`Cannot read the response about ${wanted}: ${fault}`, {
    request: "POST",
    status: 200,
    body: JSON.stringify(body) ?? "",
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}

/** A field of a part of an answer that is a number below 2^53, as hex. */
export function numberIn(
  part: object,
  name: string,
  { what, wanted }: { readonly what: string; readonly wanted: string },
): number {
  const value: unknown = Reflect.get(part, name);
  if (typeof value === "string" && /^0x[0-9a-fA-F]{1,13}$/.test(value)) return Number(value);
  throw malformedAnswer(part, wanted, `the \`${name}\` of ${what} is not a hex number`);
}

/** The error for an answer that contradicts what was asked for, or another answer. */
export function mismatch(
  request: string,
  field: string,
  asked: unknown,
  answered: unknown,
): MismatchError {
  return new MismatchError({
    request,
    field,
    asked: hideSecrets(String(asked)).slice(0, 80),
    answered: hideSecrets(String(answered)).slice(0, 80),
    remedy:
      "Check the address of the node and any proxy in front of it, then retry: its answers contradict the query or each other, or the chain has been reorganized",
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
      remedy: TOO_OFTEN,
    });
  }
  return new HttpStatusError(`Cannot get ${wanted}: the response has status ${status}`, {
    ...about,
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}
