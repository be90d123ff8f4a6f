/**
 * How an exact quotient is rounded to an integer. The names are those of `Intl.NumberFormat`.
 *
 * - `"floor"`: down, towards minus infinity
 * - `"ceil"`: up, towards plus infinity
 * - `"trunc"`: towards zero
 * - `"expand"`: away from zero
 * - `"halfEven"`: to the nearest; a tie goes to the even neighbour
 * - `"halfExpand"`: to the nearest; a tie goes away from zero
 */
export type Rounding = "floor" | "ceil" | "trunc" | "expand" | "halfEven" | "halfExpand";
