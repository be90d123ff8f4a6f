import pl from "nodejs-polars";
import { exportDataset, openDataset, rebuildDataset, verifyDataset } from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import type { Frame } from "orderlens/tables";
import { assert, assertEquals } from "@std/assert";
import { describeRows } from "../../lib/datasets/shards/file_columns.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { alteredBook } from "./altered_book.ts";
import { exported, LATER, recorded } from "./exported.ts";
import { changeManifest } from "./rewrite_table.ts";

const UNLIMITED = 2n ** 256n - 1n;
const OPTIONS = {
  auctions: { from: 2009, to: 2012 },
  tables: ["auctions", "orders", "trades"],
};

/** The most digits of amounts of more than 38, by table. */
async function longAmounts(folder: string): Promise<Record<string, object>> {
  const { manifest } = await openDataset(folder);
  return Object.fromEntries(
    manifest.files.flatMap(({ path, longAmounts }) =>
      longAmounts === undefined ? [] : [[path.split("/")[0]!, longAmounts]]
    ),
  );
}

inFolder.test("exportDataset() lists columns with amounts that decimals do not hold", async (root) => {
  const folder = `${root}/set`;
  let count = 0;
  const book = alteredBook(await recorded("market_1"), (path, body) => {
    if (!path.endsWith("/orders/by_uids")) return;
    for (const { order } of body) {
      order.sellAmount = String(UNLIMITED);
      count++;
    }
  }, LATER);
  await exportDataset(book, folder, { ...OPTIONS, debugReports: false });
  assert(count > 1);
  // 2^256 - 1 has 78 digits; the other amounts have at most 22.
  const long = { orders: { sell_amount_atoms: 78 } };
  assertEquals(await longAmounts(folder), long);
  // The altered terms contradict the UIDs of their orders.
  const problemsOfTables = async () =>
    (await verifyDataset(folder)).problems.filter(({ file }) => file !== "raw");
  assertEquals(await problemsOfTables(), []);
  await rebuildDataset(folder, { into: `${root}/rebuilt` });
  assertEquals(await longAmounts(`${root}/rebuilt`), long);

  using sql = await openSql(folder);
  const [sum] = await sql.query(
    "SELECT count(*) AS n, sum(sell_amount_atoms) AS atoms FROM orders",
  );
  assertEquals(sum?.atoms, String(BigInt(Number(sum?.n)) * UNLIMITED));

  for (const digits of [39, undefined]) {
    await changeManifest(folder, ({ files }) => {
      const file = files.find(({ path }: { path: string }) => path.startsWith("orders/"));
      file.longAmounts = digits && { sell_amount_atoms: digits };
    });
    const problems = (await problemsOfTables()).filter(({ file }) => file.startsWith("orders/"));
    assertEquals(problems.map(({ problem }) => problem), [
      "the digits of its longest amounts do not match the manifest",
    ]);
  }
});

Deno.test("describeRows() lists amounts of 39 digits or more, without their sign", () => {
  const [most, longer] = ["9".repeat(38), `1${"0".repeat(38)}`];
  const describe = (atoms: (string | null)[]) =>
    describeRows(
      pl.DataFrame({ key: atoms.map((_, row) => row), x_atoms: atoms, y: atoms }) as Frame,
      [
        "key",
      ],
    ).longAmounts;
  assertEquals(describe([most, `-${most}`, "0", null]), undefined);
  assertEquals(describe(["1", longer]), { x_atoms: 39 });
  assertEquals(describe([`-${longer}`, null]), { x_atoms: 39 });
});

Deno.test("exportDataset() lists no long amounts without any", async () => {
  assertEquals(await longAmounts(await exported("market_1", OPTIONS)), {});
});
