import { assertEquals } from "@std/assert";
import { indexByUid, joinIndexes } from "../../lib/metrics/not_computable.ts";

Deno.test("joinIndexes() finds in any case, the first index before the second, and lists each UID once", () => {
  const joined = joinIndexes(
    indexByUid([["0xaa", 1], ["0xbb", 2]]),
    indexByUid([["0xBB", 3], ["0xcc", 4]]),
  );
  assertEquals(["0xAA", "0xbb", "0xCC", "0xdd"].map((uid) => joined.get(uid)), [
    1,
    2,
    4,
    undefined,
  ]);
  assertEquals([...joined], [["0xaa", 1], ["0xbb", 2], ["0xcc", 4]]);
  assertEquals(indexByUid<number>(joined), joined);
});
