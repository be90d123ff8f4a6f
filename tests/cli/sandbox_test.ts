import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { memoryIo, orderlens } from "./memory_io.ts";
import { run } from "../../lib/cli/mod.ts";

/** What a line of the form `curl [-H header -d 'body'] address` gets. */
async function getCurl(line: string): Promise<number> {
  const url = /https?:\/\/[^\s"]+/.exec(line)![0];
  const body = /-d '([^']+)'/.exec(line)?.[1];
  const header = /-H (\S+):(\S+)/.exec(line);
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: "POST", body }),
    headers: header === null ? {} : { [header[1]!]: header[2]! },
  });
  await response.text();
  return response.status;
}

/** Serves a sandbox while `use` looks at what it says, and then interrupts it. */
async function whileServed(
  words: string,
  use: (text: string) => Promise<void>,
): Promise<number> {
  const controller = new AbortController();
  const { io } = memoryIo({ signal: controller.signal });
  const { promise: said, resolve } = Promise.withResolvers<string>();
  const code = run(words.split(" "), { ...io, out: { ...io.out, write: resolve } });
  try {
    await use(await said);
  } finally {
    controller.abort();
  }
  return await code;
}

Deno.test("orderlens sandbox describes its contents, and how to use it, until it is stopped", async () => {
  const code = await whileServed("sandbox --port=0 --seed 3 --auctions 10", async (text) => {
    for (const { address, privateKey } of DEVELOPMENT_ACCOUNTS) {
      assertStringIncludes(text, address);
      assert(!text.includes(privateKey.slice(2)));
    }
    const curls = text.split("\n").filter((line) => line.startsWith("  curl "));
    assertEquals(curls.length, 5);
    for (const line of curls) assertEquals(await getCurl(line), 200, line);
    const port = /127\.0\.0\.1:(\d+)/.exec(text)![1]!;
    const taken = await orderlens(`sandbox --port ${port} --auctions 0`);
    assertEquals(taken.code, 1);
    assertStringIncludes(taken.err, `Cannot listen on 127.0.0.1, port ${port}`);
  });
  assertEquals(code, 0);
});

Deno.test("orderlens sandbox says where its node is, and at what time it stands still", async () => {
  await whileServed("sandbox --port 0 --auctions 10 --virtual", async (text) => {
    const [, variable] = /ORDERLENS_RPC_URL=(\S+)/.exec(text)!;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "eth_chainId", params: [] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(variable!, { method: "POST", body, headers });
    assertEquals((await answer.json()).result, "0xaa36a7");
    // Ten auctions of two seconds each after the time at which all sandboxes begin.
    assertStringIncludes(text, "run notebook 05 with --set now=2026-11-21T00:00:20Z\n");
  });
  await whileServed("sandbox --port 0 --auctions 2", (text) => {
    assert(!text.includes("stands still"));
    return Promise.resolve();
  });
});

Deno.test("orderlens sandbox --json is one object with its URL", async () => {
  await whileServed("sandbox --port 0 --auctions 2 --virtual --json", async (text) => {
    const { schema, url, accounts } = JSON.parse(text);
    assertEquals([schema, accounts.length > 0], ["orderlens/sandbox@1", true]);
    assertEquals(await getCurl(`curl ${url}/sandbox`), 200);
  });
});
