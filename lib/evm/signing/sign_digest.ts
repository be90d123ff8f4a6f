import { sign } from "viem/accounts";
import { hashMessage } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { hexText } from "../hex/hex_text.ts";

/** Options of {@linkcode signDigest}. */
export interface SignDigestOptions {
  /** `"eip712"` signs the digest itself, `"ethsign"` signs it as a personal message. */
  signingScheme: "eip712" | "ethsign";
  /** The private key; never part of an error or any other text. */
  privateKey: string;
}

/**
 * Signs the digest of an order or of a cancellation with a key; the same key and digest always give
 * the same signature (RFC 6979).
 *
 * Kept separate from the rest of the room, because it loads the part of viem that handles keys.
 *
 * @returns `r`, `s` and `v` as 65 bytes of hex text; `v` is 27 or 28.
 * @throws {InputError} If the key is invalid; the error does not show it.
 */
export async function signDigest(digest: string, options: SignDigestOptions): Promise<string> {
  const raw = hexText(digest);
  const hash = options.signingScheme === "ethsign" ? hashMessage({ raw }) : raw;
  try {
    return await sign({ hash, privateKey: options.privateKey as `0x${string}`, to: "hex" });
  } catch {
    // The cause may quote the key, so it is dropped.
    throw new InputError("Cannot sign the digest with this key", {
      remedy:
        "Pass a private key of 32 bytes as hex text, greater than 0 and below the curve order",
    });
  }
}
