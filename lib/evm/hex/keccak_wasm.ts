/** Bytes that one round of absorbing takes: 136 of the state's 200. */
export const KECCAK_BLOCK = 136;
/** Where the state, the constants of the rounds and the input stand in memory. */
const CONSTANTS_AT = 256;
export const INPUT_AT = 1_024;
const PAGE = 65_536;
const ROUNDS = 24;
const LANES = 25;

/** Lanes and their columns as locals: 25 of the state, 25 moved ones, 5 parities. */
const MOVED = LANES;
const PARITY = 2 * LANES;
/** The parameter stands before all locals of 64 bits; the round after them. */
const FIRST_LANE = 1;
const ROUND = FIRST_LANE + 2 * LANES + 5;
const POINTER = ROUND + 1;

const OP = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  load: 0x29,
  store: 0x37,
  i32: 0x41,
  i64: 0x42,
  less: 0x49,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x83,
  xor: 0x85,
  rotate: 0x89,
} as const;
const NOTHING = 0x40;
const TYPE = { i32: 0x7f, i64: 0x7e, function: 0x60 } as const;

/** What the module exports. */
export interface KeccakWasm {
  /** The memory: state, constants, input. */
  readonly memory: WebAssembly.Memory;
  /** Absorbs so many blocks of input into the state. */
  readonly absorb: (blocks: number) => void;
}

/**
 * The permutation Keccak-f[1600] in WebAssembly, whose 64-bit numbers JavaScript lacks: written out
 * by its definition, with loops over blocks and rounds.
 *
 * @returns `null` where modules cannot be made, as under some policies of pages.
 * @see {@link https://keccak.team/keccak_specs_summary.html | Keccak}
 */
export function makeKeccak(): KeccakWasm | null {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
    const { memory, absorb } = exports as unknown as KeccakWasm;
    new BigUint64Array(memory.buffer, CONSTANTS_AT, ROUNDS).set(roundConstants());
    return { memory, absorb };
  } catch {
    return null;
  }
}

/** The constants of the rounds: bits of a shift register, at places 2^j − 1. */
function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return constant;
  });
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const locals = [2, ...leb(2 * LANES + 5), TYPE.i64, 2, TYPE.i32];
  const body = [...locals, ...code(), OP.end];
  const text = (name: string) => [name.length, ...new TextEncoder().encode(name)];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, TYPE.function, 1, TYPE.i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...text("memory"), 2, 0, ...text("absorb"), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

/** A whole number of at least 0 in LEB128. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...leb(value >>> 7)];
}

/** The same with a sign, of which all numbers here have none. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [value & 0x7f | 0x80, ...signed(value >>> 7)];
}

const lane = (place: number) => [OP.get, FIRST_LANE + place];
const setLane = (place: number) => [OP.set, FIRST_LANE + place];

function load(at: readonly number[], offset: number): number[] {
  return [...at, OP.load, 3, ...leb(offset)];
}

function code(): number[] {
  const lanes = Array.from({ length: LANES }, (_, place) => place);
  const pointer = [OP.get, POINTER];
  return [
    ...lanes.flatMap((place) => [...load([OP.i32, 0], 8 * place), ...setLane(place)]),
    ...[OP.loop, NOTHING],
    ...lanes.slice(0, KECCAK_BLOCK / 8).flatMap((place) => [
      ...lane(place),
      ...load(pointer, INPUT_AT + 8 * place),
      OP.xor,
      ...setLane(place),
    ]),
    ...[...pointer, OP.i32, ...signed(KECCAK_BLOCK), OP.add, OP.set, POINTER],
    ...[OP.i32, 0, OP.set, ROUND],
    ...[OP.loop, NOTHING],
    ...round(),
    ...[OP.get, ROUND, OP.i32, 8, OP.add, OP.tee, ROUND],
    ...[OP.i32, ...signed(8 * ROUNDS), OP.less, OP.branchIf, 0, OP.end],
    ...[OP.get, 0, OP.i32, 1, OP.subtract, OP.tee, 0, OP.branchIf, 0, OP.end],
    ...lanes.flatMap((place) => [OP.i32, 0, ...lane(place), OP.store, 3, ...leb(8 * place)]),
  ];
}

/** Theta, rho and pi, chi, iota; lane (x, y) stands at x + 5y. */
function round(): number[] {
  const columns = [0, 1, 2, 3, 4];
  const parities = columns.flatMap((x) => [
    ...lane(x),
    ...columns.slice(1).flatMap((y) => [...lane(x + 5 * y), OP.xor]),
    ...setLane(PARITY + x),
  ]);
  const moves: number[] = [];
  for (const [from, { to, by }] of moved().entries()) {
    const x = from % 5;
    moves.push(
      ...lane(from),
      ...lane(PARITY + (x + 4) % 5),
      OP.xor,
      ...lane(PARITY + (x + 1) % 5),
      ...[OP.i64, 1, OP.rotate, OP.xor],
      ...[OP.i64, ...signed(by), OP.rotate],
      ...setLane(MOVED + to),
    );
  }
  const mixes: number[] = [];
  for (const y of columns) {
    for (const x of columns) {
      mixes.push(
        ...lane(MOVED + (x + 1) % 5 + 5 * y),
        // −1: all bits.
        ...[OP.i64, 0x7f, OP.xor],
        ...lane(MOVED + (x + 2) % 5 + 5 * y),
        OP.and,
        ...lane(MOVED + x + 5 * y),
        OP.xor,
        ...setLane(x + 5 * y),
      );
    }
  }
  return [
    ...parities,
    ...moves,
    ...mixes,
    ...[...lane(0), ...load([OP.get, ROUND], CONSTANTS_AT), OP.xor, ...setLane(0)],
  ];
}

/** Where each lane moves, and by how many bits it rotates. */
function moved(): { readonly to: number; readonly by: number }[] {
  const moves = Array.from({ length: LANES }, () => ({ to: 0, by: 0 }));
  let [x, y] = [1, 0];
  for (let step = 0; step < ROUNDS; step++) {
    const by = (step + 1) * (step + 2) / 2 % 64;
    const to = y + 5 * ((2 * x + 3 * y) % 5);
    moves[x + 5 * y] = { to, by };
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return moves;
}

/** Blocks of input that the memory takes at once. */
export const MOST_BLOCKS = Math.floor((PAGE - INPUT_AT) / KECCAK_BLOCK);
