import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  InputError,
  type QuoteRequest,
  ServiceError,
} from "orderlens";
import { postQuote, streamQuotes } from "orderlens/endpoints";
import type { HttpStream, Transport } from "orderlens/http";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { readEvents } from "../../lib/endpoints/quotes.ts";
import { type FakeAnswer, FakeTransport } from "./fake_transport.ts";

/** The terms of a recorded request, as they are sent. */
const SENT = {
  kind: "sell",
  sellAmountBeforeFee: "3000000000000000000",
  sellToken: "0x67d269191c92caf3cd7723f116c85e6e9bf55933",
  buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
  from: "0xd217E8A0924a6806C7616A4ab0C39Df86e0bF889",
} as const;
const REQUEST: QuoteRequest = { ...SENT, sellAmountBeforeFee: 3000000000000000000n };

const edges = await replay("edges");

/** The recorded stream of two quotes. */
const { body: STREAM } = await edges.send({
  method: "POST",
  path: "/api/v1/quote/stream",
  body: JSON.stringify({ ...SENT, validFor: 600, appData: "{}", signingScheme: "eip712" }),
});
const QUOTE_BODY = STREAM.split("\n\n")[0]!.slice("data: ".length);
const NO_LIQUIDITY = '{"errorType":"NoLiquidity","description":"no route found"}';

function bodyOf({ requests }: FakeTransport): Record<string, unknown> {
  return JSON.parse(requests.at(-1)?.body ?? "");
}

function quoting(): FakeTransport {
  return new FakeTransport(() => ({ contentType: "application/json", body: QUOTE_BODY }));
}

Deno.test("postQuote() sends its price quality, verified by default, and all other terms, amounts as text", async () => {
  const service = quoting();
  const terms = { timeout: 1500, validFor: 600, partiallyFillable: true, somethingNew: 2n ** 70n };
  await postQuote(service, { ...REQUEST, ...terms });
  const sent = { ...SENT, priceQuality: "verified" };
  const texts = { ...terms, somethingNew: "1180591620717411303424" };
  assertEquals(bodyOf(service), { ...sent, ...texts });
  const [request] = service.requests;
  assertEquals([request?.method, request?.path, request?.isRead], ["POST", "/api/v1/quote", true]);
  const appDataHash = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
  for (
    const more of [
      { priceQuality: "fast" },
      { appData: "{}", appDataHash },
      // Orders on the chain that no key signs.
      { onchainOrder: true, signingScheme: "eip1271" },
      { onchainOrder: true, signingScheme: "presign" },
    ]
  ) {
    await postQuote(service, { ...REQUEST, ...more });
    assertEquals(bodyOf(service), { ...sent, ...more });
  }
});

Deno.test("postQuote() rejects invalid requests and values that JSON cannot represent, before sending", async () => {
  const service = quoting();
  const hash = `0x${"ab".repeat(32)}`;
  const within: Record<string, unknown> = {};
  within.itself = within;
  const refused: [object, string][] = [
    [{ appDataHash: hash }, "appDataHash but without appData"],
    [{ appDataHash: hash, appData: null }, "appDataHash but without appData"],
    [{ onchainOrder: true }, "on-chain order signed with eip712"],
    [{ onchainOrder: true, signingScheme: "ethsign" }, "signed with ethsign"],
    [{ validTo: 1, validFor: 1 }, "validTo or validFor, not both"],
    [{ from: "0x12" }, "from must be an address"],
    [{ kind: "buy" }, "buyAmountAfterFee"],
    [{ within }, "circular or nested too deeply"],
    [
      { deep: JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)) },
      "circular or nested too deeply",
    ],
  ];
  for (const [terms, fault] of refused) {
    const request = { ...REQUEST, ...terms } as QuoteRequest;
    await assertRejects(() => postQuote(service, request), InputError, fault);
    await assertRejects(() => Array.fromAsync(streamQuotes(service, request)), InputError, fault);
  }
  assertEquals(service.requests, []);
});

