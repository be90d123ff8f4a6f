import { assertEquals } from "@std/assert";
import { shortName, shortNames } from "../../../lib/charts/texts/short_names.ts";

Deno.test("shortName() keeps the ends of addresses and of long names", () => {
  assertEquals(shortName(`0x${"ab".repeat(20)}`), "0xabab…abab");
  assertEquals(shortName("a short name"), "a short name");
  assertEquals(
    shortName("a solver with a name that is rather long"),
    "a solver with a … is rather long",
  );
  assertEquals(shortName("two\nlines\u0000"), "two lines");
});

Deno.test("shortNames() tells long names apart that begin and end alike", () => {
  const names = [1, 2].map((number) => `A very long solver name number ${number} of a large group`);
  assertEquals(shortNames([...names, "short"]), [
    "…name number 1 of a large group",
    "…name number 2 of a large group",
    "short",
  ]);
});

Deno.test("shortNames() numbers names that only differ far apart, and keeps equal ones equal", () => {
  const [a, b] = ["a", "b"].map((end) => `${"x".repeat(40)}${end}${"y".repeat(60)}`);
  assertEquals(new Set(shortNames([a!, b!, a!])).size, 2);
  const [first, second, third] = shortNames([
    `${"x".repeat(20)}1${"y".repeat(60)}1${"z".repeat(20)}`,
    `${"x".repeat(20)}1${"y".repeat(60)}2${"z".repeat(20)}`,
    `${"x".repeat(20)}2${"y".repeat(60)}2${"z".repeat(20)}`,
  ]);
  assertEquals(new Set([first, second, third]).size, 3);
});
