import { keccak256, stringToBytes } from "viem/utils";

/** The keccak-256 hash of a text's UTF-8 bytes. */
export function keccakText(text: string): string {
  return keccak256(stringToBytes(text));
}
