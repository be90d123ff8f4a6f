import { assertEquals } from "@std/assert";
import { openMarket } from "../../lib/market/mod.ts";
import { sqlTables } from "../../lib/market/market_tables.ts";
import { openFrames, openSql } from "../../lib/sql/open_sql.ts";

const UNNAMED = "SELECT COLUMNS(name -> name NOT LIKE '%solver_name') FROM";

Deno.test("openFrames() has the rows and types of files, and the views over them", async () => {
  const market = await openMarket("dataset://market_1");
  using frames = await openFrames(sqlTables(market), { memoryLimit: "200MB", usesDisk: false });
  using files = await openSql("market_1");
  for (
    const query of [
      // A market also names solvers that no list has.
      `${UNNAMED} fills ORDER BY order_uid, block_number, log_index`,
      `${UNNAMED} auctions ORDER BY auction_id`,
      `${UNNAMED} leaderboard ORDER BY solver`,
      "DESCRIBE orders",
      "SELECT u_sum(sell_amount_atoms) AS atoms, min(filled_at_utc) AS first FROM trades",
    ]
  ) {
    assertEquals(await frames.query(query), await files.query(query), query);
  }
  const relations = new Map(frames.relations.map((one) => [one.name, one]));
  assertEquals(
    relations.get("fills")?.columns,
    files.relations.find(({ name }) => name === "fills")?.columns,
  );
});
