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

/** A JSON response; amounts must already be text. */
export function json(value: unknown, status = 200): Reply {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

/** An error response with its type. */
export function failure(status: number, errorType: string, description: string): Reply {
  return json({ errorType, description }, status);
}

/** Plain text, as the service sends before its own logic runs. */
export function text(body: string, status = 200): Reply {
  return { status, contentType: TEXT, body };
}

/** An empty response. */
export function empty(status: number): Reply {
  return { status, contentType: null, body: "" };
}

/** An error response that aborts the handling of a request. */
export class Rejection extends Error {
  /** The response. */
  readonly reply: Reply;

  /** Aborts with this response. */
  constructor(reply: Reply) {
    super(`Answer with status ${reply.status}`);
    this.name = "Rejection";
    this.reply = reply;
  }
}

/** A rejection with an error type. */
export function rejection(status: number, errorType: string, description: string): Rejection {
  return new Rejection(failure(status, errorType, description));
}

/** The reply to one request too many; `retryAfterSec` becomes a header. */
export function tooManyRequests(retryAfterSec: number | undefined): Reply {
  const headers = retryAfterSec !== undefined && { "retry-after": String(retryAfterSec) };
  return { ...text("Too many requests", 429), ...headers && { headers } };
}

/** A rejection with plain text. */
export function badText(body: string, status = 400): Rejection {
  return new Rejection(text(body, status));
}

/** A rejection of a body that is not JSON. */
export function invalidJson(reason: string): Rejection {
  return badText(`Failed to parse the request body as JSON: ${reason}`);
}

/** A rejection for the shape of a body. */
export function wrongShape(reason: string): Rejection {
  return badText(`Failed to deserialize the JSON body into the target type: ${reason}`, 422);
}

/** A rejection with status 400. */
export function badRequest(errorType: string, description: string): Rejection {
  return rejection(400, errorType, description);
}

/**
 * The result of `read`; a mismatch becomes a rejection.
 *
 * @throws {Rejection} What `reject` returns for the reason.
 */
export function orReject<T>(read: () => T, reject: (reason: string) => Rejection): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? reject(error.message) : error;
  }
}

/**
 * The recovered signer.
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
