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
/** The double below 2^-1022. */
const BELOW_NORMAL = 2 ** -1022 - 2 ** -1074;
/** The largest double, and the half between it and 2^1024, which rounds up. */
const LARGEST = 2n ** 1024n - 2n ** 971n;
const BEYOND = 2n ** 1024n - 2n ** 970n;

function over(
  values: readonly (bigint | string | null)[],
  expression: string,
): Pick<ExactVector, "expression" | "over"> {
  return { expression, over: values.map((one) => one === null ? null : String(one)) };
}

/** Values worked by hand, with bigints, or from units/mul_float.ts where it says so. */
export const EXACT_VECTORS: readonly ExactVector[] = [
  // Products of 512 bits.
  { expression: `u_muldiv('${MAX}', '${MAX}', '1')`, value: String(MAX * MAX) },
  { expression: `u_muldiv('${MAX}', '${MAX}', '${MAX}')`, value: String(MAX) },
  { expression: `u_muldiv('${MAX}', '${MAX}', '2')`, value: String(MAX * MAX / 2n) },
  { expression: `u_muldiv_up('${MAX}', '${MAX}', '2')`, value: String(MAX * MAX / 2n + 1n) },
  // Rounding on both sides of zero.
  { expression: "u_muldiv('7', '1', '2')", value: "3" },
  { expression: "u_muldiv_up('7', '1', '2')", value: "4" },
  { expression: "u_muldiv('-7', '1', '2')", value: "-4" },
  { expression: "u_muldiv_up('-7', '1', '2')", value: "-3" },
  { expression: "u_muldiv('7', '1', '-2')", value: "-4" },
  { expression: "u_muldiv('-7', '-1', '-2')", value: "-4" },
  { expression: "u_muldiv_up('7', '1', '-2')", value: "-3" },
  { expression: "u_muldiv_up('6', '1', '2')", value: "3" },
  { expression: "u_muldiv('-1', '1', '2')", value: "-1" },
  { expression: "u_muldiv_up('-1', '1', '2')", value: "0" },
  { expression: "u_muldiv('0', '5', '-3')", value: "0" },
  { expression: "u_muldiv('007', '1', '-0001')", value: "-7" },
  // Sums beyond 2^256, of 90 digits and of both signs.
  { ...over([MAX, MAX, 5n, null], "u_sum(x)"), value: String(2n * MAX + 5n) },
  { ...over([-MAX, 1n], "u_sum(x)"), value: String(1n - MAX) },
  { ...over(["-1000000000000000000", "1"], "u_sum(x)"), value: "-999999999999999999" },
  { ...over([null, null], "u_sum(x)"), value: null },
  { ...over(["9".repeat(90), "9".repeat(90)], "u_sum(x)"), value: `1${"9".repeat(89)}8` },
  { ...over(["7", "8"], "u_sum(u_muldiv(x, x, '2'))"), value: "56" },
  { ...over(["1", "3"], "u_bps(u_sum(x), '7')"), value: 40_000 / 7 },
  // Windows: 3 + 3 + 7 + 7 + 12, and the largest so far of 9, 10 and 11.
  {
    expression: "(SELECT u_sum(s) FROM (SELECT u_sum(x) OVER (PARTITION BY g ORDER BY x) AS s " +
      "FROM (VALUES ('1', '3'), ('1', '4'), ('2', '3'), ('2', '4'), ('2', '5')) AS t(g, x)) AS w)",
    value: "32",
  },
  {
    expression: "(SELECT u_sum(s) FROM (SELECT u_max(x) OVER w AS s " +
      "FROM (VALUES (1, '9'), (2, '10'), (3, '11')) AS t(i, x) WINDOW w AS (ORDER BY i)) AS w)",
    value: "30",
  },
  { expression: `u_add('${MAX}', '${MAX}')`, value: String(2n * MAX) },
  // Differences below zero.
  { expression: `u_sub('0', '${MAX}')`, value: String(-MAX) },
  { expression: "u_sub('5', '5')", value: "0" },
  { expression: "u_is_less('9', '10')", value: true },
  { expression: "u_is_less('-9', '-10')", value: false },
  // Order: keys of text, the largest and the smallest of both signs.
  { expression: "u_key('-0') = u_key('000')", value: true },
  { expression: "u_key('9') < u_key('10')", value: true },
  { expression: "u_key('-9') > u_key('-10')", value: true },
  { expression: `u_key('${-MAX * MAX}') < u_key('-1')`, value: true },
  { ...over([9n, 10n, -11n, null], "u_max(x)"), value: "10" },
  { ...over([9n, 10n, -11n, -2n, null], "u_min(x)"), value: "-11" },
  { ...over([null], "u_max(x)"), value: null },
  // Null, and whole numbers of other types.
  { expression: "u_muldiv(NULL, '1', '0')", value: null },
  { expression: "u_sub('1', NULL)", value: null },
  { expression: "u_bps('1', NULL)", value: null },
  { expression: "u_add(5, '1')", value: "6" },
  { expression: "u_join('-1', '0', '0', '0', '1')", value: String(1n - 10n ** 72n) },
  // Ratios are the nearest doubles, as Python's fractions round: 2^256 - 1 has 2^256 as its nearest.
  { expression: "u_ratio('1', '3')", value: 1 / 3 },
  { expression: "u_ratio('-1', '3')", value: -1 / 3 },
  { expression: "u_bps('1', '7')", value: 10_000 / 7 },
  { expression: `u_ratio('1', '${MAX}')`, value: 2 ** -256 },
  { expression: `u_ratio('${MAX}', '1')`, value: 2 ** 256 },
  { expression: "u_ratio('1', '0')", value: null },
  { expression: "u_ratio('0', '00')", value: null },
  { expression: "u_bps('1', '-0')", value: null },
  { ...over(["3", "0", null], "max(u_ratio('6', x))"), value: 2 },
  { expression: "u_ratio('2', '3')", value: 2 / 3 },
  { expression: "u_bps('-1', '-3')", value: 10_000 / 3 },
  { expression: "u_bps('1', '-3')", value: -10_000 / 3 },
  { expression: `u_bps('${MAX}', '${MAX}')`, value: 10_000 },
  { expression: "u_quotient('2', '3', '4')", value: 1.5 },
  { expression: "u_quotient('-2', '-3', '-4')", value: -1.5 },
  { expression: `u_quotient('${MAX}', '${MAX}', '${MAX}')`, value: 2 ** 256 },
  { expression: "u_quotient(7, 1, 2)", value: 3.5 },
  { expression: "u_quotient('007', '1', '-002')", value: -3.5 },
  // Zero has no sign, whatever its parts.
  { expression: "u_ratio('0', '-5')", value: 0 },
  { expression: "u_ratio('-0', '5')", value: 0 },
  { expression: `u_ratio('-1', '${10n ** 400n}')`, value: 0 },
  { expression: "u_quotient(NULL, '1', '2')", value: null },
  { expression: "u_quotient('1', '1', NULL)", value: null },
  { expression: "u_quotient('0', '1', '-00')", value: null },
  // Halves go to the even neighbour: 2^53 + 1 and 2^53 + 3 are halves, and a little more is none.
  { expression: "u_ratio('9007199254740993', '1')", value: 9007199254740992 },
  { expression: "u_ratio('9007199254740995', '1')", value: 9007199254740996 },
  { expression: "u_ratio('-9007199254740993', '1')", value: -9007199254740992 },
  {
    expression: `u_ratio('9007199254740993${"0".repeat(99)}1', '${10n ** 100n}')`,
    value: 2 ** 53 + 2,
  },
  // Products of two amounts have 155 digits: the nearest doubles of small quotients.
  { expression: `u_ratio('1', '${10n ** 84n}')`, value: 1e-84 },
  { expression: `u_ratio('1', '${10n ** 150n}')`, value: 1e-150 },
  { expression: `u_bps('3', '${10n ** 150n}')`, value: 3e-146 },
  { expression: `u_ratio('${MAX}', '${MAX * MAX}')`, value: 2 ** -256 },
  // Below 2^-1022: multiples of 2^-1074, rounded once. A half of the smallest is 0.
  { expression: `u_ratio('1', '${10n ** 320n}')`, value: 1e-320 },
  { expression: `u_ratio('-1', '${10n ** 320n}')`, value: -1e-320 },
  { expression: `u_ratio('1', '${2n ** 1074n}')`, value: 2 ** -1074 },
  { expression: `u_ratio('1', '${2n ** 1075n}')`, value: 0 },
  { expression: `u_ratio('-1', '${2n ** 1075n}')`, value: 0 },
  { expression: `u_ratio('${10n ** 30n + 1n}', '${2n ** 1075n * 10n ** 30n}')`, value: 2 ** -1074 },
  { expression: `u_ratio('3', '${2n ** 1075n}')`, value: 2 ** -1073 },
  { expression: `u_ratio('${2n ** 54n - 1n}', '${2n ** 1076n}')`, value: 2 ** -1022 },
  { expression: `u_ratio('${2n ** 54n - 2n}', '${2n ** 1076n}')`, value: 2 ** -1022 },
  { expression: `u_ratio('${2n ** 54n - 3n}', '${2n ** 1076n}')`, value: BELOW_NORMAL },
  // The largest double, and what still rounds to it.
  { expression: `u_ratio('${LARGEST}', '1')`, value: Number.MAX_VALUE },
  { expression: `u_ratio('${BEYOND - 1n}', '1')`, value: Number.MAX_VALUE },
  { expression: `u_ratio('${-(BEYOND * 7n - 1n)}', '7')`, value: -Number.MAX_VALUE },
  // units/mul_float.ts: 0.3 / 0.7 is not exactly three sevenths; halves go to the even neighbour.
  { expression: "u_wad(0.3e0 / 0.7e0)", value: "428571428571428608" },
  { expression: "u_wad(49e0)", value: "49000000000000000000" },
  { expression: "u_wad(0e0)", value: "0" },
  { expression: "u_wad(5e-19)", value: "0" },
  { expression: "u_wad(1.5e-18)", value: "2" },
  {
    expression: "u_times('232862198197807143295', 0.3e0 / 0.7e0, u_wad(0.3e0 / 0.7e0))",
    value: "99798084941917355642",
  },
  { expression: `u_overflows('${MAX}', 2e0, u_wad(2e0))`, value: true },
  { expression: `u_overflows('${MAX}', 1e0, u_wad(1e0))`, value: false },
  {
    expression: "CAST(u_ns('2026-11-21T08:00:00.123456789Z', 1795248000123) AS STRING)",
    value: "1795248000123456789",
  },
];

