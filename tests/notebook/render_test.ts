import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { DecodeError, InputError } from "../../lib/errors/mod.ts";
import { registerSecret } from "../../lib/errors/secrets.ts";
import { answer, render, show } from "../../lib/notebook/mod.ts";
import { createAnswerBundle } from "../../lib/notebook/outline_value.ts";

const DISPLAY = Symbol.for("Jupyter.display");

async function text(value: unknown, options?: { rows: number }): Promise<unknown> {
  return (await render(value, options))["text/plain"];
}

async function html(value: unknown, options?: { rows: number }): Promise<unknown> {
  return (await render(value, options))["text/html"];
}

class Price {
  readonly digits = 123n;
  toString(): string {
    return `0.${"0".repeat(48)}123`;
  }
}

class Fill {
  readonly amount = 7n;
}

const CIRCULAR: Record<string, unknown> = { a: 1 };
CIRCULAR.self = CIRCULAR;

/** Values, and what they are as text. */
const TEXTS: readonly (readonly [unknown, string])[] = [
  [
    2n ** 256n - 1n,
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  ],
  [-5n, "-5"],
  [null, "null"],
  [undefined, "undefined"],
  [[], "[]"],
  [{}, "{}"],
  ["one\ntwo <b>", "one\ntwo <b>"],
  ["\u001b[31mred", "\\u001b[31mred"],
  ["null", "null"],
  [-0, "-0"],
  [1.5, "1.5"],
  [Number.NaN, "NaN"],
  [true, "true"],
  [new Uint8Array([1, 255]), "0x01ff"],
  // All nanoseconds of a time.
  [Temporal.Instant.from("2024-05-01T12:34:56.123456789Z"), "2024-05-01T12:34:56.123456789Z"],
  [Temporal.Instant.from("2024-05-01T12:34:56.12345Z"), "2024-05-01T12:34:56.123450Z"],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  // The toString of a class.
  [new Price(), `0.${"0".repeat(48)}123`],
  [{ price: new Price() }, `price: 0.${"0".repeat(48)}123`],
  [
    {
      uid: "0xab",
      sellAmount: 10n ** 30n,
      validFrom: null,
      quote: { sellAmount: 1n, verified: true },
      fees: [1n, 2n],
      interactions: [],
    },
    "uid: 0xab\nsellAmount: 1000000000000000000000000000000\nvalidFrom: null\nquote:\n" +
    "  sellAmount: 1\n  verified: true\nfees: [1, 2]\ninteractions: []",
  ],
  // Text that may be taken for something else.
  [
    { a: "null", b: null, c: "", d: " x", e: "1\n2" },
    'a: "null"\nb: null\nc: ""\nd: " x"\ne: "1\\n2"',
  ],
  [[{ a: 1, b: null }, { a: 2 }], "a  b\n1  null\n2"],
  [
    [{ solver: "a", block: 5n, rate: "0.25" }, { solver: "b", block: 12_000n }],
    "solver  block  rate\na           5  0.25\nb       12000",
  ],
  [[{ a: { b: { c: 1n } } }, "x"], "[0]\n  a:\n    b:\n      c: 1\n[1] x"],
  [CIRCULAR, "a: 1\nself: [the same object again]"],
  [new Map([["0xa", 1n]]), "Map\n0xa: 1"],
  [new Set([1n, 2n]), "[1, 2]"],
  [new Fill(), "Fill\namount: 7"],
  [Promise.resolve(3n), "3"],
  [new RangeError("too far"), "RangeError: too far"],
  [pl.DataFrame({ amount: [] }), "amount"],
  // Unsigned integers, which polars cannot send itself.
  [pl.DataFrame({ id: [1n, 2n] }), "id\n 1\n 2"],
];

Deno.test("render() shows values as text, with every digit", async () => {
  for (const [value, expected] of TEXTS) assertEquals(await text(value), expected);
  // Text alone, without HTML.
  for (const value of [2n, null, undefined, "a <b>"]) {
    assertEquals(Object.keys(await render(value)), ["text/plain"]);
  }
});

