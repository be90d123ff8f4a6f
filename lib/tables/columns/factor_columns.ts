import { Decimal, divide, powerOfTen } from "../../units/mod.ts";
import { number } from "./columns.ts";
import type { Column } from "./frame.ts";

const WAD = powerOfTen(18);
/** The largest value of a column of 64 bits. */
const LARGEST = 2n ** 63n - 1n;

/** A fee factor. */
interface FactorDeclaration<Row> {
  readonly source: string;
  readonly of: (row: Row) => number | null;
}

/**
 * Two columns of a fee factor: the double, and the integer in 10^-18 that its decimal text means, for
 * engines that convert doubles to decimals differently.
 */
export function factor<Row>(name: string, { source, of }: FactorDeclaration<Row>): Column<Row>[] {
  return [
    number(name, { unit: "0 to 1", source, cell: of }),
    {
      name: `${name}_wad`,
      dtype: "Int64",
      unit: "10^-18",
      source: `${name}, its shortest decimal text in 10^-18, rounded to the nearest, a tie up; ` +
        "null above 9.2, which 64 bits do not hold; cast it to text in JavaScript",
      isWide: true,
      cell: (row) => factorWadText(of(row)),
    },
  ];
}

/**
 * A factor in 10^-18 as decimal text: what the shortest decimal text of the double means, rounded to
 * the nearest, a tie up.
 *
 * @returns `null` without a factor, for one that is negative or not finite, and above
 * 9.223372036854775807, which a signed integer of 64 bits does not hold.
 */
export function factorWadText(value: number | null): string | null {
  if (value === null || !Number.isFinite(value) || value < 0) return null;
  const { coefficient, scale } = Decimal.fromNumber(value);
  const wad = divide(coefficient * WAD, powerOfTen(scale), { rounding: "halfExpand" });
  return wad > LARGEST ? null : String(wad);
}
