import { InputError } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";
import { columnRows, describedQuery } from "../../../lib/sql/spark/described_query.ts";

Deno.test("DESCRIBE of a name or of a query is the query whose columns it asks for", () => {
  assertEquals(describedQuery("DESCRIBE fills"), "SELECT * FROM fills");
  assertEquals(describedQuery("-- what is there\n desc\n  fills "), "SELECT * FROM fills");
  assertEquals(describedQuery("/* c */ Describe SELECT 1 AS a"), "SELECT 1 AS a");
  for (const query of ["SELECT 1", "WITH describe AS (SELECT 1) SELECT 2", "DESCRIBED fills"]) {
    assertEquals(describedQuery(query), null);
  }
});

Deno.test("columns of Spark stand in the columns that DuckDB's DESCRIBE has for them", () => {
  assertEquals(
    columnRows([{ name: "a", type: "bigint" }, { name: "it's", type: "string" }]),
    "SELECT * FROM (VALUES ('a', 'bigint'), ('it''s', 'string')) " +
      "AS columns(column_name, column_type)",
  );
});

Deno.test("SUMMARIZE and SHOW name DuckDB, which has them", () => {
  for (const query of ["SUMMARIZE fills", " show tables"]) {
    assertThrows(() => describedQuery(query), InputError, "Run it on DuckDB");
  }
});
