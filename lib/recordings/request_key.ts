import { InputError } from "../errors/mod.ts";
import { hideSecrets } from "../errors/secrets.ts";
import type { HttpRequest, HttpResponse } from "../http/mod.ts";

const hex = /0[xX][0-9a-fA-F]+/g;
const mixedHex = /0X|[A-F]/;
/** Kinds of hex values in a path, by length. */
const kinds: Readonly<Record<number, string>> = { 42: "{address}", 66: "{hash}", 114: "{uid}" };
const onlyHex = /^0[xX][0-9a-fA-F]*$/;
/** Query names of paging. */
export const paging: readonly string[] = ["offset", "limit"];

/** Normalizes path and query, so that equivalent requests have equal keys. */
export function normalizePath(path: string): string {
  const [route, query] = splitOnce(path, "?");
  const key = mixedHex.test(route) ? route.replace(hex, (digits) => digits.toLowerCase()) : route;
  if (query === "") return key;
  const fields = queryFields(query).map(([name, value]) =>
    `${encode(name)}=${encode(onlyHex.test(value) ? value.toLowerCase() : value)}`
  );
  return `${key}?${fields.sort().join("&")}`;
}

/** Splits a path into its route and its decoded query fields. */
export function splitPath(path: string): { route: string; fields: [string, string][] } {
  const [route, query] = splitOnce(path, "?");
  return { route, fields: query === "" ? [] : queryFields(query) };
}

/** Normalizes a request body, so that equal JSON has equal keys; other text stays unchanged. */
export function normalizeBody(body: string | undefined): string {
  if (body === undefined || body === "") return "";
  try {
    return JSON.stringify(JSON.parse(body), (_key, value: unknown) => {
      if (typeof value === "string") return onlyHex.test(value) ? value.toLowerCase() : value;
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
    });
  } catch {
    return body;
  }
}

/**
 * Returns the route of a path: UIDs, hashes, addresses and ids are replaced by their kind, a query by its
 * names without paging.
 */
export function toRoute(path: string): string {
  const { route, fields } = splitPath(path);
  const pattern = route.replace(hex, (digits) => kinds[digits.length] ?? digits)
    .replace(/\/\d+(?=\/|\.json$|$)/g, "/{id}");
  const names = fields.map(([name]) => name).filter((name) => !paging.includes(name));
  return names.length === 0 ? pattern : `${pattern}?${names.sort().join("&")}`;
}

function queryFields(query: string): [string, string][] {
  return query.split("&").map((field) => {
    const [name, value] = splitOnce(field, "=");
    return [decode(name), decode(value)];
  });
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function encode(text: string): string {
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text);
}

function splitOnce(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** The response to a request. */
export interface RecordedResponse {
  /** HTTP status. */
  readonly status: number;
  /** `Content-Type`; `null` if there was none. */
  readonly contentType: string | null;
  /** Response body, exactly as sent. */
  readonly responseBody: string;
}

/** One request with its response: a line of a recording. */
export interface Exchange extends RecordedResponse {
  /** HTTP method. */
  readonly method: string;
  /** Path and query as sent, relative to the base URL. */
  readonly path: string;
  /** Request body; absent if it was empty. */
  readonly requestBody?: string;
}

/** Creates a response with a JSON body. */
export function toJson(status: number, responseBody: string): RecordedResponse {
  return { status, contentType: "application/json", responseBody };
}

/** Combines a request and its response, as they are written: without the keys of transports. */
export function toExchange(
  { method, path, body }: HttpRequest,
  response: RecordedResponse,
): Exchange {
  const { status, contentType, responseBody } = response;
  return {
    method,
    path: hideSecrets(path),
    ...body !== undefined && { requestBody: body },
    status,
    contentType,
    responseBody: hideSecrets(responseBody),
  };
}

/** Converts a recorded response to that of a transport. */
export function toResponse(
  { status, contentType, responseBody: body }: RecordedResponse,
): HttpResponse {
  const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
  return { status, contentType, headers, body };
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function tryParseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Formats an exchange as one line, including its newline; only the six fields are written. */
export function printExchange(exchange: Exchange): string {
  const { method, path, requestBody, status, contentType, responseBody } = exchange;
  const request = requestBody === undefined || requestBody === ""
    ? { method, path }
    : { method, path, requestBody };
  return JSON.stringify({ ...request, status, contentType, responseBody }) + "\n";
}

/**
 * Parses one line of a recording. Bodies stay text, because most are never requested.
 *
 * @param line The line without its newline.
 * @param source File and line number, for the error.
 * @throws {InputError} If the line is not JSON or not an exchange.
 */
export function parseExchange(line: string, source: string): Exchange {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw toExchangeError(source, "a JSON object on one line", line, cause);
  }
  const expectation = findExpectation(value);
  if (expectation !== undefined) throw toExchangeError(source, expectation, line);
  return value as Exchange;
}

/** Finds what an invalid exchange lacks; `undefined` for a valid one. */
function findExpectation(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "an object";
  const { method, path, requestBody, status, contentType, responseBody } = value as Partial<
    Record<keyof Exchange, unknown>
  >;
  if (typeof method !== "string") return "a string `method`";
  if (typeof path !== "string" || !path.startsWith("/")) {
    return "a string `path` that starts with /";
  }
  if (requestBody !== undefined && typeof requestBody !== "string") {
    return "a string `requestBody`, or none";
  }
  if (!Number.isInteger(status)) return "an integer `status`";
  if (contentType !== null && typeof contentType !== "string") {
    return "a string `contentType`, or null";
  }
  if (typeof responseBody !== "string") return "a string `responseBody`";
}

function toExchangeError(
  source: string,
  expected: string,
  line: string,
  cause?: unknown,
): InputError {
  return new InputError(`Cannot read the recording at ${source}: the line is not an exchange`, {
    facts: { expected, found: line.length > 80 ? `${line.slice(0, 80)}…` : line },
    remedy:
      "Pass a recording with one exchange per line, as `record(transport, folder)` writes it, or delete the line",
    cause,
  });
}
