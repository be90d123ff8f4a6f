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
  isBusy,
  type RpcAnswer,
  type RpcCall,
  type RpcNode,
  type RpcOptions,
  sendInBatches,
} from "./rpc_batches.ts";

/** The forms of API keys in node URLs, which no ordinary word in a URL has. */
const KEY_PATTERN = /^(?:(?=.*\d).{16,}|(?=.*[a-z])(?=.*[A-Z]).{16,}|[A-Za-z]{24,})$/;

/** Names of parameters whose values are keys if they are long enough. */
const KEY_NAME = /key|token|secret|auth|pass/i;
const MIN_KEY_LENGTH = 4;

/**
 * Connects to a node by its URL.
 *
 * Keys in the URL are sent but never shown: errors name its origin only. A response belongs to the call
 * whose id it has. The transport of viem goes by the order of the ids instead: if a node answers one
 * call twice and leaves out the next, the balance of one account stands for that of another there.
 *
 * @param wanted Name of the requested data, for errors.
 * @throws {InputError} If the URL is not an http or https URL.
 */
export function connectNode(rpcUrl: string, wanted: string, options: RpcOptions): RpcNode {
  const { signal, concurrency: _, ...transportOptions } = options;
  const url = URL.parse(rpcUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot get ${wanted}: the address of the node is not an http URL`, {
      remedy: "Pass the complete URL of a JSON-RPC endpoint, for example https://host/path",
    });
  }
  const { username, password, pathname, search } = url;
  for (const part of [...pathname.split("/"), ...url.searchParams.values()]) {
    if (KEY_PATTERN.test(part)) registerSecret(part);
  }
  for (const [name, value] of url.searchParams) {
    if (KEY_NAME.test(name) && value.length >= MIN_KEY_LENGTH) registerSecret(value);
  }
  const credentials = username === "" ? "" : `${username}:${password}@`;
  const transport = httpTransport(`${url.protocol}//${credentials}${url.host}`, transportOptions);

  async function send(body: unknown): Promise<HttpResponse> {
    const request: HttpRequest = {
      method: "POST",
      path: pathname + search,
      body: JSON.stringify(body),
      isRead: true,
      ...(signal === undefined ? {} : { signal }),
    };
    return await transport.send(request).catch((error) => {
      throw hideAddress(error, { wanted, origin: transport.baseUrl });
    });
  }

  async function callOne(call: RpcCall): Promise<RpcAnswer> {
    const response = await send({ jsonrpc: "2.0", id: 0, ...call });
    const body = parseBody(response);
    // Some providers return errors of JSON-RPC with a status of their own, such as 400 or 413.
    if (response.status !== 200 && (!hasError(body) || isDenial(response))) {
      throw toStatusError(response, wanted);
    }
    if (body === INVALID_JSON) throw toAnswerError(response.body, wanted, "it is not JSON");
    const answer = readAnswer(body, wanted);
    if ("result" in answer && getId(body) !== 0) {
      throw toAnswerError(body, wanted, "it is the response to another call");
    }
    return answer;
  }

  async function callTogether(
    calls: readonly RpcCall[],
  ): Promise<(RpcAnswer | undefined)[] | null> {
    if (calls.length === 1) return [await callOne(calls[0]!)];
    const response = await send(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));
    const { status } = response;
    if (status === 413) return null;
    if (isDenial(response)) throw toStatusError(response, wanted);
    const body = parseBody(response);
    const batchAnswer = unwrapBatchAnswer(body);
    if (hasError(batchAnswer)) {
      const answer = readAnswer(batchAnswer, wanted);
      // A limit of calls per second is reported for the batch, as for each of its calls.
      return isBusy(answer, { method: GET_LOGS }) ? calls.map(() => answer) : null;
    }
    // Some nodes refuse batches, or large ones, in plain text: one call shows whether it is that.
    if (status === 400) return null;
    if (status !== 200) throw toStatusError(response, wanted);
    if (body === INVALID_JSON) throw toAnswerError(response.body, wanted, "it is not JSON");
    if (!Array.isArray(body)) throw toAnswerError(body, wanted, "it is not JSON-RPC");
    const byId = Map.groupBy(body, getId);
    const answers = calls.map((_, id) => {
      const [ownAnswer, duplicate] = byId.get(id) ?? [];
      if (duplicate !== undefined) {
        throw toAnswerError(body, wanted, `it has several to call ${id}`);
      }
      return ownAnswer === undefined ? undefined : readAnswer(ownAnswer, wanted);
    });
    // Missing responses are requested again, unless all are missing.
    if (answers.some((answer) => answer !== undefined)) return answers;
    throw toAnswerError(body, wanted, "it has none to any call");
  }

  return sendInBatches(callTogether, { options, refused: (answer) => toNodeError(answer, wanted) });
}

const INVALID_JSON = Symbol("no JSON");

/** Whether a node refuses its caller, whatever the request. */
function isDenial({ status }: HttpResponse): boolean {
  return status === 401 || status === 403 || status === 429;
}

