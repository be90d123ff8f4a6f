import { assertEquals } from "@std/assert";
import { feeStepsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { records, settlements } from "../market.ts";

const PRICES = { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] };
const VOLUME = { volume: { factor: 0.02 } };
const order = orderOf({ buyAmount: 180n, fullAppData: "{}" });
const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });
const COLUMNS = ["step", "part", "policy_kind", "amount_low_atoms", "amount_high_atoms"];

Deno.test("feeStepsTable() leads from clearing prices to the net amount of a sell order", () => {
  const frame = feeStepsTable([{ order, trades: [trade] }], {
    settlements: new Map([["0xAA", PRICES]]),
  });
  assertEquals(cells(frame, ...COLUMNS), [
    [1, "clearing", null, "200", "200"],
    [2, "network", null, "6", "6"],
    [3, "protocol", "volume", "4", "4"],
    [4, "executed", null, "190", "190"],
  ]);
});

Deno.test("feeStepsTable() has a range if only the booked fee is known, and null without it", () => {
  const booked = {
    ...order,
    executedFee: 5n,
    executedSellAmount: 100n,
    executedBuyAmount: 190n,
  };
  const decimals = () => 0;
  const range = feeStepsTable([{ order: booked, trades: [trade] }], { decimals });
  assertEquals(cells(range, "amount_tokens", "amount_low_tokens", "amount_high_tokens"), [
    [null, 200, 202],
    [null, 6, 8],
    [4, 4, 4],
    [190, 190, 190],
  ]);
  assertEquals(cells(feeStepsTable([{ order, trades: [trade] }]), "part", "amount_low_atoms"), [
    ["clearing", null],
    ["network", null],
    ["protocol", "4"],
    ["executed", "190"],
  ]);
});

Deno.test("feeStepsTable() values fees, but no whole amounts, at the auction's prices", () => {
  const auction = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: [], prices: { "0x02": 10n ** 36n } },
  });
  const booked = { ...order, executedFee: 5n, executedSellAmount: 100n, executedBuyAmount: 190n };
  const frame = feeStepsTable([{ order: booked, trades: [trade] }], { competitions: [auction] });
  assertEquals(cells(frame, "part", "fee_native", "is_partner"), [
    ["clearing", null, null],
    ["network", 7, null],
    ["protocol", 4, false],
    ["executed", null, null],
  ]);
});

Deno.test("feeStepsTable() adds up for every recorded fill, sell and buy", () => {
  const rows = feeStepsTable(records, { settlements }).toRecords();
  const fills = Map.groupBy(rows, (row) => `${row.block_number} ${row.log_index}`);
  assertEquals(fills.size, 664);
  for (const steps of fills.values()) {
    const [clearing, ...rest] = steps.map(({ amount_low_atoms: low }) => BigInt(String(low)));
    const executed = rest.pop()!;
    const fees = rest.reduce((sum, fee) => sum + fee, 0n);
    const expected = steps[0]!.kind === "sell" ? executed + fees : executed - fees;
    assertEquals(clearing, expected);
  }
});
