import { connect, InputError } from "orderlens";
import { exportDataset, mergeDatasets, openDataset } from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { changedBook, ofEnvironment } from "../datasets/altered_book.ts";
import { LATER, recorded, SETTLED } from "../datasets/exported.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING, { clock: LATER });

inFolder.test("openSql() counts each fill of production and staging once, where its auction settled", async (folder) => {
  const tables = ["auctions", "orders", "trades", "protocol_fees", "fills", "fees"];
  const options = { auctions: { from: 2612, to: 2615 }, tables, debugReports: false };
  // Staging has the orders and fills of the same chain, and auctions of its own: none of them settled.
  const unsettled = changedBook(RECORDING, ({ path }, response) => {
    const body = response.body.replaceAll(/"txHash":"0x[0-9a-f]{64}"/g, '"txHash":null')
      .replaceAll(/"transactionHashes":\[[^\]]*\]/g, '"transactionHashes":[]');
    return path.includes("/solver_competition/") ? { ...response, body } : response;
  });
  const [own, other] = [ofEnvironment(BOOK, "production"), ofEnvironment(unsettled, "staging")];
  const folders = [`${folder}/staging`, `${folder}/production`];
  const { manifest: { files } } = await exportDataset(own, folders[1]!, options);
  await exportDataset(other, folders[0]!, options);
  const countRows = (name: string) =>
    files.filter(({ path }) => path.startsWith(`${name}/`)).reduce(
      (sum, { rows }) => sum + rows,
      0,
    );
  using sql = await openSql(folders);
  for (const table of ["trades", "protocol_fees", "fills", "fees"]) {
    const query = `SELECT environment, count(*) AS n FROM ${table} GROUP BY ALL`;
    const rows = await sql.query(query);
    assertEquals(rows, [{ environment: "production", n: countRows(table) }], table);
  }
  const auctions = "SELECT environment, count(*) AS n FROM auctions GROUP BY ALL ORDER BY ALL";
  assertEquals(
    await sql.query(auctions),
    ["production", "staging"].map((environment) => ({ environment, n: countRows("auctions") })),
  );
  const { message } = await assertRejects(
    () => mergeDatasets(folders, `${folder}/all`),
    InputError,
    "they differ in environment",
  );
  assertStringIncludes(message, `orderlens sql ${folder}/`);
});

inFolder.test("openSql() counts each settlement of production and staging once, where it differs least", async (root) => {
  // Staging names the settlements too, but its auctions were won by other solvers.
  const others = changedBook(RECORDING, ({ path }, response) => {
    const solver = /"solverAddress":"0x[0-9a-f]{40}"/g;
    const nobody = `"solverAddress":"0x${"77".repeat(20)}"`;
    const body = response.body.replaceAll(solver, nobody);
    return path.includes("solver_competition") ? { ...response, body } : response;
  });
  const folders = [`${root}/production`, `${root}/staging`];
  const node = { ...SETTLED, node: RECORDING, blockTimes: false };
  const auctions = { from: 2000, to: 2012 };
  await exportDataset(ofEnvironment(BOOK, "production"), folders[0]!, { ...node, auctions });
  await exportDataset(ofEnvironment(others, "staging"), folders[1]!, { ...node, auctions });
  const staging = await openDataset(folders[1]!);
  const differences = await staging.table("chain_differences").collect();
  assertEquals(new Set(differences.getColumn("what").toArray()), new Set(["other_solver"]));
  using sql = await openSql(folders);
  const counts = SETTLEMENT_TABLES.map((table) =>
    `(SELECT count(*) FROM ${table} WHERE environment = 'production') AS ${table},
     (SELECT count(*) FROM ${table} WHERE environment = 'staging') AS other_${table}`
  );
  const [row] = await sql.query(`SELECT ${counts.join(", ")}`);
  assertEquals(row, {
    settlements: 5,
    other_settlements: 0,
    imbalances: 5,
    other_imbalances: 0,
    chain_differences: 0,
    other_chain_differences: 0,
    settlement_slippage: 5,
    other_settlement_slippage: 0,
  });
});
