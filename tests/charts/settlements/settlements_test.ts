import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  type SettlementFlowRow,
  settlementFlows,
  solverImbalances,
  type SolverImbalancesRow,
} from "orderlens/charts";
import { marksOf, testPicture, testSays } from "../svg_marks.ts";

function imbalance(
  solver: string,
  block_number: number,
  net_value_native: number | null,
  facts: Partial<SolverImbalancesRow> = {},
): SolverImbalancesRow {
  return { tx_hash: `0x${block_number}`, solver, block_number, net_value_native, ...facts };
}

/** A leaves 0.5 and 0.25, then takes 1; B leaves 0.125. */
const IMBALANCES = [
  imbalance("A", 100, 0.75, { symbol: "GLD" }),
  imbalance("A", 100, -0.25, { symbol: "SLV" }),
  imbalance("B", 110, 0.125, { symbol: "GLD" }),
  imbalance("A", 120, -1, { symbol: "GLD" }),
  imbalance("A", 110, 0.25, { symbol: "GLD" }),
];

testSays("solverImbalances", {
  "says which values are not known, and leaves them out of the sums": [
    () =>
      solverImbalances([
        ...IMBALANCES,
        imbalance("A", 120, null, { symbol: "DST", value_reason: "no_native_price" }),
        imbalance("B", 130, null, { value_reason: "logs_incomplete" }),
        imbalance("B", 131, null, { value_reason: "logs_incomplete" }),
        imbalance("B", 132, null, { value_reason: "No log of the token transfers 7 atoms" }),
        imbalance("B", 133, NaN, { value_reason: "no_auction" }),
      ], { nativeSymbol: "ETH" }),
    IMBALANCES.length,
    "What settlements left in the settlement contract: −0.125 ETH, where it is known",
    "0.125 ETH from the contract, excluding 5 imbalances of unknown value.",
    "Not in the sums, because their value is unknown: 1 (no native price), 2 (logs are missing), 1 (flows",
    "1 (the auction was not read)",
    "DST of unknown value",
  ],
});

Deno.test("solverImbalances() keeps settlements of one block apart, and joins small solvers", () => {
  const crowd = "ABCDEFGH".split("").flatMap((solver, at) =>
    Array.from(
      { length: 9 - at },
      (_, nth) => imbalance(solver, nth, 1, { tx_hash: `${solver}${nth}` }),
    )
  );
  const { svg } = solverImbalances(crowd);
  assertStringIncludes(svg, "n = 44 settlements");
  assertStringIncludes(svg, ">2 other solvers: +5 native tokens<");
  assertEquals(marksOf(svg, "total").length, 7);
  assertStringIncludes(solverImbalances(crowd, { limit: 1 }).svg, ">7 other solvers: +35");
  const long = Array.from({ length: 2_500 }, (_, at) => imbalance("A", at, at % 2 ? -1 : 1));
  const lines = solverImbalances(long).svg;
  assertEquals([marksOf(lines, "total").length, marksOf(lines, "settlement").length], [1, 0]);
});

testPicture(
  "solverImbalances",
  solverImbalances,
  IMBALANCES,
  "4 settlements took 0.125 native tokens from the contract. The largest amount is from A, −0.25 native tokens.",
  ["No settlement in this range", []],
  [
    "No settlement in this range has an imbalance with a known value",
    [imbalance("A", 1, null)],
  ],
);

const TRADER = `0x7ade${"0".repeat(32)}0001`;
const CONTRACT = `0x9008${"0".repeat(32)}0002`;
const POOL = `0x9001${"0".repeat(32)}0003`;
/** Its ends are those of the pool. */
const TWIN = `0x9001${"0".repeat(31)}10003`;

const ROLES: Readonly<Record<string, string>> = {
  [TRADER]: "trader",
  [CONTRACT]: "contract",
  [POOL]: "other",
  [TWIN]: "other",
};

function flow(
  sender: string,
  receiver: string,
  facts: Partial<SettlementFlowRow> = {},
): SettlementFlowRow {
  return {
    tx_hash: `0xabcd${"0".repeat(56)}1234`,
    sender,
    sender_role: ROLES[sender] ?? "other",
    receiver,
    receiver_role: ROLES[receiver] ?? "other",
    symbol: "GLD",
    token: "0xa1",
    amount_atoms: "1500",
    amount_tokens: 1.5,
    flow_reason: null,
    ...facts,
  };
}

const silver = { symbol: "SLV", token: "0xb2", amount_atoms: "41", amount_tokens: null };
const SETTLED = [
  flow(TRADER, CONTRACT),
  flow(CONTRACT, POOL, { amount_atoms: "1490", amount_tokens: 1.49 }),
  flow(POOL, TWIN, silver),
  flow(TWIN, CONTRACT, silver),
  flow(CONTRACT, TRADER, silver),
];

const UNKNOWN = flow(POOL, POOL, {
  sender: null,
  receiver: null,
  amount_tokens: null,
  flow_reason: "No log of the token transfers 7 atoms of a trade",
});

testSays("settlementFlows", {
  "says what buffers paid, and labels flows on a phone too": [
    () =>
      settlementFlows([
        flow(TRADER, CONTRACT),
        flow(CONTRACT, POOL, { amount_tokens: 1.75 }),
        flow(CONTRACT, TRADER, { ...silver, amount_tokens: 0.25 }),
        flow(POOL, CONTRACT, { ...silver, amount_tokens: 0.75 }),
      ], { width: 360 }),
    "The contract paid 0.25 GLD from its buffers and kept 0.5 SLV, in a settlement with 1 trader\n",
    "In 4 transfers, the contract paid 0.25 GLD from its buffers and kept 0.5 SLV.",
    ...[">trader A<", ">account 1<", ">1.5 GLD<"],
  ],
  "says what else accounts are": [
    () =>
      settlementFlows([
        flow(CONTRACT, POOL, { receiver_role: "wrapper" }),
        flow(`0x0000${"0".repeat(36)}`, CONTRACT, { sender_role: "nobody" }),
        flow(CONTRACT, TWIN, { receiver_role: "solver" }),
      ]),
    ...[">wrapped native token<", ">nobody<", ">solver<"],
  ],
  "says what it leaves out": [
    () =>
      settlementFlows([...SETTLED, UNKNOWN, flow(TRADER, CONTRACT, { tx_hash: "0x02" })], {
        limit: 2,
      }),
    2,
    "3 more flows not shown",
    "Some flows of GLD are unknown",
    "1 other settlement left out",
  ],
  "keeps tokens of one symbol apart": [
    () =>
      settlementFlows([
        flow(TRADER, CONTRACT, { token: `0x57e7${"0".repeat(32)}0004` }),
        flow(TRADER, CONTRACT, { token: `0x57e7${"0".repeat(32)}0005` }),
      ]),
    "kept 1.5 GLD 0x57e7…0004 and 1.5 GLD 0x57e7…0005,",
  ],
  "counts tokens without a colour of their own": [
    () =>
      settlementFlows(Array.from(
        { length: 40 },
        (_, at) => flow(TRADER, CONTRACT, { symbol: `T${at % 9}`, token: `0x0${at % 9}` }),
      )),
    40,
    "3 other tokens share a colour",
  ],
});

testPicture(
  "settlementFlows",
  settlementFlows,
  SETTLED,
  "In 5 transfers, the contract kept 0.01 GLD.",
  ["No settlement to draw", []],
  [
    "No flow of this settlement is known",
    [UNKNOWN],
  ],
  ["The source lacks the logs of tokens", [{
    ...UNKNOWN,
    flow_reason: "logs_incomplete",
  }]],
);
