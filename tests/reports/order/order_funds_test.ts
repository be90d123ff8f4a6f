import { computeOrderUid, orderDomain } from "orderlens/evm";
import { decodeOrder } from "orderlens/schemas";
import { type InspectOptions, inspectOrder, orderPage, orderText } from "orderlens/reports";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { cannedBook, CONTRACT, hex, uidOf } from "../canned_book.ts";
import {
  event,
  fundsChain,
  type FundsChainOptions,
  type Held,
  leftOut,
  RELAYER,
  timeOfBlock,
} from "../funds_chain.ts";

const UID = uidOf("01");
const ORDER = `/api/v1/orders/${UID}`;
const UNLIMITED = 2n ** 256n - 1n;

/** Enough of everything, except in some blocks. */
function except(from: number, to: number, held: Partial<Held>) {
  return (block: number): Held => ({
    balance: 100n,
    allowance: UNLIMITED,
    ...block >= from && block < to ? held : {},
  });
}

async function inspect(
  body: Record<string, unknown>,
  held: (block: number) => Held,
  { chain, ...options }: InspectOptions & { chain?: FundsChainOptions } = {},
) {
  const node = fundsChain(held, chain);
  const now = timeOfBlock(1_000_000);
  const report = await inspectOrder(cannedBook(body).book, UID, { node, now, ...options });
  return { report, requests: node.requests };
}

const LACK = [event("created", 900_000), event("invalid", 912_345, "insufficient_balance")];

Deno.test("inspectOrder() says what was missing in the block of the event that reported it", async () => {
  // The owner is short from block 912,345 to 912,345: neither the block before nor the one after.
  const { report, requests } = await inspect(
    leftOut(LACK),
    except(912_345, 912_346, { balance: 60n }),
  );
  assertEquals(report.verdict, "expired_invalid");
  assertEquals(
    report.sentence,
    "Expired: in block 912345 (2026-08-09T11:49:00Z) its owner had too little of the sell token: " +
      "60 of 100 atoms, 40 missing.",
  );
  assertEquals(report.funds, null);
  assertEquals(report.earlierFunds.length, 1);
  const [first] = report.earlierFunds;
  assertEquals(
    [first?.moment, first?.balanceAtoms, first?.missingBalanceAtoms, first?.missingAllowanceAtoms],
    ["first_invalid", 60n, 40n, 0n],
  );
  assertEquals([first?.spender, first?.allowanceAtoms], [RELAYER, UNLIMITED]);
  const entry = report.timeline.find(({ kind }) => kind === "funds");
  assertEquals([entry?.block, entry?.at, entry?.basis], [912_345, timeOfBlock(912_345), "block"]);
  assertEquals(
    entry?.text,
    "Funds in block 912345: its owner had too little of the sell token: 60 of 100 atoms, 40 missing",
  );
  assertEquals(report.unknown.some(({ what }) => what === "funds" || what === "shortage"), false);
  // Bisecting a million blocks by sixteen, three requests for the funds then, and three for those now.
  assertEquals(requests.length <= 13, true, String(requests));
});

Deno.test("inspectOrder() names the spender of an allowance that is short, and both that are", async () => {
  const short = await inspect(leftOut(LACK), except(0, 2e6, { allowance: 7n }));
  assertStringIncludes(
    short.report.sentence,
    `its owner allowed ${RELAYER} to take too little of the sell token: 7 of 100 atoms, 93 missing.`,
  );
  const both = await inspect(leftOut(LACK), except(0, 2e6, { balance: 60n, allowance: 7n }));
  assertStringIncludes(both.report.sentence, `60 of 100 atoms, 40 missing; and allowed ${RELAYER}`);
  for (const page of [orderText(both.report), await orderPage(both.report, { charts: false })]) {
    assertStringIncludes(page, "Balance in block 912345");
    assertStringIncludes(page, "Allowance in block 912345");
    assertStringIncludes(page, "40 atoms of");
    assertStringIncludes(page, "93 atoms of");
  }
});

Deno.test("inspectOrder() shows the first and the last shortage, and what is there now", async () => {
  const events = [
    ...LACK,
    event("ready", 912_400),
    event("invalid", 920_000, "insufficient_balance"),
  ];
  const held = (block: number): Held => ({
    allowance: UNLIMITED,
    balance: block < 912_400 ? 60n : block < 920_000 ? 100n : block < 930_000 ? 10n : 100n,
  });
  const { report } = await inspect(leftOut(events, { status: "open" }), held);
  assertEquals(
    report.earlierFunds.map(({ block, missingBalanceAtoms }) => [block, missingBalanceAtoms]),
    [[912_345, 40n], [920_000, 90n]],
  );
  assertEquals(report.earlierFunds.at(-1)!.moment, "last_invalid");
  assertEquals([report.funds?.block, report.funds?.missingBalanceAtoms], [1_000_000, 0n]);
  assertStringIncludes(
    report.sentence,
    "10 of 100 atoms, 90 missing; in block 1000000, the latest",
  );
  const still = await inspect(leftOut(events, { status: "open" }), () => held(925_000));
  assertStringIncludes(
    still.report.sentence,
    "90 missing; now, it has too little of the sell token: 10 of 100 atoms, 90 missing, in block 1000000",
  );
});