Deno.test("render() hides the keys of transports, in text, records and errors", async () => {
  registerSecret("0123456789abcdef");
  const values = [
    "a 0123456789ABCDEF",
    { a: { b: ["0123456789abcdef"] } },
    new Error("0123456789abcdef"),
  ];
  for (const value of values) {
    const shown = JSON.stringify(await render(value));
    assert(shown.includes("[hidden]") && !/0123456789abcdef/i.test(shown), shown);
  }
});

Deno.test("render() writes a record as a table of keys and escaped values", async () => {
  assertEquals(
    await html({ a: 1n, "<b>": '"x" & <script>' }),
    "<table><tbody>" +
      '<tr><th style="text-align:left;vertical-align:top">a</th>' +
      '<td style="text-align:left;vertical-align:top">1</td></tr>' +
      '<tr><th style="text-align:left;vertical-align:top">&lt;b&gt;</th>' +
      '<td style="text-align:left;vertical-align:top">&quot;x&quot; &amp; &lt;script&gt;</td></tr>' +
      "</tbody></table>",
  );
});

Deno.test("render() counts omitted elements", async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ index }));
  assertStringIncludes(String(await text(rows)), "\n   19\n… 5 more");
  assertStringIncludes(String(await html(rows)), "… 5 more");
  assertEquals(await text([1, 2, 3], { rows: 2 }), "[1, 2, … 1 more]");
  assertStringIncludes(String(await text({ list: rows }, { rows: 3 })), "… 22 more");
  const wide = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`k${index}`, index]));
  assertStringIncludes(String(await text(wide)), "k99: 99\n… 30 more");
  assertEquals(
    await text({ data: "0".repeat(1500) }),
    `data: ${"0".repeat(1000)}… 500 more characters`,
  );
  assertEquals(String(await text(rows, { rows: 25 })).split("\n").length, 26);
});

Deno.test("render rejects invalid rows, networks and lookups", async () => {
  const invalid = [
    ...[0, -1, 1.5, Number.NaN].map((rows) => ["rows", rows] as const),
    ...[["network", "mainet"], ["decimals", 18], ["symbols", {}]] as const,
  ];
  for (const [option, value] of invalid) {
    await assertRejects(
      () => render({}, { [option]: value } as { rows: number }),
      InputError,
      `Cannot show a value with ${option} ${typeof value === "number" ? value : ""}`,
    );
  }
});

Deno.test("render explains how to collect an async iterable", async () => {
  async function* pages(): AsyncGenerator<number> {
    yield await Promise.resolve(1);
  }
  assertStringIncludes(String(await text(pages())), "await Array.fromAsync(…)");
});

Deno.test("render() shows no cause that the message repeats", async () => {
  const cause = new Error("no column fee\n\nLINE 3: fee", { cause: new RangeError("too far") });
  const error = new Error("Cannot run the query: no column fee", { cause });
  assertEquals(
    await text(error),
    "Error: Cannot run the query: no column fee\nCaused by RangeError: too far",
  );
});

Deno.test("render() shows an error's facts, remedy and causes, and no stack", async () => {
  const cause = new TypeError("not a number");
  const error = new InputError("Cannot price trade 7", {
    facts: { token: "<0xabc>" },
    remedy: "Pass a price",
    cause,
  });
  assertEquals(await render(error), {
    "text/plain": [
      "InputError (input): Cannot price trade 7",
      "  token: <0xabc>",
      "Fix: Pass a price",
      "Caused by TypeError: not a number",
    ].join("\n"),
    "text/html": '<div style="border-left:4px solid #d33;padding:0 0 0 1em">' +
      "<div><b>InputError</b> <code>input</code></div>" +
      '<div style="white-space:pre-wrap">Cannot price trade 7\n  token: &lt;0xabc&gt;</div>' +
      "<div><b>Fix:</b> Pass a price</div>" +
      '<div style="opacity:0.6">Caused by TypeError: not a number</div></div>',
  });
});

