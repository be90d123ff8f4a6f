import { assertEquals } from "@std/assert";
import { seconds } from "../../../tools/terminal/seconds.ts";

Deno.test("seconds() shows tenths below ten seconds, minutes from sixty on", () => {
  assertEquals(seconds(0), "0.0 s");
  assertEquals(seconds(849), "0.8 s");
  assertEquals(seconds(9_949), "9.9 s");
  assertEquals(seconds(9_950), "10 s");
  assertEquals(seconds(59_499), "59 s");
  assertEquals(seconds(59_500), "1 min 0 s");
  assertEquals(seconds(125_000), "2 min 5 s");
});
