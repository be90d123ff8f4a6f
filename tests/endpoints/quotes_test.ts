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
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type FakeAnswer, FakeTransport } from "./fake_transport.ts";

const REQUEST: QuoteRequest = {
  kind: "sell",
  sellAmountBeforeFee: 3000000000000000000n,
  sellToken: "0x67d269191c92caf3cd7723f116c85e6e9bf55933",
  buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
  from: "0xd217E8A0924a6806C7616A4ab0C39Df86e0bF889",
};

const edges = await replay("edges");

/** The recorded stream of two quotes. */
const { body: STREAM } = await edges.send({
  method: "POST",
  path: "/api/v1/quote/stream",
  body: JSON.stringify({
    sellToken: REQUEST.sellToken,
    buyToken: REQUEST.buyToken,
    from: REQUEST.from,
    kind: "sell",
    sellAmountBeforeFee: "3000000000000000000",
    validFor: 600,
    appData: "{}",
    signingScheme: "eip712",
  }),
});
const QUOTE_BODY = STREAM.split("\n\n")[0]!.slice("data: ".length);
const NO_LIQUIDITY = '{"errorType":"NoLiquidity","description":"no route found"}';

function bodyOf({ requests }: FakeTransport): Record<string, unknown> {
  return JSON.parse(requests.at(-1)?.body ?? "");
}

function quoting(): FakeTransport {
  return new FakeTransport(() => ({ contentType: "application/json", body: QUOTE_BODY }));
}

Deno.test("postQuote() always sends its price quality, verified by default", async () => {
  const service = quoting();
  await postQuote(service, REQUEST);
  assertEquals(bodyOf(service).priceQuality, "verified");
  await postQuote(service, { ...REQUEST, priceQuality: "fast" });
  assertEquals(bodyOf(service).priceQuality, "fast");
  await postQuote(service, { ...REQUEST, priceQuality: undefined } as unknown as QuoteRequest);
  assertEquals(bodyOf(service).priceQuality, "verified");
});

Deno.test("postQuote() passes timeout and all other terms on, amounts as text", async () => {
  const service = quoting();
  await postQuote(service, { ...REQUEST, timeout: 1500, validFor: 600, partiallyFillable: true });
  assertEquals(bodyOf(service), {
    kind: "sell",
    sellAmountBeforeFee: "3000000000000000000",
    sellToken: REQUEST.sellToken,
    buyToken: REQUEST.buyToken,
    from: REQUEST.from,
    timeout: 1500,
    validFor: 600,
    partiallyFillable: true,
    priceQuality: "verified",
  });
  const [request] = service.requests;
  assertEquals([request?.method, request?.path, request?.isRead], ["POST", "/api/v1/quote", true]);
});

Deno.test("postQuote() sends unknown integers as decimal text", async () => {
  const service = quoting();
  await postQuote(service, { ...REQUEST, somethingNew: 2n ** 70n } as QuoteRequest);
  assertEquals(bodyOf(service).somethingNew, "1180591620717411303424");
});

Deno.test("postQuote() rejects what the service would reject, before sending", async () => {
  const service = quoting();
  const hash = `0x${"ab".repeat(32)}`;
  const refused: [Partial<QuoteRequest>, string][] = [
    [{ appDataHash: hash }, "appDataHash but without appData"],
    [{ appDataHash: hash, appData: null }, "appDataHash but without appData"],
    [{ onchainOrder: true }, "on-chain order signed with eip712"],
    [{ onchainOrder: true, signingScheme: "ethsign" }, "signed with ethsign"],
    [{ validTo: 1, validFor: 1 }, "validTo or validFor, not both"],
    [{ from: "0x12" }, "from must be an address"],
    [{ kind: "buy" } as Partial<QuoteRequest>, "buyAmountAfterFee"],
  ];
  for (const [terms, fault] of refused) {
    const request = { ...REQUEST, ...terms } as QuoteRequest;
    await assertRejects(() => postQuote(service, request), InputError, fault);
    assertThrows(() => streamQuotes(service, request), InputError, fault);
  }
  assertEquals(service.requests, []);
});

Deno.test("postQuote() allows on-chain orders that no key signs", async () => {
  const service = quoting();
  for (const signingScheme of ["eip1271", "presign"]) {
    await postQuote(service, { ...REQUEST, onchainOrder: true, signingScheme });
  }
  const appDataHash = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
  await postQuote(service, { ...REQUEST, appData: "{}", appDataHash });
  assertEquals(service.requests.length, 3);
});

Deno.test("postQuote() throws the service's error with its facts", async () => {
  const service = new FakeTransport(() => ({
    status: 400,
    body: {
      errorType: "SellAmountDoesNotCoverFee",
      description: "The sell amount for the sell order is lower than the fee.",
      data: { fee_amount: "0x69145c48e2b7c4" },
    },
  }));
  const error = await assertRejects(() => postQuote(service, REQUEST), ServiceError);
  assertEquals(error.data, { fee_amount: "0x69145c48e2b7c4" });
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

async function amounts(transport: Transport): Promise<bigint[]> {
  const quotes = await Array.fromAsync(streamQuotes(transport, REQUEST));
  return quotes.map(({ quote }) => quote.buyAmount);
}

const AMOUNTS = [3612852824194498671n, 3616469293487986657n];

Deno.test("streamQuotes() yields each quote of a stream, in any chunks", async () => {
  assertEquals(await amounts(streaming([STREAM]).transport), AMOUNTS);
  assertEquals(await amounts(streaming(STREAM.split("")).transport), AMOUNTS);
  const crlf = STREAM.replaceAll("\n", "\r\n");
  assertEquals(await amounts(streaming([": hello\r\n\r\n", ...crlf.split("")]).transport), AMOUNTS);
});

Deno.test("streamQuotes() accepts a whole body from a transport without streams", async () => {
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
  const error = await assertRejects(async () => {
    for await (const { quote } of streamQuotes(transport, REQUEST)) seen.push(quote.buyAmount);
  }, ServiceError);
  assertEquals([error.errorType, error.description], ["NoLiquidity", "no route found"]);
  assertEquals(seen, AMOUNTS);
});

Deno.test("streamQuotes() throws an error response instead of a stream", async () => {
  const answer = { status: 404, contentType: "application/json" };
  const { transport, state } = streaming([NO_LIQUIDITY], answer);
  const error = await assertRejects(() => amounts(transport), ServiceError);
  assertEquals([error.errorType, error.status], ["NoLiquidity", 404]);
  assertEquals(state.isClosed, true);
});

Deno.test("streamQuotes() continues after an invalid quote, then names it", async () => {
  const [first = "", second = ""] = STREAM.split(/(?<=\n\n)/);
  const { transport } = streaming([first, "data: {}\n\n", "data: nonsense\n\n", second]);
  const seen: bigint[] = [];
  const error = await assertRejects(async () => {
    for await (const { quote } of streamQuotes(transport, REQUEST)) seen.push(quote.buyAmount);
  }, IncompleteListError);
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

  const whole = new FakeTransport((): FakeAnswer => ({ body: { quote: 1 } }));
  await assertRejects(() => amounts(whole), HttpStatusError, "instead of an event stream");
});

Deno.test("postQuote() rejects an added field that JSON cannot represent, before sending", async () => {
  const service = quoting();
  const deep = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
  const within: Record<string, unknown> = {};
  within.itself = within;
  for (const added of [deep, within]) {
    const request = { ...REQUEST, added } as QuoteRequest;
    await assertRejects(
      () => postQuote(service, request),
      InputError,
      "circular or nested too deeply",
    );
  }
  assertEquals(service.requests, []);
});
