import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type JsonNode, readJson } from "../../../lib/sandbox/wire/json.ts";

/** Invalid JSON, and the errors of the service's parser (serde_json). */
const FAULTS: readonly [string, string][] = [
  // Recorded from the service.
  ["", "EOF while parsing a value at line 1 column 0"],
  ["{", "EOF while parsing an object at line 1 column 1"],
  ["[", "EOF while parsing a list at line 1 column 1"],
  ["{invalid json}", "key must be a string at line 1 column 2"],
  ["Not json", "expected value at line 1 column 1"],
  ["nope", "expected ident at line 1 column 2"],
  // By the rules of the parser.
  ["tru", "EOF while parsing a value at line 1 column 3"],
  ["[1,]", "trailing comma at line 1 column 4"],
  ["[1 2]", "expected `,` or `]` at line 1 column 4"],
  ['{"a" 1}', "expected `:` at line 1 column 6"],
  ['{"a":1]', "expected `,` or `}` at line 1 column 7"],
  ['{"a":1,}', "trailing comma at line 1 column 8"],
  ['{\n"a":\n x}', "expected value at line 3 column 2"],
  ["{} {}", "trailing characters at line 1 column 4"],
  ["01", "invalid number at line 1 column 2"],
  ["-", "EOF while parsing a value at line 1 column 1"],
  ["1e400", "number out of range at line 1 column 5"],
  ['"a', "EOF while parsing a string at line 1 column 2"],
  ['"\\x"', "invalid escape at line 1 column 3"],
  ['"\\udc00"', "lone leading surrogate in hex escape at line 1 column 7"],
  ['"\\ud800"', "unexpected end of hex escape at line 1 column 8"],
  ['"\t"', "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 2"],
  ['"é" x', "trailing characters at line 1 column 6"],
  ["\ufeff{}", "expected value at line 1 column 1"],
];

for (const [text, message] of FAULTS) {
  Deno.test(`readJson() reports ${JSON.stringify(text)} as ${message}`, () => {
    assertEquals(readJson(text).syntaxError?.message, message);
  });
}

Deno.test("readJson() names the member with an error", () => {
  assertEquals(readJson('{"a":{"b":[1,x]}}').syntaxError?.path, "a.b[1]");
});

Deno.test("readJson() keeps values before an error, and every digit of numbers", () => {
  const { root } = readJson('{"a":123456789012345678901234567890,"b":x');
  assert(root?.kind === "object");
  assertEquals(root.members.map(({ name, value }) => [name, value]), [
    ["a", { kind: "number", source: "123456789012345678901234567890", start: 5, end: 35 }],
  ]);
});

Deno.test("readJson() accepts 127 nested lists, and rejects 128 and 10,000", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assertEquals(readJson(nested(127)).syntaxError, null);
  for (const depth of [128, 10_000]) {
    const message = "recursion limit exceeded at line 1 column 128";
    assertEquals(readJson(nested(depth)).syntaxError?.message, message);
  }
});

function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "null":
      return null;
    case "number":
      return Number(node.source);
    case "list":
      return node.items.map(valueOf);
    case "object":
      return Object.fromEntries(node.members.map(({ name, value }) => [name, valueOf(value)]));
    default:
      return node.value;
  }
}

Deno.test("readJson() accepts and rejects the same texts as JSON.parse", () => {
  fc.assert(fc.property(fc.json({ stringUnit: "binary" }), (text) => {
    const { root, syntaxError } = readJson(text);
    assertEquals(syntaxError, null);
    assertEquals(JSON.stringify(valueOf(root!)), JSON.stringify(JSON.parse(text)));
  }));
  const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "-0.5e1", "null", " ");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
      const text = parts.join("");
      assertEquals(readJson(text).syntaxError === null, isJson(text), text);
    }),
    { numRuns: 3_000, examples: [[["-0.5e1", "1", "1", "1"]]] },
  );
});

/** Whether a text is JSON without numbers that no double holds, which the service rejects. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text, (_, value) => {
      if (Math.abs(value) === Infinity) throw new RangeError(`${value}`);
      return value;
    });
    return true;
  } catch {
    return false;
  }
}
