import { connect, InputError } from "orderlens";
import { blockFiles, exportDataset, openDataset, rebuildDataset } from "orderlens/datasets";
import { blockTimes } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { alteredBook } from "./altered_book.ts";
import { folderBytes, recorded, rowsOf } from "./exported.ts";
import { readExchanges } from "../../lib/recordings/recording.ts";
import { resolveBlocks, resolveDates } from "../../lib/datasets/export/resolve_range.ts";
import pl from "nodejs-polars";

const RECORDING = await recorded("market_3");
const BOOK = connect(RECORDING);
const STARTS = await startsOf();
const NOW = Date.UTC(2027, 0, 1);

/** Start block of each recorded auction, and its timestamp: what ranges are compared with. */
async function startsOf() {
  const chain = new URL("../../data/recorded/market_3.chain.json.gz", import.meta.url);
  const stream = (await Deno.open(chain)).readable.pipeThrough(new DecompressionStream("gzip"));
  const { blocks }: { blocks: Record<string, number> } = await new Response(stream).json();
  const starts = await Promise.all([...RECORDING.recorded.auctionIds, "latest"].map(async (id) => {
    const { body } = await RECORDING.send({
      method: "GET",
      path: `/api/v2/solver_competition/${id}`,
    });
    const { auctionId, auctionStartBlock: block } = JSON.parse(body);
    return { id: Number(auctionId), block: Number(block), ms: blocks[block]! * 1_000 };
  }));
  return [...new Map(starts.map((start) => [start.id, start])).values()];
}

const text = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const between = (from: number, to: number) => ({ from: text(from), to: text(to) });

function resolving(node: typeof RECORDING | null) {
  let requests = 0;
  const transport = {
    baseUrl: RECORDING.baseUrl,
    send: (request: Parameters<typeof RECORDING.send>[0]) => {
      requests++;
      return RECORDING.send(request);
    },
  };
  return { transport, node, nowMs: NOW, signal: undefined, requests: () => requests };
}

Deno.test("resolveDates() selects auctions by the timestamps of their start blocks", async () => {
  const at = (place: number) => STARTS.at(place)!.ms;
  for (
    const [from, to] of [[at(10), at(60)], [at(60) + 1, at(62) + 1], [at(61), at(-1)]] as const
  ) {
    const inside = STARTS.filter(({ ms }) => ms >= from && ms < to);
    const asked = resolving(RECORDING);
    const range = await resolveDates(between(from, to), asked);
    assertEquals([range.from, range.to], [inside.at(0)?.id, inside.at(-1)?.id]);
    assertEquals(range.resolution?.isPadded, false);
    // Two of three ids of this market have no auction: on a network with few gaps there are 60.
    assert(asked.requests() < 120, `${asked.requests()} requests`);
  }
});

Deno.test("resolveDates() selects every auction of the dates without a node, and few others", async () => {
  for (const [from, to] of [[20, 40], [50, 51]] as const) {
    const [begin, end] = [STARTS.at(from)!, STARTS.at(to)!];
    const asked = resolving(null);
    const range = await resolveDates(between(begin.ms, end.ms + 1), asked);
    assert(range.from <= begin.id, `${range.from} is after ${begin.id}`);
    assert(range.to >= end.id, `${range.to} is before ${end.id}`);
    assertEquals(range.resolution?.isPadded, true);
    // Orders of this market are valid for some minutes at most.
    const [first, last] = [range.from, range.to].map((id) =>
      STARTS.find((one) => one.id >= id) ?? STARTS.at(-1)!
    );
    assert(first!.ms >= begin.ms - 300_000 && last!.ms <= end.ms + 120_000);
  }
});

Deno.test("resolveBlocks() selects the auctions that start in blocks, both ends included", async () => {
  for (const [from, to] of [[135, 135], [300, 301], [200, 600]] as const) {
    const inside = STARTS.filter(({ block }) => block >= from && block <= to);
    const found = await resolveBlocks({ from, to }, resolving(null)).catch((error) => error);
    if (inside.length === 0) assert(found instanceof InputError);
    else assertEquals([found.from, found.to], [inside.at(0)?.id, inside.at(-1)?.id]);
  }
});

Deno.test("exportDataset() rejects ranges without auctions, and those that are not over", async () => {
  const [first, last] = [STARTS.at(0)!, STARTS.at(-1)!];
  const day = 86_400_000;
  const cases = [
    [between(first.ms - day, first.ms), "auction before: none: history begins later"],
    [between(first.ms + 1, first.ms + 2), `auction before: ${first.id}`],
    [between(last.ms + 1, last.ms + day), "auction after: none yet"],
    [between(NOW, NOW + day), "in the future"],
    [between(NOW + day, NOW + 2 * day), "in the future"],
  ] as const;
  for (const [dates, part] of cases) {
    await assertRejects(() => resolveDates(dates, resolving(RECORDING)), InputError, part);
  }
  const early = await resolveDates(between(first.ms - day, first.ms + 1), resolving(RECORDING));
  assertEquals([early.from, early.to], [first.id, first.id]);
  assertEquals(early.resolution?.notes.some((note) => note.includes("no auction before")), true);
  await assertRejects(
    () => resolveBlocks({ from: 900, to: last.block + 1 }, resolving(null)),
    InputError,
    `no visible auction has reached block ${last.block + 1}`,
  );
  const soon = { ...resolving(RECORDING), nowMs: last.ms + 60_000 };
  await assertRejects(
    () => resolveDates(between(first.ms, last.ms + 30_000), soon),
    InputError,
    "not all auctions",
  );
});

