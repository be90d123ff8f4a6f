import { assertEquals } from "@std/assert";
import { EncodedLines } from "../../lib/datasets/state/keep_outcomes.ts";

Deno.test("lines are encoded one behind another, whatever their characters take", () => {
  const item = { kind: "app_data", key: "", shard: 1, state: null, firstAskedMs: null } as const;
  const texts = [
    "ascii\n",
    "\u00fc\u20ac\u{1f404}\n",
    "left out\n",
    "\u{1f404}".repeat(40) + "\n",
    "end\n",
  ];
  const answers = texts.map((line) => ({ line, route: "GET" }));
  const lines = new EncodedLines([{ item, state: "present", isFinal: true, next: [], answers }]);
  for (const text of texts) {
    const before = lines.length;
    assertEquals(new TextDecoder().decode(lines.add(text)), text);
    if (text === "left out\n") lines.length = before;
  }
  const kept = texts.filter((text) => text !== "left out\n").join("");
  assertEquals(new TextDecoder().decode(lines.bytes), kept);
});
