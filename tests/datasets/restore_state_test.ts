import { cp } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import { exportDataset, type ExportOptions } from "orderlens/datasets";
import type { HttpRequest } from "orderlens/http";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { NODE_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { alteredBook, listening, TestClock } from "./altered_book.ts";
import { exportedOnce, FEW, folderBytes, LATER, recorded, seededNumbers } from "./exported.ts";

const RECORDING = await recorded("market_3");
/** Across two files of 1,000 auction ids. */
const AUCTIONS = { from: 992, to: 1005 };
const OPTIONS = { auctions: AUCTIONS, tables: FEW };
const BOOK = connect(RECORDING, { clock: LATER });
/** Bits that are flipped: `ORDERLENS_MOMENTS=100` tries more of them than each change needs. */
const FLIPS = Number(Deno.env.get("ORDERLENS_MOMENTS") ?? 10);

/** Exports until the answers of the first file, all in its segment alone, are packed. */
async function interrupt(folder: string, options: ExportOptions = OPTIONS) {
  const step = (name: string) => {
    if (name === "packed") throw new Error("stopped");
  };
  const stopped = exportInSteps(BOOK, folder, options, step);
  await assertRejects(() => stopped, Error, "stopped");
}

const first = listening(RECORDING, LATER);
const whole = await exportedOnce(first.book, OPTIONS);

inFolder.test("an export continues to the same bytes with any bit of its state flipped", async (folder) => {
  const interrupted = `${folder}/interrupted`;
  await interrupt(interrupted);
  const state = await Deno.readFile(`${interrupted}/.orderlens/state.sqlite`);
  // One is in what an auction came to, which SQLite itself does not miss.
  const answered = new TextDecoder("latin1").decode(state)
    .search(/(?<=competition\d{10}[^]{0,3})present/);
  assert(answered > 0);
  const places = seededNumbers(21, 8 * state.length);
  const bits = Array.from({ length: FLIPS }, () => places.next().value);
  for (const bit of [8 * answered, ...bits]) {
    const copy = `${folder}/${bit}`;
    await cp(interrupted, copy, { recursive: true });
    const bytes = state.slice();
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await Deno.writeFile(`${copy}/.orderlens/state.sqlite`, bytes);
    const { requests } = await exportDataset(BOOK, copy, OPTIONS);
    assertEquals(await folderBytes(copy), whole.bytes, `bit ${bit}`);
    assert(requests < whole.requests, `${requests} of ${whole.requests}, bit ${bit}`);
    await Deno.remove(copy, { recursive: true });
  }
});

inFolder.test("restoreState() reads the sealed responses of a segment", async (root) => {
  for (const isStateLost of [true, false]) {
    const folder = `${root}/${isStateLost}`;
    await interrupt(folder);
    const own = `${folder}/.orderlens`;
    if (isStateLost) await Deno.remove(`${own}/state.sqlite`);
    const [segment] = [...Deno.readDirSync(`${own}/segments`)].map(({ name }) =>
      `${own}/segments/${name}`
    );
    const text = await Deno.readTextFile(segment!);
    // A digit of a score, which no decoder misses.
    const changed = text.replace(
      /\\"score\\":\\"(\d)/,
      (_, digit) => `\\"score\\":\\"${9 - digit}`,
    );
    assert(changed !== text);
    await Deno.writeTextFile(segment!, isStateLost ? changed.slice(0, -9) : changed);
    await exportDataset(BOOK, folder, OPTIONS);
    assertEquals(await folderBytes(folder), whole.bytes);
  }
});

inFolder.test("restoreState() begins again after an interruption, with all responses", async (folder) => {
  await interrupt(folder);
  await Deno.remove(`${folder}/.orderlens/state.sqlite`);
  // As a process leaves it that is killed in the middle: segments set aside, some written again.
  await Deno.mkdir(`${folder}/.orderlens/kept`);
  await cp(`${folder}/.orderlens/segments`, `${folder}/.orderlens/kept/0000000000`, {
    recursive: true,
  });
  await Deno.remove(`${folder}/.orderlens/segments`, { recursive: true });
  const { book, asked } = listening(RECORDING, LATER);
  await exportDataset(book, folder, OPTIONS);
  assertEquals(await folderBytes(folder), whole.bytes);
  await assertRejects(() => Deno.stat(`${folder}/.orderlens/kept`), Deno.errors.NotFound);
  // Three auctions with their orders and reports are kept. What was read of accounts is lost.
  const [alone = 0, all = 0] = [asked, first.asked]
    .map((some) => some.filter((one) => !one.includes("?owner=")).length);
  assert(alone <= all - 7, `${alone} of ${all}`);
});

inFolder.test("a wider range with a node continues in place or downloaded, and requests only new items", async (root) => {
  const tables = [...FEW, "fills"];
  const begun = { auctions: { from: 998, to: 1001 }, tables };
  const wanted = {
    auctions: { from: 996, to: 1002 },
    node: RECORDING,
    tables: [...tables, ...NODE_TABLES],
  };
  const { bytes, requests } = await exportedOnce(BOOK, wanted);
  const [own, downloaded] = [`${root}/1`, `${root}/2`];
  await exportDataset(BOOK, own, begun);
  await cp(own, downloaded, { recursive: true });
  // A lost state is made of the folder, for what it was asked for.
  await Deno.remove(`${downloaded}/.orderlens`, { recursive: true });
  const before = await folderBytes(downloaded);
  const fewer = exportDataset(BOOK, downloaded, { ...begun, trades: false });
  await assertRejects(() => fewer, InputError, "setting: trades");
  assertEquals(await folderBytes(downloaded), before);
  for (const folder of [own, downloaded]) {
    const { book, asked } = listening(RECORDING, LATER);
    await exportDataset(book, folder, wanted);
    assertEquals(asked.filter((one) => /competition\/(?:99[89]|100[01])$/.test(one)), []);
    assert(asked.length < requests, `${asked.length} of ${requests}`);
    const without = exportDataset(book, folder, begun);
    await assertRejects(
      () => without,
      InputError,
      "the folder holds an export with different settings",
    );
    assertEquals(await folderBytes(folder), bytes);
  }
});

inFolder.test("restoreState() finalizes items by the clock of the host, not by one that is ahead", async (folder) => {
  const year = 365 * 86_400_000;
  const uid = RECORDING.recorded.orderUids.at(-1)!;
  const [order] = (await connect(RECORDING).orders([uid])).orders;
  const rightMs = order!.creationDate.epochMilliseconds;
  const asked: string[] = [];
  const book = connect({
    baseUrl: "http://orders.example",
    deployment: RECORDING.deployment,
    send: async (request: HttpRequest) => {
      asked.push(`${request.method} ${request.path}`);
      const response = await RECORDING.send(request);
      const headers = new Headers({ date: new Date(rightMs).toUTCString() });
      // No settlement is known yet, so that auctions end with time alone.
      const body = response.body.replaceAll(/"txHash":"0x[0-9a-f]{64}"/g, '"txHash":null');
      return { ...response, headers, body };
    },
  }, { clock: new TestClock(rightMs + year) });
  const id = RECORDING.recorded.auctionIds.at(-1)!;
  const options = { auctions: { from: id, to: id }, tables: ["solutions"], trades: false };
  await exportDataset(book, folder, options);
  const bytes = await folderBytes(folder);
  await Deno.remove(`${folder}/.orderlens`, { recursive: true });
  asked.length = 0;
  await exportDataset(book, folder, options);
  assertEquals(asked.includes(`GET /api/v2/solver_competition/${id}`), true);
  assertEquals(await folderBytes(folder), bytes);
});

inFolder.test("an order that had ended less than a day before its request is requested again", async (folder) => {
  const bookAt = (nowMs: number, alter: Parameters<typeof alteredBook>[1] = () => {}) =>
    alteredBook({ ...RECORDING, baseUrl: "https://orders.example" }, alter, new TestClock(nowMs));
  const [id = 0] = RECORDING.recorded.auctionIds.filter((one) => one >= 1000);
  const { solutions } = await connect(RECORDING).competition(id);
  const [expiry = 0] = solutions.flatMap(({ orders }) => orders)
    .map(({ id: uid }) => Number.parseInt(uid.slice(-8), 16)).sort((a, b) => a - b);
  const minuteLater = 1000 * (expiry + 60);
  // An order expired, which the service fills a minute later.
  const early = bookAt(minuteLater, (path, body) => {
    for (const { order } of path.endsWith("/by_uids") ? body : []) {
      Object.assign(order, { status: "expired", executedSellAmount: "0", executedBuyAmount: "0" });
    }
  });
  const options = {
    auctions: { from: id, to: id },
    debugReports: false,
    tables: ["orders", "trades"],
  };
  const { manifest } = await exportDataset(early, `${folder}/a`, options);
  assertEquals([manifest.items.trades, manifest.openOrders !== undefined], [undefined, true]);
  await Deno.remove(`${folder}/a/.orderlens`, { recursive: true });
  const late = bookAt(LATER.now());
  await exportDataset(late, `${folder}/a`, options);
  await exportDataset(late, `${folder}/b`, options);
  assertEquals(await folderBytes(`${folder}/a`), await folderBytes(`${folder}/b`));
});
