import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { Order } from "orderlens";
import { decodeSettlement } from "orderlens/evm";
import type { ExecutedProtocolFee } from "orderlens/schemas";
import { buildTable, FEE_STEPS, FEES } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { calldataOf, records, trades } from "../market.ts";

const ETHER = 10n ** 18n;

const USDC = 1_000_000n;

const CAPPED = { surplus: { factor: 0.5, maxVolumeFactor: 0.0098 } };

const TWO_FEES = [
  { policy: { volume: { factor: 0.0002 } }, amount: 420_504n, token: "0x02" },
  { policy: { volume: { factor: 0.001 } }, amount: 2_102_102n, token: "0x02" },
];

/** An order of 1 ether for 2,000 USDC that got 2,100, after fees in list order. */
function sold(executedProtocolFees: ExecutedProtocolFee[], more: Partial<Order> = {}) {
  const order = orderOf({
    fullAppData: "{}",
    ...more,
    sellAmount: ETHER,
    buyAmount: 2_000n * USDC,
  });
  const amounts = { sellAmount: ETHER, buyAmount: 2_100n * USDC };
  return { order, trades: [tradeOf({ orderUid: order.uid, ...amounts, executedProtocolFees })] };
}

Deno.test("FEES marks fills at absurd native prices", () => {
  const sidesAt = (bought: bigint) => {
    // 1 ether for 2,100 USDC of 6 decimals.
    const auction = { orders: ["0x0f"], prices: { "0x01": ETHER, "0x02": bought } };
    const competitions = [auctionOf([], { transactionHashes: ["0xaa"], auction })];
    return cells(
      buildTable(FEES, { records: [sold(TWO_FEES)], competitions }),
      "fee_native_atoms price_sides",
    );
  };
  const usdc = 4n * 10n ** 26n;
  assertEquals(sidesAt(usdc), [["168201600000000", "consistent"], [
    "840840800000000",
    "consistent",
  ]]);
  assertEquals(sidesAt(usdc * 10n ** 9n), [
    ["168201600000000000000000", "absurd"],
    ["840840800000000000000000", "absurd"],
  ]);
});

Deno.test("FEES has the amounts before and after each fee, and its rate, capped or not", () => {
  const amounts = { sellAmount: 2_050n * USDC, buyAmount: ETHER };
  const charged = (amount: bigint, token: string) => [{ policy: CAPPED, amount, token }];
  const order = orderOf({ kind: "buy", ...amounts, sellAmount: 2_100n * USDC, fullAppData: "{}" });
  const executedProtocolFees = charged(19_895_028n, "0x01");
  const bought = { order, trades: [tradeOf({ ...amounts, executedProtocolFees })] };
  const columns = ["position amount_before_atoms amount_after_atoms verdict cap_bps is_capped"];
  for (
    const [record, rows, rates] of [
      [sold(TWO_FEES), [
        [1, "2102522606", "2102102102", "exact", null, false],
        [2, "2102102102", "2100000000", "exact", null, false],
      ], [2, 10]],
      [sold(charged(20_783_680n, "0x02")), [
        [1, "2120783680", "2100000000", "exact", 98, true],
      ], [98]],
      // Fees of a purchase are part of what it sold.
      [bought, [[1, "2030104972", "2050000000", "exact", 98, true]], [98]],
    ] as const
  ) {
    const frame = buildTable(FEES, { records: [record] });
    assertEquals(cells(frame, ...columns), rows.map((row) => [...row]));
    for (const [at, { fee_bps }] of frame.toRecords().entries()) {
      assertAlmostEquals(Number(fee_bps), rates[at]!, 1e-4);
    }
  }
});

Deno.test("FEES values a fee at the prices of the settled auction", () => {
  const fee = TWO_FEES[0]!;
  const auction = auctionOf([], {
    auctionId: 9,
    transactionHashes: ["0xAA"],
    auction: { orders: [], prices: { "0x02": 5n * 10n ** 35n } },
  });
  const frame = buildTable(FEES, { records: [sold([fee])], competitions: [auction] });
  assertEquals(cells(frame, "auction_id", "fee_native"), [[9, 210_252]]);
  assertEquals(cells(buildTable(FEES, { records: [sold([fee])] }), "auction_id", "fee_native"), [[
    null,
    null,
  ]]);
});

Deno.test("FEES gives the reason if a fee is not computable, and its possible origin", () => {
  const { order, trades } = sold([{ amount: 5n, token: "0x02" }]);
  const columns = ["policy_kind", "is_partner", "factor", "verdict", "reason", "recomputed_atoms"];
  const { fullAppData: _, ...unknown } = order;
  assertEquals(cells(buildTable(FEES, { records: [{ order: unknown, trades }] }), ...columns), [
    [null, null, null, "not_computable", "no_policy", null],
  ]);
});

