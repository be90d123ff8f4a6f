import { assertEquals } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { RateLimit } from "../../../lib/sandbox/handlers/check_terms.ts";
import { OrderDesk } from "../service/order_desk.ts";

Deno.test("RateLimit counts the requests of the last minute", () => {
  const limit = new RateLimit(2);
  assertEquals(limit.take(0).isAllowed, true);
  assertEquals(limit.take(20_500).isAllowed, true);
  assertEquals(limit.take(30_000), { isAllowed: false, retryAfterSec: 30 });
  assertEquals(limit.take(59_001), { isAllowed: false, retryAfterSec: 1 });
  assertEquals(limit.take(60_000).isAllowed, true);
  assertEquals(limit.take(60_000), { isAllowed: false, retryAfterSec: 21 });
});

Deno.test("RateLimit of 0 allows nothing", () => {
  assertEquals(new RateLimit(0).take(0), { isAllowed: false, retryAfterSec: 60 });
});

Deno.test("limits count both kinds of quotes together, by the sandbox's time", async () => {
  const sandbox = await openSandbox({ limits: { quotesPerMinute: 2 } });
  const desk = new OrderDesk(sandbox);
  const asked = async (path: string) => (await desk.ask(`POST /api/v1/${path}`, {})).status;
  assertEquals([await asked("quote"), await asked("quote/stream")], [422, 422]);
  assertEquals([await asked("quote"), await asked("quote/stream")], [429, 429]);
  // Other operations are not limited.
  assertEquals((await desk.ask("GET /api/v1/version")).status, 200);
  assertEquals(await asked("orders"), 422);
  await sandbox.advance({ auctions: 30 });
  assertEquals(await asked("quote"), 422);
});

Deno.test("limits send Retry-After with the time until an order is allowed again", async () => {
  const sandbox = await openSandbox({ limits: { ordersPerMinute: 1 } });
  const desk = new OrderDesk(sandbox);
  await desk.placed();
  await sandbox.advance({ auctions: 5 });
  const response = await sandbox.fetch("http://x/api/v1/orders", { method: "POST", body: "{}" });
  await response.text();
  assertEquals([response.status, response.headers.get("retry-after")], [429, "50"]);
});
