import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Decimal, formatShare, InputError } from "orderlens";
import { groupByHex, HexMap, sharePercent } from "orderlens/units";
import {
  divide,
  divideDown,
  divideUp,
  factorToWad,
  mulDivDown,
  mulDivUp,
  mulFloat,
  type Rounding,
} from "../../lib/units/arithmetic.ts";
import { formatRatio, formatSpan, lowerFirst } from "../../lib/units/format.ts";
import { findByHex, sameHex } from "../../lib/units/hex_map.ts";
import { nanosecondsBetween } from "../../lib/units/instant.ts";
import { compareRatios, ratio } from "../../lib/units/ratio.ts";
import { bpsRatio, bpsToRatio, formatBps } from "../../lib/units/bps.ts";
import { nativeValue } from "../../lib/units/parse_atoms.ts";

Deno.test("assertEquals() of the tests distinguishes times, wherever they are", () => {
  const [at, later] = [0n, 1n].map((nanoseconds) => new Temporal.Instant(nanoseconds));
  assertEquals({ at, to: later }, { to: new Temporal.Instant(1n), at });
  const held = (one: unknown) => [new Map([["at", { one }]])];
  assertThrows(() => assertEquals(held(at), held(later)));
});

Deno.test("Decimal.parse() keeps every digit, and writes exponents out", () => {
  for (
    const [text, coefficient, scale, written] of [
      ["0", 0n, 0, "0"],
      ["12.50", 1250n, 2, "12.50"],
      ["0.00420", 420n, 5, "0.00420"],
      ["100e+16", 10n ** 18n, 0, "1000000000000000000"],
      ["1.50E+2", 150n, 0, "150"],
      ["1.505e2", 1505n, 1, "150.5"],
      ["4.21E-10", 421n, 12, "0.000000000421"],
      ["0e+20", 0n, 0, "0"],
    ] as const
  ) {
    const decimal = Decimal.parse(text);

    assertEquals([decimal.coefficient, decimal.scale], [coefficient, scale], text);
    assertEquals(decimal.toString(), written);
  }
});

Deno.test("Decimal.parse() rejects signs, leading zeros, bare points and other text", () => {
  const signed = ["-1", "+1", "-1e2"];
  const zeros = ["00", "01", "00.5", "00e1", "007e2", "01.5e3"];
  const points = [".5", "1.", ".", ".5e1", "1.e5"];
  const others = ["", " 1", "1 ", "0x1", "1e", "e5", "1e+", "1e2.5", "1e99999", "NaN", "1_0", "١"];
  for (const text of [...signed, ...zeros, ...points, ...others]) {
    assertEquals(Decimal.tryParse(text), undefined, text);
    assertThrows(() => Decimal.parse(text), InputError);
  }
});

Deno.test("Decimal.fromNumber() is the shortest text of a double, and toNumber() its inverse", () => {
  for (const value of [0, 1, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE]) {
    assertEquals(Decimal.fromNumber(value).toNumber(), value);
  }
  assertEquals(Decimal.fromNumber(0.1).toString(), "0.1");
  assertEquals(Decimal.fromNumber(-0).toString(), "0");
  for (const value of [-1, NaN, Infinity]) {
    assertThrows(() => Decimal.fromNumber(value), InputError);
  }
});

Deno.test("Decimal.toBigInt() rounds nothing", () => {
  assertEquals(Decimal.parse("5.00").toBigInt(), 5n);
  assertEquals(Decimal.parse("10e-1").toBigInt(), 1n);
  assertThrows(() => Decimal.parse("5.01").toBigInt(), InputError);
});

Deno.test("formatRatio() writes the requested digits, rounded as named", () => {
  assertEquals(formatRatio(ratio(2n, 3n), { digits: 0, rounding: "ceil" }), "1");
  assertEquals(formatRatio(ratio(-1n, 8n), { digits: 2, rounding: "halfEven" }), "-0.12");
  assertEquals(formatRatio(ratio(-1n, 8n), { digits: 2, rounding: "halfExpand" }), "-0.13");
  assertEquals(formatRatio(ratio(-1n, 1000n), { digits: 2, rounding: "trunc" }), "0.00");
  assertEquals(
    formatRatio(ratio(12_345_678n, 10n), { digits: 2, rounding: "trunc", grouping: " " }),
    "1 234 567.80",
  );
});

