import { decodeCompetition } from "orderlens/schemas";
import { nativePricesTable, records } from "orderlens/tables";
import { assertEquals } from "@std/assert";
import { NativePriceRows } from "../../lib/datasets/shards/listed_orders.ts";
import { recorded } from "./exported.ts";

Deno.test("NativePriceRows gives the rows of nativePricesTable()", async () => {
  const recording = await recorded("market_3");
  const rows = new NativePriceRows();
  const competitions = [];
  for (const id of recording.recorded.auctionIds.slice(0, 30)) {
    const { body } = await recording.send({
      method: "GET",
      path: `/api/v2/solver_competition/${id}`,
    });
    const competition = decodeCompetition(JSON.parse(body));
    competitions.push(competition);
    assertEquals(rows.read(JSON.parse(body).auction.prices), true);
    rows.keep(competition);
  }
  const options = { network: "local" };
  const frame = rows.frame(() => null, options);
  assertEquals(rows.isAscending, true);
  assertEquals(frame.schema, nativePricesTable(competitions, options).schema);
  assertEquals(records(frame), records(nativePricesTable(competitions, options)));
});

Deno.test("NativePriceRows without auctions gives a frame without rows", () => {
  const frame = new NativePriceRows().frame(() => null, {});
  assertEquals([frame.height, frame.schema], [0, nativePricesTable([]).schema]);
});
