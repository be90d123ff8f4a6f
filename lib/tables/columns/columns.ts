import { InputError } from "../../errors/mod.ts";
import { atomsToNumber, type Decimal, nativeValue } from "../../units/mod.ts";
import type { Column } from "./frame.ts";
import { instantText } from "./instant_text.ts";
import { nativeNumber } from "./native_worth.ts";
import type { NameLookup } from "./solver_names.ts";
import type { TokenAmounts } from "./token_amounts.ts";

const NATIVE_DECIMALS = 18;

/** What a column declares besides its name and kind. */
interface Declaration<Row, Value> {
  readonly unit?: string;
  readonly source: string;
  readonly cell: (row: Row, amounts: TokenAmounts, names: NameLookup) => Value | null;
}

/** A column of text. */
export function text<Row>(name: string, declared: Declaration<Row, string>): Column<Row> {
  return { name, dtype: "String", unit: null, ...declared };
}

/** A column of safe integers. */
export function integer<Row>(name: string, declared: Declaration<Row, number>): Column<Row> {
  return { name, dtype: "Int64", unit: null, ...declared };
}

/** A column of doubles: for axes, never for computation. */
export function number<Row>(
  name: string,
  declared: Declaration<Row, number> & { readonly unit: string },
): Column<Row> {
  return { name, dtype: "Float64", ...declared };
}

/** A column of booleans. */
export function flag<Row>(name: string, declared: Declaration<Row, boolean>): Column<Row> {
  return { name, dtype: "Bool", unit: null, ...declared };
}

/**
 * What is missing in a row because an input was not passed, joined by commas. Empty cells silently
 * add up to 0; this column makes the gap visible.
 */
export function gaps<Row>(
  source: string,
  of: (row: Row) => readonly (string | false | null)[],
): Column<Row> {
  return text("gaps", {
    source: `${source}, joined by commas; null if nothing is missing`,
    cell: (row) => of(row).filter((one) => typeof one === "string").join(", ") || null,
  });
}

/** An amount, and which token it is of. */
interface AmountDeclaration<Row> {
  /** Role of the token in the row, such as `sell token`. */
  readonly of: string;
  readonly source: string;
  /** What its sign means, such as `positive = better`. @default {none} */
  readonly sign?: string;
  readonly atoms: (row: Row) => bigint | null | undefined;
  readonly token: (row: Row) => string | null | undefined;
}

/**
 * Two columns of an amount: every digit as decimal text, and whole tokens for axes.
 *
 * @param name Without its unit: the columns end in `_atoms` and in `_tokens`.
 */
export function amount<Row>(name: string, declared: AmountDeclaration<Row>): Column<Row>[] {
  const { of, source, sign, atoms, token } = declared;
  const signed = sign === undefined ? "" : `, ${sign}`;
  return [
    text(`${name}_atoms`, {
      unit: `${of} atoms${signed}`,
      source,
      cell: (row) => decimalText(atoms(row)),
    }),
    number(`${name}_tokens`, {
      unit: `whole ${of}s${signed}`,
      source: `${name}_atoms / 10^decimals, for axes; null if decimals are unknown`,
      cell: (row, amounts) => amounts.tokens(atoms(row), token(row)),
    }),
  ];
}

/** An amount of the native token. */
interface NativeDeclaration<Row> {
  readonly source: string;
  readonly atoms: (row: Row) => bigint | null | undefined;
}

/**
 * Two columns of a native amount: every digit as decimal text, and whole native tokens for axes.
 *
 * @param name Without its unit: the columns end in `_atoms` and in `_native`.
 */
export function native<Row>(name: string, declared: NativeDeclaration<Row>): Column<Row>[] {
  const { source, atoms } = declared;
  return [
    text(`${name}_atoms`, {
      unit: "native atoms",
      source,
      cell: (row) => decimalText(atoms(row)),
    }),
    number(`${name}_native`, {
      unit: "native tokens",
      source: `${name}_atoms / 10^18, for axes`,
      cell: (row) => nativeTokens(atoms(row)),
    }),
  ];
}

/** An amount of a token, and its native price. */
export interface PricedAtoms {
  /** The amount. */
  readonly atoms: bigint;
  /** Native price of its token: native atoms for 10^18 of its atoms. */
  readonly price: bigint | Decimal;
}

/**
 * Two columns of what an amount is worth: native atoms rounded down, and whole native tokens for
 * axes.
 *
 * @param name Without its unit, such as `volume`, or `fee_native` of what is no native amount itself:
 * the columns end in `_atoms` and in `_native`.
 */
export function worth<Row>(
  name: string,
  { source, of }: { readonly source: string; readonly of: (row: Row) => PricedAtoms | null },
): Column<Row>[] {
  const stem = name.replace(/_native$/, "");
  return [
    text(`${name}_atoms`, {
      unit: "native atoms",
      source: `${source}, rounded down`,
      cell: (row) => {
        const priced = of(row);
        return priced === null ? null : decimalText(nativeValue(priced.atoms, priced.price));
      },
    }),
    number(`${stem}_native`, {
      unit: "native tokens",
      source: `${source}, for axes`,
      cell: (row) => {
        const priced = of(row);
        return priced === null ? null : nativeNumber(priced.atoms, priced.price);
      },
    }),
  ];
}

/** A time: RFC 3339 text with every digit, and unix milliseconds to compute and plot with. */
export function time<Row>(
  name: string,
  declared: {
    readonly source: string;
    readonly at: (row: Row) => Temporal.Instant | null | undefined;
  },
): Column<Row>[] {
  const { source, at } = declared;
  return [
    text(name, {
      unit: "UTC",
      source,
      cell: (row) => {
        const instant = at(row);
        return instant === null || instant === undefined ? null : instantText(instant);
      },
    }),
    integer(`${name}_ms`, {
      unit: "unix milliseconds",
      source: `${name}, rounded down`,
      cell: (row) => at(row)?.epochMilliseconds ?? null,
    }),
  ];
}

/** Decimal text of an exact number, with its sign. */
export function decimalText(value: bigint | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "bigint") {
    throw new InputError(`Cannot read ${String(value)} (${typeof value}) as an amount of atoms`, {
      remedy: "Pass decoded records, as returned by decodeOrder and the other decoders",
    });
  }
  return value.toString();
}

/** Whole native tokens as the nearest double, for axes. */
export function nativeTokens(atoms: bigint | null | undefined): number | null {
  return atoms === null || atoms === undefined ? null : atomsToNumber(atoms, NATIVE_DECIMALS);
}
