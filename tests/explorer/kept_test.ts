import { assertEquals, assertRejects } from "@std/assert";
import { Kept } from "../../lib/explorer/kept.ts";

function kept(options: { mostWeight: number; freshMs?: number; now?: () => number }) {
  const made: string[] = [];
  const own = new Kept<string>({ now: () => 0, weightOf: (text) => text.length, ...options });
  const get = (name: string) =>
    own.of(name, () => {
      made.push(name);
      return Promise.resolve(name);
    });
  return { own, get, made };
}

Deno.test("Kept makes a value once, also for several at the same time", async () => {
  const { get, made } = kept({ mostWeight: 10 });
  assertEquals(await Promise.all([get("a"), get("a")]), ["a", "a"]);
  await get("a");
  assertEquals(made, ["a"]);
});

Deno.test("Kept lets go what was used longest ago, and never holds more than its bound", async () => {
  const { own, get, made } = kept({ mostWeight: 4 });
  for (const name of ["aa", "bb", "aa", "cc", "aa", "bb", "too long"]) {
    await get(name);
    assertEquals(own.weight <= 4, true);
  }
  assertEquals(made, ["aa", "bb", "cc", "bb", "too long"]);
});

Deno.test("Kept makes a value again when it is no longer fresh", async () => {
  let now = 0;
  const { own, get, made } = kept({ mostWeight: 10, freshMs: 5, now: () => now });
  await get("a");
  now = 5;
  await get("a");
  now = 6;
  await get("a");
  assertEquals([made.length, own.weight], [2, 1]);
});

Deno.test("Kept does not keep failures", async () => {
  const own = new Kept<string>({ mostWeight: 1, now: () => 0 });
  await assertRejects(() => own.of("a", () => Promise.reject(new Error("no"))), Error, "no");
  assertEquals(await own.of("a", () => Promise.resolve("b")), "b");
});
