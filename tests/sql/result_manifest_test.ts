import { readViews } from "orderlens/sql";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createManifest, hashViews } from "../../lib/sql/write_result.ts";

const MAINNET = { network: "mainnet", environment: "production", chainId: 1 };
const GNOSIS = { network: "xdai", environment: "staging", chainId: 100 };

/** SHA-256 of the empty text and of `abc`, from FIPS 180-2. */
const OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const FACTS = {
  engine: { name: "duckdb", version: "1.5.6" },
  query: "SELECT 1 AS one",
  tables: [],
  viewsSha256: OF_NOTHING,
  inputs: [
    { ...GNOSIS, manifestSha256: OF_NOTHING },
    { ...GNOSIS, environment: null, manifestSha256: OF_NOTHING },
    { ...MAINNET, manifestSha256: OF_ABC },
  ],
  columns: [{ name: "one", type: "Int32" }],
  rows: 1,
  files: [
    { path: "part-00001.parquet", sha256: OF_NOTHING, bytes: 0 },
    { path: "part-00000.parquet", sha256: OF_ABC, bytes: 3 },
  ],
} as const;

Deno.test("createManifest gives equal bytes for any order of its facts", () => {
  const read = createManifest(FACTS);
  const turned = { ...FACTS, inputs: FACTS.inputs.toReversed(), files: FACTS.files.toReversed() };
  assertEquals(JSON.stringify(createManifest(turned)), JSON.stringify(read));
  assertEquals(read.schema, "orderlens/result@1");
  assertEquals(read.inputs.map((one) => [one.chainId, one.environment, one.manifestSha256]), [
    [1, "production", OF_ABC],
    [100, null, OF_NOTHING],
    [100, "staging", OF_NOTHING],
  ]);
  assertEquals(read.files.map(({ path }) => path), ["part-00000.parquet", "part-00001.parquet"]);
});

Deno.test("createManifest names types of columns as tables do", () => {
  const types = {
    VARCHAR: "String",
    BIGNUM: "String",
    BIGINT: "Int64",
    INTEGER: "Int32",
    DOUBLE: "Float64",
    BOOLEAN: "Bool",
    DATE: "Date",
    "DECIMAL(38,0)": "DECIMAL(38,0)",
  };
  const columns = Object.keys(types).map((type) => ({ name: type, type }));
  const named = createManifest({ ...FACTS, columns }).columns;
  assertEquals(Object.fromEntries(named.map(({ name, type }) => [name, type])), types);
});

Deno.test("hashViews changes with each query of a view", async () => {
  const views = await readViews();
  const hash = hashViews(views);
  assertMatch(hash, /^[0-9a-f]{64}$/);
  assert(hashViews(views.map((one) => ({ ...one, query: `${one.query} ` }))) !== hash);
});
