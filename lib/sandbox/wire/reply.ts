import { InputError } from "../../errors/mod.ts";
import { Mismatch } from "./loose_values.ts";

/** A response before faults are applied. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** Content type; `null` if there is no body. */
  readonly contentType: string | null;
  /** The body. */
  readonly body: string;
  /** Headers other than the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content type of plain text. */
const TEXT = "text/plain; charset=utf-8";

/** Creates a JSON response; amounts must already be text. */
export function json(value: unknown, status = 200): Reply {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

/** Creates an error response with a type. */
export function failure(status: number, errorType: string, description: string): Reply {
  return json({ errorType, description }, status);
}

/** Creates a plain-text response, as the service sends before its own logic runs. */
export function text(body: string, status = 200): Reply {
  return { status, contentType: TEXT, body };
}

/** Creates an empty response. */
export function empty(status: number): Reply {
  return { status, contentType: null, body: "" };
}

/** An error response that aborts the handling of a request. */
export class Rejection extends Error {
  /** The response. */
  readonly reply: Reply;

  /** Creates a rejection with a response. */
  constructor(reply: Reply) {
    super(`Answer with status ${reply.status}`);
    this.name = "Rejection";
    this.reply = reply;
  }
}

/** Creates a rejection with an error type. */
export function rejection(status: number, errorType: string, description: string): Rejection {
  return new Rejection(failure(status, errorType, description));
}

/** Creates the reply to a rate-limited request; `retryAfterSec` becomes a header. */
export function tooManyRequests(retryAfterSec: number | undefined): Reply {
  const headers = retryAfterSec !== undefined && { "retry-after": String(retryAfterSec) };
  return { ...text("Too many requests", 429), ...headers && { headers } };
}

/** Creates a rejection with plain text. */
export function badText(body: string, status = 400): Rejection {
  return new Rejection(text(body, status));
}

/** Creates the rejection of a body that is not JSON. */
export function invalidJson(reason: string): Rejection {
  return badText(`Failed to parse the request body as JSON: ${reason}`);
}

/** Creates the rejection of a body of the wrong shape. */
export function wrongShape(reason: string): Rejection {
  return badText(`Failed to deserialize the JSON body into the target type: ${reason}`, 422);
}

/** Creates a rejection with status 400. */
export function badRequest(errorType: string, description: string): Rejection {
  return rejection(400, errorType, description);
}

/**
 * Returns the result of `read`; a mismatch becomes a rejection.
 *
 * @throws {Rejection} The rejection that `reject` creates from the reason.
 */
export function orReject<T>(read: () => T, reject: (reason: string) => Rejection): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? reject(error.message) : error;
  }
}

/**
 * Recovers a signer.
 *
 * @param description Error description for a signature that recovers to no signer.
 * @throws {Rejection} 400 with a type, for such a signature.
 */
export async function recoverOrReject(
  recover: () => Promise<string>,
  description: string,
): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    throw error instanceof InputError ? badRequest("InvalidSignature", description) : error;
  }
}
