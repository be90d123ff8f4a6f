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
  const expected = {
    token: ADDRESS,
    amount: 16n,
    kind: "buy",
    from: null,
    isWhole: false,
  } as const;
  assertEquals(all(body), expected);
});

Deno.test("Fields reports the body's first error, then the shape's first missing field", () => {
  const cases: [string, string][] = [
    ['{"amount":"x","token":"0x12"}', `422 ${NO_SHAPE}amount: invalid value: string "x"`],
    ['{"token":"0x12","amount":"x"}', `422 ${NO_SHAPE}token: invalid string length`],
    ['{"amount":"1"}', `422 ${NO_SHAPE}missing field \`token\``],
    ['{"amount":"1",', `400 ${NO_JSON}invalid JSON`],
    ['{"kind":7}', `400 ${NO_JSON}kind: expected value`],
    ["[]", `422 ${NO_SHAPE}invalid type: sequence, expected struct Thing`],
    ["7", `422 ${NO_SHAPE}invalid type: integer \`7\`, expected struct Thing`],
    // Inherited properties of objects are no fields.
    [
      '{"__proto__":{"token":1},"constructor":2,"toString":3}',
      `422 ${NO_SHAPE}missing field \`token\``,
    ],
  ];
  for (const [body, message] of cases) {
    const found = rejectionOf(() => all(body));
    assertEquals(found.slice(0, message.length), message);
  }
});

Deno.test("Fields.deferred() reports its errors without the name of the field", () => {
  const fields = new Fields('{"n":-1}', "Thing");
  assertEquals(fields.deferred("missing", optional(integer("u32"))), null);
  assertEquals(
    rejectionOf(() => fields.deferred("n", required(integer("u32")))),
    `422 ${NO_SHAPE}invalid value: integer \`-1\`, expected u32`,
  );
});

Deno.test("readList() names the invalid item", () => {
  assertEquals(readList('["1",2]', readAmount), [1n, 2n]);
  const message = `422 ${NO_SHAPE}[1]: invalid type: null, expected a 32 byte hex string`;
  assertEquals(rejectionOf(() => readList('["1",null]', readAmount)), message);
  assertEquals(
    rejectionOf(() => readList("{}", readAmount)),
    `422 ${NO_SHAPE}invalid type: map, expected a sequence`,
  );
});