Deno.test("formatRatio() rejects numbers of digits outside 0 to 100, and invalid ratios", () => {
  for (const digits of [-1, 101, 0.5, NaN]) {
    assertThrows(
      () => formatRatio(ratio(1n, 2n), { digits, rounding: "floor" }),
      RangeError,
      `with ${digits} digits`,
    );
  }
  assertThrows(
    () => formatRatio({ numerator: 1n, denominator: 0n }, { digits: 1, rounding: "floor" }),
    RangeError,
    "the ratio 1 / 0",
  );
});

Deno.test("formatShare() has a digit where a whole percent hides much, and never rounds to 0 or 100", () => {
  for (
    const [part, whole, percent] of [
      ...[[0, 7, "0"], [7, 7, "100"], [125, 1_000, "12"], [135, 1_000, "14"], [57, 200, "28"]],
      ...[[1, 16, "6.2"], [15, 16, "93.8"], [1, 20, "5"], [1, 10, "10"], [9, 10, "90"]],
      ...[[1, 1_001, "<0.1"], [1, 1_000, "0.1"], [999, 1_000, "99.9"], [1_000, 1_001, ">99.9"]],
    ] as const
  ) assertEquals(formatShare(part, whole).split("(")[1], `${percent}%)`);
});

Deno.test("formatShare() has no percentage for a whole of 0, and rejects invalid shares", () => {
  assertEquals(formatShare(0, 0), "0 of 0");
  for (const [part, whole] of [[2, 1], [-1, 1], [0.5, 1], [NaN, 1], [0, Infinity]] as const) {
    assertThrows(() => formatShare(part, whole), RangeError, `Cannot format ${part} of ${whole}`);
  }
});

const ALMOST = 59_960_000_000n;

/** Spans, and how they are written. */
const SPANS: readonly [...span: Parameters<typeof formatSpan>, text: string][] = [
  [0n, undefined, "0 s"],
  [1n, undefined, "0.000000001 s"],
  [60_000_000_000n, undefined, "1 min"],
  [3_605_000_000_000n, undefined, "1 h 5 s"],
  [183_845_000_000_001n, undefined, "2 d 3 h 4 min 5.000000001 s"],
  [-252_300_000_000n, undefined, "-4 min 12.3 s"],
  [Temporal.Duration.from("-P1DT1H30M"), undefined, "-1 d 1 h 30 min"],
  [new Temporal.Duration(0, 0, 0, 0, 0, 0, 1, 2, 3, 4), undefined, "1.002003004 s"],
  // The whole span is rounded, so that seconds carry into minutes.
  [ALMOST, { fractionDigits: 1, rounding: "halfExpand" }, "1 min"],
  [ALMOST, { fractionDigits: 1, rounding: "trunc" }, "59.9 s"],
  [-ALMOST, { fractionDigits: 0, rounding: "floor" }, "-1 min"],
  [-1n, { fractionDigits: 3, rounding: "trunc" }, "0 s"],
];

Deno.test("formatSpan() writes days to seconds, omits zeros and rounds as named", () => {
  for (const [span, format, text] of SPANS) assertEquals(formatSpan(span, format), text);
});

Deno.test("formatSpan() rejects lengths that depend on a calendar, and digits outside 0 to 9", () => {
  for (const text of ["P1Y", "P1M", "P1W"]) {
    assertThrows(() => formatSpan(Temporal.Duration.from(text)), RangeError, text);
  }
  for (const fractionDigits of [-1, 10, 0.5]) {
    const format = () => formatSpan(1n, { fractionDigits, rounding: "trunc" });
    assertThrows(format, RangeError, `${fractionDigits} fraction digits`);
  }
});

const WAD = 10n ** 18n;
const LARGEST_UINT256 = 2n ** 256n - 1n;

// Measured on the service (fees of real settlements at these factors): k for f / (1 - f), as a
// surplus fee and the volume fee of a sell order use it, and for f / (1 + f), the volume fee of a
// buy order.
Deno.test("factorToWad() is the service's integer of a fee factor", () => {
  const measured: readonly (readonly [number, bigint, bigint])[] = [
    [0.3, 428_571_428_571_428_608n, 230_769_230_769_230_752n],
    [0.0098, 9_896_990_506_968_290n, 9_704_892_057_833_234n],
    [0.0002, 200_040_008_001_600n, 199_960_007_998_400n],
    [0.5, 1_000_000_000_000_000_000n, 333_333_333_333_333_312n],
  ];
  for (const [factor, sell, buy] of measured) {
    assertEquals(factorToWad(factor / (1 - factor)), sell);
    assertEquals(factorToWad(factor / (1 + factor)), buy);
  }
});

