import pl from "nodejs-polars";
import { assertEquals } from "@std/assert";
import { factor } from "../../../lib/tables/columns/factor_columns.ts";
import { buildFrame } from "../../../lib/tables/columns/frame.ts";
import { readParquet, writeParquet } from "../../../lib/tables/columns/frame_files.ts";
import { withFolder } from "../../sandbox/temp_folder.ts";

const TABLE = {
  name: "factors",
  grain: "One factor",
  columns: factor<number | null>("factor", { source: "", of: (value) => value }),
};

/** Factors, and what their decimal text is in 10^-18. */
const WADS: readonly (readonly [number | null, string | null])[] = [
  [0.3, "300000000000000000"],
  [0.02, "20000000000000000"],
  [0.1, "100000000000000000"],
  [0.0098, "9800000000000000"],
  [0.30000000000000004, "300000000000000040"],
  [1e-18, "1"],
  [5e-19, "1"],
  [4.9e-19, "0"],
  [1.5e-18, "2"],
  [0, "0"],
  [1, "1000000000000000000"],
  // The double prints as 9.223372036854775, the next one as 9.223372036854777.
  [9.223372036854775, "9223372036854775000"],
  [9.223372036854777, null],
  [9.3, null],
  [1e300, null],
  [null, null],
];

Deno.test("factor() has the decimal text of a double in 10^-18, to the last digit of a file", async () => {
  await withFolder((folder) => {
    const frame = buildFrame(TABLE, WADS.map(([value]) => value));
    writeParquet(frame, `${folder}/factors.parquet`);
    const read = readParquet(`${folder}/factors.parquet`);
    assertEquals(read.dtypes.map(({ variant }) => variant), ["Float64", "Int64"]);
    const texts = read.select(pl.col("factor_wad").cast(pl.String)).rows().flat();
    assertEquals(texts, WADS.map(([, wad]) => wad));
    return Promise.resolve();
  });
});
