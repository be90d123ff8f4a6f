import type { FileFacts } from "./durable_files.ts";

const CHUNK_BYTES = 1 << 18;

/** SHA-256 of a text, as 64 hex digits. */
export function sha256(text: string | Uint8Array): string {
  return hasher().update(text).digest("hex");
}

/**
 * Hash and length of an open file, read in chunks from where it stands.
 *
 * @param see Takes each chunk, which is its until it returns.
 */
export async function fileHash(
  file: Pick<Deno.FsFile, "read">,
  see?: (chunk: Uint8Array) => Promise<void>,
): Promise<FileFacts> {
  const hash = hasher();
  const chunk = new Uint8Array(CHUNK_BYTES);
  let bytes = 0;
  for (let read = await file.read(chunk); read !== null; read = await file.read(chunk)) {
    const found = chunk.subarray(0, read);
    hash.update(found);
    bytes += read;
    await see?.(found);
  }
  return { sha256: hash.digest("hex"), bytes };
}

function hasher() {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}
