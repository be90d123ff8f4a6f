import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, NotFoundError } from "orderlens";
import { getAuction, getCompetition, getInstance } from "orderlens/endpoints";
import { openSandbox } from "orderlens/sandbox";
import { drift } from "orderlens/schemas";

Deno.test("getInstance() of a sandbox has the orders, limits and prices of its auctions", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const { transport } = connect(sandbox);
  const { auctionId, auction } = await getCompetition(transport, "latest");
  const { id, orders = [], tokens = {}, surplusCapturingJitOrderOwners } = await getInstance(
    transport,
    auctionId,
  );
  assertEquals([id, surplusCapturingJitOrderOwners], [auctionId, []]);
  assertEquals(orders.map(({ uid }) => uid), [...auction.orders]);
  const prices = Object.entries(auction.prices).map(([token, price]) => [token, price] as const);
  assert(prices.length > 0);
  for (const [token, price] of prices) assertEquals(tokens[token]?.referencePrice, price);
  const body = await (await sandbox.fetch(`http://x/instances/${auctionId}.json`)).json();
  assertEquals(drift([{ kind: "instance", body }]).unknownFields, []);
});

Deno.test("getInstance() of a sandbox has what was left of each order when its auction began", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const { transport } = connect(sandbox);
  const left = new Map<number, Map<string, bigint>>();
  for (let step = 0; step < 40; step++) {
    await sandbox.advance();
    const { id, orders } = await getAuction(transport);
    left.set(
      id!,
      new Map(
        orders.map((order) => [
          order.uid,
          (order.kind === "sell" ? order.sellAmount : order.buyAmount) - (order.executed ?? 0n),
        ]),
      ),
    );
  }
  let partly = 0;
  for (const [auctionId, amounts] of left) {
    const instance = await getInstance(transport, auctionId).catch((error) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
    for (const order of instance?.orders ?? []) {
      const { sellAmount, fullSellAmount, buyAmount, fullBuyAmount } = order;
      const isSale = order.kind === "sell";
      assertEquals(isSale ? sellAmount : buyAmount, amounts.get(order.uid!), order.uid);
      if (isSale ? sellAmount! < fullSellAmount! : buyAmount! < fullBuyAmount!) partly++;
    }
  }
  assert(partly > 0);
});

Deno.test("getInstance() of a sandbox does not find an auction that it does not have", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 3 });
  await assertRejects(() => getInstance(connect(sandbox).transport, 1), NotFoundError, "auction 1");
  assertEquals((await sandbox.fetch("http://x/instances/latest.json")).status, 404);
});
