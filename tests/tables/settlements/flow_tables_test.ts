import { assertEquals, assertThrows } from "@std/assert";
import { InputError, NATIVE_TOKEN_ADDRESS } from "orderlens";
import type { OnchainSettlement } from "orderlens/evm";
import type { SettlementAudit } from "orderlens/metrics";
import {
  buildTable,
  CHAIN_DIFFERENCES,
  IMBALANCE_VALUES,
  IMBALANCES,
  SETTLEMENTS as SETTLEMENTS_TABLE,
  TOKEN_FLOWS,
} from "orderlens/tables";
import { cells } from "../made_up.ts";
import { AUCTIONS, AUDITS, FACTS, NET_ATOMS, SETTLEMENTS, WITHOUT_LOGS } from "./audits.ts";

const GOLD = `0x${"a1".repeat(20)}`;

const SILVER = `0x${"b2".repeat(20)}`;

const [CONTRACT, POOL] = [`0x${"90".repeat(20)}`, `0x${"02".repeat(20)}`];

/** An audit of auction 7, in which the contract's tokens changed by these atoms. */
function audited(...nets: [token: string, netAtoms: bigint][]): SettlementAudit {
  return {
    ...WITHOUT_LOGS,
    auctionId: 7,
    imbalances: {
      tokens: nets.map(([token, netAtoms]) => ({ token, inAtoms: 0n, outAtoms: 0n, netAtoms })),
      unknown: [],
    },
  };
}

/** Auction 7, where gold is worth 3 native atoms for 2 of its atoms. */
const AUCTION = {
  ...AUCTIONS[0]!,
  auctionId: 7,
  auction: { orders: [], prices: { [GOLD.toUpperCase().replace("X", "x")]: 15n * 10n ** 17n } },
};

Deno.test("IMBALANCE_VALUES values imbalances at the native prices of their auction", () => {
  const audit = audited([GOLD, 101n], [GOLD, -101n], [SILVER, 5n], [SILVER, 0n], [
    NATIVE_TOKEN_ADDRESS,
    -4n,
  ]);
  const columns = ["net_amount_atoms", "net_value_atoms", "value_reason"];
  // 101 * 3 / 2 = 151.5, rounded down.
  assertEquals(
    cells(buildTable(IMBALANCE_VALUES, { audits: [audit], competitions: [AUCTION] }), ...columns),
    [
      ["101", "151", null],
      ["-101", "-152", null],
      ["5", null, "no_native_price"],
      ["0", "0", null],
      ["-4", "-4", null],
    ],
  );
  const elsewhere = [{ ...AUCTION, auctionId: 8 }];
  assertEquals(
    cells(buildTable(IMBALANCE_VALUES, { audits: [audit], competitions: elsewhere }), ...columns),
    [
      ["101", null, "no_auction"],
      ["-101", null, "no_auction"],
      ["5", null, "no_auction"],
      ["0", "0", null],
      ["-4", "-4", null],
    ],
  );
});

Deno.test("IMBALANCES and IMBALANCE_VALUES have every digit, and say why an imbalance is unknown", () => {
  const audits = { ...FACTS, competitions: AUCTIONS };
  const fee = { tokens: [], unknown: [{ token: GOLD, why: "a fee" }] };
  const unknown = { ...WITHOUT_LOGS, imbalances: fee };
  for (
    const [table, all, reason] of [
      [IMBALANCES, buildTable(IMBALANCES, { audits: AUDITS, ...FACTS }), "imbalance_reason"],
      [
        IMBALANCE_VALUES,
        buildTable(IMBALANCE_VALUES, { audits: AUDITS, ...audits }),
        "value_reason",
      ],
    ] as const
  ) {
    const rows = cells(all, "net_amount_atoms", reason);
    assertEquals(rows.flatMap(([net]) => net ?? []), NET_ATOMS);
    assertEquals(rows.flatMap(([, why]) => why ?? []), ["logs_incomplete"]);
    const columns = ["token", "net_amount_atoms", reason];
    assertEquals(cells(buildTable(table, { audits: [WITHOUT_LOGS] }), ...columns), [[
      null,
      null,
      "logs_incomplete",
    ]]);
    assertEquals(cells(buildTable(table, { audits: [unknown] }), ...columns), [[
      GOLD,
      null,
      "a fee",
    ]]);
  }
});

/** A settlement whose contract got 1.5 gold from a pool. */
const SETTLED: OnchainSettlement = {
  ...SETTLEMENTS[0]!,
  to: CONTRACT,
  events: [],
  trades: [],
  transfers: [{
    event: "Transfer",
    token: GOLD,
    from: POOL,
    to: CONTRACT,
    atoms: 15n,
    logIndex: 4,
  }],
};