function parseBody({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return INVALID_JSON;
  }
}

function getId(body: unknown): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "id") : undefined;
}

/** Unwraps a single response to a whole batch, which some nodes put into a list with the id null. */
function unwrapBatchAnswer(body: unknown): unknown {
  return Array.isArray(body) && body.length === 1 && getId(body[0]) === null ? body[0] : body;
}

/** Whether a node responds to a batch with one error for all of its calls. */
function hasError(body: unknown): boolean {
  return typeof body === "object" && body !== null && !Array.isArray(body) &&
    typeof Reflect.get(body, "error") === "object" && Reflect.get(body, "error") !== null;
}

/**
 * Returns the result of a call, which must have one.
 *
 * @throws {ServiceError} If the node returns an error.
 */
export function unwrap(answer: RpcAnswer, wanted: string): unknown {
  if ("result" in answer) return answer.result;
  throw toNodeError(answer, wanted);
}

const TOO_OFTEN = "Wait before retrying, or lower the options `rateLimit` and `concurrency`";

/** Converts an error that the node returned. */
export function toNodeError(answer: RpcAnswer, wanted: string): ServiceError {
  const error = "error" in answer ? answer.error : { code: 0, message: "no response" };
  const { code, message } = error;
  return new ServiceError(`Cannot get ${wanted}: the node returned an error`, {
    request: "POST",
    status: null,
    body: JSON.stringify({ code, message }),
    errorType: `JSON-RPC ${code}`,
    description: message,
    remedy: isBusy({ error }, { method: "" })
      ? TOO_OFTEN
      : "Check that the node belongs to the right network and supports this method",
  });
}

function readAnswer(body: unknown, wanted: string): RpcAnswer {
  if (typeof body === "object" && body !== null) {
    const { result, error } = body as { result?: unknown; error?: unknown };
    if (typeof error === "object" && error !== null) {
      const { code, message, data } = error as Readonly<Record<string, unknown>>;
      const revertData = readRevertData(data);
      return {
        error: {
          code: Number(code),
          message: String(message),
          ...revertData === undefined ? {} : { data: revertData },
        },
      };
    }
    if (result !== undefined) return { result };
  }
  throw toAnswerError(body, wanted, "it is not JSON-RPC");
}

/** Reads what a call that reverted returned: hex, behind a word, or in an object, as nodes have it. */
function readRevertData(data: unknown): string | undefined {
  if (typeof data === "object" && data !== null) return readRevertData(Reflect.get(data, "data"));
  const hex = typeof data === "string" ? /^(?:Reverted )?(0x(?:[0-9a-f]{2})*)$/i.exec(data) : null;
  return hex?.[1]?.toLowerCase();
}

/** Creates the error for an invalid response. */
export function toAnswerError(body: unknown, wanted: string, fault: string): HttpStatusError {
  return new HttpStatusError(`Cannot read the response about ${wanted}: ${fault}`, {
    request: "POST",
    status: null,
    body: JSON.stringify(body) ?? "",
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}

/** Reads a hex field of a response as a number below 2^53. */
export function readNumber(
  part: object,
  name: string,
  { subject, wanted }: { readonly subject: string; readonly wanted: string },
): number {
  const value: unknown = Reflect.get(part, name);
  if (typeof value === "string" && /^0x[0-9a-fA-F]{1,13}$/.test(value)) return Number(value);
  throw toAnswerError(part, wanted, `the \`${name}\` of ${subject} is not a hex number`);
}

/** Creates the error for a response that contradicts the request or another response. */
export function toMismatch(
  request: string,
  field: string,
  expected: unknown,
  answered: unknown,
): MismatchError {
  return new MismatchError({
    request,
    field,
    asked: hideSecrets(String(expected)).slice(0, 80),
    answered: hideSecrets(String(answered)).slice(0, 80),
    remedy:
      "Check the address of the node and any proxy in front of it, then retry: its responses contradict the query or each other, or the chain has been reorganized",
  });
}

/** Errors of the transport contain the path and the URL, which may include the node's API key. */
function hideAddress(
  error: unknown,
  { wanted, origin }: { wanted: string; origin: string },
): unknown {
  const action = `Cannot get ${wanted}: no response from ${origin}`;
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

function toStatusError({ status, body, headers }: HttpResponse, wanted: string): Error {
  const details = { request: "POST", status, body };
  if (status === 401 || status === 403) {
    return new UnauthorizedError(`Cannot get ${wanted}: the node denies access`, {
      ...details,
      remedy: "Check the key in the node's address or in the option `headers`",
    });
  }
  if (status === 429) {
    return new RateLimitedError(`Cannot get ${wanted}: too many requests to the node`, {
      ...details,
      retryAfterMs: retryAfterMs(headers),
      remedy: TOO_OFTEN,
    });
  }
  return new HttpStatusError(`Cannot get ${wanted}: the response has status ${status}`, {
    ...details,
    remedy: "Check that the address is a node's JSON-RPC endpoint",
  });
}