inFolder.test(
  "an export with a node has block timestamps, and its folder serves them",
  async (folder, t) => {
    const dates = between(STARTS.at(30)!.ms, STARTS.at(36)!.ms);
    const inside = STARTS.slice(30, 36);
    const tables = ["auctions", "native_prices", "trades", "protocol_fees", "blocks"];
    const options = { dates, tables };
    const { manifest } = await exportDataset(BOOK, folder, { ...options, node: RECORDING });
    const dataset = await openDataset(folder);

    await t.step("the card says between which times the auctions lie", async () => {
      const [first, last] = [inside[0]!, inside.at(-1)!].map(({ ms }) =>
        Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "second" })
      );
      const card = await Deno.readTextFile(`${folder}/README.md`);
      assertStringIncludes(card, `- Times: auctions between ${first} and ${last}\n`);
      assertStringIncludes(card, `(${first!.slice(0, 4)}). Batch auctions of chain 1: `);
    });

    await t.step("the rows have them", async () => {
      const auctions = await rowsOf(folder, "auctions");
      assertEquals(
        auctions.map((row) => [row.auction_id, row.auction_at_ms, row.time_basis]),
        inside.map(({ id, ms }) => [id, ms, "block"]),
      );
      const fills = await rowsOf(folder, "trades");
      assert(fills.length > 0 && fills.every((row) => row.time_basis === "block"));
      const blocks = new Map(
        (await rowsOf(folder, "blocks")).map((row) => [row.block_number, row]),
      );
      for (const { block, ms } of inside) assertEquals(blocks.get(block)?.timestamp_ms, ms);
      for (const row of fills) {
        assertEquals(blocks.get(row.block_number!)?.timestamp, row.filled_at);
      }
      assertEquals(blocks.size, manifest.items.block?.present);
    });

    await t.step(
      "a fill has one time in all tables, and native prices that of their auction",
      async () => {
        const timesIn = async (table: string, keys: readonly string[], time: string) =>
          new Map(
            (await rowsOf(folder, table)).map((row) => [
              keys.map((key) => row[key]).join(" "),
              [row[time], row.time_basis],
            ]),
          );
        const cases = [
          ["protocol_fees", "trades", ["block_number", "log_index"], "filled_at"],
          ["native_prices", "auctions", ["auction_id"], "auction_at"],
        ] as const;
        for (const [table, of, keys, time] of cases) {
          const expected = await timesIn(of, keys, time);
          const found = await timesIn(table, keys, time);
          assert(found.size > 0);
          for (const [key, at] of found) assertEquals(at, expected.get(key), table);
        }
      },
    );

    await t.step("the folder is a node for them, replayed or opened", async () => {
      for (const node of [await replay(folder), dataset]) {
        const times = await blockTimes(node, inside.map(({ block }) => block));
        assertEquals(
          [...times].map(([block, at]) => [block, at.epochMilliseconds]),
          inside.map(({ block, ms }) => [block, ms]),
        );
      }
    });

    await t.step("a rebuild needs no node", async () => {
      const before = await folderBytes(folder);
      await Deno.remove(`${folder}/blocks`, { recursive: true });
      await rebuildDataset(folder);
      assertEquals(await folderBytes(folder), before);
    });

    await t.step("the range is kept, and other settings are refused", async () => {
      const again = await exportDataset(BOOK, folder, { ...options, node: RECORDING });
      assertEquals(again.manifest.range, manifest.range);
      await assertRejects(
        () => exportDataset(BOOK, folder, { dates, tables: ["auctions", "trades"] }),
        InputError,
        "setting: blockTimes",
      );
    });
  },
);

