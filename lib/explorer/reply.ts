import { COPY_SCRIPT } from "../reports/page/html_cell.ts";
import { type PageContent, reportJson } from "../reports/page/page_content.ts";
import { Cache } from "./cache.ts";

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
  /** Content security policy. @default {no script may run} */
  readonly policy?: string;
}

const UTF8 = new TextEncoder();

/** An HTML page. `script` is the source of its own script, if it has one. */
export function toHtmlReply(
  text: string,
  { status = 200, script }: { readonly status?: number; readonly script?: string | undefined } = {},
): Reply {
  const type = "text/html; charset=utf-8";
  return { status, type, body: UTF8.encode(text), policy: buildPolicy(script) };
}

/** Data as JSON text. */
export function toJsonReply(data: unknown): Reply {
  const body = UTF8.encode(`${reportJson(data)}\n`);
  return { status: 200, type: "application/json; charset=utf-8", body };
}

/** A file of CSV. */
export function toCsvReply(name: string, body: Reply["body"]): Reply {
  const type = "text/csv; charset=utf-8; header=present";
  const headers = { "content-disposition": `attachment; filename="${name}.csv"` };
  return { status: 200, type, body, headers };
}

/** Keeps replies for a while, up to so many bytes; streams are sent once. */
export function createReplyCache(maxWeight: number, freshMs: number): Cache<Reply> {
  const weigh = ({ body }: Reply) => body instanceof Uint8Array ? body.byteLength : Infinity;
  return new Cache({ maxWeight, weigh, freshMs });
}

/** A redirect inside the explorer. */
export function redirectTo(path: string): Reply {
  const headers = { location: path };
  return { status: 302, type: "text/plain; charset=utf-8", body: new Uint8Array(), headers };
}

/** Converts a reply to the response that is sent. */
export function toResponse({ status, type, body, headers = {}, policy }: Reply): Response {
  const allHeaders = buildHeaders(type, policy);
  // Also of the answer to HEAD, which has no body.
  if (body instanceof Uint8Array) allHeaders.set("content-length", `${body.byteLength}`);
  for (const [name, value] of Object.entries(headers)) allHeaders.set(name, value);
  return new Response(body, { status, headers: allHeaders });
}

/** Headers of every response, so that a browser loads, runs and sends nothing else. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
};

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'self'";

/** The source of a script in a policy: its hash. */
export async function hashScript(script: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", UTF8.encode(script)));
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`;
}

const COPY_SCRIPT_HASH = await hashScript(COPY_SCRIPT);

/**
 * The policy of a page in its head: the script that copies may run, and one of its own, which may ask
 * the explorer.
 *
 * @param script Source of its own script, if it has one.
 */
export function buildPolicy(script?: string): string {
  const policy = `${POLICY}; script-src ${COPY_SCRIPT_HASH}`;
  return script === undefined ? policy : `${policy} ${script}; connect-src 'self'`;
}

/**
 * The policy of pages of a folder, which browsers also open from a disk: there, `'self'` names nothing in
 * some of them.
 */
export const FOLDER_POLICY: string =
  "default-src 'none'; style-src 'self' file: 'unsafe-inline'; " +
  "script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'self' file:";

/** Headers of an answer. Frames can only be forbidden here, not in a page. */
function buildHeaders(type: string, policy: string = POLICY): Headers {
  return new Headers({
    ...SECURITY_HEADERS,
    "content-type": type,
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
  });
}

/** The parts of a page that is about the explorer itself, with what such a page needs not say. */
type PlainContent =
  & Pick<PageContent, "title" | "sentence" | "sections" | "data">
  & Partial<PageContent>;

/** A page that is no report. */
export function createContent(content: PlainContent): PageContent {
  return {
    subject: { auction: 0 },
    tone: "neutral",
    facts: [],
    network: null,
    command: "orderlens serve",
    ...content,
  };
}

/** Contents of a page about a failure. */
export interface Failure {
  /** HTTP status. */
  readonly status: number;
  /** The failure, as one sentence. */
  readonly what: string;
  /** The reason, where known. */
  readonly why?: string;
  /** The advice. */
  readonly remedy: string;
}

/** Something that the explorer shows on purpose instead of a page. */
export class FailureError extends Error {
  /** The failure that is shown. */
  readonly failure: Failure;

  /** @param failure What is shown. */
  constructor(failure: Failure) {
    super(failure.what);
    this.failure = failure;
  }
}
