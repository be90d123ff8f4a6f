import { blockTimes } from "orderlens/evm";
import { InputError } from "orderlens";
import { blockFiles } from "orderlens/datasets";
import pl from "nodejs-polars";
import { assertEquals, assertRejects } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";

/** Writes a file as cryo does: numbers of 32 bits, other columns beside them, any order. */
function writeBlocks(file: string, blocks: readonly (readonly [number, number])[]): void {
  pl.DataFrame([
    pl.Series("author", blocks.map(() => "0x00"), pl.String),
    pl.Series("block_number", blocks.map(([number]) => number), pl.UInt32),
    pl.Series("timestamp", blocks.map(([, seconds]) => seconds), pl.UInt32),
  ]).writeParquet(file);
}

Deno.test("blockFiles() reads the blocks of cryo from a file and from a folder", async () => {
  await withFolder(async (folder) => {
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
  });
});

Deno.test("blockFiles() names a file that has no timestamps, and one that is not there", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/x.parquet`;
    pl.DataFrame([pl.Series("block_number", [1], pl.UInt32)]).writeParquet(file);
    await assertRejects(() => blockFiles(file), InputError, file);
    await assertRejects(() => blockFiles(`${folder}/none`), InputError, `${folder}/none`);
  });
});
