import { assertEquals, assertThrows } from "@std/assert";
import {
  enumOf,
  integer,
  readAddress,
  readAmount,
  readBoolean,
} from "../../../lib/sandbox/wire/loose_values.ts";
import { Rejection } from "../../../lib/sandbox/wire/reply.ts";
import {
  defaulted,
  Fields,
  optional,
  readList,
  required,
} from "../../../lib/sandbox/wire/fields.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;
const SHAPE = {
  token: required(readAddress),
  amount: required(readAmount),
  kind: required(enumOf(["buy", "sell"])),
  from: optional(readAddress),
  isWhole: defaulted(readBoolean, false),
};
const NO_SHAPE = "Failed to deserialize the JSON body into the target type: ";
const NO_JSON = "Failed to parse the request body as JSON: ";

function rejectionOf(read: () => unknown): string {
  const { reply } = assertThrows(read, Rejection);
  return `${reply.status} ${reply.body}`;
}

function all(body: string) {
  return new Fields(body, "Thing").all(SHAPE);
}

Deno.test("Fields returns the values of a body, and fallbacks for missing ones", () => {
  const body = `{"kind":"buy","extra":[],"amount":"0x10","token":"${ADDRESS}","from":null}`;
  const expected = { token: ADDRESS, amount: 16n, kind: "buy", from: undefined, isWhole: false };
  assertEquals(all(body), expected as ReturnType<typeof all>);
});

Deno.test("Fields reports the body's first error, then the shape's first missing field", () => {
  const cases: [string, string][] = [
    ['{"amount":"x","token":"0x12"}', `422 ${NO_SHAPE}amount: invalid value: string "x"`],
    ['{"token":"0x12","amount":"x"}', `422 ${NO_SHAPE}token: invalid string length`],
    ['{"amount":"1"}', `422 ${NO_SHAPE}missing field \`token\` at line 1 column 14`],
    // Errors before the end of the text are reported first.
    ['{"token":"0x12",', `422 ${NO_SHAPE}token: invalid string length at line 1 column 15`],
    ['{"amount":"1",', `400 ${NO_JSON}EOF while parsing a value at line 1 column 14`],
    ['{"amount":tru', `400 ${NO_JSON}amount: EOF while parsing a value at line 1 column 13`],
    ['{"kind":7}', `400 ${NO_JSON}kind: expected value at line 1 column 9`],
    ['{"from":1,"from":2}', `422 ${NO_SHAPE}from: invalid type: integer \`1\``],
    [
      '{"isWhole":true,"isWhole":1}',
      `422 ${NO_SHAPE}duplicate field \`isWhole\` at line 1 column 25`,
    ],
  ];
  for (const [body, message] of cases) {
    const found = rejectionOf(() => all(body));
    assertEquals(found.slice(0, message.length), message);
  }
});

Deno.test("Fields reports the position of an error: after scalars, before lists and maps", () => {
  const at = (value: string) =>
    /column (\d+)/.exec(rejectionOf(() => all(`{"token":${value}}`)))?.[1];
  assertEquals([at('"0x"'), at("1.5"), at("null"), at("[1]"), at("{}")], [
    "13",
    "12",
    "13",
    "9",
    "9",
  ]);
});

Deno.test("Fields requires an object", () => {
  for (const [body, found, column] of [["[]", "sequence", 0], ["7", "integer `7`", 1]]) {
    const message =
      `422 ${NO_SHAPE}invalid type: ${found}, expected struct Thing at line 1 column ${column}`;
    assertEquals(rejectionOf(() => new Fields(String(body), "Thing")), message);
  }
});

Deno.test("Fields.deferred() reports its errors after those of the whole body", () => {
  const fields = new Fields('{"n":-1,"twice":1,"twice":2}', "Thing");
  const read = (name: string) => fields.deferred(name, integer("u32"));
  assertEquals(read("missing"), undefined);
  const place = "at line 1 column 28";
  assertEquals(
    rejectionOf(() => read("n")),
    `422 ${NO_SHAPE}invalid value: integer \`-1\`, expected u32 ${place}`,
  );
  assertEquals(
    rejectionOf(() => read("twice")),
    `422 ${NO_SHAPE}duplicate field \`twice\` ${place}`,
  );
});

Deno.test("Fields ignores inherited properties of objects", () => {
  const body = '{"__proto__":{"token":1},"constructor":2,"toString":3}';
  assertEquals(
    rejectionOf(() => all(body)),
    `422 ${NO_SHAPE}missing field \`token\` at line 1 column 54`,
  );
});

Deno.test("readList() names the invalid item", () => {
  assertEquals(readList('["1",2]', readAmount), [1n, 2n]);
  const message = `422 ${NO_SHAPE}[1]: invalid type: null, expected a 32 byte hex string`;
  assertEquals(
    rejectionOf(() => readList('["1",null]', readAmount)).slice(0, message.length),
    message,
  );
  const place = "at line 1 column 0";
  assertEquals(
    rejectionOf(() => readList("{}", readAmount)),
    `422 ${NO_SHAPE}invalid type: map, expected a sequence ${place}`,
  );
});