Deno.test("factorToWad() rounds half to even below 2^52", () => {
  // Each quotient times 1e18 is the dividend again, in doubles.
  assertEquals(factorToWad(0.5 / 1e18), 0n);
  assertEquals(factorToWad(1.5 / 1e18), 2n);
  assertEquals(factorToWad(2.5 / 1e18), 2n);
  assertEquals(factorToWad(3.5 / 1e18), 4n);
  assertEquals(factorToWad(2.75 / 1e18), 3n);
  assertEquals(factorToWad(2.25 / 1e18), 2n);
});

// Measured on the service, then values that its own tests of checked_mul_f64 name, in
// cowprotocol/services 6a3eb4265, crates/number/src/u256_ext.rs.
Deno.test("mulFloat() agrees with the service: rounded down, up to a product of 256 bits", () => {
  const largest = LARGEST_UINT256 / (WAD / 2n);
  for (
    const [x, factor, product] of [
      [232_862_198_197_807_143_295n, 0.3 / 0.7, 99_798_084_941_917_355_642n],
      [25n * WAD, 0.2, 5n * WAD],
      [8_888_888n, 0.25, 2_222_222n],
      [WAD, 0.00390625, 3_906_250_000_000_000n],
      [12_345n, 0, 0n],
      [0n, 0.5, 0n],
      [1n, 0.9999999999999999, 0n],
      [largest, 0.5, largest / 2n],
      [LARGEST_UINT256, 1, LARGEST_UINT256],
    ] as const
  ) assertEquals(mulFloat(x, factor), product, `${x} * ${factor}`);
  assertThrows(() => mulFloat(LARGEST_UINT256, 1.1), RangeError, "more than 256 bits");
  assertThrows(() => mulFloat(largest + 1n, 0.5), RangeError, "more than 256 bits");
});

Deno.test("mulFloat() rejects impossible factors and amounts", () => {
  for (const factor of [-1, -0, NaN, Infinity, -Infinity, 1e300]) {
    const shown = Object.is(factor, -0) ? "-0" : `${factor}`;
    assertThrows(() => factorToWad(factor), RangeError, `the factor ${shown}`);
    assertThrows(() => mulFloat(1n, factor), RangeError, `the factor ${shown}`);
  }
  assertThrows(() => mulFloat(-1n, 0.5), RangeError, "Cannot multiply -1 by 0.5");
  assertThrows(() => mulFloat(LARGEST_UINT256 + 1n, 1), RangeError, "2^256 - 1");
});

const EARLIER = Temporal.Instant.from("2026-08-21T10:00:00.000000001Z");
const LATER = Temporal.Instant.from("2026-08-22T10:00:00Z");

Deno.test("nanosecondsBetween() keeps every nanosecond and the sign", () => {
  assertEquals(nanosecondsBetween(EARLIER, LATER), 86_399_999_999_999n);
  assertEquals(nanosecondsBetween(LATER, EARLIER), -86_399_999_999_999n);
  assertEquals(nanosecondsBetween(LATER, LATER), 0n);
});

const integer = fc.bigInt(-(2n ** 300n), 2n ** 300n);
const divisor = integer.filter((value) => value !== 0n);
const anyRatio = fc.tuple(integer, divisor).map(([n, d]) => ratio(n, d));

Deno.test("ratio() keeps its parts and moves the sign to the numerator", () => {
  assertEquals(ratio(-2n, -6n), { numerator: 2n, denominator: 6n });
  assertEquals(ratio(0n, -6n), { numerator: 0n, denominator: 6n });
  assertThrows(() => ratio(5n, 0n), RangeError, "Cannot build the ratio 5 / 0");
});

Deno.test("compareRatios() is a total order that scaling does not change", () => {
  fc.assert(fc.property(anyRatio, anyRatio, fc.bigInt(1n, 10n ** 30n), (a, b, k) => {
    const scaled = ratio(-k * a.numerator, -k * a.denominator);
    assertEquals(compareRatios(a, scaled), 0);
    assertEquals(compareRatios(a, b), compareRatios(scaled, b));
    assertEquals(compareRatios(a, b) + compareRatios(b, a), 0);
  }));
  // Values that no double tells apart.
  const big = 10n ** 40n;
  assertEquals(compareRatios(ratio(big + 1n, big), ratio(big, big - 1n)), -1);
  const upsideDown = { numerator: 1n, denominator: -2n };
  assertThrows(() => compareRatios(upsideDown, ratio(1n, 2n)), RangeError, "the ratio 1 / -2");
  assertThrows(() => compareRatios(ratio(1n, 2n), upsideDown), RangeError, "the ratio 1 / -2");
});

