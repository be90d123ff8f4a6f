import { HttpStatusError } from "../../errors/mod.ts";
import { type HttpRequest, requestLine, type Transport } from "../../http/mod.ts";
import { isEventStream } from "../../http/reading/whole_events.ts";
import type { Purpose } from "../call/purpose.ts";
import { refusalOf } from "../call/refusal_of.ts";
import { isSuccess, sendFor } from "../call/send_for.ts";

/** How much of a body that is not an event stream is read for the error. */
const SHOWN_CHARS = 200;

/** An open stream of events. */
export interface OpenedStream {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Its text, as it arrives. */
  readonly chunks: AsyncIterable<string> | Iterable<string>;
}

/** The start of a body, enough to identify it. */
interface Opened extends OpenedStream {
  readonly contentType: string | null;
}

/**
 * Requests a stream of events and returns its text as it arrives; a transport without streaming
 * returns all of it at once.
 *
 * @throws {HttpError} If the answer is not a success, or not an event stream.
 */
export async function openStream(
  purpose: Purpose,
  transport: Transport,
  request: HttpRequest,
): Promise<OpenedStream> {
  const opened = await open(purpose, transport, request);
  const { status, contentType, chunks } = opened;
  if (isEventStream(opened)) return { status, chunks };
  throw new HttpStatusError(
    `Cannot ${purpose.wanted}: the answer is ${contentType} instead of an event stream`,
    {
      request: requestLine(request),
      status,
      body: await beginningOf(chunks),
      remedy: "Check that the address is an order book's, and that no proxy answers for it",
    },
  );
}

async function open(
  purpose: Purpose,
  transport: Transport,
  request: HttpRequest,
): Promise<Opened> {
  if (transport.stream === undefined) {
    const { status, contentType, body } = await sendFor(purpose, transport, request);
    return { status, contentType, chunks: [body] };
  }
  const stream = await transport.stream(request);
  if (isSuccess(stream)) return stream;
  const { status, contentType, chunks } = stream;
  let body = "";
  for await (const chunk of chunks) body += chunk;
  throw refusalOf({ status, contentType, headers: new Headers(), body }, request, purpose);
}

async function beginningOf(chunks: AsyncIterable<string> | Iterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length >= SHOWN_CHARS) break;
  }
  return text;
}
