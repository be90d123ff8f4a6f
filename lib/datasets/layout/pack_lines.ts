import { REPLACING, withFile, writeAll } from "./durable_files.ts";

/**
 * Writes lines into a file, packed with zstd and with a checksum; equal lines give equal bytes.
 *
 * @param file Path of the file; replaced if it exists.
 * @param lines Each with its newline.
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
  for await (const line of lines) {
    // Each line is packed before the next is written: the bytes would depend on what waits together.
    await Promise.race([new Promise((done) => packing.write(line, done)), written]);
  }
  packing.end();
  await written;
  await open.sync();
}
