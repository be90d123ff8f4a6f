import { assert, assertEquals } from "@std/assert";
import { openSql } from "orderlens/sql";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SHIPPED_FOLDER } from "../../../tools/datasets/write_shipped.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { runWithInput } from "../../../tools/terminal/run_with_input.ts";
import { pythonPeer } from "./python_peer.ts";

const MODULE = join(PROJECT_ROOT, "lib", "sql", "python");
const DATASET = join(SHIPPED_FOLDER, "market_1");

/** Prints types and rows of each table and view as texts, by name. */
const READ_ALL = `
import json, sys
sys.path.insert(0, sys.argv[1])
import orderlens
db = orderlens.open_duckdb(sys.argv[2], verify=True)
names = [name for (name,) in db.execute("SELECT table_name FROM information_schema.tables").fetchall()]
json.dump({name: {
  "types": [kind for _, kind, *_ in db.execute(f"DESCRIBE {name}").fetchall()],
  "rows": db.execute(f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {name}").fetchall(),
} for name in names}, sys.stdout)
`;

Deno.test({
  name: "orderlens.open_duckdb() has every cell of openSql()",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const { success, stdout, stderr } = await runWithInput({
      program: await pythonPeer(),
      args: ["-c", READ_ALL, MODULE, DATASET],
      variables: { TZ: "Asia/Tokyo" },
      input: "",
    });
    assert(success, stderr);
    const found: Record<string, { types: string[]; rows: unknown[][] }> = JSON.parse(stdout);
    using sql = await openSql("market_1");
    assert(sql.relations.length > 30);
    assertEquals(Object.keys(found).sort(), sql.relations.map(({ name }) => name).sort());
    const sorted = (rows: readonly unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    for (const [name, { types, rows }] of Object.entries(found)) {
      const described = await sql.query(`DESCRIBE ${name}`);
      assertEquals([name, types], [name, described.map(({ column_type }) => column_type)]);
      using result = await sql.run(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${name}`);
      const parts = (await Array.fromAsync(result.parts())).flat();
      assertEquals(sorted(rows), sorted(parts.map((row) => Object.values(row))), name);
    }
  },
});

Deno.test({
  name: "orderlens.py reads, refuses and publishes datasets as its tests say",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const { success, output } = await runQuietly({
      program: await pythonPeer(),
      args: [fileURLToPath(new URL("orderlens_test.py", import.meta.url)), MODULE, DATASET],
    });
    assert(success, output);
    const [, count] = /^Ran (\d+) tests/m.exec(output) ?? [];
    assert(Number(count) > 10, output);
  },
});
