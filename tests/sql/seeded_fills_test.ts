import {
  type AuctionRole,
  decomposeSlippage,
  isNotComputable,
  recomputeFees,
  settledSurplus,
  slippage,
} from "orderlens/metrics";
import { openSql, type SqlRow } from "orderlens/sql";
import type { FeePolicy } from "orderlens/schemas";
import { ratioToNumber } from "orderlens/units";
import { assertEquals, assertGreater } from "@std/assert";
import { writeSeededFills } from "../benchmarks/seeded_fills.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const FILLS = 2_560;
/** Policies that `fees` undoes; a fill in 512 has ten. */
const MOST_POLICIES = 8;

const BASELINES = [["gross", "gross"], ["net", "net"], ["userShown", "user_shown"], [
  "limit",
  "limit",
]] as const;

/** What the library computes from, by the rows of the tables. */
function recordsOf(trade: SqlRow, order: SqlRow, fees: readonly SqlRow[]) {
  const atoms = (row: SqlRow, column: string) => BigInt(row[column] as string);
  const policies = fees.map((fee): FeePolicy => {
    const terms = {
      factor: fee.factor as number,
      maxVolumeFactor: fee.max_volume_factor as number,
    };
    if (fee.policy_kind === "volume") return { volume: { factor: terms.factor } };
    if (fee.policy_kind === "surplus") return { surplus: terms };
    return { priceImprovement: { ...terms, quote: undefined } } as unknown as FeePolicy;
  });
  const reportedAtoms = fees.map((fee) => atoms(fee, "fee_amount"));
  const quote = order.quote_sell_amount === null ? null : {
    sellAmount: atoms(order, "quote_sell_amount"),
    buyAmount: atoms(order, "quote_buy_amount"),
    fee: atoms(order, "quote_network_fee"),
  };
  return {
    policies,
    reportedAtoms,
    quote,
    fill: {
      sellAmount: atoms(trade, "sell_amount"),
      buyAmount: atoms(trade, "buy_amount"),
      ...trade.protocol_fee_count !== null && {
        executedProtocolFees: policies.map((policy, at) => ({
          policy,
          amount: reportedAtoms[at]!,
        })),
      },
    },
    order: {
      kind: order.kind as "sell" | "buy",
      sellToken: String(order.sell_token),
      buyToken: String(order.buy_token),
      sellAmount: atoms(order, "sell_amount"),
      buyAmount: atoms(order, "buy_amount"),
      executedSellAmount: atoms(order, "executed_sell_amount"),
      executedSellAmountBeforeFees: atoms(order, "executed_sell_amount"),
      executedBuyAmount: atoms(order, "executed_buy_amount"),
      executedFee: atoms(order, "executed_fee"),
      quote,
    },
  };
}

Deno.test("fills and fees of amounts up to 2^256 - 1 equal the library", async (t) => {
  await withFolder(async (folder) => {
    await writeSeededFills(folder, { fills: FILLS, shards: 2 });
    using sql = await openSql(folder);
    const place = ({ block_number, log_index }: SqlRow) => `${block_number} ${log_index}`;
    const trades = await sql.query("SELECT * FROM trades");
    const orders = new Map(
      (await sql.query("SELECT * FROM orders")).map((row) => [row.order_uid, row]),
    );
    const listed = new Map(
      (await sql.query("SELECT * FROM order_listings")).map((row) => [row.order_uid, row]),
    );
    const feesOf = Map.groupBy(
      await sql.query("SELECT * FROM protocol_fees ORDER BY position"),
      place,
    );
    const records = trades.map((trade) => {
      const order = orders.get(trade.order_uid)!;
      const listing = listed.get(trade.order_uid);
      const auction = Number(trade.auction_id);
      const role: AuctionRole = listing !== undefined &&
          Number(listing.first_auction_id) <= auction && auction <= Number(listing.last_auction_id)
        ? "listed"
        : "unknown";
      return { ...recordsOf(trade, order, feesOf.get(place(trade)) ?? []), trade, role };
    });

    await t.step("fees", async () => {
      const found = Map.groupBy(await sql.query("SELECT * FROM fees ORDER BY position"), place);
      let late = 0;
      for (const { trade, fill, order, policies, reportedAtoms, quote } of records) {
        const fees = recomputeFees(fill, order, { policies, reportedAtoms, quote });
        const rows = found.get(place(trade)) ?? [];
        assertEquals(rows.length, policies.length);
        for (const [at, fee] of fees.entries()) {
          const { recomputed_amount, uncapped_amount, reason } = rows[at]!;
          const isLate = fees.length - at > MOST_POLICIES;
          if (isLate) late++;
          assertEquals(
            { recomputed_amount, uncapped_amount, reason },
            isNotComputable(fee) || isLate
              ? {
                recomputed_amount: null,
                uncapped_amount: null,
                reason: isLate ? "too_many_policies" : (fee as { reason: string }).reason,
              }
              : {
                recomputed_amount: String(fee.atoms),
                uncapped_amount: String(fee.uncappedAtoms),
                reason: null,
              },
          );
        }
      }
      assertEquals(late, 2 * FILLS / 512);
    });

    await t.step("fills", async () => {
      const found = new Map(
        (await sql.query("SELECT * FROM fills")).map((row) => [place(row), row]),
      );
      assertEquals(found.size, FILLS);
      let decomposed = 0;
      for (const { trade, fill, order, role, quote } of records) {
        const row = found.get(place(trade))!;
        const surplus = settledSurplus(fill, order, role);
        assertEquals(row.surplus, isNotComputable(surplus) ? null : String(surplus));
        for (const [baseline, name] of BASELINES) {
          const known = slippage(fill, order, quote, baseline, { role });
          assertEquals(
            [row[`slippage_${name}`], row[`slippage_${name}_bps`]],
            isNotComputable(known) ? [null, null] : [String(known.atoms), ratioToNumber(known.bps)],
            `${name} of ${place(trade)}`,
          );
        }
        const parts = decomposeSlippage(fill, order, { role, appData: null });
        if (isNotComputable(parts) || row.market_part_low === null) continue;
        decomposed++;
        assertEquals(
          [
            row.network_part_low,
            row.network_part_high,
            row.market_part_low,
            row.market_part_high,
            String(BigInt(row.protocol_part as string) + BigInt(row.partner_part as string)),
          ],
          [
            parts.networkCostAtoms.low,
            parts.networkCostAtoms.high,
            parts.marketAtoms.low,
            parts.marketAtoms.high,
            parts.protocolFeeAtoms + parts.partnerFeeAtoms,
          ].map(String),
        );
      }
      assertGreater(decomposed, FILLS / 8);
    });
  });
});

Deno.test("equal options make equal files up, another seed others", async () => {
  await withFolder(async (folder) => {
    const hashes = async (name: string, seed: string) => {
      const { files } = await writeSeededFills(`${folder}/${name}`, {
        fills: 100,
        shards: 2,
        seed,
      });
      return files.filter(({ path }) => path.startsWith("trades/")).map(({ sha256 }) => sha256);
    };
    const first = await hashes("a", "one");
    assertEquals(await hashes("b", "one"), first);
    const other = await hashes("c", "two");
    assertEquals(other.filter((hash) => first.includes(hash)), []);
  });
});
