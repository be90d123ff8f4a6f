import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertGreater } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { compareViews } from "./compare_views.ts";

/** Set to compare whole recordings. */
const IS_WHOLE = Deno.env.get("ORDERLENS_SQL_WHOLE") !== undefined;

Deno.test("every view over the dataset that ships equals the library, to the atom", async () => {
  await compareViews({ folder: "market_1" });
});

const PARTS = { simulated_1: { from: 1001, to: 1030 } };
const WHOLE = {
  market_1: { from: 1605, to: 2624 },
  market_3: { from: 695, to: 1026 },
  simulated_1: { from: 1001, to: 1244 },
};

for (const [name, auctions] of Object.entries(IS_WHOLE ? WHOLE : PARTS)) {
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
