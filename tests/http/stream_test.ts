import { HttpStatusError, NetworkError, TimeoutError } from "orderlens";
import { type HttpStream, httpTransport } from "orderlens/http";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  answers,
  answersBytes,
  atServer,
  type Behaviour,
  fetchOf,
  hangsUp,
  stallsInBody,
  streams,
  truncates,
  untilGone,
} from "../misbehaving_server.ts";
import { TestClock } from "../test_clock.ts";

const ask = { method: "POST", path: "/x", body: "{}", isRead: true } as const;
const events = { headers: { "content-type": "text/event-stream" } };

async function textOf({ chunks }: HttpStream): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

Deno.test("stream() yields chunks as they arrive", async () => {
  const second = Promise.withResolvers<string>();
  await using at = atServer(streams(["data: 1\n\n", () => second.promise], events));

  const stream = await at.transport.stream(ask);
  assertEquals([stream.status, stream.contentType], [200, "text/event-stream"]);
  const chunks = stream.chunks[Symbol.asyncIterator]();

  assertEquals((await chunks.next()).value, "data: 1\n\n");
  second.resolve("data: 2\n\n");
  assertEquals((await chunks.next()).value, "data: 2\n\n");
  assertEquals((await chunks.next()).done, true);
  assertEquals(at.server.requests[0]?.headers.get("accept")?.split(",")[0], "text/event-stream");
});

Deno.test("stream() retries until a response begins, and reads an error response completely", async () => {
  const error = '{"errorType":"NoLiquidity"}';
  await using at = atServer([
    answers("", { status: 503 }),
    hangsUp,
    answers("", { status: 429 }),
    streams(["data: 1\n\n"], events),
    answers(error, { status: 404 }),
  ]);

  assertEquals(await textOf(await at.transport.stream(ask)), "data: 1\n\n");
  assertEquals(at.server.count(), 4);
  // So that no connection stays open.
  const refused = await at.transport.stream(ask);
  assertEquals([refused.status, refused.contentType], [404, "application/json"]);
  assertEquals([await textOf(refused), at.server.count()], [error, 5]);
});

Deno.test("stream() aborts the request when its loop is left, even before the first iteration", async () => {
  const gone = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits: Behaviour = async (request, connection) => {
    const sending = streams(["data: 1\n\n", () => new Promise(() => {})], events);
    await Promise.race([
      sending(request, connection),
      untilGone(connection).then(() => gone[request.before]?.resolve()),
    ]);
  };
  await using at = atServer(waits);

  for await (const chunk of (await at.transport.stream(ask)).chunks) {
    assertEquals(chunk, "data: 1\n\n");
    break;
  }
  const unread = (await at.transport.stream(ask)).chunks[Symbol.asyncIterator]();
  await unread.return?.();

  assertEquals(await unread.next(), { done: true, value: undefined });
  await Promise.all(gone.map(({ promise }) => promise));
  assertEquals(at.clock.held, 0);
  assertEquals(at.server.count(), 2);
});

Deno.test("stream() limits the wait for each event, however slow the reader is", async () => {
  const late = Promise.withResolvers<string>();
  await using at = atServer(
    streams(["data: 1\n\n", () => late.promise, () => new Promise(() => {})], events),
  );

  const chunks = (await at.transport.stream(ask)).chunks[Symbol.asyncIterator]();
  assertEquals((await chunks.next()).value, "data: 1\n\n");
  assertEquals(at.clock.held, 0, "no time runs while the reader thinks");
  at.clock.advance(3_600_000);

  const second = chunks.next();
  at.clock.advance(20_000);
  late.resolve("data: 2\n\n");
  assertEquals((await second).value, "data: 2\n\n");

  const call = () => chunks.next();
  const third = assertRejects(call, TimeoutError, "no complete event within 30000 ms");
  at.clock.advance(30_000);
  assertEquals((await third).attempts, 1);
  assertEquals(at.clock.held, 0);
  assertEquals(at.server.count(), 1);
});

/** A transport to one answer, whose pieces are given when they are asked for. */
function inPieces(pieces: Iterable<string>, contentType = "text/event-stream") {
  const clock = new TestClock();
  const allTaken = Promise.withResolvers<void>();
  const state = { given: 0, isClosed: false };
  const left = Iterator.from(pieces);
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = left.next();
      if (done === true) return allTaken.resolve();
      state.given += value.length;
      controller.enqueue(new TextEncoder().encode(value));
    },
    cancel: () => void (state.isClosed = true),
  }, { highWaterMark: 0 });
  const transport = httpTransport("http://localhost", {
    clock,
    fetch: () => Promise.resolve(new Response(body, { headers: { "content-type": contentType } })),
  });
  return { clock, allTaken: allTaken.promise, state, transport };
}