Deno.test("inspectOrder() names the block that a pruned node does not tell, and no other's funds", async () => {
  const { report } = await inspect(leftOut(LACK), except(0, 2e6, { balance: 60n }), {
    chain: { kept: 999_900 },
  });
  assertEquals(
    report.sentence,
    "Expired: it could not be settled for lack of balance or allowance.",
  );
  assertEquals([report.funds, report.earlierFunds], [null, []]);
  const found = report.unknown.find(({ what }) => what === "funds");
  assertStringIncludes(found!.why, "does not keep the state of block 912345: missing trie node");
  assertStringIncludes(found!.remedy, "archive node");
});

Deno.test("inspectOrder() says where nothing was missing, and that hooks may bring funds", async () => {
  const hook = { target: hex("b2", 20), callData: "0x12", gasLimit: "21000" };
  const fullAppData = JSON.stringify({ appCode: "x", metadata: { hooks: { pre: [hook] } } });
  const { report } = await inspect(leftOut(LACK, { fullAppData }), except(0, 0, {}));
  assertStringIncludes(report.sentence, "for lack of balance or allowance.");
  const why = new Map(report.unknown.map((each) => [each.what, each.why]));
  assertStringIncludes(why.get("shortage")!, "were sufficient in block 912345");
  assertStringIncludes(why.get("funds_in_settlement")!, "Its pre-hook runs within the settlement");
});

Deno.test("inspectOrder() looks at the end of an order whose events are not public", async () => {
  const held = except(940_000, 2e6, { balance: 60n });
  const { report } = await inspect(leftOut(null), held);
  assertEquals([report.verdict, report.reason], ["expired_invalid", "insufficient_balance"]);
  assertEquals(report.earlierFunds.map(({ moment, block }) => [moment, block]), [
    ["expiry", 950_000],
  ]);
  assertStringIncludes(report.sentence, "Expired: in block 950000 ");
  const funded = await inspect(leftOut(null), except(0, 0, {}));
  assertEquals(funded.report.possible, ["invalid", "filtered", "won_not_settled"]);
});

Deno.test("inspectOrder() judges by what the service requires of an order", async () => {
  const verdictOf = async (order: Record<string, unknown>, balance: bigint) => {
    const { report } = await inspect(
      leftOut(null, { status: "open", ...order }),
      except(0, 2e6, { balance }),
    );
    const { neededAtoms, remainingAtoms, isChecked } = report.funds!;
    return [report.verdict, neededAtoms, remainingAtoms, isChecked];
  };
  // With its signed fee; any atom of an order that can be filled in parts; none of a contract's.
  assertEquals(await verdictOf({ feeAmount: "5" }, 104n), ["open_invalid", 105n, 105n, true]);
  assertEquals(await verdictOf({ feeAmount: "5" }, 105n), ["open_unknown", 105n, 105n, true]);
  const parts = {
    partiallyFillable: true,
    kind: "buy",
    executedBuyAmount: "67",
    executedSellAmount: "30",
    executedSellAmountBeforeFees: "30",
  };
  assertEquals(await verdictOf(parts, 1n), ["partly_filled_open_unknown", 1n, 66n, true]);
  assertEquals((await verdictOf(parts, 0n))[0], "partly_filled_open_invalid");
  const contract = await verdictOf({ signingScheme: "eip1271" }, 0n);
  assertEquals(contract, ["open_unknown", 100n, 100n, false]);
  assertEquals((await verdictOf({ receiver: CONTRACT }, 0n)).at(-1), false);
});

Deno.test("inspectOrder() does not blame funds for what has another reason", async () => {
  const events = [event("created", 900_000), event("invalid", 912_345, "banned_user")];
  const { report, requests } = await inspect(leftOut(events), except(0, 2e6, { balance: 0n }));
  assertEquals(report.sentence, "Expired: it could not be settled because its owner is banned.");
  assertEquals(report.earlierFunds, []);
  // The chain, and the funds at the latest block alone.
  assertEquals(requests, [1, 2, 2, 3]);
});

Deno.test("inspectOrder() says what the service requires of an order that can be filled in parts", async () => {
  const { report } = await inspect(
    leftOut(LACK, { partiallyFillable: true }),
    except(0, 2e6, { balance: 0n }),
  );
  assertStringIncludes(
    report.sentence,
    "too little of the sell token: 0 of the 1 atom required of 100 left to sell, 1 missing.",
  );
  assertStringIncludes(orderText(report), "Left to sell");
});

Deno.test("inspectOrder() asks the relayer of the contract that an order was signed for", async () => {
  const settlementContract = hex("91", 20);
  const domain = orderDomain({ chainId: 1, settlementContract });
  const body = leftOut(null, { status: "open", settlementContract });
  const uid = computeOrderUid(domain, decodeOrder(body[ORDER]));
  const asked = new Set<string>();
  const node = fundsChain(() => ({ balance: 100n, allowance: 100n }));
  const rpc: typeof node.rpc = (calls) => {
    for (const { params } of calls) asked.add(String(Object(params[0]).to));
    return node.rpc(calls);
  };
  const own = Object.fromEntries(
    Object.entries(body).map(([path, answer]) => [path.replace(UID, uid), answer]),
  );
  const named = { ...own, [`/api/v1/orders/${uid}`]: { ...body[ORDER] as object, uid } };
  const { identity } = await inspectOrder(cannedBook(named).book, uid, { node: { rpc } });
  assertEquals([identity?.isUidRight, identity?.settlementContract], [true, settlementContract]);
  assertEquals([asked.has(settlementContract), asked.has(CONTRACT)], [true, false]);
});
