/** A source of random whole numbers from 0 to below `limit`. */
export type Random = (limit: number) => number;

/** A small seeded generator (mulberry32): the same seed gives the same mutations on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e21,
  2 ** 53,
  2 ** 53 - 1,
  2 ** 32,
  5e-324,
  1.7976931348623157e308,
];
const TEXTS = [
  "",
  " ",
  "0",
  "00",
  "-1",
  "+1",
  "1.0",
  "1e18",
  "100e+16",
  "4.21E-10",
  "1e+99999999",
  "0x",
  "0X00",
  "12 ",
  "9".repeat(78),
  "9".repeat(79),
  "٣",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00.100000Z",
  "2026-01-01T00:00:00+00:00",
  "\ud800",
];
const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "0",
  "newField",
  "kind",
];

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)]!;
}

function pickValue(random: Random): unknown {
  switch (random(8)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return pick(random, NUMBERS);
    case 3:
    case 4:
      return pick(random, TEXTS);
    case 5:
      return [];
    case 6:
      return {};
    default:
      return defineKey({}, pick(random, KEYS), pick(random, TEXTS));
  }
}

/** Sets a field as `JSON.parse` does, so that `__proto__` becomes an ordinary field. */
function defineKey(target: object, key: string, value: unknown): object {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return target;
}

function mutateText(random: Random, text: string): string {
  const index = random(text.length + 1);
  const character = pick(random, ["0", "9", "a", "F", "g", "-", ".", "e", " ", "x", "Z", "é"]);
  switch (random(5)) {
    case 0:
      return text.slice(0, index);
    case 1:
      return text.slice(0, index) + character + text.slice(index + 1);
    case 2:
      return text.slice(0, index) + character + text.slice(index);
    case 3:
      return text.slice(0, index) + text.slice(index + 1);
    default:
      return random(2) === 0 ? text.toUpperCase() : pick(random, TEXTS);
  }
}

function mutateLeaf(random: Random, value: unknown): unknown {
  if (typeof value === "string" && random(4) > 0) return mutateText(random, value);
  if (typeof value === "number" && random(2) === 0) {
    return pick(random, [value + 1, value - 1, -value, value / 3, value * 1e10, String(value)]);
  }
  return pickValue(random);
}

function mutateObject(random: Random, value: Record<string, unknown>): unknown {
  const keys = Object.keys(value);
  const choice = random(10);
  if (choice === 0) return defineKey({ ...value }, pick(random, KEYS), pickValue(random));
  if (choice === 1) return pickValue(random);
  if (keys.length === 0) return defineKey({}, pick(random, KEYS), pickValue(random));
  const key = keys[random(keys.length)]!;
  const copy = { ...value };
  if (choice === 2) delete copy[key];
  else defineKey(copy, key, mutateBody(random, value[key]));
  return copy;
}

function mutateArray(random: Random, value: readonly unknown[]): unknown {
  const choice = random(10);
  if (choice === 0) return pickValue(random);
  if (value.length === 0) return [pickValue(random)];
  const index = random(value.length);
  if (choice === 1) return value.toSpliced(index, 1);
  if (choice === 2) return value.toSpliced(index, 0, pickValue(random));
  return value.with(index, mutateBody(random, value[index]));
}

/**
 * Returns a copy of a parsed body with one random change: a field dropped, added or retyped, a text
 * truncated or changed by a character, a number changed.
 */
export function mutateBody(random: Random, body: unknown): unknown {
  if (Array.isArray(body)) return mutateArray(random, body);
  if (typeof body === "object" && body !== null) {
    return mutateObject(random, body as Record<string, unknown>);
  }
  return mutateLeaf(random, body);
}
