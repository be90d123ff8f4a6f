import { connect, type OrderBook } from "orderlens";
import { exportDataset, mergeDatasets, rebuildDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { openSql, querySql, readViews, type SqlRow } from "orderlens/sql";
import { assertEquals, assertGreater } from "@std/assert";
import { parted } from "../datasets/folder_bytes.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { compareViews } from "./compare_views.ts";

/** Set to compare them, which takes a minute: `.ci/run` does. */
const IS_WHOLE = Deno.env.get("ORDERLENS_SQL_WHOLE") !== undefined;
const SEEDS = IS_WHOLE ? [2, 3, 11, 42, 77, 1234, 99_991, 4_294_967_295] : [];

/** Fields of answers with the number of a block. */
const BLOCK =
  /"(blockNumber|auctionStartBlock|auctionDeadlineBlock|block|deadline|startBlock|endBlock|deadlineBlock)":(\d+)/g;

/** The market of a seed, at other blocks: two of them are on one chain. */
async function market(seed: number, blocksLater = 0): Promise<OrderBook> {
  const sandbox = await openSandbox({ seed, auctions: 120 });
  const book = connect(sandbox);
  return connect({
    baseUrl: book.baseUrl,
    send: async (request) => {
      const response = await book.transport.send(request);
      const body = response.body.replaceAll(
        BLOCK,
        (_, name: string, block: string) => `"${name}":${Number(block) + blocksLater}`,
      );
      return { ...response, body };
    },
  }, {
    chainId: book.chainId,
    settlementContract: book.settlementContract,
    clock: book.clock,
  });
}

for (const seed of SEEDS) {
  Deno.test(`every view over a simulated market equals the library: seed ${seed}`, async () => {
    await withFolder(async (folder) => {
      await exportDataset(await market(seed), folder, { last: 90 });
      await compareViews({ folder });
    });
  });
}

/** Across two files of 1,000 auctions. */
const RANGES = IS_WHOLE ? [{ from: 1605, to: 2624 }, { from: 1990, to: 2010 }] : [];

for (const auctions of RANGES) {
  const range = `${auctions.from} to ${auctions.to}`;
  Deno.test(`every view over ${range}, exported in parts, equals the library`, async () => {
    await withFolder(async (folder) => {
      const book = connect(await replay("market_1"));
      for (const [place, part] of parted(auctions).entries()) {
        await exportDataset(book, `${folder}/${place + 1}`, { auctions: part });
      }
      await exportDataset(book, `${folder}/whole`, { auctions });
      await mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`);
      await compareViews({ folder: `${folder}/all`, of: `${folder}/whole` });
    });
  });
}

for (const [one, other] of IS_WHOLE ? [[5, 6], [7, 8]] as const : []) {
  const seeds = `seeds ${one} and ${other}`;
  Deno.test(`every view over production and staging equals the library: ${seeds}`, async () => {
    await withFolder(async (folder) => {
      const environments = {
        production: await market(one),
        staging: await market(other, 1_000_000),
      };
      for (const [environment, book] of Object.entries(environments)) {
        await exportDataset(book, `${folder}/${environment}`, { last: 90 });
        await asEnvironment(`${folder}/${environment}`, environment);
        await rebuildDataset(`${folder}/${environment}`);
      }
      await mergeDatasets([`${folder}/staging`, `${folder}/production`], `${folder}/both`);
      let rows = 0;
      for (const environment of Object.keys(environments)) {
        const of = `${folder}/${environment}`;
        rows += (await compareViews({ folder: `${folder}/both`, of, environment })).length;
      }
      const [all] = await querySql(`${folder}/both`, "SELECT count(*) AS fills FROM fills");
      assertEquals(all?.fills, rows);
    });
  });
}

/** Views with a row for each fill, which stands once in datasets of several environments. */
const OF_FILLS = ["fills", "fees", "left_on_the_table"];

Deno.test("views over production and staging, of which both report some fills, are those of each", async () => {
  await withFolder(async (folder) => {
    const book = connect(await replay("simulated_1"));
    const environments = ["production", "staging"] as const;
    const ranges = { production: { from: 1001, to: 1012 }, staging: { from: 1007, to: 1018 } };
    for (const environment of environments) {
      const own = `${folder}/${environment}`;
      await exportDataset(book, own, { auctions: ranges[environment] });
      await asEnvironment(own, environment);
      await rebuildDataset(own);
    }
    await mergeDatasets(environments.map((one) => `${folder}/${one}`), `${folder}/both`);
    const open = (one: string) => openSql(`${folder}/${one}`, { rulesOf: "mainnet" });
    using production = await open("production");
    using staging = await open("staging");
    using both = await open("both");
    const rowsOf = (name: string) =>
      Promise.all(
        [production, staging, both].map((one) => one.query(`SELECT * FROM ${name}`)),
      ) as Promise<[SqlRow[], SqlRow[], SqlRow[]]>;
    const [fills, fillsOfStaging, fillsOfBoth] = await rowsOf("trades");
    const place = (row: SqlRow) => `${row.block_number} ${row.log_index}`;
    const ofProduction = new Map(fills.map((row) => [place(row), row]));
    // The environment counts that knows the auction which settled a fill; production, if both do.
    const isElsewhere = new Set(
      fillsOfStaging.flatMap((row) => {
        const other = ofProduction.get(place(row));
        if (other === undefined) return [];
        const isOfStaging = other.auction_id === null && row.auction_id !== null;
        return [`${isOfStaging ? "production" : "staging"} ${place(row)}`];
      }),
    );
    assertGreater(isElsewhere.size, 0);
    assertEquals(fillsOfBoth.length, fills.length + fillsOfStaging.length - isElsewhere.size);
    for (const { name } of await readViews()) {
      const [ofOne, ofOther, found] = await rowsOf(name);
      const own = [...ofOne, ...ofOther];
      const wanted = OF_FILLS.includes(name)
        ? own.filter((row) => !isElsewhere.has(`${row.environment} ${place(row)}`))
        : own;
      const texts = (rows: readonly SqlRow[]) => rows.map((row) => JSON.stringify(row)).sort();
      assertEquals(texts(found), texts(wanted), name);
    }
  });
});

/** Makes an export one of a named environment, as its own answers do not say which it is. */
async function asEnvironment(folder: string, environment: string): Promise<void> {
  const file = `${folder}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(file));
  manifest.source.environment = environment;
  await Deno.writeTextFile(file, JSON.stringify(manifest));
}
