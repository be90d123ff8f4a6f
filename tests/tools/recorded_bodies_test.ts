import { assertEquals } from "@std/assert";
import { readRecordedBodies } from "../../tools/conformance/recorded_bodies.ts";

async function failuresOf(listing: string): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/bodies.json`, listing);
    await Deno.writeTextFile(`${folder}/x.json`, "{}");
    const found = await Array.fromAsync(readRecordedBodies(folder));
    return found.map((item) => "reason" in item ? item.reason.slice(0, 48) : "readable");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readRecordedBodies() names an unknown kind of body, and continues with the next one", async () => {
  const bodies = ["competition_v3", "constructor", "orders"].map((kind) => {
    return { file: "x.json", pointer: "", kind, complete: true };
  });
  assertEquals(await failuresOf(JSON.stringify({ bodies })), [
    'bodies.json names the unknown kind "competition_',
    'bodies.json names the unknown kind "constructor"',
    "readable",
  ]);
});

Deno.test("readRecordedBodies() names a bodies.json that lists nothing", async () => {
  for (const listing of ["{", "[]", "null", '{"bodies":7}']) {
    assertEquals(await failuresOf(listing), ["it has no list `bodies`, or is not JSON"]);
  }
});
