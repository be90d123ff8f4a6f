import fc from "fast-check";
import pl from "nodejs-polars";
import { InputError } from "orderlens";
import { sumAtoms, sumAtomsBy } from "orderlens/tables";
import { assert, assertEquals, assertThrows } from "@std/assert";

const LONG = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

/** A frame with one amount per row, and who it belongs to. */
function amounts(rows: readonly (readonly [string | null, string | null])[]) {
  return pl.DataFrame([
    pl.Series("owner", rows.map(([owner]) => owner), pl.String),
    pl.Series("amount", rows.map(([, amount]) => amount), pl.String),
  ]);
}

Deno.test("sumAtoms() adds what no double holds, from a column or from texts", () => {
  const texts = [LONG, "-1", "0", LONG];
  const expected = 2n ** 257n - 3n;
  assertEquals(sumAtoms(amounts(texts.map((text) => ["a", text])).getColumn("amount")), expected);
  assertEquals(sumAtoms(texts), expected);
  assertEquals(sumAtoms(new Set(texts)), 2n ** 256n - 2n);
  assertEquals(sumAtoms([]), 0n);
});

Deno.test("sumAtoms() rejects what is unknown or no whole number, with the row and the remedy", () => {
  const { message, remedy } = assertThrows(
    () => sumAtoms(amounts([["a", "1"], ["b", null]]).getColumn("amount")),
    InputError,
  );
  assert(message.includes("amount: it is unknown (null) in row 1"));
  assert(remedy?.includes('frame.dropNulls("amount")'));
  for (const cell of ["1.5", "1e18", "", " 1", "+1", "0x10", "1\n"]) {
    assertThrows(() => sumAtoms(["1", cell]), InputError, "in row 1 is not an amount of atoms");
  }
  const doubles = pl.DataFrame({ fee_native: [0.5] }).getColumn("fee_native");
  assertThrows(() => sumAtoms(doubles), InputError, "Cannot sum fee_native: 0.5");
  for (const given of ["12", 12, null, {}]) {
    assertThrows(() => sumAtoms(given as never), InputError, "Cannot sum");
  }
});

Deno.test("sumAtomsBy() gives the groups in order of appearance, null among them", () => {
  const frame = amounts([["b", LONG], [null, "-5"], ["b", "1"], ["a", "0"], [null, "2"]]);
  const sums = sumAtomsBy(frame, "owner", "amount");
  assertEquals(sums.toRecords(), [
    { owner: "b", row_count: 2, amount: `${2n ** 256n}` },
    { owner: null, row_count: 2, amount: "-3" },
    { owner: "a", row_count: 1, amount: "0" },
  ]);
  assertEquals(sums.dtypes.map(({ variant }) => variant), ["String", "Int64", "String"]);
});

Deno.test("sumAtomsBy() keeps the kind of each column that tells groups apart", () => {
  const frame = amounts([["a", "1"], ["a", "2"], ["a", "4"]]).withColumns(
    pl.Series("at_ms", [1_795_322_540_000, 1_795_322_540_000, 1_795_322_541_000], pl.Int64),
    pl.Series("is_partner", [true, true, null], pl.Bool),
    pl.Series("factor", [0.5, 0.5, 0.25], pl.Float64),
  ).withColumn(pl.col("at_ms").cast(pl.Datetime("ms")).dt.truncate("1m").alias("minute"));
  const by = ["at_ms", "is_partner", "factor", "minute"];
  const sums = sumAtomsBy(frame, by, ["amount"]);
  assertEquals(sums.getColumn("amount").toArray(), ["3", "4"]);
  assertEquals(sums.select(...by).dtypes, frame.select(...by).dtypes);
});

Deno.test("sumAtomsBy() without groups or rows", () => {
  const frame = amounts([["a", "1"], ["b", "2"]]);
  assertEquals(sumAtomsBy(frame, [], "amount").toRecords(), [{ row_count: 2, amount: "3" }]);
  const none = sumAtomsBy(amounts([]), "owner", "amount");
  assertEquals([none.height, none.columns], [0, ["owner", "row_count", "amount"]]);
});

Deno.test("sumAtomsBy() rejects missing and repeated columns, and unknown amounts", () => {
  const frame = amounts([["a", "1"], ["b", null]]);
  const { remedy } = assertThrows(() => sumAtomsBy(frame, "solver", "amount"), InputError);
  assertEquals(remedy, "Pass one of owner, amount");
  assertThrows(() => sumAtomsBy(frame, "amount", "amount"), InputError, "two columns");
  const counted = frame.rename({ owner: "row_count" });
  assertThrows(() => sumAtomsBy(counted, "row_count", "amount"), InputError, "two columns");
  assertThrows(() => sumAtomsBy(frame, "owner", "amount"), InputError, "unknown (null) in row 1");
  assertThrows(() => sumAtomsBy([] as never, "owner", "amount"), InputError, "of an array");
});

Deno.test("sumAtomsBy() parts a column: the sums of its groups are its sum", () => {
  const row = fc.tuple(fc.option(fc.constantFrom("a", "b", "1", "null")), fc.bigInt().map(String));
  fc.assert(fc.property(fc.array(row), (rows) => {
    const frame = amounts(rows);
    const sums = sumAtomsBy(frame, "owner", "amount");
    assertEquals(sumAtoms(sums.getColumn("amount")), sumAtoms(frame.getColumn("amount")));
    assertEquals(sums.height, new Set(rows.map(([owner]) => owner)).size);
  }));
});