/** A transport that gives a body in pieces. */
function streaming(chunks: readonly string[], answer: Partial<HttpStream> = {}) {
  const state = { isClosed: false, sent: 0 };
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (const chunk of chunks) {
        state.sent++;
        await Promise.resolve();
        yield chunk;
      }
    } finally {
      state.isClosed = true;
    }
  }
  const transport: Transport = {
    baseUrl: "http://fake.localhost",
    send: () => Promise.reject(new Error("a stream was to be asked for")),
    stream: () =>
      Promise.resolve({
        status: 200,
        contentType: "text/event-stream",
        chunks: pieces(),
        ...answer,
      }),
  };
  return { transport, state };
}

/** The amounts of all quotes, each as it arrives. */
async function amounts(transport: Transport, seen: bigint[] = []): Promise<bigint[]> {
  for await (const { quote } of streamQuotes(transport, REQUEST)) seen.push(quote.buyAmount);
  return seen;
}

const AMOUNTS = [3612852824194498671n, 3616469293487986657n];

Deno.test("streamQuotes() yields each quote of a stream, or of a whole body", async () => {
  assertEquals(await amounts(streaming([": hello\r\n\r\n", STREAM]).transport), AMOUNTS);
  const service = new FakeTransport(() => ({ contentType: "text/event-stream", body: STREAM }));
  assertEquals(await amounts(service), AMOUNTS);
  assertEquals(service.paths, ["/api/v1/quote/stream"]);
});

Deno.test("streamQuotes() yields a quote as soon as it arrives, and closes the stream when its loop is left", async () => {
  const { transport, state } = streaming(STREAM.split(/(?<=\n\n)/));
  for await (const { quote } of streamQuotes(transport, REQUEST)) {
    assertEquals(quote.buyAmount, AMOUNTS[0]);
    assertEquals(state.sent, 1);
    break;
  }
  assertEquals(state, { isClosed: true, sent: 1 });
});

Deno.test("streamQuotes() throws the error that ends a stream, after the quotes before it", async () => {
  const { transport } = streaming([STREAM, `event: error\ndata: ${NO_LIQUIDITY}\n\n`]);
  const seen: bigint[] = [];
  const error = await assertRejects(() => amounts(transport, seen), ServiceError);
  assertEquals([error.errorType, error.description], ["NoLiquidity", "no route found"]);
  assertEquals(seen, AMOUNTS);
});

Deno.test("streamQuotes() continues after an invalid quote, then names it", async () => {
  const [first = "", second = ""] = STREAM.split(/(?<=\n\n)/);
  const { transport } = streaming([first, "data: {}\n\n", "data: nonsense\n\n", second]);
  const seen: bigint[] = [];
  const error = await assertRejects(() => amounts(transport, seen), IncompleteListError);
  assertEquals(seen, AMOUNTS);
  assertEquals(error.failureCount, 2);
});

Deno.test("streamQuotes() ends a stream after 100 invalid events in a row", async () => {
  const [first = ""] = STREAM.split(/(?<=\n\n)/);
  const broken = Array.from({ length: 99 }, () => "data: nonsense\n\n");
  const patient = streaming([...broken, first, ...broken, "event: ping\ndata: 1\n\n", first]);
  const seen: unknown[] = [];
  const onFailure = (failure: unknown) => void seen.push(failure);
  const quotes = await Array.fromAsync(streamQuotes(patient.transport, REQUEST, { onFailure }));
  assertEquals([quotes.length, seen.length], [2, 198]);

  const endless = [...broken, ...broken, ...broken];
  const left = streaming(endless);
  const error = await assertRejects(() => amounts(left.transport), IncompleteListError);
  assertEquals([error.failureCount, left.state], [100, { isClosed: true, sent: 100 }]);
  const reporting = streaming(endless);
  const telling = streamQuotes(reporting.transport, REQUEST, { onFailure });
  await assertRejects(() => Array.fromAsync(telling), DecodeError, "must be JSON");
  assertEquals(reporting.state, { isClosed: true, sent: 100 });
});

Deno.test("streamQuotes() throws if a stream ends in the middle of a quote", async () => {
  const { transport } = streaming([STREAM, 'data: {"quote":']);
  await assertRejects(() => amounts(transport), DecodeError, "ended in the middle");
  const whole = streaming([STREAM.trimEnd()]);
  assertEquals(await amounts(whole.transport), AMOUNTS);
});

