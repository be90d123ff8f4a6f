import { connect, InputError } from "orderlens";
import { exportDataset, mergeDatasets, openDataset, verifyDataset } from "orderlens/datasets";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { changedBook } from "./altered_book.ts";
import { changeManifest } from "./rewrite_table.ts";
import { contentOf, crossingExport, FEW, folderBytes, parted, recorded } from "./exported.ts";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING);
const TABLES = ["auctions", "orders", "trades", "protocol_fees"];

inFolder.test("mergeDatasets() joins neighbouring ranges into the bytes of one export of both", async (folder) => {
  const { book, options, folder: one } = await crossingExport();
  const { manifest: whole } = await openDataset(one);
  for (const [place, auctions] of parted(options.auctions).entries()) {
    await exportDataset(book, `${folder}/${place + 1}`, { ...options, auctions });
  }
  const halves = [`${folder}/2`, `${folder}/1`];
  const all = `${folder}/all`;
  const { merged, ...manifest } = await mergeDatasets(halves, all);
  assertEquals(JSON.stringify(manifest), JSON.stringify(whole));
  assertEquals(merged?.map(({ range }) => range), [
    { from: 1998, to: 1999 },
    { from: 2000, to: 2001 },
  ]);
  assertEquals(await contentOf(all), await contentOf(one));
  // Of an order with bids in both files, the second range alone keeps what the first has.
  const second = "orders/0000002000-0000002999.parquet";
  const alone = (await folderBytes(`${folder}/2`)).get(second);
  assert(alone !== (await folderBytes(all)).get(second));
  const { problems, chain } = await verifyDataset(all, { chain: RECORDING });
  assertEquals([problems, chain!.settlements], [[], 4]);
  assertEquals((await connect(await openDataset(all)).competition("latest")).auctionId, 2001);

  await assertRejects(() => mergeDatasets(halves, one), InputError, "something exists");
  const extended = exportDataset(book, all, options);
  await assertRejects(() => extended, InputError, "it was merged from several datasets");
});

inFolder.test("mergeDatasets() marks a range that was interrupted before its fills as incomplete", async (folder) => {
  for (const [place, auctions] of parted({ from: 1985, to: 2010 }).entries()) {
    const index = place + 1;
    // All ids of the second range are answered by then, and no order is.
    const maxRequests = index === 2 ? 14 : undefined;
    const { manifest } = await exportDataset(BOOK, `${folder}/${index}`, {
      auctions,
      tables: FEW,
      maxRequests,
    });
    assertEquals([index, manifest.isComplete], [index, index === 1]);
    const known = Object.values(manifest.ids).flat()
      .reduce((sum, [from, to]) => sum + to - from + 1, 0);
    assertEquals([index, known], [index, index === 1 ? 15 : 11]);
  }
  const halves = [`${folder}/1`, `${folder}/2`];
  const { isComplete } = await mergeDatasets(halves, `${folder}/all`);
  assertEquals(isComplete, false);
  // A dataset of the same range that is complete makes up for one that is not.
  const auctions = { from: 2000, to: 2010 };
  await exportDataset(BOOK, `${folder}/every`, { auctions, tables: FEW });
  const both = await mergeDatasets([`${folder}/2`, `${folder}/every`], `${folder}/both`);
  assertEquals(both.isComplete, true);
});

inFolder.test("mergeDatasets() counts an account without a response as failed once", async (folder) => {
  const [owner] = RECORDING.recorded.accounts;
  const book = changedBook(
    RECORDING,
    ({ path }, response) =>
      path.includes("/account/") ? { ...response, status: 400, body: "{}" } : response,
  );
  const folders = [`${folder}/1`, `${folder}/2`];
  const options = { owner, tables: ["orders"] };
  const exported = [];
  for (const one of folders) exported.push((await exportDataset(book, one, options)).manifest);
  const { items, failures } = await mergeDatasets(folders, `${folder}/all`);
  assertEquals(items, { account: { failed: 1 } });
  assertEquals(failures, exported[0]?.failures);
  assertEquals(failures[0]?.key, owner);
});

