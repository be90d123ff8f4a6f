import {
  HttpStatusError,
  InputError,
  NetworkError,
  NotRecordedError,
  TimeoutError,
} from "orderlens";
import { httpTransport, retryAfterMs } from "orderlens/http";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  answers,
  answersBytes,
  atServer,
  type Behaviour,
  fetchOf,
  garblesChunks,
  hangsUp,
  misbehavingServer,
  redirects,
  refusedUrl,
  type SeenRequest,
  sendsLarge,
  stalls,
  stallsInBody,
  talksGarbage,
  truncates,
} from "../misbehaving_server.ts";
import { textsOf } from "../secret_texts.ts";
import { TestClock } from "../test_clock.ts";

const get = { method: "GET", path: "/x" } as const;
const create = { method: "POST", path: "/x", body: '{"a":1}' } as const;
const read = { ...create, isRead: true } as const;

Deno.test("httpTransport() sends method, body, JSON type, user agent and the caller's headers, and returns what is sent", async () => {
  const said = answers("[1, 2]", { status: 201, headers: { "x-more": "yes" } });
  await using at = atServer(said, { headers: { "x-api-key": "0123456789abcdef" } });

  const answer = await at.transport.send(create);

  assertEquals([answer.status, answer.contentType], [201, "application/json"]);
  assertEquals([answer.headers.get("x-more"), answer.body], ["yes", "[1, 2]"]);
  const [{ method, body, headers }, ...others] = at.server.requests as [SeenRequest];
  assertEquals([method, body, others], ["POST", '{"a":1}', []]);
  assertEquals(headers.get("content-type"), "application/json");
  assertMatch(headers.get("user-agent") ?? "", /^orderlens\/\d+\.\d+\.\d+$/);
  assertEquals(headers.get("x-api-key"), "0123456789abcdef");
});

Deno.test("httpTransport() appends paths to the base URL, or to the root on request", async () => {
  await using server = misbehavingServer({ "/xdai/x": answers("1"), "/x": answers("2") });
  const transport = httpTransport(`${server.url}/xdai/`);

  assertEquals(transport.baseUrl, `${server.url}/xdai`);
  assertEquals(transport.rootUrl, server.url);
  assertEquals((await transport.send(get)).body, "1");
  assertEquals((await transport.send({ ...get, at: "root" })).body, "2");
});

