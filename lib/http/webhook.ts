import { toHex } from "./disk_cache.ts";
import { retryAfterMs } from "./limits.ts";
import { USER_AGENT } from "./transport.ts";

/** A message to a webhook. */
interface SignedMessage {
  /** Its destination. */
  readonly url: string;
  /** JSON text. */
  readonly body: string;
  /** Identifier of the message: the receiver drops a second one with the same key. */
  readonly key: string;
  /** Secret that both sides have. */
  readonly secret: string;
  /** Time of sending, in milliseconds since the unix epoch. */
  readonly nowMs: number;
}

/** The receiver's response. */
interface WebhookResponse {
  /** HTTP status; `null` without a response. */
  readonly status: number | null;
  /** Wait that the receiver asks for, in milliseconds; `null` if it names none. */
  readonly waitMs: number | null;
}

const TIMEOUT_MS = 15_000;

/**
 * Signs a message: HMAC-SHA256 of its time in unix seconds, a dot and its body, as
 * hexadecimal digits.
 */
export async function signMessage(
  secret: string,
  timestampSec: number,
  body: string,
): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestampSec}.${body}`)));
}

/**
 * Posts a message once, with `Idempotency-Key`, `Orderlens-Timestamp` and
 * `Orderlens-Signature: v1=<hex>`. Redirects are not followed, and the response's body is not read.
 *
 * @throws {unknown} The signal's reason if it aborts; a failure to connect is a response without a
 *   status.
 */
export async function sendSigned(
  { url, body, key, secret, nowMs }: SignedMessage,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const timestampSec = Math.floor(nowMs / 1_000);
  const signature = await signMessage(secret, timestampSec, body);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "idempotency-key": key,
        "orderlens-timestamp": `${timestampSec}`,
        "orderlens-signature": `v1=${signature}`,
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, waitMs: retryAfterMs(response.headers, nowMs) ?? null };
  } catch (error) {
    if (signal.aborted) throw error;
    return { status: null, waitMs: null };
  }
}
