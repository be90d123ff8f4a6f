import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { InputError } from "orderlens/errors";
import { openMarket, weekReport } from "orderlens/market";
import { join } from "node:path";
import pl from "nodejs-polars";
import { copyFolder } from "../copy_folder.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { changeManifest, rewriteTable } from "../datasets/rewrite_table.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

/** The exact amounts of a page, which stand behind the rounded ones. */
function exact(page: string): string[] {
  return [...page.matchAll(/title="(\d+\.\d+)"/g)].map(([, digits]) => digits!);
}

function sectionOf(page: string, id: string): string {
  return new RegExp(`id="${id}"[^]*?</section>`).exec(page)?.[0] ?? "";
}

Deno.test("weekReport() has every digit of scores and fees, the words of its data, and rewards by rules that are named", async () => {
  const rules = { rewardsOf: "mainnet", cowPrice: 10n ** 14n } as const;
  const page = await weekReport("market_1", rules);
  // As docs/sql.md has them: the score of the best, and all fees of surplus policies in two rows.
  assert(exact(page).includes("0.206870159477692212"));
  const surplus = exact(page).filter((digits) => /^0\.01378|^0\.00007427/.test(digits));
  const atoms = surplus.map((digits) => BigInt(digits.split(".")[1]!.padEnd(18, "0")));
  assertEquals(atoms.reduce((sum, one) => sum + one, 0n), 13_857_270_316_012_978n);
  assertMatch(page, />4 min of the week from 2026-11-17: 4 solvers, 32 auctions, 37 fills/);
  assertMatch(page, /36 of 37 \(97\.3%\) winning solutions were settled in time/);
  // 28 of its 29 wins are not told apart from all wins of the others.
  assert(!page.includes("the least of its wins"));
  assert(!page.includes("is unknown for every solver"));
  const rewards = (await (await openMarket("dataset://market_1", rules)).rewards()).toRecords();
  const [low, high] = ["total_low_atoms", "total_high_atoms"].map((column) => {
    const sum = rewards.reduce((sum, row) => sum + BigInt(String(row[column])), 0n);
    return (Number(sum) / 1e18).toPrecision(4);
  });
  assertStringIncludes(page, `The rewards of 4 solvers add up to ${low} to ${high} ETH`);
  assertStringIncludes(page, "--week 2026-11-17 --rewards-of mainnet --cow-price 100000000000000");
  assert(page.length < 300_000);
  assert(!page.includes(Deno.cwd()), "a page to publish has no path of a machine");
});

Deno.test("weekReport states penalties, counts rows without a known time, and leaves unknown origins of fees open", async () => {
  await withFolder(async (root) => {
    const folder = `${root}/week`;
    await copyFolder(join(PROJECT_ROOT, "data", "datasets", "market_1"), folder);
    const [old, young] = ["0000001000-0000001999.parquet", "0000002000-0000002999.parquet"];
    // The shipped deployment has no rules: as if the win that is absent cost one of two amounts.
    const owed = (low: string, settled: string) =>
      pl.when(pl.col("outcome").eq(pl.lit("absent"))).then(pl.lit(low)).otherwise(pl.lit(settled));
    const penalties = [
      owed("123456789012345678", "0").alias("penalty_low_atoms"),
      owed("223456789012345679", "1").alias("penalty_high_atoms"),
    ];
    for (
      const [table, ...columns] of [
        [`attempts/${old}`, ...penalties],
        [`attempts/${young}`, ...penalties],
        [`auctions/${old}`, pl.lit(null).cast(pl.Int64).alias("auction_at_ms")],
        [`fees/${old}`, pl.lit(null).cast(pl.Bool).alias("is_partner")],
      ] as const
    ) await rewriteTable(folder, table, (frame) => frame.withColumns(...columns));
    const page = await weekReport(folder, { week: "2026-11-17" });
    assertMatch(sectionOf(page, "rewards"), /unbounded/);
    const failures = sectionOf(page, "failures");
    assertMatch(failures, /owes at least/);
    // Of 29 wins of this solver, 28 are settled, each with an atom at most.
    assert(exact(failures).includes("0.123456789012345678"));
    assert(exact(failures).includes("0.223456789012345707"));
    // Five of the auctions 1990 to 1999 have a competition.
    assertMatch(page, /\. Left out: 5 auctions without a known time\./);
    assertMatch(sectionOf(page, "fees"), />unknown</);
  });
});

