import { assert, assertEquals } from "@std/assert";
import { annotate } from "../../lib/notebook/annotate.ts";
import { outlineFrame, outlineText } from "../../lib/notebook/render.ts";
import { TokenAmounts } from "../../lib/tables/columns/lookups.ts";
import { BUILT } from "./built.ts";

/** What a readable amount says in whole tokens of 18 decimals. */
function tokensOf(readable: string): number {
  const [number = "", unit] = readable.replaceAll(",", "").split(" ");
  return Number(number) / (unit === "atoms" ? 1e18 : 1);
}

Deno.test("every column of atoms in every table is read right, and no other", () => {
  const read = {
    network: undefined,
    nativeSymbol: "native tokens",
    amounts: new TokenAmounts({ network: "local" }),
  };
  let count = 0;
  for (const { table, full } of BUILT) {
    const outline = outlineFrame(full.head(300), 300);
    const shown = annotate(outline, read);
    assertEquals(outlineText(shown), outlineText(outline));
    assert(shown.kind === "table");
    for (const [at, { name, unit }] of table.columns.entries()) {
      const isAtoms = unit !== null && /\batoms\b/.test(unit) && !unit.includes("for 10^18");
      for (const row of shown.rows) {
        const { text, readable } = row[at]!;
        if (readable === undefined) {
          // Zero is left alone where only the column beside it would tell the unit.
          assert(!isAtoms || text === "null" || text === "0", `${table.name}.${name}: ${text}`);
          continue;
        }
        assert(isAtoms, `${table.name}.${name} of ${unit}: ${readable}`);
        const [own, exact] = [tokensOf(readable), Number(text) / 1e18];
        assert(Math.abs(own - exact) <= Math.abs(exact) * 1e-5, `${name}: ${text} as ${readable}`);
        assertEquals(
          / native tokens$/.test(readable),
          /^native/.test(unit) && !/atoms$/.test(readable),
        );
        count++;
      }
    }
  }
  assert(count > 10_000, `${count}`);
});