Deno.test("httpTransport() does not send the caller's headers to a root of another origin", async () => {
  await using base = misbehavingServer({ "/x": answers("1") });
  await using root = misbehavingServer({ "/x": answers("2") });
  const headers = { authorization: "Bearer 0123456789abcdef" };
  const transport = httpTransport(base.url, { rootUrl: root.url, headers });

  await transport.send({ ...get, at: "root" });
  await transport.send(get);

  assertEquals(root.requests[0]?.headers.get("authorization"), null);
  assertMatch(root.requests[0]?.headers.get("user-agent") ?? "", /^orderlens\//);
  assertEquals(base.requests[0]?.headers.get("authorization"), headers.authorization);
});

Deno.test("httpTransport() sends credentials of the URL as Authorization and shows them nowhere", async () => {
  await using server = misbehavingServer({ "/x": [answers("1"), stalls, hangsUp] });
  const address = server.url.replace("//", "//mira:s3cr3t-pässword@");
  const clock = new TestClock();
  const transport = httpTransport(address, { clock, retries: 0 });

  await transport.send(get);
  const waiting = assertRejects(() => transport.send(get), TimeoutError);
  await server.reached("/x", 2);
  clock.advance(30_000);
  const timeout = await waiting;
  const lost = await assertRejects(() => transport.send(get), NetworkError);

  // base64 of "mira:s3cr3t-pässword" in UTF-8
  const sent = server.requests[0]?.headers.get("authorization");
  assertEquals(sent, "Basic bWlyYTpzM2NyM3QtcMOkc3N3b3Jk");
  for (const shown of [timeout, lost, transport]) {
    assert(!/s3cr3t|bWlyYTpzM2/.test(Deno.inspect(shown, { depth: 9, showHidden: true })));
  }
});

for (const status of [429, 500, 502, 503, 504]) {
  const busy = answers("busy", { status });
  Deno.test(`httpTransport() retries GET and reading POST after ${status}, up to 5 times`, async () => {
    for (const request of [get, read]) {
      await using at = atServer([busy, busy, busy, answers("[7]")]);

      assertEquals((await at.transport.send(request)).body, "[7]");
      assertEquals(at.count(), 4);
      assertEquals(at.clock.waitsMs, [500, 1000, 2000]);
    }
    await using at = atServer(busy);
    const answer = await at.transport.send(get);
    assertEquals([answer.status, answer.body, at.count()], [status, "busy", 5]);
  });
}

Deno.test("httpTransport() does not retry permanent failures, and retries any request after 429", async () => {
  const cases = [
    ...[400, 401, 403, 404, 408, 422, 501].map((status) => [get, status, 1] as const),
    // A writing request may have had its effect.
    ...[500, 502, 503, 504].map((status) => [create, status, 1] as const),
    ...(["POST", "PUT", "DELETE"] as const).map((method) =>
      [{ ...create, method }, 429, 2] as const
    ),
  ];
  for (const [request, status, attempts] of cases) {
    await using at = atServer([answers("no", { status }), answers("1")]);

    const answer = await at.transport.send(request);
    const what = `${request.method} ${status}`;
    assertEquals([answer.status, at.count()], [attempts === 1 ? status : 200, attempts], what);
    assertEquals(at.server.requests.at(-1)?.body, request === get ? "" : create.body, what);
  }
});

Deno.test("httpTransport() waits as long as Retry-After says, in seconds or until a date, but not too long", async () => {
  const seconds = { "retry-after": "9" };
  const date = {
    "date": "Sat, 03 Oct 2026 10:00:00 GMT",
    "retry-after": "Sat, 03 Oct 2026 10:00:20 GMT",
  };
  await using at = atServer([
    answers("", { status: 429, headers: seconds }),
    answers("", { status: 503, headers: date }),
    answers("1"),
    answers("", { status: 429, headers: { "retry-after": "3600" } }),
  ]);

  assertEquals((await at.transport.send(get)).body, "1");
  assertEquals(at.clock.waitsMs, [9000, 20_000]);
  const { status, headers } = await at.transport.send(get);
  assertEquals([status, retryAfterMs(headers)], [429, 3_600_000]);
  assertEquals([at.clock.waitsMs.length, at.count()], [2, 4]);
});

const losses: readonly [string, Behaviour][] = [
  ["a connection closed without an answer", hangsUp],
  ["an answer that is not HTTP", talksGarbage],
  ["a truncated body", truncates()],
  ["a body of garbled chunks", garblesChunks],
];

for (const [what, behaviour] of losses) {
  Deno.test(`httpTransport() retries reading requests after ${what}, and no writing one`, async () => {
    for (const request of [get, read]) {
      await using at = atServer([behaviour, behaviour, answers("[7]")]);

      assertEquals((await at.transport.send(request)).body, "[7]");
      assertEquals(at.count(), 3);
    }
    await using at = atServer(behaviour);
    const error = await assertRejects(() => at.transport.send(get), NetworkError);
    assertEquals([at.count(), error.attempts, error.request], [5, 5, "GET /x"]);
    assertEquals(error.mayHaveBeenReceived, true);
    assert(error.cause instanceof Error);
    assertMatch(error.message, /^Cannot get a response from http:\/\/127\.0\.0\.1:\d+\n/);

    const written = await assertRejects(() => at.transport.send(create), NetworkError);
    assertEquals([at.count(), written.mayHaveBeenReceived], [6, true]);
    assertMatch(written.message, /received: perhaps\nFix: Check whether it took effect/);
  });
}

Deno.test("httpTransport() retries only reading requests after a connection reset", async () => {
  await using at = atServer(answers("1"));

  at.server.resetNext(2);
  assertEquals((await at.transport.send(get)).body, "1");
  assertEquals([at.server.resets, at.count()], [2, 1]);

  at.server.resetNext(1);
  const error = await assertRejects(() => at.transport.send(create), NetworkError);
  assertEquals([at.server.resets, at.count()], [3, 1]);
  assertEquals(error.mayHaveBeenReceived, true);
});

Deno.test("httpTransport() reports that a refused connection received nothing", async () => {
  const clock = new TestClock();
  const transport = httpTransport(refusedUrl(), { clock, random: () => 1 });

  const error = await assertRejects(() => transport.send(create), NetworkError);
  assertEquals(error.mayHaveBeenReceived, false);
  assertMatch(error.message, /because: .*refused.*\n {2}received: no\nFix: Check the address/);

  const reading = await assertRejects(() => transport.send(get), NetworkError);
  assertEquals(reading.attempts, 5);
  assertEquals(clock.waitsMs, [500, 1000, 2000, 4000]);
});

Deno.test("httpTransport() times out before headers and within a body", async () => {
  for (const behaviour of [stalls, stallsInBody()]) {
    await using at = atServer(behaviour, { retries: 1 });

    const sending = assertRejects(() => at.transport.send(get), TimeoutError);
    for (const attempt of [1, 2]) {
      await at.server.reached("/x", attempt);
      at.clock.advance(30_000);
    }
    const error = await sending;

    assertEquals(at.count(), 2);
    assertEquals(error.attempts, 2);
    assertMatch(error.message, /because: no complete response within 30000 ms/);
    assertEquals(at.clock.held, 0);
  }
});

Deno.test("httpTransport() gives up a host that hangs for silenceMs, but not one that is busy", async () => {
  const patience = { timeoutMs: 30, silenceMs: 30, backoffBaseMs: 0 };
  await using hanging = atServer(stallsInBody(), patience);
  const transport = httpTransport(hanging.server.url, patience);
  const error = await assertRejects(() => transport.send(get), TimeoutError);
  assertEquals([error.attempts, hanging.count()], [1, 1]);
  const written = await assertRejects(() => transport.send(create), TimeoutError);
  assertEquals([written.mayHaveBeenReceived, hanging.count()], [true, 2]);

  let asked = 0;
  const busy = httpTransport("https://busy.example", {
    ...patience,
    silenceMs: 10_000,
    fetch: () => Promise.resolve(new Response("{}", { status: ++asked < 3 ? 503 : 200 })),
  });
  assertEquals([(await busy.send(get)).status, asked], [200, 3]);
});

for (
  const [announced, maxBodyBytes, most] of [
    [true, 1_000_000, 1_000_000],
    [false, 1_000_000, 1_000_000],
    [true, undefined, 67_108_864],
  ] as const
) {
  const length = announced ? "announced" : "unannounced";
  Deno.test(`httpTransport() rejects a body of 100 MB of ${length} length above ${most} bytes`, async () => {
    const tally = { sent: 0 };
    const options = maxBodyBytes === undefined ? {} : { maxBodyBytes };
    await using at = atServer(sendsLarge(100_000_000, { tally, announced }), options);

    const error = await assertRejects(() => at.transport.send(get), HttpStatusError);

    assertEquals(at.count(), 1);
    assertEquals(error.status, 200);
    const says = `Cannot read the response to GET /x: it is larger than ${most} bytes`;
    assert(error.message.startsWith(says), error.message);
    assertEquals(error.body, "[" + " ".repeat(199));
    // What is on its way when the reader leaves fills the buffers of both sides.
    assert(tally.sent < 20_000_000, `sent ${tally.sent}`);
  });
}

async function gzipped(text: string): Promise<Uint8Array> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).bytes();
}

