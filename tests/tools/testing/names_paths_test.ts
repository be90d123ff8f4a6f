import { assertEquals } from "@std/assert";
import { namesPaths } from "../../../tools/testing/names_paths.ts";

Deno.test("namesPaths() distinguishes files from options and their values", () => {
  const none = [[], ["--filter=units"], ["--filter", "tests/units"], ["-u"], ["--fail-fast"], [
    "--reporter",
    "dot",
  ]];
  assertEquals(none.map(namesPaths), none.map(() => false));
  const some = [["tests/units"], ["--filter", "bps", "tests/units"], ["-u", "tests/units"]];
  assertEquals(some.map(namesPaths), some.map(() => true));
});
