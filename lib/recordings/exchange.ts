import { InputError } from "../errors/mod.ts";

/** What came back for a request. */
export interface Answer {
  /** HTTP status of the answer. */
  readonly status: number;
  /** `Content-Type` of the answer, or `null` when it had none. */
  readonly contentType: string | null;
  /** Body of the answer, exactly as sent. */
  readonly responseBody: string;
}

/** One request with its answer, as a line of a recording holds it. */
export interface Exchange extends Answer {
  /** HTTP method. */
  readonly method: string;
  /** Path and query as they were sent, after the address of the deployment. */
  readonly path: string;
  /** Body of the request; absent when it was empty. */
  readonly requestBody?: string;
}

/** An answer whose body is JSON. */
export function jsonAnswer(status: number, responseBody: string): Answer {
  return { status, contentType: "application/json", responseBody };
}

/** Prints an exchange as one line, including its newline; only the six fields are written. */
export function printExchange(exchange: Exchange): string {
  const { method, path, requestBody, status, contentType, responseBody } = exchange;
  const request = requestBody === undefined || requestBody === ""
    ? { method, path }
    : { method, path, requestBody };
  return JSON.stringify({ ...request, status, contentType, responseBody }) + "\n";
}

/**
 * Reads one line of a recording. The bodies stay text: most of a tape is never asked for.
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
  const wrong = faultOf(value);
  if (wrong !== undefined) throw notAnExchange(where, wrong, line);
  return value as Exchange;
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "an object";
  const { method, path, requestBody, status, contentType, responseBody } = value as Partial<
    Record<keyof Exchange, unknown>
  >;
  if (typeof method !== "string") return "`method` as text";
  if (typeof path !== "string" || !path.startsWith("/")) return "`path` as text that begins with /";
  if (requestBody !== undefined && typeof requestBody !== "string") {
    return "`requestBody` as text, or absent";
  }
  if (!Number.isInteger(status)) return "`status` as an integer";
  if (contentType !== null && typeof contentType !== "string") {
    return "`contentType` as text or null";
  }
  if (typeof responseBody !== "string") return "`responseBody` as text";
}

function notAnExchange(where: string, expected: string, line: string, cause?: unknown): InputError {
  return new InputError(`Cannot read the recording at ${where}: the line is not an exchange`, {
    facts: { expected, found: line.length > 80 ? `${line.slice(0, 80)}…` : line },
    remedy:
      "Pass a recording with one exchange per line, as `record(transport, folder)` writes it, or delete the line",
    cause,
  });
}
