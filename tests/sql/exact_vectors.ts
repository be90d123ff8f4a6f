/** One expression, and its value in every engine. */
export interface ExactVector {
  /** The expression. */
  readonly expression: string;
  /** Values of `x` in rows of which it is an aggregate; without them it stands alone. */
  readonly over?: readonly (string | null)[];
  /** Its value. */
  readonly value: string | number | boolean | null;
}

/** One expression that fails its query. */
export interface FailingVector extends Pick<ExactVector, "expression" | "over"> {
  /** A part of the message in both engines. */
  readonly says: string;
}

const MAX = 2n ** 256n - 1n;

function over(
  values: readonly (bigint | string | null)[],
  expression: string,
): Pick<ExactVector, "expression" | "over"> {
  return { expression, over: values.map((one) => one === null ? null : String(one)) };
}

/** Values worked by hand, with bigints. */
export const EXACT_VECTORS: readonly ExactVector[] = [
  // Sums beyond 2^256, of 90 digits and of both signs; carries between limbs of 9 digits.
  { ...over([MAX, MAX, 5n, null], "u_sum(x)"), value: String(2n * MAX + 5n) },
  { ...over([-MAX, 1n], "u_sum(x)"), value: String(1n - MAX) },
  { ...over(["-1000000000000000000", "1"], "u_sum(x)"), value: "-999999999999999999" },
  { ...over(["1000000000", "-1"], "u_sum(x)"), value: "999999999" },
  { ...over(["999999999", "1"], "u_sum(x)"), value: "1000000000" },
  { ...over(["5", "-5"], "u_sum(x)"), value: "0" },
  { ...over(["007", "-0"], "u_sum(x)"), value: "7" },
  { ...over([null, null], "u_sum(x)"), value: null },
  { ...over(["9".repeat(90), "9".repeat(90)], "u_sum(x)"), value: `1${"9".repeat(89)}8` },
  { ...over(["2", "9"], "u_sum(CASE WHEN x = '9' THEN x ELSE '0' END)"), value: "9" },
  // Windows: 3 + 7 + 3 + 7 + 12.
  {
    expression: "(SELECT u_sum(s) FROM (SELECT u_sum(x) OVER (PARTITION BY g ORDER BY x) AS s " +
      "FROM (VALUES ('1', '3'), ('1', '4'), ('2', '3'), ('2', '4'), ('2', '5')) AS t(g, x)) AS w)",
    value: "32",
  },
  // Order: text has 9 behind 10, and -10 behind -9.
  { expression: "u_key('-0') = u_key('000')", value: true },
  { expression: "u_key('9') < u_key('10')", value: true },
  { expression: "u_key('-9') > u_key('-10')", value: true },
  { expression: `u_key('${-MAX}') < u_key('-1')`, value: true },
  { expression: `u_key('${MAX}') > u_key('${MAX - 1n}')`, value: true },
  { ...over(["9", "10", "-11", null], "max_by(x, u_key(x))"), value: "10" },
  { ...over(["9", "10", "-11", "-2"], "min_by(x, u_key(x))"), value: "-11" },
  { expression: "u_key(5) = u_key('5')", value: true },
  { expression: "u_key('1') > u_key(CAST(NULL AS STRING))", value: null },
  // Digits with their point.
  { expression: "u_format('1500000000000000000', 18)", value: "1.5" },
  { expression: "u_format('1', 18)", value: "0.000000000000000001" },
  { expression: "u_format('-5', 3)", value: "-0.005" },
  { expression: "u_format('100', 0)", value: "100" },
  { expression: "u_format('100', 2)", value: "1" },
  { expression: "u_format('0', 18)", value: "0" },
  { expression: `u_format('${MAX}', 77)`, value: `1.${String(MAX).slice(1)}` },
  { expression: "u_format(NULL, 18)", value: null },
  { expression: "CAST(u_format('206870159477692212', 18) AS DOUBLE)", value: 0.20687015947769221 },
  // The nearest double of native tokens, as views cast it; a division of doubles gives …2993.
  { expression: "CAST('2635836365297999494' || 'e-18' AS DOUBLE)", value: 2.6358363652979997 },
];

/** What fails, and what both engines say. */
export const FAILING_VECTORS: readonly FailingVector[] = [
  ...["1e20", "1.6", "", " 1", "1 ", "0x10", "1,2", "+1", "--1", "1-", "-", "١"].map((bad) => ({
    ...over([bad, "1"], "u_sum(x)"),
    says: "Cannot run the query",
  })),
  { expression: "u_key('1.6')", says: "not a whole number" },
  { expression: "u_format('1e20', 18)", says: "not a whole number" },
];

/** A query of one row with a value of each vector, in order: `v0`, `v1`, …. */
export function vectorQuery(
  vectors: readonly Pick<ExactVector, "expression" | "over">[],
): string {
  const values = vectors.map(({ expression, over }, place) => {
    if (over === undefined) return `${expression} AS v${place}`;
    const rows = over.map((one) => one === null ? "(CAST(NULL AS STRING))" : `('${one}')`);
    return `(SELECT ${expression} FROM (VALUES ${rows.join(", ")}) AS t(x)) AS v${place}`;
  });
  return `SELECT ${values.join(", ")}`;
}