Deno.test("httpTransport() limits the uncompressed size of a body", async () => {
  const plain = JSON.stringify("x".repeat(2_000_000));
  const packed = await gzipped(plain);
  await using at = atServer(answersBytes(packed, { headers: { "content-encoding": "gzip" } }));

  assertEquals((await at.transport.send(get)).body, plain);
  const bounded = httpTransport(at.server.url, { maxBodyBytes: 1_000_000 });
  await assertRejects(() => bounded.send(get), HttpStatusError, "larger than 1000000 bytes");
});

Deno.test("httpTransport() joins a body of many small chunks, within the limit", async () => {
  const text = JSON.stringify(Array.from({ length: 1000 }, (_, index) => `€${index}`));
  const bytes = new TextEncoder().encode(text);
  const length = bytes.length / 3 + 1;
  const fetch = fetchOf(Array.from({ length }, (_, at) => bytes.slice(3 * at, 3 * at + 3)));

  assertEquals((await httpTransport("http://localhost", { fetch }).send(get)).body, text);
  const bounded = httpTransport("http://localhost", { fetch, maxBodyBytes: bytes.length - 1 });
  const error = await assertRejects(() => bounded.send(get), HttpStatusError, "is larger than");
  assertEquals(error.body, text.slice(0, 200));
});

