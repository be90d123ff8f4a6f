import { hexBytes } from "../hex/hex_bytes.ts";
import { keccak256 } from "../hex/keccak256.ts";
import type { EventLog } from "../settlement/decode_settlement_events.ts";

const BLOOM_BYTES = 256;
const BLOOM = new RegExp(`^0x[0-9a-f]{${2 * BLOOM_BYTES}}$`, "i");
/** Filters that say nothing: some chains and servers send them instead of the real one. */
const SAYS_NOTHING = /^0x(?:0+|f+)$/i;

/** Contracts and topics recur from settlement to settlement. */
const bitsByValue = new Map<string, readonly number[]>();
const MOST_KNOWN = 5_000;

/**
 * Whether logs are all those of a receipt, by its Bloom filter: the filter of the logs is the
 * receipt's own.
 *
 * @returns `null` if the receipt has no filter that says anything. A missing log whose contract and
 * topics other logs have too goes unnoticed.
 */
export function matchesBloom(logs: readonly EventLog[], logsBloom: unknown): boolean | null {
  if (typeof logsBloom !== "string" || !BLOOM.test(logsBloom)) return null;
  if (SAYS_NOTHING.test(logsBloom)) return null;
  const reported = hexBytes(logsBloom, {
    what: "the Bloom filter of a receipt",
    bytes: BLOOM_BYTES,
  });
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addTo(bloom, address);
    for (const topic of topics) addTo(bloom, topic);
  }
  return bloom.every((byte, place) => byte === reported[place]);
}

/** Sets the three bits of a value: of its hash, the lowest 11 of each of the first three pairs. */
function addTo(bloom: Uint8Array, value: string): void {
  for (const bit of bitsOf(value.toLowerCase())) {
    const place = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[place] = bloom[place]! | 1 << (bit & 7);
  }
}

function bitsOf(value: string): readonly number[] {
  const known = bitsByValue.get(value);
  if (known !== undefined) return known;
  const bytes = (value.length - 2) / 2;
  const hash = keccak256(hexBytes(value, { what: "an address or a topic of a log", bytes }));
  const bits = [0, 2, 4].map((place) => (hash[place]! << 8 | hash[place + 1]!) & 2047);
  if (bitsByValue.size >= MOST_KNOWN) bitsByValue.clear();
  bitsByValue.set(value, bits);
  return bits;
}
