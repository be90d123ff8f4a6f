/**
 * The names of `@std/assert` that the project uses, with the standard library's semantics, on top
 * of `node:assert/strict`.
 *
 * JSR cannot be reached from everywhere the project is built. Where it can, the line
 * `"@std/assert": "jsr:@std/assert@1"` in `deno.json` replaces this file.
 *
 * @module
 */
import nodeAssert from "node:assert/strict";

export { AssertionError } from "node:assert/strict";

type AnyClass<E> = abstract new (...args: never[]) => E;

/** Fails unless `condition` is truthy. */
export function assert(condition: unknown, message?: string): asserts condition {
  if (!condition) nodeAssert.fail(message ?? `Expected a truthy value, found ${String(condition)}`);
}

/** Fails unless both are deeply equal, prototypes included. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
  nodeAssert.deepStrictEqual(timesIn(actual), timesIn(expected), message);
}

/** The times in a value with their places, sorted: Node takes all times for equal. */
function timesIn(value: unknown, place = "", around: readonly unknown[] = []): string[] {
  if (typeof value !== "object" || value === null || around.includes(value)) return [];
  if (/ Temporal\./.test(Object.prototype.toString.call(value))) return [`${place}: ${value}`];
  const entries = ArrayBuffer.isView(value) ? [] : Object.entries(value);
  const parts: [unknown, unknown][] = value instanceof Map ? [...value] : entries;
  const inside = [...around, value];
  return parts.flatMap(([key, one]) => timesIn(one, `${place}.${key}`, inside)).sort();
}

/** Fails if both are deeply equal. */
export const assertNotEquals: <T>(actual: T, expected: T, message?: string) => void = (
  actual,
  expected,
  message = "Expected values that differ",
) => assertThrows(() => assertEquals(actual, expected), nodeAssert.AssertionError, "", message);

/** Fails unless both are the same value by `Object.is`. */
export const assertStrictEquals: <T>(actual: unknown, expected: T, message?: string) => void =
  nodeAssert.strictEqual;

/** Fails if `actual` is `null` or `undefined`. */
export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  assert(actual != null, message ?? `Expected a value, found ${actual}`);
}

/** Fails unless `actual` is an instance of `type`. */
export function assertInstanceOf<E>(
  actual: unknown,
  type: AnyClass<E>,
  message?: string,
): asserts actual is E {
  assert(actual instanceof type, message ?? `Expected an instance of ${type.name}: ${actual}`);
}

type Compare = <T extends number | bigint>(actual: T, expected: T, message?: string) => void;

/** Fails unless `actual > expected`. */
export const assertGreater: Compare = (actual, expected, message) =>
  assert(actual > expected, message ?? `Expected ${actual} > ${expected}`);

/** Fails unless `actual >= expected`. */
export const assertGreaterOrEqual: Compare = (actual, expected, message) =>
  assert(actual >= expected, message ?? `Expected ${actual} >= ${expected}`);

/** Fails unless `actual <= expected`. */
export const assertLessOrEqual: Compare = (actual, expected, message) =>
  assert(actual <= expected, message ?? `Expected ${actual} <= ${expected}`);

/** Fails unless `expected` occurs in `actual`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    nodeAssert.fail(message ?? `Expected ${JSON.stringify(expected)} in ${JSON.stringify(actual)}`);
  }
}

/** Fails unless `actual` matches. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  nodeAssert.match(actual, expected, message);
}

/** Fails unless both numbers differ by at most `tolerance` (default 1e-7 of `expected`). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance: number = Math.abs(expected) * 1e-7,
): void {
  if (!Object.is(actual, expected) && !(Math.abs(actual - expected) <= tolerance)) {
    nodeAssert.fail(`Expected ${actual} within ${tolerance} of ${expected}`);
  }
}

function assertThrown<E extends Error>(
  thrown: unknown,
  type: AnyClass<E> | undefined,
  includes: string | undefined,
  message: string | undefined,
): E {
  if (!(thrown instanceof Error)) {
    nodeAssert.fail(message ?? `A non-Error was thrown: ${String(thrown)}`);
  }
  if (type !== undefined && !(thrown instanceof type)) {
    const found = `${thrown.name}: ${thrown.message}`;
    nodeAssert.fail(message ?? `Expected ${type.name} to be thrown, found ${found}`);
  }
  if (includes !== undefined) assertStringIncludes(thrown.message, includes, message);
  return thrown as E;
}

/** Fails unless `fn` throws (an instance of `type`, with `includes` in its message); gives the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  type?: AnyClass<E>,
  includes?: string,
  message?: string,
): E {
  try {
    fn();
  } catch (error) {
    return assertThrown(error, type, includes, message);
  }
  nodeAssert.fail(message ?? "Expected function to throw");
}

/** Fails unless the promise of `fn` rejects (an instance of `type`, …); gives the error. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  type?: AnyClass<E>,
  includes?: string,
  message?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    return assertThrown(error, type, includes, message);
  }
  nodeAssert.fail(message ?? "Expected function to reject");
}
