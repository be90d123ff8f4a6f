import { securityHeaders } from "../guarding/security_headers.ts";

/** An answer before it is sent, so that it can be kept and sent again. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** Media type. */
  readonly type: string;
  /** The body; a stream is sent once. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Content security policy. @default {that of a page without scripts} */
  readonly policy?: string;
}

const UTF8 = new TextEncoder();

/** An HTML page. */
export function pageReply(text: string, status = 200): Reply {
  return { status, type: "text/html; charset=utf-8", body: UTF8.encode(text) };
}

/** JSON text. */
export function jsonReply(text: string): Reply {
  return { status: 200, type: "application/json; charset=utf-8", body: UTF8.encode(text) };
}

/** A redirect inside the explorer. */
export function redirectReply(path: string): Reply {
  const headers = { location: path };
  return { status: 302, type: "text/plain; charset=utf-8", body: new Uint8Array(), headers };
}

/** The answer that is sent. */
export function responseOf({ status, type, body, headers = {}, policy }: Reply): Response {
  const all = securityHeaders(type, policy);
  // Also of the answer to HEAD, which has no body.
  if (body instanceof Uint8Array) all.set("content-length", `${body.byteLength}`);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(body, { status, headers: all });
}
