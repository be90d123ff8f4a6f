import { hexBytes, hexOf } from "../hex/hex_bytes.ts";
import { keccak256 } from "../hex/keccak256.ts";
import type { OrderDomain } from "./order_domain.ts";
import { packWords } from "../hex/pack_words.ts";

const DOMAIN_TYPE =
  "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";

/** The same type in the form that wallets use. */
export const DOMAIN_FIELDS: readonly { readonly name: string; readonly type: string }[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

/** `"\x19\x01"`, the version bytes in front of structured data. */
const PREFIX = [0x19, 0x01];

const VERIFYING_CONTRACT = { what: "the verifyingContract of a domain", bytes: 20 };

const utf8 = new TextEncoder();

/** Cached separators of frozen domains. */
const separators = new WeakMap<OrderDomain, Uint8Array>();

/** Cached hashes of a few fixed texts. */
const textHashes = new Map<string, Uint8Array>();

/**
 * The EIP-712 digest of a struct: `keccak256(0x1901 ‖ domain separator ‖ struct hash)`.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-712 | EIP-712}
 */
export function typedDataDigest(domain: OrderDomain, structHash: Uint8Array): string {
  const message = new Uint8Array(PREFIX.length + 64);
  message.set(PREFIX);
  message.set(domainSeparator(domain), PREFIX.length);
  message.set(structHash, PREFIX.length + 32);
  return hexOf(keccak256(message));
}

/** Hash of the domain. */
export function domainSeparator(domain: OrderDomain): Uint8Array {
  const known = separators.get(domain);
  if (known !== undefined) return known;
  const separator = keccak256(
    packWords([
      hashText(DOMAIN_TYPE),
      hashText(domain.name),
      hashText(domain.version),
      BigInt(domain.chainId),
      hexBytes(domain.verifyingContract, VERIFYING_CONTRACT),
    ]),
  );
  if (Object.isFrozen(domain)) separators.set(domain, separator);
  return separator;
}

/**
 * Hash of a text's UTF-8 bytes, which EIP-712 uses in place of the text; only for type strings and
 * fixed words, since each hash is cached.
 *
 * Computed on demand, never while a module loads: the first dozen hashes take 14 ms.
 */
export function hashText(text: string): Uint8Array {
  const known = textHashes.get(text);
  if (known !== undefined) return known;
  const hash = keccak256(utf8.encode(text));
  textHashes.set(text, hash);
  return hash;
}