inFolder.test("mergeDatasets() joins datasets whose manifests spell the same hex differently", async (folder) => {
  const spelled = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const [owner] = RECORDING.recorded.accounts as [string];
  const options = { owner, tables: ["orders"] };
  const folders = [`${folder}/1`, `${folder}/2`];
  for (const one of folders) await exportDataset(BOOK, one, options);
  const same = await mergeDatasets(folders, `${folder}/same`);
  await changeManifest(folders[1]!, (manifest) => {
    manifest.request.owner = spelled(owner);
    manifest.source.settlementContract = spelled(manifest.source.settlementContract);
  });
  const merged = await mergeDatasets(folders, `${folder}/all`);
  assertEquals(merged.request.owner?.toLowerCase(), owner);
  assertEquals(merged.source.settlementContract.toLowerCase(), same.source.settlementContract);
  assertEquals([merged.items, merged.ids], [same.items, same.ids]);
  assertEquals(merged.files.map(({ rows }) => rows), same.files.map(({ rows }) => rows));
});

inFolder.test("mergeDatasets() joins a range whose reports were refused with one that has them", async (folder) => {
  const refusing = changedBook(
    RECORDING,
    ({ path }, response) =>
      path.includes("/debug/")
        ? { ...response, status: 403, contentType: "text/plain", body: "no" }
        : response,
  );
  const tables = ["auctions", "orders", "order_events"];
  const ranges = [{ from: 1990, to: 1999 }, { from: 2000, to: 2010 }] as const;
  await exportDataset(BOOK, `${folder}/1`, { auctions: ranges[0], tables });
  const { manifest } = await exportDataset(refusing, `${folder}/2`, {
    auctions: ranges[1],
    tables,
  });
  assert(manifest.reportsRefused !== null);
  const merged = await mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`);
  assertEquals([merged.isComplete, merged.reportsRefused], [true, null]);
  assertEquals((await verifyDataset(`${folder}/all`)).problems, []);
});

inFolder.test("mergeDatasets() keeps one record per item where ranges overlap", async (folder) => {
  const folders: string[] = [];
  for (const auctions of [{ from: 2602, to: 2606 }, { from: 2606, to: 2611 }]) {
    folders.push(`${folder}/${auctions.from}`);
    await exportDataset(BOOK, folders.at(-1)!, { auctions, tables: TABLES });
  }
  const { merged: _, ...two } = await mergeDatasets(folders, `${folder}/two`);
  const { manifest: same } = await exportDataset(BOOK, `${folder}/same`, {
    auctions: { from: 2602, to: 2611 },
    tables: TABLES,
  });
  assertEquals(same.isComplete, true);
  assertEquals<unknown>(two, same);
  assertEquals(await contentOf(`${folder}/two`), await contentOf(`${folder}/same`));
});

inFolder.test("mergeDatasets() takes the later of two responses, and rejects two that cannot be compared", async (folder) => {
  const auctions = { from: 2620, to: 2624 };
  const late = RECORDING.recorded.auctionIds.at(-1);
  const hashes = /"txHash":"0x[0-9a-f]{64}"/g;
  const altered = (change: (body: string) => string) =>
    changedBook(RECORDING, ({ path }, response) => {
      const isLate = path === `/api/v2/solver_competition/${late}`;
      return isLate ? { ...response, body: change(response.body) } : response;
    });
  const options = { auctions, tables: ["auctions", "solutions", "orders"] };
  const early = altered((body) => body.replaceAll(hashes, '"txHash":null'));
  const other = altered((body) => body.replace(/"auctionStartBlock":\d+/, '"auctionStartBlock":7'));
  await exportDataset(early, `${folder}/early`, options);
  await exportDataset(BOOK, `${folder}/late`, options);
  await exportDataset(other, `${folder}/other`, options);
  for (const order of [["early", "late"], ["late", "early"]]) {
    const place = `${folder}/${order.join()}`;
    await mergeDatasets(order.map((name) => `${folder}/${name}`), place);
    assertEquals(await contentOf(place), await contentOf(`${folder}/late`));
  }
  const error = await assertRejects(
    () => mergeDatasets([`${folder}/late`, `${folder}/other`], `${folder}/both`),
    InputError,
    "responses differ",
  );
  assertStringIncludes(error.message, `competition ${late}`);
  assertStringIncludes(error.message, `${folder}/late`);
  assertStringIncludes(error.message, `${folder}/other`);
});
