import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { querySql } from "orderlens/sql";
import { assertEquals, assertGreater } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { compareViews } from "./compare_views.ts";

/** Set to compare whole recordings. */
const IS_WHOLE = Deno.env.get("ORDERLENS_SQL_WHOLE") !== undefined;

Deno.test("every view over the dataset that ships equals the library, to the atom", async () => {
  await compareViews({ folder: "market_1" });
});

const PARTS = [["simulated_1", { from: 1001, to: 1030 }]] as const;
const WHOLE = [
  ["market_1", { from: 1605, to: 2624 }],
  ["market_3", { from: 695, to: 1026 }],
  ["simulated_1", { from: 1001, to: 1244 }],
] as const;

for (const [name, auctions] of IS_WHOLE ? WHOLE : PARTS) {
  const range = `${auctions.from} to ${auctions.to}`;
  Deno.test(`every view over ${name}, ${range}, equals the library, to the atom`, async () => {
    await withFolder(async (folder) => {
      await exportDataset(connect(await replay(name)), folder, { auctions });
      const fills = await compareViews({ folder });
      // Of orders that were filled several times too.
      const inParts = fills.filter(({ filled_fraction, network_part_low }) =>
        filled_fraction !== 1 && network_part_low !== null
      );
      assertGreater(inParts.length, 0);
    });
  });
}

/** Every winner settled, and the caps left something over: each part of the budget is known. */
const SETTLED = [{ from: 1845, to: 1870 }, { from: 2565, to: 2590 }];

for (const auctions of IS_WHOLE ? SETTLED : []) {
  const range = `${auctions.from} to ${auctions.to}`;
  Deno.test(`parts of a known consistency budget equal the library's: ${range}`, async () => {
    await withFolder(async (folder) => {
      await exportDataset(connect(await replay("market_1")), folder, { auctions });
      await compareViews({ folder });
      const [row] = await querySql(
        folder,
        "SELECT u_max(consistency_low) AS low, u_max(consistency_high) AS high FROM rewards",
        { rulesOf: "mainnet" },
      );
      assertEquals(row?.low, row?.high);
      assertGreater(BigInt(String(row?.low)), 0n);
    });
  });
}
