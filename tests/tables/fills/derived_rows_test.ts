import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  concentrationTable,
  cowSharesTable,
  gasSurplusTable,
  winnersCurseTable,
} from "orderlens/tables";

const TUESDAY = Date.UTC(2026, 10, 24);

Deno.test("concentrationTable() has the digits of rows worked by hand", () => {
  const fill = (
    filled_at_ms: number | null,
    solver: string | null,
    [sell_token = "", buy_token = ""]: readonly string[],
    volume_atoms: string | null,
  ) => ({ filled_at_ms, solver, sell_token, buy_token, volume_atoms });
  const [pair, back] = [["0x1", "0x2"], ["0x2", "0x1"]];
  const frame = concentrationTable([
    fill(TUESDAY, "a", pair, "3"),
    fill(TUESDAY, "B", pair, "1"),
    fill(TUESDAY - 1, "b", back, "10"),
    fill(null, null, back, "10"),
    fill(null, "a", back, null),
  ]);
  assertEquals(frame.toRecords().map((row) => Object.values(row)), [
    ["week", "2026-11-17", 1, 0, 1, "10", 1e-17, 1, 1, 1],
    ["week", "2026-11-24", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["pair", "0x1 0x2", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["pair", "0x2 0x1", 1, 2, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-17", 1, 1, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-18", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
  ]);
});

Deno.test("gasSurplusTable() has the digits of rows worked by hand, and gas of settlements", () => {
  const fill = (
    solver: string | null,
    solver_name: string | null,
    surplus_native_atoms: string | null,
    gas_cost_atoms: string | null,
  ) => ({ solver, solver_name, surplus_native_atoms, gas_cost_atoms, tx_hash: "0x0f" });
  const fills = [
    fill("0xa", "A", "1000000000000000000001", "1000000000000000000000"),
    fill("0xA", "A", "4", "7"),
    fill("0xa", "A", "-5", "0"),
    fill("0xa", "A", "9", null),
    fill(null, null, null, "3"),
  ];
  const rest = ["1000000000000000000007", 1000, "-7", -7e-18, 2];
  assertEquals(gasSurplusTable(fills).toRecords().map((row) => Object.values(row)), [
    ["0xa", "A", 3, 1, "1000000000000000000000", 1000, ...rest],
    [null, null, 0, 1, null, null, null, null, null, null, 0],
  ]);
  const settlements = [{ tx_hash: "0x0F", gas_cost_atoms: "5", trade_count: 2 }];
  const [row] = gasSurplusTable(fills, { settlements }).toRecords();
  assertEquals([row?.fills, row?.unknown_count, row?.after_gas_atoms], [4, 0, "0"]);
});

Deno.test("cowSharesTable() has the digits of rows worked by hand", () => {
  const trade = (
    [tx_hash, auction_id]: readonly [string | null, number | null],
    [sell_token, buy_token]: readonly [string, string],
    [sell_amount_atoms, buy_amount_atoms]: readonly [string, string],
  ) => ({ tx_hash, auction_id, sell_token, buy_token, sell_amount_atoms, buy_amount_atoms });
  const frame = cowSharesTable([
    trade(["0xa", 7], ["x", "y"], ["10", "40"]),
    trade(["0xA", 7], ["y", "x"], ["30", "8"]),
    trade(["0xb", 8], ["x", "y"], ["5", "20"]),
    trade([null, null], ["x", "y"], ["5", "20"]),
  ], { decimals: () => 1, symbols: (token) => token.toUpperCase() });
  assertEquals(frame.toRecords().map((row) => Object.values(row)), [
    ["0xa", 7, "x", "X", 2, "10", 1, "8", 0.8, "8", 0.8, 1],
    ["0xa", 7, "y", "Y", 2, "30", 3, "40", 4, "30", 3, 0.75],
    ["0xb", 8, "x", "X", 1, "5", 0.5, "0", 0, "0", 0, null],
    ["0xb", 8, "y", "Y", 1, "0", 0, "20", 2, "0", 0, 0],
  ]);
});

Deno.test("winnersCurseTable() reads exact markouts, and leaves out fills without one", () => {
  const row = (
    bidder_count: number | null,
    markout_exact: string | null,
    solver_efficiency_exact = markout_exact,
  ) => ({ bidder_count, markout_exact, solver_efficiency_exact });
  const frame = winnersCurseTable([
    row(1, "-1/1000", "0/1"),
    row(2, "1/3", "1/2"),
    row(2, null),
    row(null, "1/2"),
  ]);
  assertEquals(frame.toRecords().map((one) => Object.values(one)), [
    [1, 1, 0, -10, 0, 0],
    [2, 1, 1, 10_000 / 3, 5_000, 5_000],
  ]);
});

Deno.test("amounts of rows that are no whole numbers are rejected by column", () => {
  const { message } = assertThrows(
    () =>
      concentrationTable([
        { filled_at_ms: 0, solver: "a", sell_token: "x", buy_token: "y", volume_atoms: "1.5" },
      ]),
    InputError,
  );
  assertStringIncludes(message, 'Cannot read "1.5" as volume_atoms');
});
