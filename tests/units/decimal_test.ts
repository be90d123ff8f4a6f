import { Decimal, InputError } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";

Deno.test("Decimal.parse() keeps every digit, and writes exponents out", () => {
  for (
    const [text, coefficient, scale, written] of [
      ["0", 0n, 0, "0"],
      ["12.50", 1250n, 2, "12.50"],
      ["0.00420", 420n, 5, "0.00420"],
      ["100e+16", 10n ** 18n, 0, "1000000000000000000"],
      ["1.50E+2", 150n, 0, "150"],
      ["1.505e2", 1505n, 1, "150.5"],
      ["4.21E-10", 421n, 12, "0.000000000421"],
      ["0e+20", 0n, 0, "0"],
    ] as const
  ) {
    const decimal = Decimal.parse(text);

    assertEquals([decimal.coefficient, decimal.scale], [coefficient, scale], text);
    assertEquals(decimal.toString(), written);
  }
});

Deno.test("Decimal.parse() rejects signs, leading zeros, bare points and other text", () => {
  const signed = ["-1", "+1", "-1e2"];
  const zeros = ["00", "01", "00.5", "00e1", "007e2", "01.5e3"];
  const points = [".5", "1.", ".", ".5e1", "1.e5"];
  const others = ["", " 1", "1 ", "0x1", "1e", "e5", "1e+", "1e2.5", "1e99999", "NaN", "1_0", "١"];
  for (const text of [...signed, ...zeros, ...points, ...others]) {
    assertEquals(Decimal.tryParse(text), undefined, text);
    assertThrows(() => Decimal.parse(text), InputError);
  }
});

Deno.test("Decimal.fromNumber() is the shortest text of a double, and toNumber() its inverse", () => {
  for (const value of [0, 1, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE]) {
    assertEquals(Decimal.fromNumber(value).toNumber(), value);
  }
  assertEquals(Decimal.fromNumber(0.1).toString(), "0.1");
  assertEquals(Decimal.fromNumber(-0).toString(), "0");
  for (const value of [-1, NaN, Infinity]) {
    assertThrows(() => Decimal.fromNumber(value), InputError);
  }
});

Deno.test("Decimal.toBigInt() rounds nothing", () => {
  assertEquals(Decimal.parse("5.00").toBigInt(), 5n);
  assertEquals(Decimal.parse("10e-1").toBigInt(), 1n);
  assertThrows(() => Decimal.parse("5.01").toBigInt(), InputError);
});