Deno.test("render() shows the value of a promise, and the error of one that is rejected", async () => {
  assertEquals(await text(Promise.resolve(10n ** 24n)), "1000000000000000000000000");
  const rejected = Promise.reject(
    new InputError("Cannot price trade 7", { remedy: "Pass a price" }),
  );
  assertEquals(
    await text(rejected),
    "InputError (input): Cannot price trade 7\nFix: Pass a price",
  );
  const reasons = [["busy", '"busy"'], [undefined, "undefined"], [{ a: 1 }, "an object"]];
  for (const [reason, words] of reasons) {
    assertEquals(await text(Promise.reject(reason)), `Error: A promise was rejected with ${words}`);
  }
});

Deno.test("render() keeps an error on one line among other values", async () => {
  const failure = new DecodeError({
    what: "an order",
    path: "sellAmount",
    expected: "an amount",
    found: "-1",
  });
  const table = String(await text([{ uid: "0x1", error: failure }]));
  assertStringIncludes(table, "0x1  DecodeError: Cannot decode an order: sellAmount must be an");
  assertEquals(table.split("\n").length, 2);
});

Deno.test("render() passes the picture of a value on, and draws elements", async () => {
  const bundle = { "image/svg+xml": "<svg></svg>", "text/plain": "a chart" };
  assertEquals(await render({ [DISPLAY]: () => bundle }), bundle);
  assertEquals(await render({ [DISPLAY]: () => Promise.resolve(bundle) }), bundle);
  assertEquals(await render({ outerHTML: "<svg></svg>" }), { "image/svg+xml": "<svg></svg>" });
  assertEquals(await render({ outerHTML: "<p>x</p>" }), { "text/html": "<p>x</p>" });
});

Deno.test("render() shows an error if a value cannot render itself", async () => {
  class Broken {
    [DISPLAY](): never {
      throw new RangeError("no column");
    }
  }
  assertEquals(
    await text(new Broken()),
    "InputError (input): Cannot show this Broken: reading it failed\n" +
      "Fix: Show a part of it, e.g. one field or column\n" +
      "Caused by RangeError: no column",
  );
  const unreadable = {
    get amount(): never {
      throw new Error("gone");
    },
  };
  assertStringIncludes(String(await text(unreadable)), "Caused by Error: gone");
  assertStringIncludes(String(await text({ [DISPLAY]: () => 5 })), "returned no media types");
  const unsendable = { [DISPLAY]: () => ({ "application/json": { amount: 1n } }) };
  assertStringIncludes(String(await text(unsendable)), "BigInt");
});

Deno.test("render() shows a frame as a table with every digit, numbers on the right", async () => {
  const frame = pl.DataFrame({
    amount: [String(2n ** 256n - 1n), "7"],
    bps: [1.5, null],
    owner: ["<0xab>", null],
  });
  assertEquals(
    await text(frame),
    [
      `${"amount".padStart(78)}   bps  owner`,
      "115792089237316195423570985008687907853269984665640564039457584007913129639935   1.5  <0xab>",
      `${"7".padStart(78)}  null  null`,
    ].join("\n"),
  );
  const table = String(await html(frame));
  assertStringIncludes(table, '<th style="text-align:right">amount</th>');
  assertStringIncludes(table, '<td style="text-align:left">&lt;0xab&gt;</td>');
});

Deno.test("render() warns below a frame of amounts that wrapped, or of shares that were cut", async () => {
  const frame = pl.DataFrame({ sell_atoms: ["9223372036854775807", "1"], of: ["3", "2"] });
  const summed = frame.select(pl.col("sell_atoms").cast(pl.Int64).sum());
  assertStringIncludes(
    String(await text(summed)),
    "\nsell_atoms has lost digits: it is of whole numbers of 64 bits, which wrap. " +
      "Keep amounts as text, and add with sumAtoms.",
  );
  const [one, of] = ["sell_atoms", "of"].map((name) => pl.col(name).cast(pl.Int64));
  const share = frame.select(one!.div(of!).alias("sold_share"));
  assertStringIncludes(
    String(await html(share)),
    ">sold_share is cut to whole numbers, as polars divides them. Divide with divideColumns.<",
  );
  const right = frame.withColumn(pl.Series("sold_share", [0.5, 0.5]));
  assertEquals(String(await text(right)).split("\n").length, 3);
});