Deno.test("bpsRatio() is ten thousand times part over whole", () => {
  assertEquals(bpsRatio(3n, 1_000n), { numerator: 30_000n, denominator: 1_000n });
  assertEquals(bpsRatio(-1n, 3n), { numerator: -10_000n, denominator: 3n });
  assertEquals(bpsRatio(1n, -3n), { numerator: -10_000n, denominator: 3n });
  assertThrows(() => bpsRatio(5n, 0n), RangeError, "Cannot express 5 of 0 in basis points");
});

Deno.test("bpsToRatio() reads integers and decimal text exactly", () => {
  assertEquals(bpsToRatio(25n), { numerator: 25n, denominator: 10_000n });
  assertEquals(bpsToRatio("25"), { numerator: 25n, denominator: 10_000n });
  assertEquals(bpsToRatio("-0.25"), { numerator: -25n, denominator: 1_000_000n });
});

Deno.test("bpsToRatio() rejects inexact values and other text", () => {
  assertThrows(() => bpsToRatio(0.3), InputError, "Cannot read the number 0.3 as basis points");
  assertThrows(() => bpsToRatio(2 ** 53), InputError, "9007199254740992");
  assertThrows(() => bpsToRatio(NaN), InputError, "NaN");
  assertThrows(() => bpsToRatio("0.3%"), InputError, 'Cannot read "0.3%" as basis points');
  assertThrows(() => bpsToRatio(""), InputError, "it is empty");
  assertThrows(() => bpsToRatio(`0.${"0".repeat(78)}`), InputError, "78 fraction digits");
});

Deno.test("formatBps() writes basis points, not fractions", () => {
  const format = { digits: 0, rounding: "halfEven", grouping: "," } as const;
  assertEquals(formatBps(bpsRatio(-12n, 1n), format), "-120,000 bps");
});

const ROUNDINGS: readonly Rounding[] = [
  "floor",
  "ceil",
  "trunc",
  "expand",
  "halfEven",
  "halfExpand",
];

/** A dividend and a divisor; half of them at a tie or next to one. */
const quotient = fc.oneof(
  fc.tuple(integer, divisor),
  fc.tuple(integer, divisor, fc.bigInt(-1n, 1n))
    .map(([half, d, nudge]): [bigint, bigint] => [(2n * half + 1n) * d + nudge, 2n * d]),
);

Deno.test("divide() rounds any quotient as named, divideDown() and divideUp() those that are not negative", () => {
  fc.assert(fc.property(quotient, ([n, d]) => {
    const [size, top] = d < 0n ? [-d, -n] : [d, n];
    const floor = divide(n, d, { rounding: "floor" });
    const rest = top - floor * size;
    assert(0n <= rest && rest < size);
    const ceil = rest === 0n ? floor : floor + 1n;
    const [inner, outer] = top < 0n ? [ceil, floor] : [floor, ceil];
    const nearest = 2n * rest === size ? null : 2n * rest < size ? floor : ceil;
    const even = floor % 2n === 0n ? floor : ceil;
    const expected = [floor, ceil, inner, outer, nearest ?? even, nearest ?? outer];
    assertEquals(ROUNDINGS.map((rounding) => divide(n, d, { rounding })), expected);
    if (top >= 0n) assertEquals([divideDown(top, size), divideUp(top, size)], [floor, ceil]);
  }));
});

Deno.test("mulDivDown() and mulDivUp() lose no digit of the product", () => {
  const amount = fc.bigInt(0n, 2n ** 256n);
  fc.assert(fc.property(amount, amount, fc.bigInt(1n, 2n ** 256n), (a, b, c) => {
    const [down, up] = [mulDivDown(a, b, c), mulDivUp(a, b, c)];
    assert(down * c <= a * b && a * b < (down + 1n) * c);
    assert((up - 1n) * c < a * b && a * b <= up * c);
  }));
});