Deno.test("httpTransport() treats a truncated compressed body as lost", async () => {
  const packed = await gzipped(JSON.stringify(Array.from({ length: 9999 }, Math.random)));
  const half = packed.subarray(0, packed.length / 2);
  await using at = atServer([
    answersBytes(half, { headers: { "content-encoding": "gzip" } }),
    answers("[7]"),
  ]);

  assertEquals((await at.transport.send(get)).body, "[7]");
  assertEquals(at.count(), 2);
});

Deno.test("httpTransport() rejects JSON that is not UTF-8, and decodes other bodies leniently", async () => {
  const latin = Uint8Array.of(0x22, 0xe9, 0x22);
  for (
    const [type, bytes, body] of [
      ["application/json", latin, null],
      ["text/html", latin, '"\ufffd"'],
      ["application/json", '"caf\ufffd"', '"caf\ufffd"'],
    ] as const
  ) {
    const fetch = fetchOf([bytes], { headers: { "content-type": type } });
    const transport = httpTransport("http://localhost", { fetch });
    if (body === null) await assertRejects(() => transport.send(get), HttpStatusError, "not UTF-8");
    else assertEquals((await transport.send(get)).body, body);
  }
});

Deno.test("httpTransport() follows up to five redirects of a GET within its origin", async () => {
  await using server = misbehavingServer({
    "/x": redirects("/y?q=1", 308),
    "/y": answers("1"),
    "/loop": redirects("/loop"),
  });
  const headers = { "x-api-key": "0123456789abcdef" };
  const transport = httpTransport(server.url, { headers });

  assertEquals((await transport.send(get)).body, "1");
  assertEquals(server.requests.map((request) => request.path), ["/x", "/y?q=1"]);
  assertEquals(server.requests[1]?.headers.get("x-api-key"), headers["x-api-key"]);

  const error = await assertRejects(
    () => transport.send({ method: "GET", path: "/loop" }),
    HttpStatusError,
    "Cannot follow the redirect of GET /loop more than 5 times",
  );
  assertEquals(error.status, 302);
  assertEquals(server.count("/loop"), 6);
});

