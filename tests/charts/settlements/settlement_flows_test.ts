import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type SettlementFlowRow, settlementFlows } from "orderlens/charts";
import { assertDrawn, type Mark, marksOf, testPicture } from "../svg_marks.ts";

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

/** Where arrows go, from the x of their beginning to that of their point. */
function arrowsOf(svg: string): [from: number, to: number][] {
  return marksOf(svg, "flow").map(({ attributes }: Mark) => {
    const [, from, , to] = /^M([\d.]+),([\d.]+)L([\d.]+)/.exec(attributes["d"] ?? "") ?? [];
    return [Number(from), Number(to)];
  });
}

Deno.test("settlementFlows() draws an arrow per flow, from lane to lane", () => {
  // The flows of the token with the most of them are drawn first.
  const [inside, out, back, paid, sold] = arrowsOf(settlementFlows(SETTLED).svg);
  const [traders, contract] = paid!;
  const others = sold![1];
  const isNear = (a: number, b: number) => Math.abs(a - b) < 4;
  assert(traders < contract && contract < others);
  assert(inside![0] < others && others < inside![1], "a flow among others points to the right");
  assert(isNear(out![0], others) && isNear(out![1], contract));
  assert(isNear(back![0], contract) && isNear(back![1], traders));
  assert(isNear(sold![0], contract));
});

Deno.test("settlementFlows() says what buffers paid, and labels flows on a phone too", () => {
  const { title, finding, svg } = settlementFlows([
    flow(TRADER, CONTRACT),
    flow(CONTRACT, POOL, { amount_tokens: 1.75 }),
    flow(CONTRACT, TRADER, { ...silver, amount_tokens: 0.25 }),
    flow(POOL, CONTRACT, { ...silver, amount_tokens: 0.75 }),
  ], { width: 360 });
  const net = "paid 0.25 GLD from its buffers and kept 0.5 SLV";
  assertEquals(title, `The contract ${net}, in a settlement with 1 trader`);
  assertEquals(finding, `In 4 transfers, the contract ${net}.`);
  for (const text of [">trader A<", ">account 1<", ">1.5 GLD<"]) assertStringIncludes(svg, text);
});

Deno.test("settlementFlows() says what else accounts are", () => {
  const { svg } = settlementFlows([
    flow(CONTRACT, POOL, { receiver_role: "wrapper" }),
    flow(`0x0000${"0".repeat(36)}`, CONTRACT, { sender_role: "nobody" }),
    flow(CONTRACT, TWIN, { receiver_role: "solver" }),
  ]);
  for (const text of [">wrapped native token<", ">nobody<", ">solver<"]) {
    assertStringIncludes(svg, text);
  }
});

Deno.test("settlementFlows() keeps tokens of one symbol apart, and counts tokens without colour", () => {
  const alike = settlementFlows([
    flow(TRADER, CONTRACT, { token: `0x57e7${"0".repeat(32)}0004` }),
    flow(TRADER, CONTRACT, { token: `0x57e7${"0".repeat(32)}0005` }),
  ]);
  assertStringIncludes(alike.title, "kept 1.5 GLD 0x57e7…0004 and 1.5 GLD 0x57e7…0005,");
  assertStringIncludes(alike.svg, "GLD 0x57e7…0004");
  const many = Array.from(
    { length: 40 },
    (_, at) => flow(TRADER, CONTRACT, { symbol: `T${at % 9}`, token: `0x0${at % 9}` }),
  );
  const { svg } = settlementFlows(many);
  assertEquals(marksOf(svg, "flow").length, 40);
  assertStringIncludes(svg, "3 other tokens share a colour");
  assertDrawn(svg);
});

Deno.test("settlementFlows() says what it leaves out", () => {
  const { svg, rows } = settlementFlows(
    [...SETTLED, UNKNOWN, flow(TRADER, CONTRACT, { tx_hash: "0x02" })],
    { limit: 2 },
  );
  assertEquals(rows.length, 2);
  assertStringIncludes(svg, "3 more flows not drawn");
  assertStringIncludes(svg, "Not all flows are known of GLD");
  assertStringIncludes(svg, "1 other settlement left out");
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
