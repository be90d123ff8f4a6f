import { connect, type OrderBook } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes, LATER, seededNumbers } from "./folder_bytes.ts";

const TAPE = await replay("market_1");
/** Across two files of 1,000 auction ids. */
const SHORT = { from: 1990, to: 2005 };
const LONG = { from: 1990, to: 2012 };

/** The market, and the paths and UIDs that it was asked for. */
function askedMarket(): { book: OrderBook; asked: string[] } {
  const asked: string[] = [];
  const transport = {
    baseUrl: TAPE.baseUrl,
    deployment: TAPE.deployment,
    send(request: Parameters<typeof TAPE.send>[0]) {
      asked.push(request.body === undefined ? request.path : `${request.path} ${request.body}`);
      return TAPE.send(request);
    },
  };
  return { book: connect(transport, { clock: LATER }), asked };
}

Deno.test("a bit that flips in the state of an export costs no answer, and is told", async () => {
  await withFolder(async (folder) => {
    const { book, asked } = askedMarket();
    await exportDataset(book, `${folder}/a`, { auctions: SHORT });
    const [bytes, first] = [await folderBytes(`${folder}/a`), asked.length];
    const file = `${folder}/a/.orderlens/state.sqlite`;
    const random = seededNumbers(7, 1 << 30);
    for (let flip = 0; flip < 12; flip++) {
      const state = await Deno.readFile(file);
      state[random.next().value % state.length]! ^= 1 << (flip % 8);
      await Deno.writeFile(file, state);
      asked.length = 0;
      const { wasDamaged, manifest } = await exportDataset(book, `${folder}/a`, {
        auctions: SHORT,
      });
      assertEquals([wasDamaged, manifest.isComplete], [true, true]);
      assertEquals(await folderBytes(`${folder}/a`), bytes);
      assert(asked.length < first / 2, `${asked.length} of ${first} requests`);
    }
    const { wasDamaged, requests } = await exportDataset(book, `${folder}/a`, { auctions: SHORT });
    assertEquals([wasDamaged, requests], [false, 0]);
  });
});

Deno.test("a dataset without the export's own folder is extended, and asks only for what is new", async () => {
  await withFolder(async (folder) => {
    const { book, asked } = askedMarket();
    await exportDataset(book, `${folder}/long`, { auctions: LONG });
    const wanted = await folderBytes(`${folder}/long`);
    await exportDataset(book, `${folder}/a`, { auctions: SHORT });
    await Deno.remove(`${folder}/a/.orderlens`, { recursive: true });
    await assertRejects(
      () => exportDataset(book, `${folder}/a`, { auctions: { from: 1995, to: 2012 } }),
      Error,
      "setting: auctions",
    );
    asked.length = 0;
    await exportDataset(book, `${folder}/a`, { auctions: LONG });
    assertEquals(await folderBytes(`${folder}/a`), wanted);
    assertEquals((await verifyDataset(`${folder}/a`, { recompute: true })).problems, []);
    const settled = TAPE.recorded.auctionIds.filter((id) => SHORT.from <= id && id <= SHORT.to);
    const again = asked.flatMap((path) => /solver_competition\/(\d+)$/.exec(path)?.[1] ?? [])
      .map(Number).filter((id) => id <= SHORT.to);
    // Only auctions without a settlement, which may still get one.
    assert(again.length < settled.length / 2, `${again} of ${settled.length}`);
    assertEquals(await folderNames(`${folder}/a/.orderlens`), ["runs.ndjson", "state.sqlite"]);
  });
});

Deno.test("a node that comes later is asked, and the deployment not again", async () => {
  const sandbox = await openSandbox({ seed: 3, auctions: 12 });
  await withFolder(async (folder) => {
    const book = connect(sandbox);
    const auctions = { from: 1, to: 12 };
    await exportDataset(book, `${folder}/whole`, { auctions, node: sandbox });
    const before = await exportDataset(book, `${folder}/a`, { auctions });
    const { requests, manifest } = await exportDataset(book, `${folder}/a`, {
      auctions,
      node: sandbox,
    });
    assert(requests < before.requests / 2, `${requests} of ${before.requests}`);
    assert(manifest.request.tables.includes("settlements") && manifest.request.blockTimes);
    assertEquals(await folderBytes(`${folder}/a`), await folderBytes(`${folder}/whole`));
  });
});

async function folderNames(folder: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return names.filter((name) => !/sha256$|lock|tmp|segments/.test(name)).sort();
}
