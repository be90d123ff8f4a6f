import { concatBytes, sha256, stringToBytes } from "viem/utils";
import { sameHex } from "../../units/mod.ts";
import { hashAppData } from "../keccak256.ts";

/** The hash that orders without app data may sign; the service maps it to the empty document. */
const NO_APP_DATA = `0x${"00".repeat(32)}`;
const EMPTY = "{}";

/**
 * Whether a document matches a hash of the service, which uses three kinds:
 *
 * - the hash that orders sign today, `keccak256` of the text;
 * - the digest in the document's IPFS address (CID version 0), signed by orders before 2023:
 *   `sha256` of the text within a UnixFS file within a DAG-PB node, since documents are far smaller
 *   than the chunk size of IPFS;
 * - zeros, for the empty document `{}`.
 *
 * @throws {InputError} If the text cannot be encoded as UTF-8.
 * @see {@link https://github.com/cowprotocol/services/blob/18861f1d2c/crates/orderbook/src/ipfs_app_data.rs | old_app_data_cid in the service}
 */
export function isAppDataHash(hash: string, fullAppData: string): boolean {
  if (hash === NO_APP_DATA) return fullAppData === EMPTY;
  return sameHex(hashAppData(fullAppData), hash) || sameHex(ipfsDigest(fullAppData), hash);
}

/** Tags of the protocol buffers: field number and wire type. */
const UNIXFS_TYPE_FILE = [0x08, 0x02];
const UNIXFS_DATA = 0x12;
const UNIXFS_FILE_SIZE = 0x18;
const NODE_DATA = 0x0a;

function ipfsDigest(text: string): string {
  const bytes = stringToBytes(text);
  const size = varint(bytes.length);
  const file = concatBytes([
    new Uint8Array([...UNIXFS_TYPE_FILE, UNIXFS_DATA, ...size]),
    bytes,
    new Uint8Array([UNIXFS_FILE_SIZE, ...size]),
  ]);
  return sha256(concatBytes([new Uint8Array([NODE_DATA, ...varint(file.length)]), file]));
}

/** A length as a varint: groups of seven bits, lowest first, each but the last marked. */
function varint(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push(rest % 0x80 + 0x80);
  return [...bytes, rest];
}
