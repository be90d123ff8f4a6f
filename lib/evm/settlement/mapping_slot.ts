import { keccak256 } from "viem/utils";
import { hexBytes } from "../hex/hex_bytes.ts";
import { packWords } from "../hex/pack_words.ts";

/**
 * The storage slot of a mapping's value for an address: `keccak256(address ‖ position)`, each as a
 * word of 32 bytes.
 *
 * @param key The address.
 * @param position Slot of the mapping in the contract's storage layout, from 0.
 */
export function mappingSlot(key: string, position: bigint): string {
  return keccak256(packWords([hexBytes(key, { what: "an address", bytes: 20 }), position]));
}
