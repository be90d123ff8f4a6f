import { type SettlementFlowRow, settlementFlows } from "orderlens/charts";
import { testPicture, testSays } from "../svg_marks.ts";

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
