import { InputError } from "orderlens";
import { openSql, type SqlRow } from "orderlens/sql";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { writeSeededFills } from "../benchmarks/seeded_fills.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const FILLS = 50_000;
const LITTLE = "320MB";
const IN_ORDER =
  "SELECT order_uid, auction_id, surplus, slippage_user_shown, volume, protocol_fees, partner_part, " +
  "slippage_reason, decomposition_reason FROM fills ORDER BY chain_id, block_number, log_index";

const COUNT = "WITH f AS (FROM FILLS) SELECT count(*) AS fills FROM f";

const namesOf = (rows: readonly SqlRow[]) => rows.map(({ column_name }) => column_name);

Deno.test("joins in slices give the rows of one join, go on after an interrupt, are made once, and leave nothing", async () => {
  await withFolder(async (folder) => {
    await writeSeededFills(`${folder}/fills`, { fills: FILLS, shards: 2 });
    const temporaryFolder = `${folder}/it's [temporary]`;
    await Deno.mkdir(temporaryFolder);
    const slices = () =>
      Array.from(Deno.readDirSync(temporaryFolder)).filter(({ name }) => name.endsWith("-slices"))
        .flatMap(({ name }) =>
          Array.from(Deno.readDirSync(`${temporaryFolder}/${name}`), ({ name: file }) => ({
            file,
            at: Deno.statSync(`${temporaryFolder}/${name}/${file}`).mtime?.getTime(),
          }))
        );

    using whole = await openSql(`${folder}/fills`, { temporaryFolder });
    const expected = await whole.query(IN_ORDER);
    assertEquals(slices(), []);

    const sql = await openSql(`${folder}/fills`, { temporaryFolder, memoryLimit: LITTLE });
    const [counted] = await sql.query("SELECT count(*) AS fills FROM trades");
    assertEquals(counted, { fills: FILLS });
    assertEquals(slices(), []);

    const [column] = await sql.query("SELECT column_name FROM (DESCRIBE fills) LIMIT 1");
    assertEquals(column, { column_name: "network" });
    assertEquals(await sql.query("DESCRIBE SELECT surplus, kind FROM fills").then(namesOf), [
      "surplus",
      "kind",
    ]);
    assertEquals(slices(), []);

    const controller = new AbortController();
    const running = sql.query(IN_ORDER, controller);
    const others = Promise.all([sql.query(IN_ORDER), sql.query(COUNT)]);
    controller.abort(new Error("enough"));
    await assertRejects(() => running, Error, "enough");

    const [found, again] = await others;
    assertEquals(again, [{ fills: FILLS }]);
    assertEquals(sql.progress, null);
    assertEquals(found.length, FILLS);
    assert(found.every((row, at) => JSON.stringify(row) === JSON.stringify(expected[at])));
    const made = slices();
    assert(made.length > 1);
    assertEquals(await sql.query(COUNT), again);
    assertEquals(slices(), made);
    sql[Symbol.dispose]();
    whole[Symbol.dispose]();
    assertEquals([...Deno.readDirSync(temporaryFolder)], []);
  });
});

Deno.test("a folder for slices that cannot be made is an error which says so", async () => {
  await withFolder(async (folder) => {
    await writeSeededFills(`${folder}/fills`, { fills: FILLS, shards: 1 });
    const temporaryFolder = `${folder}/file`;
    await Deno.writeTextFile(temporaryFolder, "");
    const { message } = await assertRejects(
      () => openSql(`${folder}/fills`, { temporaryFolder, memoryLimit: LITTLE }),
      InputError,
      "Cannot make the folder",
    );
    assertStringIncludes(message, "Pass a folder that can be written to as `temporaryFolder`");
  });
});

Deno.test("fees have the order of their fill, by which both are in one slice", async () => {
  using sql = await openSql("market_1");
  const [row] = await sql.query(`
    SELECT count(*) AS fees, count(CASE WHEN p.order_uid = t.order_uid THEN 1 END) AS same
    FROM protocol_fees p JOIN trades t ON t.chain_id = p.chain_id
      AND t.block_number = p.block_number AND t.log_index = p.log_index
  `);
  assertEquals(row, { fees: 81, same: 81 });
});
