import { amount } from "../../lib/tables/columns/columns.ts";
import { buildFrame } from "../../lib/tables/columns/frame.ts";
import { writeParquet } from "../../lib/tables/columns/frame_files.ts";
import type { Frame } from "orderlens/tables";

/** Amounts that readers wrap, round or lose: above 64 bits, around 38 digits, 256 bits, negative. */
export const HARD_AMOUNTS: readonly (bigint | null)[] = [
  2n ** 64n,
  10n ** 38n - 1n,
  10n ** 38n + 1n,
  2n ** 256n - 1n,
  2n ** 256n - 1n,
  -5n,
  0n,
  null,
];

const TABLE = {
  name: "hard_amounts",
  columns: amount<bigint | null>("amount", {
    role: "token",
    source: "made up",
    atoms: (value) => value,
    token: () => null,
  }),
};

/** Builds a frame of the hard amounts, as in the tables of a dataset. */
export function buildHardAmounts(): Frame {
  return buildFrame(TABLE, HARD_AMOUNTS);
}

/** Writes them as a dataset writes its tables. */
export function writeHardAmounts(file: string): void {
  writeParquet(buildHardAmounts(), file);
}
