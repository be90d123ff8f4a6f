import { sameHex } from "../../units/mod.ts";

/** 32 bytes of hex on their own, the form of a private key. */
const KEY_LIKE = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/gi;

/** Whether a text contains the private key of an account, as hex. */
export async function holdsKeyOf(text: string, address: string): Promise<boolean> {
  const candidates = Array.from(text.matchAll(KEY_LIKE), ([, digits]) => digits);
  if (candidates.length === 0) return false;
  // Loaded on demand, since hardly any text needs this part of viem.
  const { privateKeyToAddress } = await import("viem/accounts");
  return candidates.some((digits) => {
    try {
      return sameHex(privateKeyToAddress(`0x${digits}`), address);
    } catch {
      return false;
    }
  });
}
