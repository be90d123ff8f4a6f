import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { refused, succeeds, whileServed } from "./memory_io.ts";

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

Deno.test("orderlens sandbox describes its contents, and how to use it, until it is stopped", async () => {
  const code = await whileServed("sandbox --port=0 --seed 3 --auctions 10", async (text) => {
    for (const { address, privateKey } of DEVELOPMENT_ACCOUNTS) {
      assertStringIncludes(text, address);
      assert(!text.includes(privateKey.slice(2)));
    }
    assert(!text.includes("stands still"));
    const curls = text.split("\n").filter((line) => line.startsWith("  curl "));
    assertEquals(curls.length, 5);
    for (const line of curls) assertEquals(await getCurl(line), 200, line);
    const [, line, uid] = /^ {2}orderlens (inspect (0x\w+) .*)$/m.exec(text)!;
    assertStringIncludes((await succeeds(line!)).out, uid!);
    const port = /127\.0\.0\.1:(\d+)/.exec(text)![1]!;
    const words = `sandbox --port ${port} --auctions 0`;
    await refused(words, 1, `Cannot listen on 127.0.0.1, port ${port}`);
  });
  assertEquals(code, 0);
});

Deno.test("orderlens sandbox prints the URL of its node, and its time if it is virtual", async () => {
  await whileServed("sandbox --port 0 --auctions 10 --virtual", async (text) => {
    const [, variable] = /ORDERLENS_RPC_URL=(\S+)/.exec(text)!;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "eth_chainId", params: [] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(variable!, { method: "POST", body, headers });
    assertEquals((await answer.json()).result, "0xaa36a7");
    // Ten auctions of two seconds each after the time at which all sandboxes begin.
    assertStringIncludes(text, "run notebook 05 with --set now=2026-11-21T00:00:20Z\n");
  });
});

Deno.test("orderlens sandbox --json is one object with its URL", async () => {
  await whileServed("sandbox --port 0 --auctions 2 --virtual --json", async (text) => {
    const { schema, url, accounts } = JSON.parse(text);
    assertEquals([schema, accounts.length > 0], ["orderlens/sandbox@1", true]);
    assertEquals(await getCurl(`curl ${url}/sandbox`), 200);
  });
});

/** The address that is served, and what one of its pages has. */
async function pageAt(text: string, path: string): Promise<{ url: string; page: string }> {
  const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)!;
  const response = await fetch(`${url}${path}`);
  assertEquals(response.status, 200);
  return { url, page: await response.text() };
}

Deno.test("orderlens serve shows a dataset and a sandbox until it is stopped", async () => {
  for (
    const [words, name] of [
      ["serve data/datasets/market_1 --port=0", "market_1"],
      ["serve --sandbox 7 --port 0 --json", "sandbox"],
    ] as const
  ) {
    const code = await whileServed(words, async (text) => {
      assertStringIncludes((await pageAt(text, "sql")).page, `Query ${name} in SQL`);
    });
    assertEquals([words, code], [words, 0]);
  }
});

Deno.test("orderlens serve exits at once, even while a page follows the newest auctions", async () => {
  const code = await whileServed("serve --port 0 --recording edges", async (text) => {
    const { url, page } = await pageAt(text, "");
    assertStringIncludes(page, "What happened in edges");
    const { body } = await fetch(`${url}live/events`);
    const reader = body!.getReader();
    await reader.read();
    void reader.read().catch(() => {});
  });
  assertEquals(code, 0);
});
