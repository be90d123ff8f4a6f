import type { OpenFile } from "../../http/local_files.ts";
import { InputError } from "../../errors/mod.ts";
import { type DatasetPaths, useFile, writeAll } from "../layout/files.ts";
import { appendVerified } from "../layout/folders.ts";
import type { DatasetFile } from "../layout/manifest.ts";

const BLOCK = 512;
/** Limits of the format: bytes of a file, and characters of its path. */
const MAX_BYTES = 8 ** 11 - 1;
const MAX_PATH = 100;

/**
 * Writes files of a dataset as a tar archive (POSIX ustar), each compared with the manifest. Equal files
 * give equal archives: times and owners are 0.
 *
 * @throws {InputError} If a file is damaged, or too large for the format.
 */
export async function writeArchive(
  archive: string,
  from: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<void> {
  await useFile(archive, "w", async (handle) => {
    for (const file of files) {
      await writeAll(handle, formatHeader(file));
      await appendVerified(from, file, handle);
      await pad(handle, file.bytes);
    }
    await writeAll(handle, new Uint8Array(2 * BLOCK));
    await handle.sync();
  });
}

async function pad(handle: OpenFile, bytes: number): Promise<void> {
  await writeAll(handle, new Uint8Array((BLOCK - bytes % BLOCK) % BLOCK));
}

function formatHeader({ path, bytes }: DatasetFile): Uint8Array {
  if (bytes > MAX_BYTES || path.length > MAX_PATH) {
    throw new InputError(`Cannot archive ${path}: it is too large, or its name too long`, {
      facts: { bytes, "most bytes": MAX_BYTES, "most characters": MAX_PATH },
      remedy: "Publish a dataset with a smaller range",
    });
  }
  const header = new Uint8Array(BLOCK);
  const write = (start: number, text: string) => header.set(new TextEncoder().encode(text), start);
  const writeOctal = (start: number, width: number, value: number) =>
    write(start, value.toString(8).padStart(width - 1, "0"));
  write(0, path);
  writeOctal(100, 8, 0o644);
  writeOctal(108, 8, 0);
  writeOctal(116, 8, 0);
  writeOctal(124, 12, bytes);
  writeOctal(136, 12, 0);
  // The checksum counts its own field as spaces.
  write(148, " ".repeat(8));
  write(156, "0");
  write(257, "ustar\0" + "00");
  writeOctal(148, 7, header.reduce((sum, byte) => sum + byte, 0));
  write(154, "\0 ");
  return header;
}
