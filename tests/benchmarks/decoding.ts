import {
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  type WireKind,
} from "orderlens/schemas";
import { marketBodies } from "./market_bodies.ts";
import { type Benchmark, timed } from "./ratio.ts";
import pl from "nodejs-polars";
import { buildTable, ORDERS } from "orderlens/tables";
import { httpTransport } from "orderlens/http";
import { readEvents } from "../../lib/endpoints/quotes.ts";

/** A JSON list of `count` bodies; the recorded ones in turn. */
function listOf(texts: readonly string[], count: number): string {
  return `[${Array.from({ length: count }, (_, index) => texts[index % texts.length]!).join(",")}]`;
}

/** Decoding, parsing included, against bare `JSON.parse` of the same bytes. */
export async function decodingBenchmarks(): Promise<Benchmark[]> {
  const cases: [string, WireKind, number, number, (body: unknown) => unknown][] = [
    ["orders", "order", 50_000, 1.6, (body) => decodeOrder(body)],
    ["trades", "trade", 50_000, 1.6, (body) => decodeTrade(body)],
    ["competitions", "competition_v2", 500, 2.2, (body) => decodeCompetition(body)],
    ["debug reports", "debug_report", 500, 2.0, (body) => decodeDebugReport(body)],
  ];
  return await Promise.all(cases.map(async ([what, kind, count, bar, decode]) => {
    const text = listOf(await marketBodies(kind), count);
    return timed({
      name: `decode ${count.toLocaleString("en")} ${what} / JSON.parse`,
      bar,
      reference: () => JSON.parse(text),
      measured: () => (JSON.parse(text) as unknown[]).map(decode),
    });
  }));
}

const ORDER_COUNT = 50_000;

/** Building a table from decoded orders, against polars taking the same columns as arrays. */
export async function tablingBenchmarks(): Promise<Benchmark[]> {
  const bodies: { uid: string }[] = JSON.parse(listOf(await marketBodies("order"), ORDER_COUNT));
  // Each has a UID of its own, since a table has an order once.
  const orders = bodies.map((body, index) =>
    decodeOrder({ ...body, uid: `0x${index.toString(16).padStart(16, "0")}${body.uid.slice(18)}` })
  );
  const table = buildTable(ORDERS, { orders });
  const columns = Object.fromEntries(
    ORDERS.columns.map(({ name }) => [name, [...table.getColumn(name)]]),
  );
  return [timed({
    name: `table of ${ORDER_COUNT.toLocaleString("en")} orders / polars with ready-made columns`,
    bar: 3.0,
    reference: () => pl.DataFrame(columns),
    measured: () => buildTable(ORDERS, { orders }),
  })];
}

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
export function streamingBenchmarks(): Benchmark[] {
  return [timed({
    name: "read an event of 1 MiB in pieces of 64 bytes / one of 256 KiB",
    bar: 5,
    reference: () => readEvent(LARGE_BYTES / 4),
    measured: () => readEvent(LARGE_BYTES),
  })];
}
