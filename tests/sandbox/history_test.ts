import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import { Engine } from "../../lib/sandbox/market/engine.ts";

const KEPT = 20;
const HELD = 70;
const GONE = '{"errorType":"NotFound","description":"solver competition not found"}';

const [all, short] = await Promise.all([
  openSandbox({ seed: 7, auctions: HELD }),
  openSandbox({ seed: 7, auctions: HELD, keptAuctions: KEPT }),
]);

async function get(sandbox: Sandbox, path: string): Promise<[status: number, body: string]> {
  const response = await sandbox.fetch(path);
  return [response.status, await response.text()];
}

async function ordersOf(sandbox: Sandbox): Promise<{ uid: string; status: string }[]> {
  const lists = await Promise.all(
    sandbox.description.accounts.map((account) =>
      get(sandbox, `/api/v1/account/${account}/orders?limit=1000`)
    ),
  );
  return lists.flatMap(([, body]) => JSON.parse(body));
}

Deno.test("keptAuctions keeps the latest auctions unchanged; older ones are absent", async () => {
  const { auctionId, block } = all.description;
  let kept = 0;
  let absent = 0;
  for (let id = 1_001; id <= auctionId; id++) {
    const path = `/api/v2/solver_competition/${id}`;
    const [known, [status, body]] = await Promise.all([get(all, path), get(short, path)]);
    if (known[0] === 404) continue;
    const isKept = JSON.parse(known[1]).auctionStartBlock > block - KEPT;
    assertEquals([status, body], isKept ? known : [404, GONE]);
    if (isKept) kept++;
    else absent++;
  }
  assert(kept > KEPT / 2 && absent > HELD / 2, `${kept} ${absent}`);
});

Deno.test("keptAuctions keeps open orders, and drops those that ended before", async () => {
  const [before, after] = [await ordersOf(all), await ordersOf(short)];
  const open = before.filter(({ status }) => status === "open");
  const kept = new Set(after.map(({ uid }) => uid));
  assert(open.length > 0);
  assert(open.every(({ uid }) => kept.has(uid)));
  const gone = before.filter(({ uid }) => !kept.has(uid));
  assert(gone.length > before.length / 2);
  const places = [
    "/api/v1/orders/*",
    "/api/v1/orders/*/status",
    "/restricted/api/v1/debug/order/*",
  ];
  for (const { uid } of [...gone.slice(0, 20), ...after]) {
    for (const place of places) {
      assertEquals((await get(short, place.replace("*", uid)))[0], kept.has(uid) ? 200 : 404);
    }
  }
  for (const { uid } of gone.slice(0, 20)) {
    assertEquals(await get(short, `/api/v2/trades?orderUid=${uid}`), [200, "[]"]);
  }
});

Deno.test("every account but the first, which is the user's, has orders in a market", async () => {
  const counts = await Promise.all(DEVELOPMENT_ACCOUNTS.map(async ({ address }) => {
    const [, body] = await get(all, `/api/v1/account/${address}/orders`);
    return JSON.parse(body).length > 0;
  }));
  assertEquals(counts, [false, ...Array(9).fill(true)]);
});

Deno.test("keptAuctions does not change the total surplus of an account", async () => {
  assert(all.description.accounts.length > 1);
  for (const account of all.description.accounts) {
    const path = `/api/v1/users/${account}/total_surplus`;
    assertEquals(await get(short, path), await get(all, path));
  }
});

Deno.test("keptAuctions bounds the size of the book", async () => {
  const engine = new Engine(7, { keptAuctions: KEPT });
  const { book } = engine.market;
  await engine.advance(HELD);
  const sizes = () => [book.auctions.size, book.auctionsByTransaction.size, book.ended.size];
  const early = sizes();
  await engine.advance(HELD);
  for (const [at, size] of sizes().entries()) assert(size < 2 * early[at]!, `${early} ${sizes()}`);
  assert(book.auctions.size <= KEPT);
  assertEquals(book.orders.size, book.open.size + book.ended.size);
  assertEquals([...book.ordersByOwner.values()].flat().length, book.orders.size);
  assert([...book.auctionsByOrder.keys()].every((uid) => book.orders.has(uid)));
  assert([...book.fillsByOwner.values()].flat().every(({ uid }) => book.orders.has(uid)));
  assertEquals([...book.fillsByOwner.values()].flat().length, book.fills.length);
  const listed = [...book.auctions.values()].map(({ competition }) => competition.auction.orders);
  assertEquals(book.listedCount, listed.flat().length);
});

Deno.test("keptAuctions keeps notifications and events from the oldest kept block on", async () => {
  const [whole, short] = [HELD * 4, KEPT].map((keptAuctions) => new Engine(7, { keptAuctions }));
  const { market } = short!;
  const startsMs: number[] = [];
  // Events of open orders are dropped in every 64th block.
  while (startsMs.length <= KEPT || market.block % 64 !== 0) {
    await Promise.all([whole!.advance(1), short!.advance(1)]);
    startsMs.push(market.time.ms);
  }
  const { notifications, orders } = whole!.market.book;
  const recent = <One extends object>(list: readonly One[]) =>
    list.filter((one) => Object(one).timestamp.epochMilliseconds >= startsMs.at(-KEPT)!);
  assert(notifications.size > 0 && market.book.open.size > 0);
  for (const [account, list] of notifications) {
    assertEquals(market.book.notifications.get(account) ?? [], recent(list));
  }
  for (const { uid, events } of market.book.open) {
    const all = orders.get(uid)!.events;
    assertEquals(events, recent(all).length > 0 ? recent(all) : all.slice(-1));
  }
});

/** Everything that a sandbox of a seed says of its accounts and orders. */
async function everything(seed: number): Promise<{ text: string; orderUids: readonly string[] }> {
  const sandbox = await openSandbox({ seed, auctions: 15 });
  const { accounts, orderUids } = sandbox.description;
  const paths = [
    "/sandbox",
    "/api/v2/solver_competition/latest",
    "/api/v1/auction",
    ...accounts.map((account) => `/api/v1/account/${account}/orders?limit=1000`),
    ...accounts.map((account) => `/accounts/${account}/notifications`),
    ...orderUids.map((uid) => `/restricted/api/v1/debug/order/${uid}`),
  ];
  const answers = await Promise.all(paths.map((path) => get(sandbox, path)));
  return { text: answers.map(([, body]) => body).join("\n"), orderUids };
}

Deno.test("openSandbox() returns the same bytes for the same seed", async () => {
  const [one, same, other] = [await everything(42), await everything(42), await everything(43)];
  assert(one.text.length > 10_000);
  assertEquals(one.text, same.text);
  assert(!one.text.includes(other.orderUids[0]!));
});

Deno.test("openSandbox() rejects invalid options", async () => {
  for (const keptAuctions of [9, 0, -1, 10.5, NaN]) {
    const { remedy } = await assertRejects(() => openSandbox({ keptAuctions }), InputError);
    assertEquals(remedy, "Pass a whole number of at least 10 as keptAuctions, or leave it out");
  }
  for (const options of [{ seed: -1 }, { auctions: 0.5 }, { limits: { ordersPerHour: 3 } }]) {
    await assertRejects(() => openSandbox(options as object), InputError);
  }
  await assertRejects(() => short.advance({ auctions: -1 }), InputError);
  assertThrows(() => short.preSign(`0x${"ab".repeat(56)}`), InputError);
});
