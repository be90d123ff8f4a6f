import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { OrderlensError } from "../../../lib/errors/mod.ts";
import { connect } from "../../../lib/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";

const PATH = `http://x/accounts/${DEVELOPMENT_ACCOUNTS[1]!.address}/notifications`;

Deno.test("getNotifications() may be cached for five minutes, with or without notifications", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 30 });
  for (const path of [PATH, `http://x/accounts/0x${"77".repeat(20)}/notifications`]) {
    const response = await sandbox.fetch(path);
    assertEquals(Array.isArray(await response.json()), true);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "public, max-age=300");
  }
});

Deno.test("getNotifications() fails if its store fails, and is absent if disabled", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  sandbox.fault({ kind: "serverError", operation: "notifications" });
  const failed = await sandbox.fetch(PATH);
  assertEquals([failed.status, (await failed.json()).errorType], [500, "InternalServerError"]);
  const other = await sandbox.fetch("http://x/api/v1/version");
  await other.text();
  assertEquals(other.status, 200);
  const without = await openSandbox({ notifications: false });
  const book = connect(without, { retries: 0 });
  const error = await assertRejects(() => book.notifications(DEVELOPMENT_ACCOUNTS[1]!.address));
  assertInstanceOf(error, OrderlensError);
  assertEquals(error.code, "unavailable");
});
