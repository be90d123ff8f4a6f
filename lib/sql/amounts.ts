/**
 * Casts a text to an amount in DuckDB, which would read `'1.6'` as 1 without a check.
 *
 * @param column Column of the text, for the error.
 */
export function castAmount(text: string, column?: string): string {
  const suffix = column === undefined ? "" : ` in ${column.replaceAll("'", "''")}`;
  const message = `${suffix} is not a whole number in decimal digits`;
  return `CASE WHEN NOT regexp_matches(${text}, '[^0-9]') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN regexp_full_match(${text}, '-[0-9]+') THEN CAST(${text} AS BIGNUM) ` +
    `WHEN ${text} IS NOT NULL THEN error('"' || ${text} || '"${message}') END`;
}

/** Creates the function of a session that prints amounts. */
export const CREATE_U_FORMAT = `CREATE MACRO u_format(x, decimals) AS ${
  insertPoint(`CAST(${castAmount("CAST(x AS VARCHAR)")} AS VARCHAR)`)
}`;

/** Inserts the decimal point into an amount that is checked text. */
function insertPoint(text: string): string {
  const digits = `replace(${text}, '-', '')`;
  const padded = `lpad(${digits}, CAST(greatest(length(${digits}), decimals + 1) AS INT), '0')`;
  const point = `length(${padded}) - decimals`;
  const parts = `substr(${padded}, 1, ${point}) || '.' || substr(${padded}, ${point} + 1)`;
  return `(CASE WHEN ${text} LIKE '-%' THEN '-' ELSE '' END || ` +
    `regexp_replace(${parts}, '[.]?0*$', ''))`;
}

/** Puts addresses, hashes and order UIDs into lower case, as all tables have them, and no other text. */
export function lowerHex(text: string): string {
  const pattern = "0[xX](?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{112})";
  return `CASE WHEN regexp_full_match(${text}, '${pattern}') THEN lower(${text}) ELSE ${text} END`;
}
