import { InputError } from "../../errors/mod.ts";
import { hexBytes, hexOf } from "../hex/hex_bytes.ts";
import { hexText } from "../hex/hex_text.ts";

/** A signature and its scheme, under their wire names. */
export interface SignatureFields {
  /** The signature as hex; its form depends on the scheme. */
  signature: string;
  /** `"eip712"`, `"ethsign"`, `"presign"` or `"eip1271"`. */
  signingScheme: string;
}

const SIGNATURE = { what: "an ECDSA signature", bytes: 65 };

/**
 * The last byte of a signature: 27 or 28 as the settlement contract requires, or 0 or 1 from some
 * signers.
 */
const RECOVERY_BYTES = [0, 1, 27, 28];

/**
 * Recovers the signer of an `eip712` or `ethsign` signature of a digest.
 *
 * @throws {InputError} If the scheme is another, or the signature is invalid.
 */
export async function recoverSigner(digest: string, signed: SignatureFields): Promise<string> {
  const { signature, signingScheme } = signed;
  // Loaded on demand: whoever only reads does not need it.
  const { hashMessage, recoverAddress } = await import("viem/utils");
  const hash = signedHash(digest, signingScheme, hashMessage);
  const bytes = hexBytes(signature, SIGNATURE);
  const last = bytes[64];
  if (last === undefined || !RECOVERY_BYTES.includes(last)) {
    throw new InputError(`Cannot recover the signer: the signature ends in ${last}`, {
      facts: { signature },
      remedy: "Pass r, s and v in this order; the last byte, v, is 27 or 28, or 0 or 1",
    });
  }
  try {
    return (await recoverAddress({ hash, signature: hexOf(bytes) })).toLowerCase();
  } catch (cause) {
    throw new InputError("Cannot recover the signer: the signature is not valid", {
      facts: { signature },
      remedy: "Pass the 65 bytes exactly as the signer returned them",
      cause,
    });
  }
}

function signedHash(
  digest: string,
  signingScheme: string,
  hashMessage: (message: { raw: `0x${string}` }) => `0x${string}`,
): `0x${string}` {
  const raw = hexText(digest);
  if (signingScheme === "eip712") return raw;
  if (signingScheme === "ethsign") return hashMessage({ raw });
  throw new InputError(
    `Cannot recover the signer of a signature of scheme ${JSON.stringify(signingScheme)}`,
    { remedy: "Use an eip712 or ethsign signature; signers of other schemes cannot be recovered" },
  );
}
