import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexOf } from "./hex.ts";

type Hash = (bytes: Uint8Array) => Uint8Array;

let hash: Hash = keccak_256;
let loading: Promise<void> | undefined;

/**
 * The Keccak-256 hash of Ethereum, which pads otherwise than SHA3-256.
 *
 * From the package that viem takes it from, in its next version: importing viem takes longer than
 * everything else that an order book is read with, and the version of viem loads `node:crypto`.
 *
 * @returns 32 bytes.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hash(bytes);
}

/**
 * Makes {@linkcode keccak256} several times as fast, for work that hashes thousands of texts: from
 * now on it runs in WebAssembly. Where no module can be compiled, as under some policies of pages,
 * nothing changes.
 */
export function hashInWebAssembly(): Promise<void> {
  return loading ??= (async () => {
    try {
      const { createKeccak } = await import("hash-wasm");
      const hasher = await createKeccak(256);
      hash = (bytes) => hasher.init().update(bytes).digest("binary");
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw error;
    }
  })();
}

const utf8 = new TextEncoder();

/** The Keccak-256 hash of a text's UTF-8 bytes. */
export function keccakText(text: string): `0x${string}` {
  return hexOf(keccak256(utf8.encode(text)));
}
