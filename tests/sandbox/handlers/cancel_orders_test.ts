import { assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { type Answer, OrderDesk } from "../service/order_desk.ts";

const OUT_OF_MARKET = 10n ** 24n;

async function opened(): Promise<{ sandbox: Sandbox; desk: OrderDesk }> {
  const sandbox = await openSandbox({ seed: 7 });
  return { sandbox, desk: new OrderDesk(sandbox) };
}

function outcomeOf({ status, errorType }: Answer): [number, string | null] {
  return [status, errorType];
}

Deno.test("cancelOrders() cancels all orders of a list or none", async () => {
  const { desk } = await opened();
  const uids = [];
  for (const more of [0n, 1n]) uids.push(await desk.placed({ buyAmount: OUT_OF_MARKET + more }));
  const unknown = `0x${"ab".repeat(56)}`;
  assertEquals(outcomeOf(await desk.cancel([...uids, unknown])), [404, "OrderNotFound"]);
  assertEquals(outcomeOf(await desk.cancel(uids, DEVELOPMENT_ACCOUNTS[1])), [401, "WrongOwner"]);
  const { text } = await desk.ask("POST /api/v1/orders/by_uids", uids);
  const statuses = JSON.parse(text).map((one: { order: { status: string } }) => one.order.status);
  assertEquals(statuses, ["open", "open"]);
  assertEquals(outcomeOf(await desk.cancel([...uids, uids[0]!])), [200, null]);
  assertEquals(outcomeOf(await desk.cancel(uids.slice(0, 1))), [400, "AlreadyCancelled"]);
});

Deno.test("cancelOrders() names the reason why an order cannot be cancelled", async () => {
  const { sandbox, desk } = await opened();
  const { now } = sandbox.description;
  const filled = await desk.placed({ buyAmount: 1n });
  const expired = await desk.placed({ buyAmount: OUT_OF_MARKET, validTo: now + 60 });
  const presigned = await desk.placed({ signingScheme: "presign", buyAmount: OUT_OF_MARKET });
  await sandbox.advance({ auctions: 40 });
  assertEquals(outcomeOf(await desk.cancel([filled])), [400, "OrderFullyExecuted"]);
  assertEquals(outcomeOf(await desk.cancel([expired])), [400, "OrderExpired"]);
  assertEquals(outcomeOf(await desk.cancel([presigned])), [400, "OnChainOrder"]);
});

Deno.test("cancelOrders() notifies once if an order is cancelled twice concurrently", async () => {
  const { desk } = await opened();
  const uid = await desk.placed({ buyAmount: OUT_OF_MARKET });
  const answers = await Promise.all([desk.cancel([uid]), desk.cancel([uid])]);
  assertEquals(answers[0]!.status, 200);
  const account = DEVELOPMENT_ACCOUNTS[0]!.address;
  const { text } = await desk.ask(`GET /accounts/${account}/notifications`);
  const types = JSON.parse(text).map(({ type }: { type: string }) => type);
  assertEquals(types, ["order_cancelled"]);
});

Deno.test("cancelOrders() accepts a v of 0 and 1, and answers another v with an empty 400", async () => {
  const { desk } = await opened();
  const body = async (uid: string, v: string) => {
    const { signature, ...rest } = await desk.cancellation([uid]);
    const sent = v === "short" ? SHORT_V[signature.slice(-2)]! : v;
    return { ...rest, signature: `${signature.slice(0, -2)}${sent}` };
  };
  const uid = await desk.placed({ buyAmount: OUT_OF_MARKET });
  for (const v of ["22", "02", "1d"]) {
    const { status, text } = await desk.ask("DELETE /api/v1/orders", await body(uid, v));
    assertEquals([status, text], [400, ""]);
  }
  const cancelled = await desk.ask("DELETE /api/v1/orders", await body(uid, "short"));
  assertEquals(cancelled.status, 200);
});

/** Alternative last bytes of a signature. */
const SHORT_V: Readonly<Record<string, string>> = { "1b": "00", "1c": "01" };
