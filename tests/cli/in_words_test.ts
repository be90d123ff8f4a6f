import { assertEquals } from "@std/assert";
import { counted, duration, grouped, size } from "../../lib/cli/terminal/io.ts";

Deno.test("grouped() and counted() group digits by three", () => {
  assertEquals([0, 999, 1000, 11_774_000].map(grouped), ["0", "999", "1,000", "11,774,000"]);
  assertEquals([counted(1, "request"), counted(2048, "request")], ["1 request", "2,048 requests"]);
});

Deno.test("duration() has the two largest units", () => {
  assertEquals(
    [0.2, 45, 60, 720, 3_600, 12_000, 86_400, 187_200, 3_599, 86_399].map(duration),
    ["1 s", "45 s", "1 min", "12 min", "1 h", "3 h 20 min", "1 d", "2 d 4 h", "1 h", "1 d"],
  );
});

Deno.test("size() has decimal units", () => {
  assertEquals(
    [512, 1_234, 133_700, 999_600, 25_000_000, 4_100_000_000].map(size),
    ["512 B", "1.2 kB", "134 kB", "1.0 MB", "25 MB", "4.1 GB"],
  );
});
