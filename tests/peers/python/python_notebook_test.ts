import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { openMarket } from "orderlens/market";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFolder } from "../../copy_folder.ts";
import { SHIPPED_FOLDER } from "../../../tools/datasets/write_shipped.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { withFolder } from "../../sandbox/temp_folder.ts";
import { pythonPeer } from "./python_peer.ts";

const HERE = fileURLToPath(new URL("./", import.meta.url));

async function orderlens(args: readonly string[]): Promise<void> {
  const program = join(PROJECT_ROOT, "bin", "orderlens");
  const { success, output } = await runQuietly({ program, args });
  assert(success, output);
}

Deno.test({
  name: "notebooks of Python have the numbers of a market of the same dataset",
  ignore: Deno.build.os === "windows",
  fn: async (t) => {
    const python = await pythonPeer();
    const market = await openMarket("dataset://market_1");
    const fees = await market.sql(
      `SELECT policy_kind, count(*) AS fees, sum(fee_native_atoms) AS atoms FROM fees
        GROUP BY policy_kind ORDER BY policy_kind`,
    );
    const [fills] = await market.sql(
      "SELECT count(slippage_net_bps) AS fills, sum(slippage_net_bps) AS bps FROM fills",
    );
    const solvers = (await market.leaderboard()).toRecords();
    await withFolder(async (folder) => {
      for (const name of ["first.py", "first.ipynb"]) {
        await t.step(name, async () => {
          const file = join(folder, name);
          await orderlens(["notebook", "new", file, "--from", "market_1", "--python"]);
          const { success, output } = await runQuietly({
            program: python,
            args: [join(HERE, "run_notebook.py"), file],
            folder,
          });
          assert(success, output);
          const { charts, names } = JSON.parse(output.split("\n").at(-1)!);
          assertEquals(charts, 2);
          assertEquals(names.fees, fees.map((row) => Object.values(row)));
          assertEquals(names.fills[0], fills?.fills);
          assertAlmostEquals(names.fills[1], Number(fills?.bps), 1e-9);
          assertEquals(
            names.leaderboard.map(([name, solutions, wins]: unknown[]) => [name, solutions, wins]),
            solvers.toSorted((a, b) =>
              Number(b["score_won_native"]) - Number(a["score_won_native"])
            )
              .map((row) => [row["solver_name"], row["bid_count"], row["winning_count"]]),
          );
        });
      }
      await t.step("more fills than Altair draws", async () => {
        const market = join(folder, "many");
        await copyFolder(join(SHIPPED_FOLDER, "market_1"), market);
        const files = await Array.fromAsync(Deno.readDir(join(market, "fills")));
        for (const { name } of files) {
          for (let copy = 0; copy < 150; copy++) {
            const target = join(market, "fills", `${copy}-${name}`);
            await Deno.copyFile(join(market, "fills", name), target);
          }
        }
        const file = join(folder, "many.ipynb");
        await orderlens(["notebook", "new", file, "--from", market, "--python"]);
        const { success, output } = await runQuietly({
          program: python,
          args: [join(HERE, "run_notebook.py"), file],
          folder,
        });
        assert(success, output);
        const { charts, names } = JSON.parse(output.split("\n").at(-1)!);
        assertEquals([charts, names.fills[0]], [2, Number(fills?.fills) * 151]);
      });
      // Below /dev, where tests may have their files, Deno lets only those write that may do all.
    }, { dir: join(PROJECT_ROOT, "build") });
  },
});
