import documents from "../../testdata/evm/app_data.json" with { type: "json" };
import { assert, assertEquals, assertThrows } from "@std/assert";
import { hashAppData, stringifyAppData } from "orderlens/evm";
import { InputError } from "../../../lib/errors/mod.ts";
import { isAppDataHash } from "../../../lib/evm/orders/app_data.ts";
import fc from "fast-check";

Deno.test("hashAppData() returns the hashes of clients and service, and rejects text without UTF-8 encoding", () => {
  for (const { fullAppData, appDataHash, source } of documents) {
    assertEquals(hashAppData(fullAppData), appDataHash, source);
  }
  // keccak256 of the UTF-8 bytes e2 82 ac, computed with an independent implementation.
  const hash = "0xe35642152f35c02fe26ab99f4361ed8835f18f79f916ade14e661e460be36839";
  assertEquals(hashAppData("€"), hash);
  assertThrows(() => hashAppData('{"appCode":"\ud83d"}'), InputError, "an unpaired surrogate");
  const ask = () => hashAppData({ appCode: "x" } as unknown as string);
  assertThrows(ask, InputError, "Cannot hash app data that is object, not text");
});

// The document of the SDK's test vector for CID version 0, QmSwrFbdFcryazEr361YmSwtGcN4uo4U5DKpzA4KbGxw4Q.
const LEGACY = "0x447320af985c5e834321dc495545f764ad20d8397eeed2f4a2dcbee44a56b725";
// `echo "hello world" | ipfs add` gives QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o.
const HELLO = "0x46d44814b9c5af141c3aaab7c05dc5e844ead5f91f12858b021eba45768b4c0e";
const ZEROS = `0x${"00".repeat(32)}`;

/** Hashes, texts, and whether a hash is that of the text's address, or of the empty document. */
const HASHES: readonly [hash: string, text: string, isHash: boolean][] = [
  [LEGACY, '{"version":"0.7.0","appCode":"CoW Swap","metadata":{}}', true],
  [LEGACY, '{"version":"0.7.0","appCode":"CowSwap","metadata":{}}', false],
  [HELLO, "hello world\n", true],
  [ZEROS, "{}", true],
  [ZEROS, '{"appCode":"Bot"}', false],
  [`0x${"00".repeat(31)}01`, "{}", false],
];

Deno.test("isAppDataHash() accepts the hash that orders sign today, an IPFS address, and zeros for the empty document", () => {
  for (const { fullAppData, appDataHash, source } of documents) {
    assertEquals(isAppDataHash(appDataHash, fullAppData), true, source);
    assertEquals(isAppDataHash(appDataHash.toUpperCase().replace("X", "x"), fullAppData), true);
    assertEquals(isAppDataHash(appDataHash, `${fullAppData} `), false, source);
  }
  for (const [hash, text, isHash] of HASHES) assertEquals(isAppDataHash(hash, text), isHash, text);
});

/** The same value with the keys of every object in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).reverse().map(([key, member]) => [key, reversed(member)]),
  );
}

Deno.test("stringifyAppData() writes the clients' documents, regardless of key order", () => {
  assertEquals(documents.length, 9);
  for (const { fullAppData, appDataHash, canonical, source } of documents) {
    const text = stringifyAppData(reversed(JSON.parse(fullAppData)) as object);
    assertEquals(text === fullAppData, canonical, source);
    assertEquals(hashAppData(text) === appDataHash, canonical, source);
  }
});

const HOOK = { target: "0x01" };

/** Documents, and how they are written. */
const WRITTEN: readonly [what: string, document: object, text: string][] = [
  [
    // U+1D552 begins with the unit D835, below FB03, though its code point is above.
    "keys are sorted by UTF-16 code units",
    { "ﬃ": 1, "𝕒": 2, b: 3, a: 4, B: 5, "10": 6, "9": 7, "": 8 },
    '{"":8,"10":6,"9":7,"B":5,"a":4,"b":3,"𝕒":2,"ﬃ":1}',
  ],
  [
    "undefined members are left out, and null in lists",
    { a: undefined, b: [undefined, () => 1, 2], c: () => 1, d: { e: undefined } },
    '{"b":[null,null,2],"d":{}}',
  ],
  [
    "toJSON is called within",
    { at: Temporal.Instant.from("2026-08-21T00:00:00Z") },
    '{"at":"2026-08-21T00:00:00Z"}',
  ],
  ["toJSON is called", { b: 1, toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ["a key may be __proto__", JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  [
    "an object may occur twice",
    { pre: [HOOK], post: [HOOK] },
    '{"post":[{"target":"0x01"}],"pre":[{"target":"0x01"}]}',
  ],
];

Deno.test("stringifyAppData() writes as clients do", () => {
  for (const [what, document, text] of WRITTEN) {
    assertEquals(stringifyAppData(document), text, what);
  }
});

Deno.test("stringifyAppData() loses nothing, regardless of key order", () => {
  // The unit "binary" takes seconds to index all of Unicode.
  const unit = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point));
  const document = fc.dictionary(fc.string({ unit }), fc.jsonValue());
  fc.assert(
    fc.property(document, (given) => {
      const text = stringifyAppData(given);
      assertEquals(JSON.parse(text), JSON.parse(JSON.stringify(given)));
      assertEquals(stringifyAppData(reversed(given) as object), text);
    }),
    { numRuns: 160 },
  );
});

Deno.test("stringifyAppData() rejects values that JSON cannot represent, and names the path", () => {
  const inside: Record<string, unknown> = {};
  inside.metadata = { hooks: [inside] };
  for (
    const [document, message] of [
      [{ metadata: { quote: { slippageBips: 50n } } }, "metadata.quote.slippageBips is bigint 50"],
      [{ metadata: { list: [1, NaN] } }, "metadata.list[1] is number NaN"],
      [inside, "metadata.hooks[0] is a circular reference"],
    ] as const
  ) {
    const write = () => stringifyAppData(document);
    assertThrows(write, InputError, `Cannot write app data: ${message}`);
  }
  for (const given of [null, [], "{}", 1, undefined]) {
    const write = () => stringifyAppData(given as unknown as object);
    assertThrows(write, InputError, "Cannot write app data that is");
  }
});

Deno.test("stringifyAppData() writes 1000 levels, and rejects one more", () => {
  const nested = (levels: number) => '{"a":'.repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
  assertEquals(stringifyAppData(JSON.parse(nested(1_000))), nested(1_000));
  for (const levels of [1_001, 100_000]) {
    const error = assertThrows(
      () => stringifyAppData(JSON.parse(nested(levels))),
      InputError,
      "Cannot write app data that is nested more than 1000 levels deep",
    );
    assert(error.message.length < 400);
  }
});
