import { assertEquals } from "@std/assert";
import { KnownTexts } from "../../../lib/schemas/codec/scalars.ts";

Deno.test("texts that share a place are told apart, in whatever order", () => {
  const known = new KnownTexts<bigint>(4);
  const read: string[] = [];
  const of = (text: string) =>
    known.of(text, (one) => {
      read.push(one);
      return one.startsWith("x") ? undefined : BigInt(one);
    });
  // The first eight characters and the length decide the place.
  for (const text of ["1234567890", "1234567891", "1234567890", "12"]) {
    assertEquals(of(text), BigInt(text));
    assertEquals(of(text), BigInt(text));
  }
  assertEquals(of("x"), undefined);
  assertEquals(read, ["1234567890", "1234567891", "1234567890", "12", "x"]);
});
