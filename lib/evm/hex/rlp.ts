/** What RLP encodes: bytes, or a list. */
export type RlpItem = Uint8Array | readonly RlpItem[];

const BYTES = 0x80;
const LIST = 0xc0;
/** Longer contents have the length of their length in front. */
const SHORT = 55;

/**
 * Encodes bytes and lists as Ethereum does.
 *
 * @see {@link https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/ | RLP}
 */
export function encodeRlp(item: RlpItem): Uint8Array {
  const bytes = new Uint8Array(sizeOf(item));
  write(item, bytes, 0);
  return bytes;
}

function sizeOf(item: RlpItem): number {
  const size = contentSize(item);
  return isByte(item) ? 1 : headSize(size) + size;
}

function contentSize(item: RlpItem): number {
  if (item instanceof Uint8Array) return item.length;
  return item.reduce((sum, one) => sum + sizeOf(one), 0);
}

/** A byte below 128 is its own encoding. */
function isByte(item: RlpItem): boolean {
  return item instanceof Uint8Array && item.length === 1 && item[0]! < BYTES;
}

function headSize(size: number): number {
  return size <= SHORT ? 1 : 1 + lengthOf(size);
}

function lengthOf(size: number): number {
  return size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
}

/** Writes an item at a place; returns the place after it. */
function write(item: RlpItem, bytes: Uint8Array, start: number): number {
  if (isByte(item)) {
    bytes[start] = (item as Uint8Array)[0]!;
    return start + 1;
  }
  const size = contentSize(item);
  let at = writeHead(item instanceof Uint8Array ? BYTES : LIST, size, bytes, start);
  if (item instanceof Uint8Array) {
    bytes.set(item, at);
    return at + size;
  }
  for (const one of item) at = write(one, bytes, at);
  return at;
}

function writeHead(kind: number, size: number, bytes: Uint8Array, start: number): number {
  if (size <= SHORT) {
    bytes[start] = kind + size;
    return start + 1;
  }
  const length = lengthOf(size);
  bytes[start] = kind + SHORT + length;
  for (let place = 0; place < length; place++) {
    bytes[start + 1 + place] = size >>> 8 * (length - 1 - place);
  }
  return start + 1 + length;
}
