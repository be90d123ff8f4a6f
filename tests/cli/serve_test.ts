import { assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../../lib/cli/mod.ts";
import { memoryIo, orderlens } from "./memory_io.ts";

/** Serves while `use` looks at the first page, and then interrupts it. */
async function whileServed(words: string, use: (url: string) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  const { io } = memoryIo({ signal: controller.signal });
  const { promise: said, resolve } = Promise.withResolvers<string>();
  const code = run(words.split(" "), { ...io, out: { ...io.out, write: resolve } });
  try {
    await use(/http:\/\/127\.0\.0\.1:\d+\//.exec(await said)![0]);
  } finally {
    controller.abort();
  }
  return await code;
}

async function pageOf(url: string): Promise<string> {
  const response = await fetch(url);
  assertEquals(response.status, 200);
  return await response.text();
}

Deno.test("orderlens serve shows a dataset and a sandbox until it is stopped", async () => {
  for (
    const [words, name] of [
      ["serve data/datasets/market_1 --port=0", "market_1"],
      ["serve --sandbox 7 --port 0 --json", "sandbox"],
    ] as const
  ) {
    const code = await whileServed(words, async (url) => {
      assertStringIncludes(await pageOf(url), `What happened in ${name}`);
    });
    assertEquals([words, code], [words, 0]);
  }
});

Deno.test("orderlens serve ends at once, also while somebody follows the newest auctions", async () => {
  const code = await whileServed("serve --port 0 --recording edges", async (url) => {
    assertStringIncludes(await pageOf(url), "What happened in edges");
    const { body } = await fetch(`${url}live/events`);
    const reader = body!.getReader();
    await reader.read();
    void reader.read().catch(() => {});
  });
  assertEquals(code, 0);
});

Deno.test("orderlens serve refuses a folder with a deployment, and what is not there", async () => {
  assertEquals((await orderlens("serve here --sandbox 7")).code, 2);
  const missing = await orderlens("serve no-such-folder");
  assertEquals(missing.code, 2);
  assertStringIncludes(missing.err, "no-such-folder");
});
