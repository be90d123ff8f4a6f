import { assertEquals } from "@std/assert";
import { openDataset } from "../../lib/datasets/mod.ts";
import { openMarket } from "../../lib/market/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";

type Row = Record<"order_uid" | "verdict" | "cause" | "next_action" | "next_step", string>;

for (const name of ["market_1", "market_3", "simulated_1"]) {
  Deno.test(`Market.verdicts agrees with the report of each order of ${name}`, async () => {
    const market = await openMarket(name);
    const rows = (await market.verdicts()).toRecords<Row & Record<string, string | null>>();
    const uids = (await market.orders()).getColumn("order_uid").toArray();
    assertEquals(rows.map((row) => row.order_uid), uids.toSorted());
    for (const row of rows) {
      const { verdict, cause, reason, possible, next } = await market.order(row.order_uid);
      const [first] = next;
      assertEquals(row, {
        order_uid: row.order_uid,
        verdict,
        cause,
        reason,
        possible_causes: possible.join(" ") || null,
        next_action: first?.action ?? null,
        next_step: first?.text ?? null,
      } as never);
    }
  });
}

Deno.test("Market.verdicts requests only what the records of the market lack", async () => {
  const recording = await replay("market_3");
  const paths = new Set<string>();
  const { send } = recording;
  recording.send = (request) => {
    paths.add(request.path.split("?")[0]!);
    return send.call(recording, request);
  };
  const market = await openMarket(recording);
  const { competitions } = await market.records();
  const [cancelled, unsettled] = await Promise.all([
    market.sql<{ owner: string }>("SELECT DISTINCT owner FROM orders WHERE status = 'cancelled'"),
    market.sql<{ tx_hash: string }>("SELECT DISTINCT tx_hash FROM trades WHERE auction_id IS NULL"),
  ]);
  paths.clear();
  await market.verdicts();
  const isRead = new Set(competitions.map(({ auctionId }) => `${auctionId}`));
  const auctions = [...paths].filter((path) => /competition\/\d+$/.test(path));
  assertEquals(auctions.filter((path) => isRead.has(path.split("/").at(-1)!)), []);
  assertEquals(
    [...paths].filter((path) => !auctions.includes(path)).toSorted(),
    [
      ...cancelled.map(({ owner }) => `/api/v1/account/${owner}/orders`),
      ...unsettled.map(({ tx_hash }) => `/api/v2/solver_competition/by_tx_hash/${tx_hash}`),
    ].toSorted(),
  );
});

Deno.test("Market.verdicts of a dataset judges each of its orders", async () => {
  const dataset = await openDataset("market_1");
  const market = await openMarket(dataset);
  const rows = (await market.verdicts()).toRecords<{ order_uid: string; verdict: string }>();
  // As its manifest says.
  assertEquals(rows.length, 41);
  for (const { order_uid, verdict } of rows) {
    assertEquals((await market.order(order_uid)).verdict, verdict);
  }
});