Deno.test("divisions reject zero divisors, negatives and unknown roundings by name", () => {
  const options = JSON.parse('{ "rounding": "up" }');
  const cases: [divides: () => bigint, says: string][] = [
    [() => divide(7n, 0n, { rounding: "floor" }), "Cannot divide 7 by 0"],
    [() => divide(7n, 2n, options), 'unknown rounding "up"'],
    [() => divideDown(-7n, 2n), "Cannot divide -7 by 2 rounding down"],
    [() => divideUp(7n, -2n), "Cannot divide 7 by -2 rounding up"],
    [() => divideDown(7n, 0n), "Cannot divide 7 by 0: the divisor"],
    [() => divideUp(7n, 0n), "Cannot divide 7 by 0: the divisor"],
    [() => mulDivDown(7n, 2n, 0n), "Cannot divide 7 * 2 by 0"],
    [() => mulDivUp(7n, 2n, 0n), "Cannot divide 7 * 2 by 0"],
    [() => mulDivDown(-7n, 2n, 3n), "Cannot divide -7 * 2 by 3 rounding down"],
    [() => mulDivUp(7n, -2n, 3n), "Cannot divide 7 * -2 by 3 rounding up"],
    [() => mulDivUp(7n, 2n, -3n), "Cannot divide 7 * 2 by -3 rounding up"],
  ];
  for (const [divides, says] of cases) assertThrows(divides, RangeError, says);
});

Deno.test("sharePercent() is 0% or 100% only if exact", () => {
  const texts = [0, 0.0001, 0.023, 0.5, 0.987, 0.99999, 1, 1.5, -0.2].map(sharePercent);
  assertEquals(texts, ["0%", "<0.1%", "2.3%", "50%", "98.7%", ">99.9%", "100%", "150%", "-20%"]);
});

Deno.test("sharePercent() and formatShare() write the same percentage of any two counts", () => {
  for (let whole = 1; whole <= 110; whole++) {
    for (let part = 0; part <= whole; part++) {
      assertEquals(formatShare(part, whole).match(/\((.*)\)/)?.[1], sharePercent(part / whole));
    }
  }
});

Deno.test("hex keys are found in whatever case either is written, and no others", () => {
  const map = new HexMap([["0xAB", 1]]);
  assertEquals(["0xab", "0xAB", "0xaB", "0xac"].map((key) => map.get(key)), [1, 1, 1, undefined]);
  assertEquals([map.has("0xaB"), map.has("0xac")], [true, false]);
  map.set("0xaB", 2);
  assertEquals([...map], [["0xab", 2]]);
  assertEquals([map.delete("0xAB"), map.size], [true, 0]);
  // In order of first occurrence.
  const groups = groupByHex(["0xB0", "0xa0", "0xb0", "0xA0"], (address) => address);
  assertEquals([...groups.values()], [["0xB0", "0xb0"], ["0xa0", "0xA0"]]);
  const texts = ["0xAbCdEf", "0XABCDEF", "0xabcdef", "0xabcdee", "0xabcdef00", "abcdef"];
  assertEquals(texts.filter((text) => sameHex(text, "0xabcdef")), texts.slice(0, 3));
  const keys = ["0xa0", "0xA0", "0xb0", "0xB0", "0xa1", "toString"];
  const found = keys.map((key) => findByHex({ "0xa0": 1n, "0xB0": 2n }, key));
  assertEquals(found, [1n, 1n, 2n, 2n, undefined, undefined]);
});

Deno.test("nativeValue() rounds down", () => {
  assertEquals(nativeValue(1n, 10n ** 18n - 1n), 0n);
  assertEquals(nativeValue(3n, 10n ** 18n / 2n), 1n);
  assertEquals(nativeValue(-3n, 10n ** 18n / 2n), -2n);
  assertEquals(nativeValue(7n, 0n), 0n);
});

Deno.test("nativeValue() accepts fractions of any scale, and rounds once", () => {
  assertEquals(nativeValue(4n * 10n ** 18n, Decimal.parse("0.25")), 1n);
  assertEquals(nativeValue(4n * 10n ** 18n - 1n, Decimal.parse("0.25")), 0n);
  assertEquals(nativeValue(-1n, Decimal.parse("0.25")), -1n);
  // 2 * 10^100 atoms at 1.5 * 10^-80 native atoms for 10^18 of them: 3 * 10^(100 - 80 - 18).
  const tiny = Decimal.parse(`0.${"0".repeat(79)}15`);
  assertEquals(nativeValue(2n * 10n ** 100n, tiny), 300n);
  assertEquals(nativeValue(2n * 10n ** 100n - 1n, tiny), 299n);
});

Deno.test("nativeValue() rejects a negative price", () => {
  const says = "Cannot value 7 atoms at a native price of -1";
  assertThrows(() => nativeValue(7n, -1n), RangeError, says);
});

Deno.test("lowerFirst() lowers a word, and leaves an abbreviation", () => {
  const texts = ["Native price", "ETH per block", "a fill", ""].map(lowerFirst);
  assertEquals(texts, ["native price", "ETH per block", "a fill", ""]);
});
