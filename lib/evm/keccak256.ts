import { keccak_256 } from "@noble/hashes/sha3.js";
import { InputError } from "../errors/mod.ts";
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

/**
 * The hash of an app data document, which an order signs as its `appData`.
 *
 * `keccak256` of the text's UTF-8 bytes. Every character counts, including whitespace and key
 * order, so hash exactly the text that is registered with the service.
 *
 * @param fullAppData The document as text; `stringifyAppData` serializes it as clients do.
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If it is not text, or contains an unpaired surrogate, which UTF-8 cannot
 * encode.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/app-data/src/app_data_hash.rs | hash_full_app_data in the service}
 *
 * @example The empty document
 * ```ts
 * import { hashAppData } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   hashAppData("{}"),
 *   "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d",
 * );
 * ```
 */
export function hashAppData(fullAppData: string): string {
  if (typeof fullAppData !== "string") {
    throw new InputError(`Cannot hash app data that is ${typeof fullAppData}, not text`, {
      remedy: "Pass the document's text; stringifyAppData serializes an object",
    });
  }
  if (!fullAppData.isWellFormed()) {
    throw new InputError("Cannot hash app data with an unpaired surrogate", {
      remedy: "Pass well-formed text; UTF-8 cannot encode an unpaired surrogate",
    });
  }
  return keccakText(fullAppData);
}
