import { InputError } from "orderlens";
import { readCowPrices } from "orderlens/tables";
import { assertEquals, assertRejects } from "@std/assert";
import { parseCowPrice } from "../../../lib/tables/rewards/cow_prices.ts";
import { withFolder } from "../../sandbox/temp_folder.ts";

/** Reads prices from a file with a text. */
async function read(name: string, text: string) {
  return await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/${name}`, text);
    return await readCowPrices(`${folder}/${name}`);
  });
}

Deno.test("readCowPrices reads atoms exactly and tokens rounded down, from CSV and JSON", async () => {
  const csv = "week,native_atoms,native_tokens,source,note\n" +
    '2026-11-17,63100000000000,,"Dune, prices.usd",x\n' +
    "2026-11-24,,6.312345678901234e-05,,\n";
  const expected = [
    { week: "2026-11-17", nativeAtoms: 63_100_000_000_000n, source: "Dune, prices.usd" },
    // 63123456789012.34 atoms.
    { week: "2026-11-24", nativeAtoms: 63_123_456_789_012n },
  ];
  assertEquals(await read("prices.csv", csv), expected);
  const json = JSON.stringify([
    { week: "2026-11-17", native_atoms: "63100000000000", source: "Dune, prices.usd" },
    { week: "2026-11-24", native_tokens: 6.312345678901234e-05, source: null },
  ]);
  assertEquals(await read("prices.JSON", json), expected);
  assertEquals(await read("one.csv", "native_atoms\n7\n"), [{ nativeAtoms: 7n }]);
});

const REFUSED: readonly (readonly [name: string, text: string, message: string])[] = [
  ["a.csv", "week,native_atoms\n2026-11-18,1\n", 'row 1 has the week "2026-11-18"'],
  ["a.csv", "week,native_atoms\n2026-11-17,-1\n", 'row 1 has native_atoms "-1"'],
  ["a.csv", "week,native_atoms\n2026-11-17,0\n", 'row 1 has native_atoms "0"'],
  ["a.csv", "week,native_atoms\n2026-11-17,0.5\n", 'row 1 has native_atoms "0.5"'],
  ["a.csv", "week,native_tokens\n2026-11-17,-0.5\n", 'row 1 has native_tokens "-0.5"'],
  // Less than an atom.
  ["a.csv", "week,native_tokens\n2026-11-17,1e-19\n", 'row 1 has native_tokens "1e-19"'],
  ["a.csv", "week,source\n2026-11-17,x\n", "row 1 has neither native_atoms nor native_tokens"],
  ["a.csv", "native_atoms,native_tokens\n1,1\n", "row 1 has both native_atoms and native_tokens"],
  [
    "a.csv",
    "week,native_atoms\n2026-11-17,1\n2026-11-17,2\n",
    "row 2 has the week of row 1, 2026-11-17",
  ],
  ["a.csv", "week,native_atoms\n2026-11-17,1\n,2\n", "a row without a week stands beside others"],
  ["a.csv", "Week,native_atoms\n2026-11-17,1\n", 'row 1 has no week, but "Week"'],
  ["a.json", '[{"week_start":"2026-11-17","native_atoms":"1"}]', 'no week, but "week_start"'],
  ["a.csv", "native_atoms,source\n1,a{b\n", "row 1 has a source that is not one line"],
  ["a.csv", "week,native_atoms\n", "it has no rows"],
  ["a.json", '{"week":1}', "it has an object"],
  ["a.json", "[", "Cannot read prices of COW from"],
  // A number of JSON that has lost its last digit.
  ["a.json", '[{"native_atoms":200000000000000001}]', "row 1 has native_atoms 200000000000000000"],
  ["a.txt", "1", "it is neither .csv nor .json"],
];

for (const [name, text, message] of REFUSED) {
  Deno.test(`readCowPrices refuses ${JSON.stringify(text)} in ${name}`, async () => {
    await assertRejects(() => read(name, text), InputError, message);
  });
}

Deno.test("readCowPrices names a file that does not exist", async () => {
  await assertRejects(
    () => readCowPrices("/no/such/prices.csv"),
    InputError,
    "/no/such/prices.csv",
  );
  await assertRejects(() => readCowPrices("/no/such/prices.json"), InputError, "prices.json");
});

Deno.test("parseCowPrice takes whole atoms, or tokens with a point, and a source after the first @", () => {
  assertEquals(parseCowPrice("63100000000000"), { nativeAtoms: 63_100_000_000_000n });
  assertEquals(parseCowPrice("0.0000631@Dune, me@lab"), {
    nativeAtoms: 63_100_000_000_000n,
    source: "Dune, me@lab",
  });
  // The nineteenth digit after the point is below an atom.
  assertEquals(parseCowPrice("0.0000000000000000019"), { nativeAtoms: 1n });
  for (const text of ["", "0", "0.0", "-1", "1e14", "1,5", ".5", "5.", "1@", "1@two\nlines"]) {
    assertEquals(parseCowPrice(text), null, text);
  }
});
