import { assertEquals } from "@std/assert";
import { childSeconds } from "../../../tools/testing/processor_time.ts";

Deno.test("childSeconds() adds user and system time of ended children, behind any name", () => {
  const stat = "71 (a (b) c) S 1 71 71 0 -1 4194560 9 8 7 6 150 25 1250 75 20 0 1 0 12 3 4\n";
  assertEquals(childSeconds(stat), 13.25);
});
