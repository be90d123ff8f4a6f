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
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  hideSecrets,
  hideWholeSecrets,
  keepSecret,
  withoutSecrets,
} from "../../lib/errors/secrets.ts";
import { textsOf } from "../secret_texts.ts";

const KEY = 'Zq7/pä"W+4vT&';

keepSecret(KEY);

Deno.test("hideSecrets() hides a secret in any spelling", () => {
  // Written by hand from the code points: ä is U+00E4, in UTF-8 C3 A4.
  for (
    const spelt of [
      'Zq7/pä"W+4vT&',
      'ZQ7/PÄ"w+4VT&',
      "Zq7%2Fp%C3%A4%22W%2B4vT%26",
      "Zq7%2fp%c3%a4%22W%2b4vT%26",
      "%5A%71%37%2F%70%C3%A4%22%57%2B%34%76%54%26",
      "Zq7%252Fp%25C3%25A4%2522W%252B4vT%2526",
      String.raw`Zq7/pä\"W+4vT&`,
      String.raw`Zq7\/p\u00e4\"W+4vT\u0026`,
      String.raw`\\u005aq7/p\\u00E4\\\"W+4vT&`,
      String.raw`\x5aq7/p\xe4"W+4vT&`,
      "Zq7/p&#228;&quot;W+4vT&amp;",
      "Zq7/p&#xE4;&#34;W+4vT&",
    ]
  ) {
    assertEquals(hideSecrets(`to <${spelt}>, 1 %`), "to <[hidden]>, 1 %", spelt);
    assertEquals(hideWholeSecrets(`to <${spelt}>, 1 %`), "to <[hidden]>, 1 %", spelt);
  }
});

Deno.test("hideSecrets() hides a secret within base64 at any alignment", () => {
  // Made with `printf 'mira:…' | base64`; the colon, the comma and what surrounds the key move it.
  for (
    const encoded of [
      "WnE3L3DDpCJXKzR2VCY=",
      "bWlyYTpacTcvcMOkIlcrNHZUJg==",
      "bWlyYSw6WnE3L3DDpCJXKzR2VCYhIQ==",
      "bWlyYTpacTcvcMOkIlcrNHZUJiEh",
    ]
  ) {
    const shown = hideSecrets(`Basic ${encoded}.`);
    assertMatch(shown, /^Basic [\w=]{0,12}\[hidden\][\w=]{0,6}\.$/);
  }
});

Deno.test("hideSecrets() leaves less than half of a truncated secret", () => {
  for (let length = 0; length <= KEY.length; length++) {
    for (const left of [KEY.slice(0, length), KEY.slice(-length || KEY.length)]) {
      const shown = hideSecrets(`found: ${left}…`);
      if (left.length > 6) assertEquals(shown, "found: [hidden]…");
      else assertEquals(shown, `found: ${left}…`);
    }
  }
});

Deno.test("hideSecrets() leaves at most 15 characters of a long truncated secret", () => {
  const long = Array.from({ length: 20 }, (_, index) => `q${index}z`).join("-");
  keepSecret(long);
  assertEquals(hideSecrets(long.slice(7, 23)), "[hidden]");
  assertEquals(hideSecrets(long.slice(7, 22)), long.slice(7, 22));
  assertEquals(hideWholeSecrets(`${long.slice(1)} ${long}`), `${long.slice(1)} [hidden]`);
});

Deno.test("hideSecrets() hides a short secret only as a whole word, and never one of 3 characters", () => {
  keepSecret("ab12");
  keepSecret("a");
  keepSecret("err");
  assertEquals(
    hideSecrets("an err: a key=AB12, 0xab12 and ab123, 'ab12'"),
    "an err: a key=[hidden], 0xab12 and ab123, '[hidden]'",
  );
});

Deno.test("hideSecrets() returns texts without a secret unchanged", () => {
  for (const text of ["", "50 % of\\n &amp; c:\\x", "ä+ö 😀 %zz \\u12", "0".repeat(100_000)]) {
    assertEquals(hideSecrets(text), text);
  }
});

Deno.test("hideSecrets() remembers the latest secrets, within a fixed size", () => {
  keepSecret("the-first-secret");
  for (let index = 0; index < 1500; index++) keepSecret(`secret number ${index} of all`);
  keepSecret("the-first-secret");
  for (let index = 1500; index < 2400; index++) keepSecret(`secret number ${index} of all`);
  assertEquals(hideSecrets("a the-first-secret b"), "a [hidden] b");
  assertEquals(hideWholeSecrets("secret number 2399 of all"), "[hidden]");
  assertEquals(hideWholeSecrets("secret number 3 of all"), "secret number 3 of all");
  keepSecret(KEY);
});

Deno.test("withoutSecrets() returns a value without secrets itself", () => {
  const value = { list: [1n, "text", null, { a: undefined }], at: new Date(0) };
  assert(withoutSecrets(value) === value);
  const error = new RangeError("a mistake", { cause: new AggregateError([value], "two") });
  assert(withoutSecrets(error) === error);
});

Deno.test("withoutSecrets() copies lists, objects and errors, their keys and causes", () => {
  assertEquals<unknown>(withoutSecrets([{ [KEY]: [KEY, 1n] }, "x"]), [
    { "[hidden]": ["[hidden]", 1n] },
    "x",
  ]);
  const error = new TypeError(`lost ${KEY}`, { cause: new AggregateError([new Error(KEY)], KEY) });
  const shown = withoutSecrets(Object.assign(error, { code: "EKEY", url: `/${KEY}` }));
  assert(shown instanceof TypeError && shown.cause instanceof AggregateError);
  assertEquals([shown.message, shown.code, shown.url], ["lost [hidden]", "EKEY", "/[hidden]"]);
  assertEquals(shown.cause.errors[0]?.message, "[hidden]");
  for (const text of textsOf(shown)) assert(!text.includes(KEY), text);
});

Deno.test("withoutSecrets() handles circular and deep values and custom errors", () => {
  const loop = new Error(KEY);
  loop.cause = loop;
  assert(!Deno.inspect(withoutSecrets(loop)).includes(KEY));
  let deep: unknown = KEY;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert(!Deno.inspect(withoutSecrets(deep), { depth: 200 }).includes(KEY));
  const aborted = new DOMException(KEY, "AbortError");
  assertEquals(withoutSecrets(aborted).message, "[hidden]");
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