/** What is no amount: each fails the query, in any of the functions. */
export const BAD_AMOUNTS: readonly string[] = [
  "1e20",
  "1.6",
  "",
  " 1",
  "0x10",
  "1,2",
  "+1",
  "-",
  "١",
];

const BEYOND_LARGEST = "it is beyond the largest double";

/** What fails a query. */
export const FAILING_VECTORS: readonly FailingVector[] = [
  ...BAD_AMOUNTS.map((bad) => ({
    expression: `u_add('${bad}', '1')`,
    says: "is not a whole number in decimal digits",
  })),
  { ...over([2n ** 511n], "u_sum(x)"), says: "at most 90 digits" },
  { ...over(["1e20"], "u_sum(x)"), says: "at most 90 digits" },
  { expression: "u_muldiv('5', '2', '0')", says: "u_muldiv(5, 2, 0): division by zero" },
  { expression: "u_muldiv_up('5', '2', '0')", says: "u_muldiv_up(5, 2, 0): division by zero" },
  { expression: "u_add(0.5, '1')", says: "is not a whole number in decimal digits" },
  // Where the denominator is 0, the numerator must be an amount all the same.
  { expression: "u_ratio('x', '0')", says: 'u_quotient(1, x, 0): "x" is not a whole number' },
  { expression: "u_bps('1', '1e20')", says: 'u_quotient(10000, 1, 1e20): "1e20" is not a whole' },
  { ...over(["1.6"], "max(u_bps(x, '-0'))"), says: 'u_quotient(10000, 1.6, -0): "1.6" is not' },
  { expression: "u_quotient('', '1', '1')", says: 'u_quotient(, 1, 1): "" is not a whole number' },
  // Beyond the largest double.
  { expression: `u_ratio('${BEYOND}', '1')`, says: BEYOND_LARGEST },
  { expression: `u_bps('-${LARGEST}', '7')`, says: BEYOND_LARGEST },
  { expression: `u_bps('${10n ** 305n}', '-5')`, says: `u_quotient(10000, 1${"0".repeat(99)}` },
  { expression: `u_quotient('${LARGEST}', '${LARGEST}', '-7')`, says: BEYOND_LARGEST },
];

/** The query of some vectors: one row, one column each. */
export function vectorQuery(vectors: readonly Pick<ExactVector, "expression" | "over">[]): string {
  const columns = vectors.map(({ expression, over }, place) => {
    if (over === undefined) return `${expression} AS v${place}`;
    const rows = over.map((one) => one === null ? "(CAST(NULL AS STRING))" : `('${one}')`);
    return `(SELECT ${expression} FROM (VALUES ${rows}) AS t(x)) AS v${place}`;
  });
  return `SELECT ${columns.join(", ")}`;
}
