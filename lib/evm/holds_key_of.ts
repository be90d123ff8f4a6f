import { sameHex } from "../units/mod.ts";

/** 32 bytes of hex standing alone, as keys are written. */
const KEY_LIKE = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/gi;

/** Whether a text holds the private key of an account, as hex. */
export async function holdsKeyOf(text: string, address: string): Promise<boolean> {
  const candidates = Array.from(text.matchAll(KEY_LIKE), ([, digits]) => digits);
  if (candidates.length === 0) return false;
  // Loaded here, since hardly any text needs the part of viem that holds keys.
  const { privateKeyToAddress } = await import("viem/accounts");
  return candidates.some((digits) => {
    try {
      return sameHex(privateKeyToAddress(`0x${digits}`), address);
    } catch {
      return false;
    }
  });
}
