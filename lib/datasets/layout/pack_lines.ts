import { REPLACING, withFile, writeAll } from "./durable_files.ts";

const BLOCK_BYTES = 1 << 20;

/**
 * Writes lines into a file, packed with zstd and with a checksum; equal lines give equal bytes.
 *
 * @param file Path of the file; replaced if it exists.
 * @param lines With their newlines, cut anywhere.
 */
export async function packLines(file: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  await withFile(file, REPLACING, (open) => packInto(open, lines));
}

async function packInto(open: Deno.FsFile, lines: AsyncIterable<Uint8Array>): Promise<void> {
  const { constants, createZstdCompress } = process.getBuiltinModule("node:zlib");
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const written = (async () => {
    for await (const chunk of packing) await writeAll(open, chunk);
  })();
  written.catch(() => packing.destroy());
  // Blocks of one size, each packed before the next is written: otherwise the bytes would depend on
  // how lines arrive.
  const pack = (block: Uint8Array) =>
    Promise.race([new Promise((done) => packing.write(block, done)), written]);
  let block = new Uint8Array(BLOCK_BYTES);
  let length = 0;
  for await (const line of lines) {
    for (let done = 0; done < line.length;) {
      const part = line.subarray(done, done + BLOCK_BYTES - length);
      block.set(part, length);
      length += part.length;
      done += part.length;
      if (length < BLOCK_BYTES) continue;
      await pack(block);
      block = new Uint8Array(BLOCK_BYTES);
      length = 0;
    }
  }
  if (length > 0) await pack(block.subarray(0, length));
  packing.end();
  await written;
  await open.sync();
}