Deno.test("render() truncates a long frame", async () => {
  const frame = pl.DataFrame({ block: Array.from({ length: 1000 }, (_, index) => index) });
  assertStringIncludes(String(await text(frame, { rows: 2 })), "    0\n    1\n… 998 more");
  assertStringIncludes(String(await text(frame, { rows: 70 })), "   69\n… 930 more");
});

Deno.test("render() shortens hex texts by style alone, and links them where the network is given", async () => {
  const uid = `0x${"ab".repeat(56)}`;
  const plain = await render({ uid });
  assertEquals(plain["text/plain"], `uid: ${uid}`);
  const shown = String(plain["text/html"]);
  assertStringIncludes(shown.replaceAll(/<[^>]*>/g, ""), `uid${uid}`);
  assert(!shown.includes("<a "), shown);
  const linked = await render({ uid }, { network: "base" });
  assertEquals(linked["text/plain"], plain["text/plain"]);
  assertStringIncludes(
    String(linked["text/html"]),
    `<a href="https://explorer.cow.fi/base/orders/${uid}" target="_blank"`,
  );
  assertEquals(await render({ uid }, { network: "local" }), plain);
});

Deno.test("render() shows amounts in whole tokens, their atoms behind them and in the plain text", async () => {
  const token = `0x${"99".repeat(20)}`;
  const trade = { sellToken: token, sellAmount: 309_907_882_724_800_404n };
  const options = {
    decimals: new Map([[token, 18]]),
    symbols: () => `<b>"T&`,
  };
  const shown = await render(trade, options);
  assertEquals(shown["text/plain"], `sellToken: ${token}\nsellAmount: 309907882724800404`);
  assertStringIncludes(
    String(shown["text/html"]),
    'white-space:nowrap;border-bottom:1px dotted">0.309908 &lt;b&gt;&quot;T&amp;</summary>' +
      '<span style="user-select:all;-webkit-user-select:all">309907882724800404</span> atoms</details>',
  );
  assert(!String((await render(trade))["text/html"]).includes("<details"));
});

Deno.test("answer() is Markdown in which HTML and control characters have no effect", () => {
  assertEquals(createAnswerBundle("**14 of 20**: a <b>name</b> & a bell\u0007"), {
    "text/plain": "**14 of 20**: a <b>name</b> & a bell\\u0007",
    "text/markdown": "**14 of 20**: a &lt;b>name&lt;/b> &amp; a bell\\u0007",
  });
});

Deno.test("answer leaves code unchanged, which Markdown shows literally, and nothing else", () => {
  const of = (text: string) => createAnswerBundle(text)["text/markdown"];
  assertEquals(of("`'10' < '9'` is 1 < 2"), "`'10' < '9'` is 1 &lt; 2");
  // None of these is code for Markdown, so that a tag in it would be one.
  assertEquals(of("\\`<b>`"), "\\`&lt;b>`");
  assertEquals(of("`a\n\n<b>`"), "`a\n\n&lt;b>`");
  assertEquals(of("``<b>`"), "``&lt;b>`");
});

Deno.test("answer() writes negative numbers with a minus sign, and no other hyphen", () => {
  const text = "From **-1.9 bps** to (-0.5), on 2026-11-21, ids 5-7, `x - -3`, pre-2 and - 4";
  const { "text/plain": plain } = createAnswerBundle(text);
  assertEquals(
    plain,
    "From **−1.9 bps** to (−0.5), on 2026-11-21, ids 5-7, `x - -3`, pre-2 and - 4",
  );
});

Deno.test("answer and show throw outside a notebook", async () => {
  for (const display of [() => answer("14"), () => show(1n)]) {
    const { message } = await assertRejects(display, InputError);
    assertEquals(
      message,
      "Cannot show a value outside a notebook\n" +
        "Fix: Call it in a notebook cell on the Deno kernel, or use console.log",
    );
  }
});
