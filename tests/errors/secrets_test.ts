import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  InputError,
  NetworkError,
  NotFoundError,
  NotRecordedError,
  type OrderlensError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "orderlens";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  hideSecrets,
  hideSecretsDeep,
  redactUrls,
  registerSecret,
} from "../../lib/errors/secrets.ts";
import { decodeNotifications } from "../../lib/schemas/mod.ts";
import { textsOf } from "../secret_texts.ts";

const KEY = 'Zq7/pä"W+4vT&';

registerSecret(KEY);

Deno.test("hideSecrets() hides a secret in any spelling", () => {
  // Written by hand from the code points: ä is U+00E4, in UTF-8 C3 A4.
  for (
    const spelt of [
      'Zq7/pä"W+4vT&',
      'ZQ7/PÄ"w+4VT&',
      "Zq7%2Fp%C3%A4%22W%2B4vT%26",
      "Zq7%2fp%c3%a4%22W%2b4vT%26",
      String.raw`Zq7/pä\"W+4vT&`,
      // As some servers escape, in JSON within JSON, and in an address within another.
      String.raw`Zq7\/pä\"W+4vT&`,
      String.raw`Zq7/p\u00e4\u0022W+4vT\u0026`,
      String.raw`Zq7/pä\\\"W+4vT&`,
      "Zq7%252Fp%25C3%25A4%2522W%252B4vT%2526",
      "Zq7/p%C3%A4%22W+4vT&",
      // Made with `printf … | base64`.
      "WnE3L3DDpCJXKzR2VCY=",
    ]
  ) {
    assertEquals(hideSecrets(`to <${spelt}>, 1 %`), "to <[hidden]>, 1 %", spelt);
    const long = "x".repeat(100_000);
    assertEquals(hideSecrets(`${long}${spelt}`), `${long}[hidden]`, spelt);
  }
});

Deno.test("hideSecrets() hides a short secret only as a whole word, and never one of 3 characters", () => {
  registerSecret("ab12");
  registerSecret("a");
  registerSecret("err");
  assertEquals(
    hideSecrets("an err: a key=AB12, 0xab12 and ab123, 'ab12'"),
    "an err: a key=[hidden], 0xab12 and ab123, '[hidden]'",
  );
  assertEquals(
    hideSecrets(String.raw`a%3Dab12%26b, \nab12\n \u0022ab12\u0022 &quot;ab12&quot;`),
    String.raw`a%3D[hidden]%26b, \n[hidden]\n \u0022[hidden]\u0022 &quot;[hidden]&quot;`,
  );
});

Deno.test("hideSecrets() hides all of an encoded secret that ends with a percent sign", () => {
  registerSecret("grown by 55%");
  for (const spelt of ["grown by 55%", "grown%20by%2055%25", "grown%2520by%252055%2525"]) {
    assertEquals(hideSecrets(`<${spelt}>`), "<[hidden]>", spelt);
  }
});

Deno.test("hideSecrets() is fast for a secret of backslashes", () => {
  const secret = "\\".repeat(40) + '"/'.repeat(20);
  registerSecret(secret);
  const text = "\\".repeat(3_000);
  assertEquals(hideSecrets(text), text);
  assertEquals(hideSecrets(`<${JSON.stringify(secret)}>`), '<"[hidden]">');
});

Deno.test("hideSecrets() returns texts without a secret unchanged", () => {
  for (const text of ["", "50 % of\\n &amp; c:\\x", "ä+ö 😀 %zz \\u12", "0".repeat(100_000)]) {
    assertEquals(hideSecrets(text), text);
  }
});

Deno.test("hideSecrets() remembers the latest secrets, within a fixed size", async () => {
  // A module of its own: every error of this process would look for a thousand secrets.
  const address = import.meta.resolve("../../lib/errors/secrets.ts?another");
  const { hideSecrets, registerSecret } = await import(address);
  registerSecret("the-first-secret");
  for (let index = 0; index < 1500; index++) registerSecret(`secret number ${index} of all`);
  registerSecret("the-first-secret");
  for (let index = 1500; index < 2400; index++) registerSecret(`secret number ${index} of all`);
  assertEquals(hideSecrets("a the-first-secret b"), "a [hidden] b");
  assertEquals(hideSecrets("secret number 2399 of all"), "[hidden]");
  assertEquals(hideSecrets("secret number 3 of all"), "secret number 3 of all");
});

Deno.test("hideSecretsDeep() returns a value without secrets itself", () => {
  const value = { list: [1n, "text", null, { a: undefined }], at: new Date(0) };
  assert(hideSecretsDeep(value) === value);
  const error = new RangeError("a mistake", { cause: new AggregateError([value], "two") });
  assert(hideSecretsDeep(error) === error);
});

Deno.test("hideSecretsDeep() copies lists, objects and errors, their keys and causes", () => {
  assertEquals<unknown>(hideSecretsDeep([{ [KEY]: [KEY, 1n] }, "x"]), [
    { "[hidden]": ["[hidden]", 1n] },
    "x",
  ]);
  const error = new TypeError(`lost ${KEY}`, { cause: new AggregateError([new Error(KEY)], KEY) });
  const shown = hideSecretsDeep(Object.assign(error, { code: "EKEY", url: `/${KEY}` }));
  assert(shown instanceof TypeError && shown.cause instanceof AggregateError);
  assertEquals([shown.message, shown.code, shown.url], ["lost [hidden]", "EKEY", "/[hidden]"]);
  assertEquals(shown.cause.errors[0]?.message, "[hidden]");
  for (const text of textsOf(shown)) assert(!text.includes(KEY), text);
});