Deno.test("streamQuotes() rejects a response that is not an event stream, and closes it", async () => {
  const { transport, state } = streaming(["<html>".repeat(50), "more", "and more"], {
    contentType: "text/html; charset=utf-8",
  });
  const error = await assertRejects(() => amounts(transport), HttpStatusError, "text/html");
  assertEquals(error.body.length, 200);
  assertEquals(state, { isClosed: true, sent: 1 });

  const json = { status: 404, contentType: "application/json" };
  const refusing = streaming([NO_LIQUIDITY], json);
  const refused = await assertRejects(() => amounts(refusing.transport), ServiceError);
  assertEquals([refused.errorType, refused.status], ["NoLiquidity", 404]);
  assertEquals(refusing.state.isClosed, true);

  const whole = new FakeTransport((): FakeAnswer => ({ body: { quote: 1 } }));
  await assertRejects(() => amounts(whole), HttpStatusError, "instead of an event stream");
});

const SOURCE = { request: { method: "POST", path: "/api/v1/quote/stream" }, status: 200 } as const;

async function eventsIn(...chunks: string[]) {
  const events = await Array.fromAsync(readEvents(chunks, SOURCE));
  return events.map(({ name, data, isCut }) => `${name}${isCut ? " (cut)" : ""}: ${data}`);
}

/** Chunks of a stream, and the events in them. */
const STREAMS: readonly [what: string, chunks: string[], events: string[]][] = [
  [
    "blank lines split events, which may have a name",
    ['data: {"a":1}\n\nevent: error\ndata: {"b":2}\n\n'],
    ['message: {"a":1}', 'error: {"b":2}'],
  ],
  [
    "LF, CRLF and CR",
    ["data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n"],
    ["message: 1", "message: 2", "message: 3"],
  ],
  [
    "lines of data are joined, without one space after the colon",
    ["data:a\ndata:  b\ndata\n\n"],
    ["message: a\n b\n"],
  ],
  [
    "comments, other fields and events without data are ignored",
    ["data: 1\n: keep alive\nid: 7\nretry: 10\n\nevent: ping\n\n:\n\ndata: 2\n\n"],
    ["message: 1", "message: 2"],
  ],
  [
    "each event starts anew, even after one without data",
    ["event: error\nid: 1\n\n", "data: 1\n\nevent: a\nevent: b\ndata: 2\n\nevent\ndata\n\n"],
    ["message: 1", "b: 2", "message: "],
  ],
  [
    "one byte order mark is removed, at the very beginning only",
    ["", "\uFEFFdata: 1\n\n", "\uFEFFdata: 2\n\ndata: \uFEFF\n\n"],
    ["message: 1", "message: \uFEFF"],
  ],
  ["an event is cut off", ["data: 1\n\ndata: 2"], ["message: 1", "message (cut): 2"]],
  ["an event lacks its blank line", ["data: 1\n"], ["message (cut): 1"]],
  ["nothing", [""], []],
];

Deno.test("readEvents() reads event streams as browsers do, and marks cut events", async () => {
  for (const [what, chunks, events] of STREAMS) {
    assertEquals(await eventsIn(...chunks), events, what);
  }
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
    { numRuns: 400 },
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
      "Cannot read the response to POST /api/v1/quote/stream: one of its events is longer than 1048576 characters",
    );
    assertEquals(asked, Math.floor(1_048_576 / piece.length));
    assertEquals([error.status, error.body.length, isClosed], [200, 200, true]);
  }
});

Deno.test("readEvents() limits the size of one event, not of all", async () => {
  const events = Array.from({ length: 4 }, () => `data: ${"x".repeat(300_000)}\n\n`);
  assertEquals((await eventsIn(...events)).length, 4);
  assertEquals((await eventsIn(events.join(""))).length, 4);
  assertEquals((await eventsIn(`data: ${"x".repeat(1_048_568)}\n\n`)).length, 1);
  await assertRejects(() => eventsIn(`data: ${"x".repeat(1_048_569)}\n\n`), HttpStatusError);
});
