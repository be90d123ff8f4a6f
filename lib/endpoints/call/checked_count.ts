import { InputError } from "../../errors/mod.ts";

/** Allowed range of a count. */
export interface CountRange {
  /** Name of the count, such as `limit`. */
  readonly name: string;
  /** Minimum. */
  readonly least: number;
  /** Maximum. @default {9007199254740991} */
  readonly most?: number;
}

/**
 * Returns the number if it is a whole number within the range.
 *
 * @throws {InputError} Otherwise.
 */
export function checkedCount(count: number, range: CountRange): number {
  const { name, least, most = Number.MAX_SAFE_INTEGER } = range;
  if (Number.isSafeInteger(count) && count >= least && count <= most) return count;
  throw new InputError(`Cannot use ${String(count)} as ${name}`, {
    remedy: `Pass a whole number from ${least} to ${most}`,
  });
}