Deno.test("TOKEN_FLOWS has one row per flow, with its accounts and its amount", () => {
  const options = { decimals: new Map([[GOLD, 1]]), symbols: new Map([[GOLD, "GLD"]]) };
  const columns = ["step", "log_index", "sender", "sender_role", "receiver_role", "symbol"];
  assertEquals(
    cells(
      buildTable(TOKEN_FLOWS, { onchainSettlements: [SETTLED], ...options }),
      ...columns,
      "amount_atoms",
      "amount_tokens",
    ),
    [
      [1, 4, POOL, "other", "contract", "GLD", "15", 1.5],
    ],
  );
});

Deno.test("TOKEN_FLOWS says why flows are unknown", () => {
  const columns = ["step", "token", "amount_atoms", "flow_reason"];
  const cut = { ...SETTLED, hasAllLogs: false };
  assertEquals(cells(buildTable(TOKEN_FLOWS, { onchainSettlements: [cut] }), ...columns), [[
    null,
    null,
    null,
    "logs_incomplete",
  ]]);
  const staked = {
    ...SETTLED,
    transfers: [{ ...SETTLED.transfers[0]!, event: "Deposit" as const }],
  };
  const why = "Deposit of a contract that may be the wrapped native token or not";
  assertEquals(cells(buildTable(TOKEN_FLOWS, { onchainSettlements: [staked] }), ...columns), [
    [null, GOLD, null, why],
    [null, NATIVE_TOKEN_ADDRESS, null, why],
  ]);
  assertEquals(
    cells(
      buildTable(TOKEN_FLOWS, { onchainSettlements: [staked], wrappedNativeToken: GOLD }),
      ...columns,
    ),
    [[1, GOLD, "15", null]],
  );
  assertThrows(
    () => buildTable(TOKEN_FLOWS, { onchainSettlements: [WITHOUT_LOGS] as never }),
    InputError,
    "has no transfers",
  );
});

Deno.test("SETTLEMENTS has one row per audit, by transaction", () => {
  const frame = buildTable(SETTLEMENTS_TABLE, { audits: [WITHOUT_LOGS] });
  assertEquals(
    cells(
      frame,
      "tx_hash block_number auction_id succeeded trade_count gas_cost_atoms",
    ),
    [[WITHOUT_LOGS.txHash, 44, 676, true, 1, `${418_744n * 1_050_000_002n}`]],
  );
  const blocks = cells(buildTable(SETTLEMENTS_TABLE, { audits: AUDITS }), "tx_hash block_number");
  assertEquals(
    blocks,
    AUDITS.map(({ txHash, blockNumber }) => [txHash, blockNumber]).sort(([a], [b]) =>
      a! < b! ? -1 : 1
    ),
  );
});

Deno.test("SETTLEMENTS splits the gas over the trades, rounded down", () => {
  const [trade] = WITHOUT_LOGS.trades;
  const audits = [0, 1, 3].map((count): SettlementAudit => ({
    ...WITHOUT_LOGS,
    txHash: `0x0${count}`,
    gasCost: 11n,
    trades: Array(count).fill(trade),
  }));
  const frame = buildTable(SETTLEMENTS_TABLE, {
    audits: [...audits, { ...WITHOUT_LOGS, txHash: "0x04", gasCost: null }],
  });
  assertEquals(cells(frame, "tx_hash gas_cost_per_trade_atoms gas_cost_per_trade_native"), [
    ["0x00", null, null],
    ["0x01", "11", 1.1e-17],
    ["0x03", "3", 3e-18],
    ["0x04", null, null],
  ]);
});

Deno.test("SETTLEMENTS does not count trades of a settlement whose calldata is unknown", () => {
  const undecoded = { ...WITHOUT_LOGS, isDecoded: false, trades: [] };
  const failed = { ...WITHOUT_LOGS, txHash: "0x05", succeeded: false, trades: [] };
  const frame = buildTable(SETTLEMENTS_TABLE, { audits: [undecoded, failed] });
  assertEquals(cells(frame, "tx_hash trade_count gas_cost_per_trade_atoms"), [
    ["0x05", 0, null],
    [WITHOUT_LOGS.txHash, null, null],
  ]);
});

Deno.test("CHAIN_DIFFERENCES has one row per difference", () => {
  assertEquals(
    cells(
      buildTable(CHAIN_DIFFERENCES, { audits: AUDITS }),
      "what",
      "order_uid",
      "on_chain",
      "reported",
    ),
    [["other_amounts", AUDITS[0]!.trades[0]!.uid, "sold 2, bought 3", "sold 2, bought 4"]],
  );
  assertEquals(buildTable(CHAIN_DIFFERENCES, { audits: [WITHOUT_LOGS] }).height, 0);
});
