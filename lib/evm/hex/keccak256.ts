import { keccak_256 } from "@noble/hashes/sha3.js";

/**
 * The Keccak-256 hash of Ethereum, which pads otherwise than SHA3-256.
 *
 * From the package that viem takes it from, in its next version: importing viem takes longer than
 * everything else that an order book is read with, and the version of viem loads `node:crypto`.
 *
 * @returns 32 bytes.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}
