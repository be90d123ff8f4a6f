import { writeAll } from "./durable_files.ts";

/**
 * Writes lines into a file, packed with zstd and with a checksum; equal lines give equal bytes.
 *
 * @param file Path of the file; replaced if it exists.
 * @param lines Each with its newline.
 */
export async function packLines(file: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  const { constants, createZstdCompress } = process.getBuiltinModule("node:zlib");
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  using open = await Deno.open(file, { write: true, create: true, truncate: true });
  const written = (async () => {
    for await (const chunk of packing) await writeAll(open, chunk);
  })();
  written.catch(() => packing.destroy());
  for await (const line of lines) {
    if (!packing.write(line)) await Promise.race([drained(packing), written]);
  }
  packing.end();
  await written;
  await open.sync();
}

function drained(stream: { once(event: "drain", done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => stream.once("drain", resolve));
}