Deno.test("FEES skips trades of other orders, and fills without fees", () => {
  const { order } = sold([]);
  const fee = { amount: 5n, token: "0x02" };
  const other = tradeOf({ orderUid: "0x10", executedProtocolFees: [fee] });
  assertEquals(buildTable(FEES, { records: [{ order, trades: [other, tradeOf()] }] }).height, 0);
});

Deno.test("FEES names the owner, the solver, and the recipient of a partner's fee alone", () => {
  const [owner, recipient, solver] = ["0d", "a1", "b2"].map((byte) => `0x${byte.repeat(20)}`);
  const partnerFee = { volumeBps: 10, recipient: recipient!.replace("a1", "A1") };
  const fullAppData = JSON.stringify({ metadata: { partnerFee } });
  const record = sold(TWO_FEES, { owner: owner!, fullAppData });
  const auction = auctionOf(
    [{ solver: solver!, score: 1n, pairs: [["0x01", "0x02"]], isWinner: true, txHash: "0xaa" }],
    { transactionHashes: ["0xaa"] },
  );
  const frame = buildTable(FEES, {
    records: [record],
    competitions: [auction],
    solvers: [{ address: solver!, name: "Beta" }],
    symbols: (address) => address === "0x02" ? "USDC" : null,
  });
  assertEquals(
    cells(frame, "is_partner", "recipient", "owner", "solver", "solver_name", "fee_symbol"),
    [
      [false, null, owner, solver, "Beta", "USDC"],
      [true, recipient, owner, solver, "Beta", "USDC"],
    ],
  );
});

const PRICES = { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] };

const VOLUME = { volume: { factor: 0.02 } };

const order = orderOf({ buyAmount: 180n, fullAppData: "{}" });

const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });

const booked = { ...order, executedFee: 5n, executedSellAmount: 100n, executedBuyAmount: 190n };

const COLUMNS = ["step", "part", "policy_kind", "amount_low_atoms", "amount_high_atoms"];

Deno.test("FEE_STEPS leads from clearing prices to the net amount of a sell order", () => {
  const frame = buildTable(FEE_STEPS, {
    records: [{ order, trades: [trade] }],
    settlements: new Map([["0xAA", PRICES]]),
  });
  assertEquals(cells(frame, ...COLUMNS), [
    [1, "clearing", null, "200", "200"],
    [2, "network", null, "6", "6"],
    [3, "protocol", "volume", "4", "4"],
    [4, "executed", null, "190", "190"],
  ]);
});

Deno.test("FEE_STEPS has a range if only the booked fee is known, and null without it", () => {
  const decimals = () => 0;
  const range = buildTable(FEE_STEPS, { records: [{ order: booked, trades: [trade] }], decimals });
  assertEquals(cells(range, "amount_tokens", "amount_low_tokens", "amount_high_tokens"), [
    [null, 200, 202],
    [null, 6, 8],
    [4, 4, 4],
    [190, 190, 190],
  ]);
  assertEquals(
    cells(
      buildTable(FEE_STEPS, { records: [{ order, trades: [trade] }] }),
      "part",
      "amount_low_atoms",
    ),
    [
      ["clearing", null],
      ["network", null],
      ["protocol", "4"],
      ["executed", "190"],
    ],
  );
});

Deno.test("FEE_STEPS values fees, but no whole amounts, at the auction's prices", () => {
  const auction = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: [], prices: { "0x02": 10n ** 36n } },
  });
  const frame = buildTable(FEE_STEPS, {
    records: [{ order: booked, trades: [trade] }],
    competitions: [auction],
  });
  assertEquals(cells(frame, "part", "fee_native", "is_partner"), [
    ["clearing", null, null],
    ["network", 7, null],
    ["protocol", 4, false],
    ["executed", null, null],
  ]);
});

Deno.test("FEE_STEPS adds up for every recorded fill, sell and buy", () => {
  const settlements = new Map(
    trades.map(({ txHash }) => [txHash!, decodeSettlement(calldataOf(txHash!))]),
  );
  const rows = buildTable(FEE_STEPS, { records, settlements }).toRecords();
  const fills = Map.groupBy(rows, (row) => `${row.block_number} ${row.log_index}`);
  assertEquals(fills.size, trades.length);
  for (const steps of fills.values()) {
    const [clearing, ...rest] = steps.map(({ amount_low_atoms: low }) => BigInt(String(low)));
    const executed = rest.pop()!;
    const fees = rest.reduce((sum, fee) => sum + fee, 0n);
    const expected = steps[0]!.kind === "sell" ? executed + fees : executed - fees;
    assertEquals(clearing, expected);
  }
});