inFolder.test("a block that two files need is in one table, and in the responses of both", async (folder) => {
  const options = { auctions: { from: 985, to: 1010 }, tables: ["auctions", "trades", "blocks"] };
  // The first auction of a file starts when a fill of the one before settled.
  const { id } = STARTS.find((start) => start.id >= 1_000)!;
  const book = alteredBook(RECORDING, (path, body) => {
    if (path === `/api/v2/solver_competition/${id}`) body.auctionStartBlock = 884;
  });
  await exportDataset(book, folder, { ...options, node: RECORDING });
  const blocks = (await rowsOf(folder, "blocks")).map((row) => row.block_number);
  assertEquals(new Set(blocks).size, blocks.length);
  const rows = [
    ...(await rowsOf(folder, "auctions")),
    ...(await rowsOf(folder, "trades")),
  ];
  assertEquals(rows.filter((row) => row.time_basis !== "block"), []);
  const needed = new Set(rows.map((row) => row.auction_start_block ?? row.block_number));
  assertEquals([...needed].filter((block) => !blocks.includes(block!)), []);
  const raw = `${folder}/raw/0000001000-0000001999.ndjson.zst`;
  const lines = await Array.fromAsync(readExchanges(raw));
  assertEquals(lines.some(({ path }) => path === "/rpc?in=0000000000-0000000999"), true);
});

inFolder.test("exportDataset() handles a node without a block, of another chain, or that contradicts itself", async (folder) => {
  const auctions = { from: STARTS.at(30)!.id, to: STARTS.at(32)!.id };
  const lost = `0x${STARTS.at(31)!.block.toString(16)}`;
  const nodeOf = (change: (result: unknown, number: unknown) => unknown) => ({
    rpc: async (calls: Parameters<typeof RECORDING.rpc>[0]) =>
      (await RECORDING.rpc(calls)).map((answer, place) => {
        const result = "result" in answer ? answer.result : null;
        return { result: change(result, calls[place]!.params[0]) };
      }),
  });
  const without = nodeOf((result, number) => number === lost ? null : result);
  const options = { auctions, tables: ["auctions", "blocks"], node: without };
  const { manifest } = await exportDataset(BOOK, folder, options);
  assertEquals([manifest.isComplete, manifest.failures[0]?.kind], [false, "block"]);
  const bases = (await rowsOf(folder, "auctions")).map((row) => row.time_basis);
  assertEquals(bases, ["block", null, "block"]);
  const whole = await exportDataset(BOOK, folder, { ...options, node: RECORDING });
  assertEquals(whole.manifest.isComplete, true);
  const other = { rpc: () => Promise.resolve([{ result: "0x64" }]) };
  const wrong = nodeOf((result, number) =>
    number === undefined ? result : { ...Object(result), number: "0x1" }
  );
  for (const [node, part] of [[other, "another chain"], [wrong, "number"]] as const) {
    const refused = exportDataset(BOOK, `${folder}/${part}`, { auctions, node });
    await assertRejects(() => refused, Error, part);
  }
});

inFolder.test("exportDataset() requests only what its tables need", async (folder) => {
  const auctions = { from: STARTS.at(30)!.id, to: STARTS.at(33)!.id };
  const cases = [
    [{ tables: ["solutions", "solution_orders", "native_prices", "reference_scores"] }, [
      "competition",
    ]],
    [{ tables: ["solutions", "native_prices"], node: RECORDING }, ["block", "competition"]],
  ] as const;
  for (const [place, [options, kinds]] of cases.entries()) {
    const wanted = { auctions, ...options };
    const { manifest } = await exportDataset(BOOK, `${folder}/${place}`, wanted);
    assertEquals(Object.keys(manifest.items).sort(), [...kinds]);
  }
});

/** Writes a file as cryo does: numbers of 32 bits, other columns beside them, any order. */
function writeBlocks(file: string, blocks: readonly (readonly [number, number])[]): void {
  pl.DataFrame([
    pl.Series("author", blocks.map(() => "0x00"), pl.String),
    pl.Series("block_number", blocks.map(([number]) => number), pl.UInt32),
    pl.Series("timestamp", blocks.map(([, seconds]) => seconds), pl.UInt32),
  ]).writeParquet(file);
}

inFolder.test("blockFiles() reads the blocks of cryo from a file and from a folder, and names what it cannot", async (folder) => {
  writeBlocks(`${folder}/a.parquet`, [[101, 1_763_748_092], [100, 1_763_748_080]]);
  writeBlocks(`${folder}/b.parquet`, [[102, 1_763_748_104]]);
  const seconds = async (path: string) =>
    [...await blockTimes(await blockFiles(path), [99, 100, 101, 102])].map((
      [number, at],
    ) => [number, at.epochMilliseconds / 1_000]);
  assertEquals(await seconds(folder), [
    [100, 1_763_748_080],
    [101, 1_763_748_092],
    [102, 1_763_748_104],
  ]);
  assertEquals(await seconds(`${folder}/b.parquet`), [[102, 1_763_748_104]]);
  assertEquals((await blockFiles(folder)).count, 3);
  // A file that has no timestamps, and one that is not there.
  const file = `${folder}/x.parquet`;
  pl.DataFrame([pl.Series("block_number", [1], pl.UInt32)]).writeParquet(file);
  await assertRejects(() => blockFiles(file), InputError, file);
  await assertRejects(() => blockFiles(`${folder}/none`), InputError, `${folder}/none`);
});
