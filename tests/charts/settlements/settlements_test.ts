import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  cowShareByToken,
  type CowShareByTokenRow,
  gasSurplus,
  type GasSurplusRow,
  type SettlementFlowRow,
  settlementFlows,
  solverImbalances,
  type SolverImbalancesRow,
  unsettledWins,
  type UnsettledWinsRow,
} from "orderlens/charts";
import { marksOf, testPicture, testSays } from "../svg_marks.ts";

function bought(
  symbol: string,
  bought_tokens: number | null,
  matched: number | null,
): CowShareByTokenRow {
  return { token: `0x0${symbol}`, symbol, bought_tokens, matched_tokens: matched };
}

const BOUGHT = [bought("A", 3, 0), bought("A", 1, 1), bought("B", 2, 1), bought("C", 0, 0)];

testSays("cowShareByToken", {
  "says what it leaves out": [
    () => cowShareByToken([...BOUGHT, bought("D", null, 0), bought("D", 2, null)], { limit: 1 }),
    "1 more token not drawn",
    "2 of unknown decimals left out",
    "in 2 of 3 (67%)",
  ],
  "says that nothing was matched": [
    () => cowShareByToken([bought("A", 3, 0)]),
    "Settlements bought a token for traders 1 time, and their orders also sold it in 0 of 1 (0%).",
  ],
});

testPicture(
  "cowShareByToken",
  cowShareByToken,
  BOUGHT,
  "Settlements bought a token for traders 3 times, and their orders also sold it in 2 of 3 " +
    "(67%). The most is of B: other traders sold at most 50% of what was bought of it (n = 1).",
  ["No settlements in this range", []],
  [
    "No settlement in this range bought a token of known decimals",
    [bought("D", null, 0)],
  ],
);

function gas(
  name: string | null,
  surplus: number | null,
  gas: number,
  more: Partial<GasSurplusRow> = {},
): GasSurplusRow {
  return {
    solver: name,
    fills: 4,
    unknown_count: 1,
    below_gas_count: 1,
    surplus_native: surplus,
    gas_cost_native: gas,
    after_gas_native: surplus === null ? null : surplus - gas,
    ...more,
  };
}

const GAS = [
  gas("B", 1, 0.5),
  gas("A", 4, 0.5),
  gas("C", -1, 0.5),
  gas(null, 0, 0, { fills: 0, unknown_count: 7 }),
];

testSays("gasSurplus", {
  "has the surplus without fills at absurd and suspect native prices": [
    () =>
      gasSurplus([
        gas("A", 30_152, 0.5, { absurd_count: 2, suspect_count: 0, sound_surplus_native: 2 }),
        gas("B", 4, 0.5, { absurd_count: 0, suspect_count: 1, sound_surplus_native: 1 }),
        gas("C", 0.5, 0.5, { absurd_count: 0, suspect_count: 0, sound_surplus_native: 0.5 }),
      ], { nativeSymbol: "ETH" }),
    "Without 2 fills at absurd and 1 at suspect native prices, the surplus is 3.5 ETH.",
  ],
});

testPicture(
  "gasSurplus",
  gasSurplus,
  GAS,
  "12 fills had a surplus of 4 native tokens, and took 1.5 native tokens of gas: 2.5 native " +
    "tokens is left. 3 of 12 (25%) took more gas than their surplus.",
  ["No fills in this range", []],
  [
    "No fill in this range has a known surplus and gas",
    GAS.slice(3),
  ],
  ["7 fills without a known surplus or gas left out", GAS.slice(3)],
);

function win(outcome: string, score: number | null, more: Partial<UnsettledWinsRow> = {}) {
  return { auction_id: 7, position: 1, outcome, score_native: score, ...more };
}

const owed = (low: number, high = low) => ({ penalty_low_native: low, penalty_high_native: high });
/** Of four wins with scores from 0.01 to 0.1 one failed; of two from 1 to 10 both did. */
const WINS = [
  win("in_time", 0.01, owed(0)),
  win("in_time", 0.02, owed(0)),
  win("in_time", 0.099, owed(0)),
  win("late", 0.05, owed(0.01)),
  win("absent", 1, owed(0.01)),
  win("absent", 9, owed(0, 0.01)),
  // A second order of a solution, and wins that are not decided.
  win("absent", 9, { position: 2 }),
  win("pending", 3),
  win("unknown", 3),
];

testSays("unsettledWins", {
  "says that nobody failed": [
    () => unsettledWins([win("in_time", 1)]),
    "0 of 1 (0%) wins were not settled in time: 0 late, 0 absent.",
  ],
  "says of how many wins it does not know what is owed": [
    () => unsettledWins([win("late", 1), win("absent", 2, owed(0.01)), win("in_time", 1)]),
    "Their solvers owe 0.01 native tokens for them",
    "What solvers owe for 1 win is unknown, and not in the sum",
  ],
  "shows scores of 0 in a row of their own": [
    () => unsettledWins([win("late", 0), win("in_time", 2)]),
    "score 0\n100% not in time",
  ],
});

// 0.05 + 1 + 9 of 0.179 + 10 is 0.9873; they owe 0.02 at least, 0.03 at most.
const FAILED =
  "3 of 6 (50%) wins were not settled in time: 1 late, 2 absent. They held 98.7% of the " +
  "score of all wins (n = 6). Their solvers owe between 0.02 and 0.03 native tokens for them.";

testPicture("unsettledWins", unsettledWins, WINS, FAILED, ["No wins in this range", []], [
  "No win in this range has a known outcome and score",
  [win("pending", 1), win("late", null)],
]);

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
    "0.125 ETH from the contract, without 5 imbalances of unknown value.",
    "Not in the sums, as of unknown value: 1 (no native price), 2 (logs are missing), 1 (the flows",
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
  "4 settlements took 0.125 native tokens from the contract. The most is from A, −0.25 native tokens.",
  ["No settlement in this range", []],
  [
    "No settlement in this range has an imbalance of a known value",
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
    "3 more flows not drawn",
    "Not all flows are known of GLD",
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
  ["The source does not have the logs of tokens", [{
    ...UNKNOWN,
    flow_reason: "logs_incomplete",
  }]],
);
