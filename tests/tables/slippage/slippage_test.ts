import { assertAlmostEquals, assertEquals } from "@std/assert";
import { slippageTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { debugAuctionOf, orderOf, reportOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const VOLUME = { volume: { factor: 0.02 } };
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote, fullAppData: "{}" });
const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });
const settlements = new Map([["0xaa", { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] }]]);

Deno.test("slippageTable() compares with four baselines, positive if the fill is better", () => {
  const [row] = slippageTable([{ order, trades: [trade] }]).toRecords();
  // Net: 205 - floor(2 * 205 / 100) = 201; shown: 201 * 0.98; limit: 180.
  assertEquals(row?.slippage_gross, "-15");
  assertAlmostEquals(Number(row?.slippage_gross_bps), -10_000 * 15 / 205);
  assertEquals(row?.slippage_net, "-11");
  assertAlmostEquals(Number(row?.slippage_net_bps), -10_000 * 11 / 201);
  assertEquals(row?.slippage_user_shown, "-7");
  assertAlmostEquals(Number(row?.slippage_user_shown_bps), 10_000 * (190 - 196.98) / 196.98);
  assertEquals(row?.slippage_limit, "10");
  assertAlmostEquals(Number(row?.slippage_limit_bps), 10_000 * 10 / 180);
});

Deno.test("slippageTable() splits the gross slippage: costs negative, in atoms, bps and native", () => {
  const auction = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: [], prices: { "0x02": 10n ** 36n } },
  });
  const [row] = slippageTable([{ order, trades: [trade] }], {
    settlements,
    competitions: [auction],
  }).toRecords();
  assertEquals(row?.decomposition_basis, "settlement");
  assertEquals([row?.network_part_low, row?.network_part_high], ["-6", "-6"]);
  assertEquals([row?.protocol_part, row?.partner_part], ["-4", "0"]);
  assertEquals([row?.market_part_low, row?.market_part_high], ["-5", "-5"]);
  assertEquals([row?.network_native, row?.protocol_native, row?.market_native], [-6, -4, -5]);
  const parts = ["network", "protocol", "partner", "market"].map((part) =>
    Number(row?.[`${part}_bps`])
  );
  assertAlmostEquals(parts[0]!, -10_000 * 6 / 205);
  assertAlmostEquals(parts.reduce((a, b) => a + b), Number(row?.slippage_gross_bps));
  assertEquals(row?.volume_native, 190);
});

Deno.test("slippageTable() has a row for a fill without a quote, with the reason", () => {
  const { quote: _, ...unquoted } = order;
  const columns = ["slippage_gross", "slippage_limit", "slippage_reason", "decomposition_reason"];
  assertEquals(cells(slippageTable([{ order: unquoted, trades: [trade] }]), ...columns), [
    [null, "10", "no_quote", "no_quote"],
  ]);
});

Deno.test("slippageTable() takes auction, solver, prices and times from a debug report", () => {
  const at = (second: number) => Temporal.Instant.from(`2026-08-21T10:00:${second}Z`);
  const debugReport = reportOf({
    order,
    events: [{ label: "created", timestamp: at(10) }, { label: "traded", timestamp: at(30) }],
    trades: [{ ...trade, auctionId: 8 }],
    auctions: [debugAuctionOf(8, {
      nativePrices: { "0x01": 10n ** 36n },
      proposedSolutions: [{
        solutionUid: 0,
        ranking: 1,
        solver: "0x5a",
        isWinner: true,
        filteredOut: false,
        score: 1n,
        executedSell: 100n,
        executedBuy: 190n,
      }],
      executions: [{
        executedFee: 5n,
        executedFeeToken: "0x01",
        blockNumber: 103,
        protocolFees: [],
      }],
    })],
  });
  const columns = ["auction_id", "solver", "volume_native", "quote_age_seconds"];
  const frame = slippageTable([{ order, trades: [trade], debugReport }]);
  assertEquals(cells(frame, ...columns), [[8, "0x5a", 100, 30]]);
  assertEquals(cells(frame, "network_part_low", "network_part_high", "decomposition_basis"), [
    ["-8", "-6", "executed_fee"],
  ]);
});

Deno.test("slippageTable() has the requested and the signed tolerance", () => {
  const fullAppData = JSON.stringify({ metadata: { quote: { slippageBips: 50 } } });
  const asked = { ...order, fullAppData };
  const [row] = slippageTable([{ order: asked, trades: [trade] }]).toRecords();
  assertEquals(row?.tolerance_asked_bps, 50);
  assertAlmostEquals(Number(row?.tolerance_signed_gross_bps), 10_000 * 25 / 205);
});

Deno.test("slippageTable() lists the fills of an order by block, and skips those of other orders", () => {
  const half = { ...order, partiallyFillable: true };
  const trades = [
    tradeOf({ blockNumber: 110, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ blockNumber: 105, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ orderUid: "0x99" }),
  ];
  assertEquals(cells(slippageTable([{ order: half, trades }]), "block_number", "filled_fraction"), [
    [105, 0.5],
    [110, 0.5],
  ]);
});