Deno.test("httpTransport() follows no redirect to another origin", async () => {
  await using other = misbehavingServer({});
  await using at = atServer(redirects(`${other.url}/steal?key=0123456789`, 307), {
    headers: { authorization: "Bearer 0123456789abcdef" },
  });

  for (const request of [get, read, create]) {
    const error = await assertRejects(() => at.transport.send(request), HttpStatusError);
    assertEquals(error.status, 307);
    assertMatch(error.message, /to another origin, http:\/\/127\.0\.0\.1:\d+\n/);
    assertMatch(error.remedy, /^If you trust http:\/\/127\.0\.0\.1:\d+, connect to it$/);
    assert(!/0123456789/.test(Deno.inspect(error)));
  }
  assertEquals(at.count(), 3);
  assertEquals(other.count(), 0);
});

Deno.test("httpTransport() rejects immediately when aborted, in every phase of a request and between attempts", async () => {
  const reason = { why: "enough" };
  const busy = answers("", { status: 429, headers: { "retry-after": "45" } });
  for (const behaviour of [stalls, stallsInBody(), busy]) {
    const waits = Promise.withResolvers<void>();
    await using at = atServer(behaviour, { hooks: { onRetry: () => waits.resolve() } });
    const controller = new AbortController();

    const sending = at.transport.send({ ...get, signal: controller.signal }).catch((e) => e);
    await Promise.race([sending, behaviour === busy ? waits.promise : at.server.reached("/x")]);
    controller.abort(reason);

    assert(await sending === reason);
    assertEquals([at.count(), at.clock.held], [1, 0]);
  }
});

Deno.test("httpTransport() sends nothing if the signal is already aborted", async () => {
  await using at = atServer(answers("1"));
  const signal = AbortSignal.abort("late");

  assertEquals(await at.transport.send({ ...get, signal }).catch((e) => e), "late");
  assertEquals(await at.transport.stream({ ...get, signal }).catch((e) => e), "late");
  assertEquals(at.count(), 0);
});

Deno.test("httpTransport() rejects immediately even if an injected fetch ignores the signal", async () => {
  const late = Promise.withResolvers<Response>();
  const transport = httpTransport("http://localhost", { fetch: () => late.promise });
  const controller = new AbortController();

  const sending = transport.send({ ...get, signal: controller.signal }).catch((e) => e);
  controller.abort("enough");
  assertEquals(await sending, "enough");

  let isClosed = false;
  late.resolve(new Response(new ReadableStream({ cancel: () => void (isClosed = true) })));
  await late.promise;
  await Promise.resolve();
  assert(isClosed, "the late answer is closed");
});

Deno.test("httpTransport() calls the hooks at start, retry and end, and ignores their errors", async () => {
  const events: unknown[] = [];
  const hooks = {
    onStart: (event: unknown) => void events.push(event),
    onRetry: (event: unknown) => void events.push(event),
    onEnd(event: unknown) {
      events.push(event);
      throw new Error("a watcher's mistake");
    },
  };
  await using at = atServer([answers("", { status: 500 }), hangsUp, answers("1")], { hooks });

  assertEquals((await at.transport.send(get)).body, "1");

  const [start, first, second, end] = events as Record<string, unknown>[];
  assertEquals(events.length, 4);
  assertEquals(start, { id: 1, request: "GET /x" });
  assertEquals(first, { id: 1, request: "GET /x", attempt: 1, waitMs: 500, because: 500 });
  assertEquals(second?.attempt, 2);
  assertMatch(String(second?.because), /connection closed/);
  assertEquals(end, {
    id: 1,
    request: "GET /x",
    attempts: 3,
    status: 200,
    from: "network",
    error: undefined,
    elapsedMs: 1500,
  });
  await using refusing = atServer(redirects("http://localhost:1/"), { hooks });
  const error = await assertRejects(() => refusing.transport.send(get), HttpStatusError);
  assert((events.at(-1) as typeof start)!.error === error);
});

Deno.test("httpTransport() passes errors of an injected fetch on that are not network errors", async () => {
  for (
    const error of [
      new NotRecordedError("Cannot answer GET /x", { remedy: "Record it" }),
      new RangeError("a mistake"),
      "not even an error",
    ]
  ) {
    let asked = 0;
    const transport = httpTransport("http://localhost", {
      fetch() {
        asked++;
        throw error;
      },
    });
    assert(await transport.send(get).catch((e) => e) === error);
    assertEquals(asked, 1);
  }
});

