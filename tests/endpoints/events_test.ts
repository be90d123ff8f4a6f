import { HttpStatusError } from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { readEvents } from "../../lib/endpoints/quotes.ts";

const SOURCE = { request: { method: "POST", path: "/api/v1/quote/stream" }, status: 200 } as const;

async function eventsIn(...chunks: string[]) {
  const events = await Array.fromAsync(readEvents(chunks, SOURCE));
  return events.map(({ name, data, isCut }) => `${name}${isCut ? " (cut)" : ""}: ${data}`);
}

Deno.test("readEvents() splits events at blank lines and names them", async () => {
  assertEquals(
    await eventsIn('data: {"a":1}\n\nevent: error\ndata: {"b":2}\n\n'),
    ['message: {"a":1}', 'error: {"b":2}'],
  );
});

Deno.test("readEvents() accepts LF, CRLF and CR, even split between chunks", async () => {
  assertEquals(await eventsIn("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n"), [
    "message: 1",
    "message: 2",
    "message: 3",
  ]);
  assertEquals(await eventsIn("data: 1\r", "\n\r", "\ndata: 2", "\n", "\n"), [
    "message: 1",
    "message: 2",
  ]);
});

Deno.test("readEvents() joins lines of data, and removes one space after the colon", async () => {
  assertEquals(await eventsIn("data:a\ndata:  b\ndata\n\n"), ["message: a\n b\n"]);
});

Deno.test("readEvents() ignores comments, other fields, a byte order mark, and events without data", async () => {
  assertEquals(
    await eventsIn(
      "\uFEFFdata: 1\n: keep alive\nid: 7\nretry: 10\n\nevent: ping\n\n:\n\ndata: 2\n\n",
    ),
    ["message: 1", "message: 2"],
  );
});

Deno.test("readEvents() marks an event that is cut off at the end", async () => {
  assertEquals(await eventsIn("data: 1\n\ndata: 2"), ["message: 1", "message (cut): 2"]);
  assertEquals(await eventsIn("data: 1\n"), ["message (cut): 1"]);
  assertEquals(await eventsIn(""), []);
});

Deno.test("readEvents() yields the same events for any chunks", async () => {
  const stream =
    "event: a\r\ndata: x\r\ndata: y\r\n\r\n: c\r\rdata: z\n\nevent: e\rdata: w\r\r\ndata: v";
  const whole = await eventsIn(stream);
  assertEquals(whole, ["a: x\ny", "message: z", "e: w", "message (cut): v"]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(stream.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const chunks = places.slice(1).map((end, index) => stream.slice(places[index], end));
      assertEquals(await eventsIn(...chunks), whole);
    }),
    { numRuns: 200 },
  );
});

Deno.test("readEvents() removes one byte order mark, at the very beginning only", async () => {
  assertEquals(await eventsIn("", "\uFEFFdata: 1\n\n", "\uFEFFdata: 2\n\ndata: \uFEFF\n\n"), [
    "message: 1",
    "message: \uFEFF",
  ]);
});

Deno.test("readEvents() starts each event anew, even after one without data", async () => {
  assertEquals(
    await eventsIn(
      "event: error\nid: 1\n\n",
      "data: 1\n\nevent: a\nevent: b\ndata: 2\n\nevent\ndata\n\n",
    ),
    ["message: 1", "b: 2", "message: "],
  );
});

Deno.test("readEvents() stops reading once an event is too long, in small pieces and in one", async () => {
  for (const piece of ["data: ".padEnd(64, "x"), "x".repeat(2_000_000)]) {
    let asked = 0;
    let isClosed = false;
    const pieces = function* () {
      try {
        for (;; asked++) yield piece;
      } finally {
        isClosed = true;
      }
    };
    const error = await assertRejects(
      () => Array.fromAsync(readEvents(pieces(), SOURCE)),
      HttpStatusError,
      "Cannot read the answer to POST /api/v1/quote/stream: one of its events is longer than 1048576 characters",
    );
    assertEquals(asked, Math.floor(1_048_576 / piece.length));
    assertEquals([error.status, error.body.length, isClosed], [200, 200, true]);
  }
});

Deno.test("readEvents() limits the size of one event, not of all", async () => {
  const events = Array.from({ length: 20 }, () => `data: ${"x".repeat(100_000)}\n\n`);
  assertEquals((await eventsIn(...events)).length, 20);
  assertEquals((await eventsIn(events.join(""))).length, 20);
  assertEquals((await eventsIn(`data: ${"x".repeat(1_048_568)}\n\n`)).length, 1);
  await assertRejects(() => eventsIn(`data: ${"x".repeat(1_048_569)}\n\n`), HttpStatusError);
});
