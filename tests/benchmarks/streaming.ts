import { httpTransport } from "orderlens/http";
import { readEvents } from "../../lib/endpoints/quotes.ts";
import type { Comparison } from "./ratio.ts";

const PIECE_BYTES = 64;
const LARGE_BYTES = 1024 * 1024;

const request = { method: "POST", path: "/api/v1/quote/stream", isRead: true } as const;

/** Reads one event that arrives in pieces of 64 bytes. */
async function readEvent(bytes: number): Promise<void> {
  const event = new TextEncoder().encode(`data: ${"x".repeat(bytes - 8)}\n\n`);
  const pieces = ReadableStream.from(function* () {
    for (let at = 0; at < bytes; at += PIECE_BYTES) yield event.subarray(at, at + PIECE_BYTES);
  }());
  const transport = httpTransport("http://localhost", {
    fetch: () => Promise.resolve(new Response(pieces)),
  });
  const { status, chunks } = await transport.stream(request);
  const events = await Array.fromAsync(readEvents(chunks, { request, status }));
  if (events[0]?.data.length !== bytes - 8) throw new Error(`${events.length} events`);
}

/** Reading a large event against one a quarter as large: 4 times the time is linear, 16 is not. */
export function streamingComparisons(): Comparison[] {
  return [{
    name: "read an event of 1 MiB in pieces of 64 bytes / one of 256 KiB",
    bar: 5,
    reference: () => readEvent(LARGE_BYTES / 4),
    measured: () => readEvent(LARGE_BYTES),
  }];
}