Deno.test("weekReport() has totals with and without fills and fees at absurd and suspect native prices", async () => {
  await withFolder(async (root) => {
    const folder = `${root}/week`;
    await copyFolder(join(PROJECT_ROOT, "data", "datasets", "market_1"), folder);
    const sound = await weekReport(folder, { week: "2026-11-17" });
    assertMatch(sound, /0 of 37 fills are valued at absurd prices/);
    assertStringIncludes(
      sound,
      "1 accounting week of which the dataset has a part: rewards and totals are of that part",
    );
    assertStringIncludes(sound, "; 2 findings in 21 checks");
    assertStringIncludes(
      sound,
      "; 0 at suspect ones, at which they differ more than 2 times; 0 have a token",
    );
    assert(!/; without \d/.test(sound));
    const [old, young] = ["0000001000-0000001999.parquet", "0000002000-0000002999.parquet"];
    // Of two files, all fills of one are absurd, and two of the other one are suspect.
    const first = pl.intRange({ start: 0, end: pl.len() }).lt(pl.lit(2));
    const suspect = pl.when(first).then(pl.lit("suspect")).otherwise(pl.lit("consistent"));
    const counts = { fills: 0, fees: 0 };
    const sums = { fills: [0n, 0n, 0n], fees: [0n, 0n, 0n] };
    for (const table of ["fills", "fees"] as const) {
      await rewriteTable(folder, `${table}/${old}`, (frame) => {
        counts[table] = frame.height;
        return frame.withColumns(pl.lit("absurd").alias("price_sides"));
      });
      await rewriteTable(folder, `${table}/${young}`, (frame) => {
        const columns = table === "fills"
          ? ["volume_atoms", "surplus_native_atoms"]
          : ["fee_native_atoms"];
        for (const [index, column] of columns.entries()) {
          const atoms = frame.getColumn(column).toArray().slice(2).map((cell) => BigInt(cell));
          sums[table][index] = atoms.reduce((sum, one) => sum + one, 0n);
        }
        return frame.withColumns(suspect.alias("price_sides"));
      });
    }
    const page = await weekReport(folder, { week: "2026-11-17" });
    const text = (atoms: bigint) =>
      (Number(atoms) / 1e18).toLocaleString("en-US", { maximumSignificantDigits: 4 });
    const [volume, surplus] = sums.fills;
    assertStringIncludes(
      page,
      `; without ${counts.fills} fills at absurd and 2 at suspect native prices: ` +
        `${text(volume!)} ETH, surplus ${text(surplus!)} ETH`,
    );
    assertStringIncludes(
      sectionOf(page, "fees"),
      `; without ${counts.fees} fees at absurd and 2 at suspect native prices: ` +
        `${text(sums.fees[0]!)} ETH.`,
    );
    assertMatch(page, new RegExp(`${counts.fills} of 37 fills are valued at absurd prices`));
  });
});

Deno.test("weekReport() sums the slippage of settlements by solver, and says what is left out", async () => {
  await withFolder(async (root) => {
    const folder = `${root}/week`;
    await copyFolder(join(PROJECT_ROOT, "data", "datasets", "market_1"), folder);
    const readSection = async () => {
      const page = await weekReport(folder, { week: "2026-11-17" });
      return sectionOf(page, "settlement-slippage").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    };
    const lows = ["-250000000000000000", "100000000000000000", "30000000000000000"];
    const setSlippage = async (file: string, rows: Record<string, readonly (string | null)[]>) => {
      await rewriteTable(
        folder,
        `settlement_slippage/${file}.parquet`,
        (frame) =>
          frame.withColumns(
            ...Object.entries(rows).map(([name, cells]) =>
              pl.Series(
                name,
                Array.from({ length: frame.height }, (_, index) => cells[index] ?? null),
                pl.String,
              )
            ),
          ),
      );
    };
    const setHighs = (...highs: (string | null)[]) =>
      setSlippage("0000002000-0000002999", {
        slippage_low_atoms: lows,
        slippage_high_atoms: highs,
        slippage_reason: [null, null, null, "no_native_price", ...Array(99).fill("no_auction")],
      });
    // -0.25 and 0.1 exactly, and a third of 0.03 to 0.05: from -0.12 to -0.1.
    await setHighs(lows[0]!, lows[1]!, "50000000000000000");
    assertStringIncludes(
      await readSection(),
      "It is known of 3 of 36 settlements (exact of 2), and adds up to between −0.12 ETH and " +
        "−0.1 ETH. Left out: ",
    );
    await setHighs(lows[0]!, lows[1]!, null);
    const open = await readSection();
    assertStringIncludes(
      open,
      "adds up to −0.12 ETH at least, without an upper bound: of 1, a contract may have paid " +
        "native tokens in, which leaves no log. Left out: ",
    );
    assertMatch(open, / \d+ of unknown auctions; .*\b1 with a token without a native price\./);
    assertMatch(open, / unbounded /);
    await setHighs(...lows);
    assertStringIncludes(await readSection(), "(exact of 3), and adds up to −0.12 ETH. Left out: ");
    // As of an export without a node.
    await changeManifest(folder, (manifest) => {
      const isAudited = (name: string) => /^settlement/.test(name);
      manifest.request.tables = manifest.request.tables.filter((name: string) => !isAudited(name));
      manifest.files = manifest.files.filter(({ path }: { path: string }) => !isAudited(path));
    });
    assertEquals(await readSection(), "");
  });
});

Deno.test("weekReport lists the weeks of a dataset, and rejects invalid ones", async () => {
  for (
    const [week, message] of [
      ["2026-01-06", "from 2026-01-06: the weeks of the dataset begin on 2026-11-17"],
      ["tuesday", "Cannot report a week"],
    ] as const
  ) {
    await assertRejects(() => weekReport("market_1", { week }), InputError, message);
  }
  await assertRejects(() => weekReport("./nowhere"), InputError, "Cannot open the dataset");
});
