import { InputError } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";
import { checkedHex } from "../../../lib/endpoints/calls.ts";

const ADDRESS = "0xAbcDef0123456789abcdef0123456789ABCDEF01";

Deno.test("checkedHex() returns the text unchanged, in either case", () => {
  assertEquals(checkedHex(ADDRESS, "an address"), ADDRESS);
  assertEquals(checkedHex(`0x${"12".repeat(56)}`, "an order UID"), `0x${"12".repeat(56)}`);
});

Deno.test("checkedHex() names the fault and the expected form", () => {
  const hash = `0x${"ab".repeat(32)}`;
  for (
    const [text, fault] of [
      [hash, "it has 64 hex digits instead of 40, like a hash"],
      [ADDRESS.slice(2), "it does not begin with 0x"],
      [`0x${"g".repeat(40)}`, "it has a character that is not a hex digit, at position 3"],
      ["0x123", "it has 3 hex digits instead of 40"],
      [`${ADDRESS} `, "it has a character that is not a hex digit, at position 43"],
      ["", "it does not begin with 0x"],
      [null, "it is null, not text"],
      [7n, "it is bigint, not text"],
    ] as const
  ) {
    assertThrows(
      () => checkedHex(text as unknown as string, "an address"),
      InputError,
      `Cannot use this as an address: ${fault}`,
    );
  }
});

Deno.test("checkedHex() rejects a UID of 116 digits, although a source comment says so", () => {
  assertThrows(() => checkedHex(`0x${"ab".repeat(58)}`, "an order UID"), InputError, "116 hex");
});
