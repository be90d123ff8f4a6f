import { InputError } from "../errors/mod.ts";

/** The response to a request. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** `Content-Type`; `null` if there was none. */
  readonly contentType: string | null;
  /** Response body, exactly as sent. */
  readonly responseBody: string;
}

/** One request with its response: a line of a recording. */
export interface Exchange extends Answer {
  /** HTTP method. */
  readonly method: string;
  /** Path and query as sent, relative to the base URL. */
  readonly path: string;
  /** Request body; absent if it was empty. */
  readonly requestBody?: string;
}

/** A response with a JSON body. */
export function jsonAnswer(status: number, responseBody: string): Answer {
  return { status, contentType: "application/json", responseBody };
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
 * @param where File and line number, for the error.
 * @throws {InputError} If the line is not JSON or not an exchange.
 */
export function parseExchange(line: string, where: string): Exchange {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw notAnExchange(where, "a JSON object on one line", line, cause);
  }
  const expected = expectationOf(value);
  if (expected !== undefined) throw notAnExchange(where, expected, line);
  return value as Exchange;
}

/** What an invalid exchange should have had; `undefined` for a valid one. */
function expectationOf(value: unknown): string | undefined {
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

function notAnExchange(where: string, expected: string, line: string, cause?: unknown): InputError {
  return new InputError(`Cannot read the recording at ${where}: the line is not an exchange`, {
    facts: { expected, found: line.length > 80 ? `${line.slice(0, 80)}…` : line },
    remedy:
      "Pass a recording with one exchange per line, as `record(transport, folder)` writes it, or delete the line",
    cause,
  });
}
