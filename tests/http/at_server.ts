import { httpTransport, type HttpTransportOptions } from "orderlens/http";
import { type Behaviour, misbehavingServer } from "../misbehaving_server.ts";
import { TestClock } from "../test_clock.ts";

/** A server with one path, a transport to it, and waits of exactly the upper end of the backoff. */
export function atServer(
  behaviours: Behaviour | readonly Behaviour[],
  options: HttpTransportOptions = {},
) {
  const server = misbehavingServer({ "/x": behaviours });
  const clock = new TestClock();
  return {
    server,
    clock,
    transport: httpTransport(server.url, { clock, random: () => 1, ...options }),
    count: () => server.count(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Lets a transport fetch pieces of text, or of bytes, without a server. */
export function fetchOf(pieces: Iterable<string | Uint8Array>, init: ResponseInit = {}) {
  const bytes = [...pieces].map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece
  );
  return () => Promise.resolve(new Response(ReadableStream.from(bytes), init));
}
