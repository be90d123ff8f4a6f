import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { recordedObject } from "../schemas/recorded_bodies.ts";
import { orderlens } from "./memory_io.ts";

const UID = `0x${"fc".repeat(56)}`;
const SUBJECTS = [UID, `0x${"28".repeat(20)}`, `0x${"22".repeat(32)}`, "2624"];

/** Serves one response to every request while it is used. */
async function withAnswer(
  answer: () => Response,
  use: (words: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => answer(),
  );
  const deployment = `--chain-id 1 --settlement 0x${"a5".repeat(20)}`;
  await use(`--url http://127.0.0.1:${server.addr.port}/mainnet ${deployment}`);
}

function page(status: number): Response {
  const headers = { "content-type": "text/html" };
  return new Response("<html><title>Just a moment...</title></html>", { status, headers });
}

Deno.test("orderlens inspect exits with 4 if access is denied, and with 1 if no order book responds", async () => {
  const rows = [
    [403, 4, "denies access"],
    [401, 4, "requires credentials"],
    [404, 1, "no order book answers at this address"],
  ] as const;
  for (const [status, expected, words] of rows) {
    await withAnswer(() => page(status), async (deployment) => {
      for (const subject of SUBJECTS) {
        const { code, out, err } = await orderlens(`inspect ${subject} ${deployment}`);
        assertEquals([code, out], [expected, ""], err);
        assertStringIncludes(err, words);
      }
    });
  }
});

Deno.test("orderlens triage does not report that there is no UID if access is denied", async () => {
  await withAnswer(() => page(403), async (deployment) => {
    const [chain] = deployment.split(" --settlement");
    const { code, err } = await orderlens(`triage - ${chain}`, { input: UID });
    assertEquals(code, 4, err);
    assert(!err.includes("No UIDs found"), err);
  });
  const { code, err } = await orderlens("triage - --recording market_1", { input: "none" });
  assertEquals(code, 1);
  assertStringIncludes(err, "No UIDs found");
});

Deno.test("orderlens advises no option that its command lacks", async () => {
  const tooMany = () => new Response(null, { status: 429, headers: { "retry-after": "259200" } });
  await withAnswer(tooMany, async (deployment) => {
    const { code, err } = await orderlens(`inspect 2624 ${deployment}`);
    assertEquals(code, 75);
    assertStringIncludes(err, "Fix: Wait before retrying\n");
  });
});

Deno.test("orderlens inspect exits with 1 for an order with an amount that 256 bits cannot hold", async () => {
  const order = await recordedObject("order");
  const answer = () => Response.json({ ...order, sellAmount: `${2n ** 256n}` });
  await withAnswer(answer, async (deployment) => {
    const { code, out, err } = await orderlens(`inspect ${order.uid} ${deployment}`);
    assertEquals([code, out], [1, ""], err);
    assertStringIncludes(err, "sellAmount must be an amount below 2^256");
    assertStringIncludes(err, `found: "${2n ** 256n}"`);
  });
});

Deno.test("orderlens inspect does not report a transaction as missing if a node failed", async () => {
  const node = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("no", { status: 403 }),
  );
  try {
    const url = `http://127.0.0.1:${node.addr.port}`;
    const words = `inspect 0x${"ab".repeat(32)} --recording market_1 --rpc-url ${url}`;
    const { code, out } = await orderlens(words);
    assertEquals(code, 1, out);
    assertStringIncludes(
      out.replaceAll(/\s+/g, " "),
      "and the node did not say whether it created",
    );
  } finally {
    await node.shutdown();
  }
  assertEquals((await orderlens(`inspect 0x${"ab".repeat(32)} --recording market_1`)).code, 5);
});
