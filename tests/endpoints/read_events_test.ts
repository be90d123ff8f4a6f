import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readEvents } from "../../lib/endpoints/read_events.ts";

async function eventsIn(...chunks: string[]) {
  const events = await Array.fromAsync(readEvents(chunks));
  return events.map(({ name, data, isCut }) => `${name}${isCut ? " (cut)" : ""}: ${data}`);
}

Deno.test("readEvents() splits events at blank lines and names them", async () => {
  assertEquals(
    await eventsIn('data: {"a":1}\n\nevent: error\ndata: {"b":2}\n\n'),
    ['message: {"a":1}', 'error: {"b":2}'],
  );
});

Deno.test("readEvents() takes LF, CRLF and CR, also torn between chunks", async () => {
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

Deno.test("readEvents() joins lines of data, and takes one space after the colon away", async () => {
  assertEquals(await eventsIn("data:a\ndata:  b\ndata\n\n"), ["message: a\n b\n"]);
});

Deno.test("readEvents() leaves out comments, other fields, a byte order mark, and events without data", async () => {
  assertEquals(
    await eventsIn(
      "\uFEFFdata: 1\n: keep alive\nid: 7\nretry: 10\n\nevent: ping\n\n:\n\ndata: 2\n\n",
    ),
    ["message: 1", "message: 2"],
  );
});

Deno.test("readEvents() gives an event that the end cuts, and says so", async () => {
  assertEquals(await eventsIn("data: 1\n\ndata: 2"), ["message: 1", "message (cut): 2"]);
  assertEquals(await eventsIn("data: 1\n"), ["message (cut): 1"]);
  assertEquals(await eventsIn(""), []);
});

Deno.test("readEvents() gives the same events however a stream is torn", async () => {
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