Deno.test("hideSecretsDeep() handles circular and deep values and custom errors", () => {
  const loop = new Error(KEY);
  loop.cause = loop;
  assert(!Deno.inspect(hideSecretsDeep(loop)).includes(KEY));
  let deep: unknown = KEY;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert(!Deno.inspect(hideSecretsDeep(deep), { depth: 200 }).includes(KEY));
  const aborted = new DOMException(KEY, "AbortError");
  assertEquals(hideSecretsDeep(aborted).message, "[hidden]");
});

Deno.test("no error class shows a secret in any property", () => {
  const cause = new SyntaxError(`Unexpected token ${KEY}`, { cause: [KEY] });
  const more = { remedy: `Drop ${KEY}`, facts: { why: KEY, [KEY]: 1 }, cause };
  const answer = { ...more, request: `GET /${KEY}`, status: 400, body: `{"a":"${KEY}"}` };
  const unanswered = { ...more, request: `GET /${KEY}`, attempts: 1, mayHaveBeenReceived: true };
  const failure = { what: KEY, path: KEY, expected: KEY, found: KEY, source: KEY };
  const decode = new DecodeError(failure, cause);
  const errors: OrderlensError[] = [
    decode,
    new IncompleteListError({ what: KEY, failures: [decode, decode], items: [{ a: KEY }] }),
    new InputError(KEY, more),
    new NotRecordedError(KEY, more),
    new HttpStatusError(KEY, answer),
    new NotFoundError(KEY, answer),
    new UnauthorizedError(KEY, answer),
    new UnavailableError(KEY, answer),
    new RateLimitedError(KEY, answer),
    new ServiceError(KEY, { ...answer, errorType: KEY, description: KEY, data: { [KEY]: [KEY] } }),
    new NetworkError(KEY, unanswered),
    new TimeoutError(KEY, unanswered),
    new UnconfirmedOrderError({
      uid: "0x12",
      exists: true,
      status: KEY,
      cause: decode,
      lookUpError: cause,
    }),
    new UnconfirmedCancellationError({
      statuses: new Map([["0x12", KEY]]),
      cause: decode,
      lookUpError: cause,
    }),
  ];
  for (const error of errors) {
    for (const text of textsOf(error)) assert(!text.includes(KEY), `${error.name}: ${text}`);
    assertMatch(error.message, /\[hidden\]/);
  }
});

Deno.test("errors hide a secret before they cut a text", () => {
  const request = { request: "GET /", status: 400, remedy: "Wait" };
  const error = new HttpStatusError("Cannot", { ...request, body: "x".repeat(195) + KEY });
  const long = new InputError("x".repeat(1_995) + KEY, { remedy: "Wait" });
  const wrong = assertThrows(() => decodeNotifications("x".repeat(70) + KEY, { source: "GET /" }));
  for (const text of textsOf([error, long, wrong])) assert(!text.includes("Zq7"), text);
});

Deno.test("a message shows 2,000 characters of a response, a property all of it", () => {
  const description = "x".repeat(5000);
  const { message, description: whole } = new ServiceError("Cannot quote: A", {
    request: "POST /api/v1/quote",
    status: 400,
    body: "",
    errorType: "A",
    description,
    remedy: "Wait",
  });
  assertMatch(message, /\n {2}description: x{2000}… 3000 more characters\nFix: Wait$/);
  assertEquals(whole, description);
});

Deno.test("redactUrls() hides credentials, secrets of a query and keys in a path, and nothing else", () => {
  for (
    const [text, shown] of [
      ["https://mira:key@host/x", "https://[hidden]@host/x"],
      ["sent to (https://key@host:80/x).", "sent to (https://[hidden]@host:80/x)."],
      ["/x?limit=3&api_key=ab&b=1", "/x?limit=3&api_key=[hidden]&b=1"],
      ["/x?access_token=ab#c", "/x?access_token=[hidden]#c"],
      // A signed address of a store of files.
      ["/x?sv=2026&sig=ab%2Fc&design=1", "/x?sv=2026&sig=[hidden]&design=1"],
      [
        "for url (http://host/x?X-Signature=ab): no",
        "for url (http://host/x?X-Signature=[hidden]): no",
      ],
      [
        "https://mainnet.example/v2/a1b2c3d4e5f6a7b8c9d0e1 failed",
        "https://mainnet.example/v2/[hidden] failed",
      ],
      ['"wss://host/ws/v3/0a1b2c3d4e5f6a7b8c9d0e1f"', '"wss://host/ws/v3/[hidden]"'],
      ...[
        `https://host/api/v1/orders/0x${"ab".repeat(56)}`,
        "https://host/a_name_of_more_than_twenty_letters/x",
        "/v2/a1b2c3d4e5f6a7b8c9d0e1",
        "/api/v1/token/0xab/native_price",
        "/api/v2/trades?owner=0xab&offset=0&limit=10",
        "https://host/@scope/x?q=a@b",
        "at file:///src/npm/pkg@1.0.0/x.ts",
      ].map((same) => [same, same] as const),
    ] as const
  ) assertEquals(redactUrls(text), shown);
});
