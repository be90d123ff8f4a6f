import { AuctionTimes, type SettlementAudit } from "orderlens/metrics";
import { buildTable, SETTLEMENT_SLIPPAGE } from "orderlens/tables";
import { assertEquals } from "@std/assert";
import { NativePriceRows } from "../../../lib/tables/auctions/native_price_rows.ts";
import { cells } from "../made_up.ts";
import { AUCTIONS, WITHOUT_LOGS } from "./audits.ts";

const GOLD = `0x${"a1".repeat(20)}`;
const SILVER = `0x${"b2".repeat(20)}`;
const WAD = 10n ** 18n;
const AUCTION = {
  ...AUCTIONS[0]!,
  auctionId: 7,
  auctionStartBlock: 100,
  auction: { orders: [], prices: { [GOLD]: 3n * WAD } },
};
const COLUMNS = "week_start imbalance_value_low_atoms fee_value_high_atoms slippage_low_atoms " +
  "slippage_high_atoms slippage_high_native slippage_reason gaps";

/** A settlement of auction 7 in block 101, without trades, that left some atoms. */
function left(
  netAtoms: Readonly<Record<string, bigint>>,
  more: Partial<SettlementAudit> = {},
): SettlementAudit {
  return {
    ...WITHOUT_LOGS,
    auctionId: 7,
    blockNumber: 101,
    trades: [],
    imbalances: {
      tokens: Object.entries(netAtoms).map(([token, atoms]) => {
        return { token, inAtoms: atoms, outAtoms: 0n, netAtoms: atoms };
      }),
      unknown: [],
    },
    ...more,
  };
}

function clock(after: string): AuctionTimes {
  return new AuctionTimes([AUCTION], {
    blockTimes: new Map([
      [100, Temporal.Instant.from("2026-11-23T23:59:48Z")],
      [102, Temporal.Instant.from(after)],
    ]),
  });
}

Deno.test("SETTLEMENT_SLIPPAGE has slippage, week and reasons", () => {
  const audits = [
    left({ [GOLD]: 2n }),
    left({ [GOLD]: 2n }, { auctionId: 8 }),
    left({ [SILVER]: 2n }),
    left({}, { succeeded: false }),
    WITHOUT_LOGS,
  ];
  const competitions = [AUCTION];
  const times = clock("2026-11-23T23:59:59.5Z");
  const week = "2026-11-17T00:00:00Z";
  const unknown = [null, null, null, null, null];
  assertEquals(
    cells(
      buildTable(SETTLEMENT_SLIPPAGE, {
        audits: audits.map((audit, index) => ({ ...audit, txHash: `0x0${index}` })),
        competitions,
        times,
      }),
      COLUMNS,
    ).slice(0, 4),
    [
      [week, "6", "0", "6", "6", 6e-18, null, null],
      [week, ...unknown, "no_auction", null],
      [week, ...unknown, "no_native_price", null],
      [week, ...unknown, "reverted", null],
    ],
  );
  // A block that may be of either week is of none.
  const open = { audits: audits.slice(0, 1), competitions, times: clock("2026-11-24T00:00:00Z") };
  assertEquals(cells(buildTable(SETTLEMENT_SLIPPAGE, open), "week_start gaps"), [[null, "week"]]);
});

Deno.test("SETTLEMENT_SLIPPAGE takes prices of tokens that nobody bid on from the whole list", () => {
  const nativePrices = new NativePriceRows();
  for (const [auctionId, silver] of [[6, "9"], [7, "2"], [8, "11"]] as const) {
    nativePrices.read({ [GOLD]: `${3n * WAD}`, [SILVER]: `${silver}${"0".repeat(18)}` });
    nativePrices.add({ ...AUCTION, auctionId });
  }
  const audits = [left({ [GOLD]: 1n, [SILVER.toUpperCase().replace("X", "x")]: 5n })];
  const frame = buildTable(SETTLEMENT_SLIPPAGE, {
    audits,
    competitions: [AUCTION],
    nativePrices,
  });
  // 1 * 3 + 5 * 2.
  assertEquals(cells(frame, "slippage_low_atoms slippage_reason"), [["13", null]]);
});
