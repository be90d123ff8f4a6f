import { keccak_256 } from "@noble/hashes/sha3";

/**
 * The Keccak-256 hash of Ethereum, which pads otherwise than SHA3-256.
 *
 * From the package that viem takes it from: importing viem takes longer than everything else that an
 * order book is read with.
 *
 * @returns 32 bytes.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}
