/** Bytes that one permutation takes in. */
const RATE = 136;
const ROUNDS = 24;

/** The state: 25 lanes of 64 bits, the lower half of each first. */
type Lanes = Int32Array;

/** Halves of the constant of each round, lower first: bits of a linear-feedback shift register. */
const ROUND_CONSTANTS: Lanes = roundConstants();
/** Where each rotated lane goes, and by how many bits it is rotated. */
const STEPS: readonly { readonly at: number; readonly bits: number }[] = steps();

function roundConstants(): Lanes {
  const halves = new Int32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (let power = 0; power < 7; power++) {
      const bit = 2 ** power - 1;
      if ((register & 1) !== 0) halves[2 * round + (bit >> 5)]! |= 1 << (bit & 31);
      register = (register << 1) ^ (register >> 7 === 0 ? 0 : 0x171);
    }
  }
  return halves;
}

function steps(): { at: number; bits: number }[] {
  let [x, y] = [1, 0];
  return Array.from({ length: 24 }, (_, step) => {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    return { at: 2 * (x + 5 * y), bits: ((step + 1) * (step + 2) / 2) % 64 };
  });
}

const columns = new Int32Array(10);

function mixColumns(lanes: Lanes): void {
  for (let half = 0; half < 10; half++) {
    columns[half] = lanes[half]! ^ lanes[half + 10]! ^ lanes[half + 20]! ^ lanes[half + 30]! ^
      lanes[half + 40]!;
  }
  for (let column = 0; column < 10; column += 2) {
    const before = (column + 8) % 10;
    const after = (column + 2) % 10;
    const low = columns[before]! ^ ((columns[after]! << 1) | (columns[after + 1]! >>> 31));
    const high = columns[before + 1]! ^ ((columns[after + 1]! << 1) | (columns[after]! >>> 31));
    for (let at = column; at < 50; at += 10) {
      lanes[at]! ^= low;
      lanes[at + 1]! ^= high;
    }
  }
}

function rotateAndMove(lanes: Lanes): void {
  let low = lanes[2]!;
  let high = lanes[3]!;
  for (const { at, bits } of STEPS) {
    const [first, second] = bits < 32 ? [low, high] : [high, low];
    const turn = bits & 31;
    low = lanes[at]!;
    high = lanes[at + 1]!;
    lanes[at] = (first << turn) | (second >>> (32 - turn));
    lanes[at + 1] = (second << turn) | (first >>> (32 - turn));
  }
}

function mixRows(lanes: Lanes): void {
  for (let row = 0; row < 50; row += 10) {
    for (let half = 0; half < 10; half++) columns[half] = lanes[row + half]!;
    for (let half = 0; half < 10; half++) {
      lanes[row + half]! ^= ~columns[(half + 2) % 10]! & columns[(half + 4) % 10]!;
    }
  }
}

function permute(lanes: Lanes): void {
  for (let round = 0; round < ROUNDS; round++) {
    mixColumns(lanes);
    rotateAndMove(lanes);
    mixRows(lanes);
    lanes[0]! ^= ROUND_CONSTANTS[2 * round]!;
    lanes[1]! ^= ROUND_CONSTANTS[2 * round + 1]!;
  }
}

/**
 * The Keccak-256 hash of Ethereum, which pads otherwise than SHA3-256.
 *
 * By hand, since the import of viem takes longer than that of everything else that an order book is
 * read with.
 *
 * @returns 32 bytes.
 * @see {@link https://keccak.team/keccak_specs_summary.html | the specification}
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length]! ^= 0x01;
  padded[padded.length - 1]! ^= 0x80;
  const words = new DataView(padded.buffer);
  const lanes: Lanes = new Int32Array(50);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let at = 0; at < RATE; at += 4) lanes[at / 4]! ^= words.getInt32(block + at, true);
    permute(lanes);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 32; at += 4) hash.setInt32(at, lanes[at / 4]!, true);
  return new Uint8Array(hash.buffer);
}
