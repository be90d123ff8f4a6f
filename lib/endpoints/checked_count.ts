import { InputError } from "../errors/mod.ts";

/** What a count may be. */
export interface CountRange {
  /** What is counted, as `limit`. */
  readonly name: string;
  /** Least allowed. */
  readonly least: number;
  /** Most allowed. @default {9007199254740991} */
  readonly most?: number;
}

/**
 * The number itself, once it is a whole one within its range.
 *
 * @throws {InputError} If it is not.
 */
export function checkedCount(count: number, range: CountRange): number {
  const { name, least, most = Number.MAX_SAFE_INTEGER } = range;
  if (Number.isSafeInteger(count) && count >= least && count <= most) return count;
  throw new InputError(`Cannot use ${String(count)} as ${name}`, {
    remedy: `Pass a whole number from ${least} to ${most}`,
  });
}
