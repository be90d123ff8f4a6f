import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { holdLock } from "../../../tools/jupyter/hold_lock.ts";

Deno.test("holdLock() admits one process at a time, and reports when another must wait", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "deep", "lock");
  const events: string[] = [];
  const enter = async (name: string): Promise<void> => {
    using _lock = await holdLock(path, () => events.push(`${name} waits`), { patienceMs: 20 });
    events.push(`${name} in`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    events.push(`${name} out`);
  };
  try {
    const first = enter("first");
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Promise.all([first, enter("second")]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assertEquals(events, ["first in", "second waits", "first out", "second in", "second out"]);
});