Deno.test("httpTransport() names a missing permission and TLS, and does not retry", async () => {
  const transport = httpTransport("https://example.org", {
    fetch: () => Promise.reject(new Deno.errors.NotCapable('Requires net access to "example.org"')),
  });

  const error = await assertRejects(() => transport.send(get), NetworkError);

  assertEquals([error.attempts, error.mayHaveBeenReceived], [1, false]);
  assertMatch(error.remedy, /--allow-net/);

  await using server = misbehavingServer({});
  const secure = httpTransport(server.url.replace("http:", "https:"));
  const failed = await assertRejects(() => secure.send(get), NetworkError);
  assertEquals([failed.attempts, failed.mayHaveBeenReceived], [1, false]);
  assertMatch(failed.remedy, /TLS/);
});

Deno.test("httpTransport() hides secrets in its errors, including causes", async () => {
  const path = "/x?limit=3&api_key=0123456789";
  const refused = httpTransport(refusedUrl(), { retries: 0 });
  const unanswered = await assertRejects(() => refused.send({ ...get, path }), NetworkError);
  assertEquals(unanswered.request, "GET /x?limit=3&api_key=[hidden]");

  const errors = [unanswered];
  // What an injected fetch says of headers and addresses.
  const headers = { "x-api-key": "0123456789" };
  const texts = [
    `lost ${JSON.stringify(headers)}`,
    "no https://user:pa55phrase@proxy.example/x",
    "no https://proxy.example/x?token=t0k3nt0k3n",
  ];
  for (const text of texts) {
    const fetch = () => Promise.reject(new TypeError(text, { cause: new Error(text) }));
    const transport = httpTransport("http://book.example", { retries: 0, headers, fetch });
    errors.push(await assertRejects(() => transport.send(get), NetworkError, "[hidden]"));
  }
  for (const text of errors.flatMap(textsOf)) assert(!/0123456789|pa55|t0k3n/.test(text), text);
});

Deno.test("httpTransport() rejects invalid URLs, paths and options, without showing secrets", async () => {
  for (
    const [address, options, text] of [
      ["mainnet", {}, /^Cannot use "mainnet" as the address/],
      ["ftp://example.org", {}, /^Cannot use "ftp:/],
      ["https://mira:s3cr3t@", {}, /^Cannot use "\[hidden\]@"/],
      ["mira:s3cr3t@example.org", {}, /^Cannot use "\[hidden\]@example.org"/],
      ["example.org?key=s3cr3t", {}, /^Cannot use "example.org"/],
      ["https://example.org/x?key=s3cr3t", {}, /^Cannot append paths to https:\/\/example.org\/x /],
      ...[
        ...[{ timeoutMs: 0 }, { timeoutMs: NaN }, { retries: 1.5 }, { retries: -1 }],
        ...[{ rateLimit: 0 }, { maxBodyBytes: -1 }],
      ].map((options) => {
        const [[name, value] = []] = Object.entries(options);
        const says = `^Cannot send to https://example.org with ${name} ${value}\n`;
        return ["https://example.org", options, new RegExp(says)] as const;
      }),
      ["https://example.org", { rootUrl: "https://a:s3cr3t@b.org" }, /^Cannot use credentials in/],
      ["https://example.org", { headers: { key: "s3cr3t\nline" } }, /^Cannot use the headers/],
    ] as const
  ) {
    const error = assertThrows(() => httpTransport(address, options), InputError);
    assertMatch(error.message, text);
    assert(!/s3cr3t/.test(Deno.inspect(error, { showHidden: true })), address);
  }
  const transport = httpTransport("http://localhost");
  await assertRejects(() => transport.send({ ...get, path: "@example.org/" }), InputError);
});
