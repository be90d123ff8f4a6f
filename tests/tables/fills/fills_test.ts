import { assertAlmostEquals, assertEquals } from "@std/assert";
import { fillsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { debugAuctionOf, orderOf, proposedOf, reportOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const VOLUME = { volume: { factor: 0.02 } };
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote, fullAppData: "{}" });
const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });
const settlements = new Map([["0xaa", { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] }]]);

Deno.test("fillsTable() compares with four baselines, positive if the fill is better", () => {
  const [row] = fillsTable([{ order, trades: [trade] }]).toRecords();
  // Net: 205 - floor(2 * 205 / 100) = 201; shown: 201 * 0.98; limit: 180.
  assertEquals(row?.slippage_gross_atoms, "-15");
  assertAlmostEquals(Number(row?.slippage_gross_bps), -10_000 * 15 / 205);
  assertEquals(row?.slippage_net_atoms, "-11");
  assertAlmostEquals(Number(row?.slippage_net_bps), -10_000 * 11 / 201);
  assertEquals(row?.slippage_user_shown_atoms, "-7");
  assertAlmostEquals(Number(row?.slippage_user_shown_bps), 10_000 * (190 - 196.98) / 196.98);
  assertEquals(row?.slippage_limit_atoms, "10");
  assertAlmostEquals(Number(row?.slippage_limit_bps), 10_000 * 10 / 180);
});

Deno.test("fillsTable() splits the gross slippage: costs negative, in atoms, bps and native", () => {
  const auction = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: [], prices: { "0x02": 10n ** 36n } },
  });
  const [row] = fillsTable([{ order, trades: [trade] }], {
    settlements,
    competitions: [auction],
  }).toRecords();
  assertEquals(row?.decomposition_basis, "settlement");
  assertEquals([row?.network_part_low_atoms, row?.network_part_high_atoms], ["-6", "-6"]);
  assertEquals([row?.protocol_part_atoms, row?.partner_part_atoms], ["-4", "0"]);
  assertEquals([row?.market_part_low_atoms, row?.market_part_high_atoms], ["-5", "-5"]);
  assertEquals([row?.network_native, row?.protocol_native, row?.market_native], [-6, -4, -5]);
  const parts = ["network", "protocol", "partner", "market"].map((part) =>
    Number(row?.[`${part}_bps`])
  );
  assertAlmostEquals(parts[0]!, -10_000 * 6 / 205);
  assertAlmostEquals(parts.reduce((a, b) => a + b), Number(row?.slippage_gross_bps));
  assertEquals(row?.volume_native, 190);
});

Deno.test("fillsTable() has a row for a fill without a quote, with the reason", () => {
  const { quote: _, ...unquoted } = order;
  const columns = [
    "slippage_gross_atoms slippage_limit_atoms slippage_reason decomposition_reason",
  ];
  assertEquals(cells(fillsTable([{ order: unquoted, trades: [trade] }]), ...columns), [
    [null, "10", "no_quote", "no_quote"],
  ]);
});

Deno.test("fillsTable() takes auction, solver, prices and times from a debug report", () => {
  const at = (second: number) => Temporal.Instant.from(`2026-08-21T10:00:${second}Z`);
  const debugReport = reportOf({
    order,
    events: [{ label: "created", timestamp: at(10) }, { label: "traded", timestamp: at(30) }],
    trades: [{ ...trade, auctionId: 8 }],
    auctions: [debugAuctionOf(8, {
      nativePrices: { "0x01": 10n ** 36n },
      proposedSolutions: [proposedOf({ solver: "0x5a", executedSell: 100n, executedBuy: 190n })],
      executions: [{
        executedFee: 5n,
        executedFeeToken: "0x01",
        blockNumber: 103,
        protocolFees: [],
      }],
    })],
  });
  const columns = ["auction_id", "solver", "volume_native", "quote_age_seconds"];
  const frame = fillsTable([{ order, trades: [trade], debugReport }]);
  assertEquals(cells(frame, ...columns), [[8, "0x5a", 100, 30]]);
  assertEquals(
    cells(frame, "network_part_low_atoms", "network_part_high_atoms", "decomposition_basis"),
    [
      ["-8", "-6", "executed_fee"],
    ],
  );
});

Deno.test("fillsTable() has the requested and the signed tolerance", () => {
  const fullAppData = JSON.stringify({ metadata: { quote: { slippageBips: 50 } } });
  const asked = { ...order, fullAppData };
  const [row] = fillsTable([{ order: asked, trades: [trade] }]).toRecords();
  assertEquals(row?.tolerance_asked_bps, 50);
  assertAlmostEquals(Number(row?.tolerance_signed_gross_bps), 10_000 * 25 / 205);
});

Deno.test("fillsTable() lists the fills of an order by block, and skips those of other orders", () => {
  const half = { ...order, partiallyFillable: true };
  const trades = [
    tradeOf({ blockNumber: 110, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ blockNumber: 105, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ orderUid: "0x99" }),
  ];
  assertEquals(cells(fillsTable([{ order: half, trades }]), "block_number", "filled_fraction"), [
    [105, 0.5],
    [110, 0.5],
  ]);
});

Deno.test("fillsTable() has the surplus by each denominator, and what it is worth", () => {
  const competition = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 15n * 10n ** 17n } },
  });
  const [row] = fillsTable([{ order, trades: [trade] }], { competitions: [competition] })
    .toRecords();
  assertEquals([row?.scaled_limit_atoms, row?.surplus_atoms], ["180", "10"]);
  assertAlmostEquals(Number(row?.surplus_bps_of_limit), 10_000 * 10 / 180);
  assertAlmostEquals(Number(row?.surplus_bps_of_executed), 10_000 * 10 / 190);
  assertAlmostEquals(Number(row?.surplus_bps_of_quote), 10_000 * 10 / 205);
  assertAlmostEquals(Number(row?.surplus_bps_before_protocol_fees), 10_000 * 10 / 194);
  // 10 atoms at 1.5 native atoms each; sell tokens have no price, so the volume is of 190 bought.
  assertEquals([row?.surplus_native_atoms, row?.surplus_native], ["15", 1.5e-17]);
  assertEquals([row?.volume_atoms, row?.volume_native], ["285", 2.85e-16]);
  assertEquals([row?.protocol_fees_atoms, row?.partner_fees_atoms], ["4", "0"]);
});

Deno.test("fillsTable() has the best bid that was not executed, and the app", () => {
  const bid = { score: 1n, pairs: [["0x01", "0x02"]], uid: "0x0f", sells: 100n } as const;
  const competition = auctionOf([
    { ...bid, solver: "0xa0", buys: [190n], isWinner: true, txHash: "0xaa" },
    { ...bid, solver: "0xb0", buys: [185n] },
    { ...bid, solver: "0xc0", buys: [195n], filteredOut: true },
  ], {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 2n * 10n ** 18n } },
  });
  const of = { ...order, fullAppData: '{"appCode":"Swap","metadata":{}}' };
  const columns = [
    "best_unexecuted_solver best_unexecuted_filtered_out left_atoms left_native_atoms",
    "app_code",
  ];
  const given = { competitions: [competition] };
  assertEquals(cells(fillsTable([{ order: of, trades: [trade] }], given), ...columns), [
    ["0xc0", true, "5", "10", "Swap"],
  ]);
  // What the service did not store is not known.
  const old = fillsTable([{ order: of, trades: [trade] }], {
    ...given,
    isFilterStored: () => false,
  });
  assertEquals(cells(old, "best_unexecuted_filtered_out"), [[null]]);
});