/** What is no complete event, by its content type, and what is missed. */
const INCOMPLETE: readonly [pieces: string[], contentType: string, missed: string][] = [
  ...[
    [": keep alive\n\n", ": keep alive\n\n"],
    ["event: ping\n\n", "id: 1\n\n", "retry: 5\n\n", "\n\n"],
    [..."data: 1"],
    [..."data: 1\n", ..."data: 2\n"],
  ].map((pieces): [string[], string, string] => [pieces, "text/event-stream", "event"]),
  [[..."<html>"], "text/html", "response"],
];

Deno.test("stream() counts neither comments nor parts as events, and limits the time of other bodies", async () => {
  for (const [pieces, contentType, missed] of INCOMPLETE) {
    const { clock, allTaken, state, transport } = inPieces(pieces, contentType);
    const stream = await transport.stream(ask);
    const call = () => textOf(stream);
    const read = assertRejects(call, TimeoutError, `no complete ${missed} within 30000 ms`);

    await allTaken;
    assertEquals(clock.held, 1, "the first wait stands");
    clock.advance(30_000);
    await read;

    assertEquals([clock.held, state.isClosed], [0, true]);
  }
});

Deno.test("stream() yields whole events, in any chunks", async () => {
  const euro = new TextEncoder().encode("data: €\n\n");
  for (
    const [pieces, given] of [
      [["data: 1\n\ndata: 2\n\nda", "ta: 3\n", "\n"], ["data: 1\n\ndata: 2\n\n", "data: 3\n\n"]],
      [["data: 1\r\n\r", "\ndata: 2\r\r"], ["data: 1\r\n\r", "\ndata: 2\r\r"]],
      [[": a\n\n", "event: b\n\n", "data\n\n"], [": a\n\nevent: b\n\ndata\n\n"]],
      [["database: 1\n\n", "xdata: 1\n\n", "data: 1\n\n"], [
        "database: 1\n\nxdata: 1\n\ndata: 1\n\n",
      ]],
      [["data: 1\n\n", "data: 2"], ["data: 1\n\n", "data: 2"]],
      // A character that two chunks split.
      [[euro.subarray(0, 8), euro.subarray(8)], ["data: €\n\n"]],
    ] as const
  ) {
    const transport = httpTransport("http://localhost", { fetch: fetchOf(pieces) });
    assertEquals(await Array.fromAsync((await transport.stream(ask)).chunks), [...given]);
  }
});

function* endlessly(piece: string): Generator<string> {
  for (;;) yield piece;
}

Deno.test("stream() rejects an event without an end, reading little more, and a body above the limit", async () => {
  for (const line of ["data: ", ": ", "data: 1\n", ":\n\n", "x"]) {
    const { state, transport } = inPieces(endlessly(line.repeat(4096 / line.length)));
    const stream = await transport.stream(ask);
    const error = await assertRejects(() => textOf(stream), HttpStatusError);
    assertMatch(
      error.message,
      /^Cannot read the response to POST \/x: one of its events is longer than 1048576 characters\n/,
    );
    assertEquals(error.body.length, 200);
    assert(state.given <= 1_048_576 + 4096, `${state.given} bytes`);
    assert(state.isClosed);
  }
  await using at = atServer(answersBytes(new Uint8Array(5000)), { maxBodyBytes: 100 });
  const large = await at.transport.stream(ask);
  await assertRejects(() => textOf(large), HttpStatusError, "larger than 100 bytes");
});

Deno.test("stream() throws the error that ended it, after the chunks before", async () => {
  await using at = atServer(truncates("data: 1\n\n"));

  const broken = (await at.transport.stream(ask)).chunks[Symbol.asyncIterator]();
  assertEquals((await broken.next()).value, "data: 1\n\n");
  const error = await assertRejects(() => broken.next(), NetworkError);
  assertEquals(error.request, "POST /x");
  assertEquals(at.server.count(), 1);
});

Deno.test("stream() rejects immediately when aborted between and within chunks", async () => {
  await using at = atServer(stallsInBody("data: 1\n\n"));

  for (const isWaiting of [true, false]) {
    const controller = new AbortController();
    const stream = await at.transport.stream({ ...ask, signal: controller.signal });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    await chunks.next();

    const next = isWaiting ? chunks.next().catch((e) => e) : undefined;
    controller.abort("enough");

    assertEquals(await (next ?? chunks.next().catch((e) => e)), "enough");
    assertEquals((await chunks.next()).done, true);
  }
  assertEquals(at.clock.held, 0);
});

Deno.test("stream() calls the end hook after its last chunk, and for error responses and errors", async () => {
  const ends: unknown[] = [];
  const behaviours = [streams(["1"]), answers("", { status: 404 }), hangsUp];
  await using at = atServer(behaviours, {
    hooks: { onEnd: (e) => void ends.push(e.status ?? e.error) },
    retries: 0,
  });

  const stream = await at.transport.stream(ask);
  assertEquals(ends, []);
  await textOf(stream);
  assertEquals(ends, [200]);
  await at.transport.stream(ask);
  const error = await assertRejects(() => at.transport.stream(ask), NetworkError);
  assertEquals(ends.slice(0, 2), [200, 404]);
  assert(ends[2] === error && ends.length === 3);
});
