import { inspectOrder, type OrderReport, orderText } from "orderlens/reports";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { suggestSteps } from "../../../lib/reports/order/next_steps.ts";
import { ORDER_CAUSES, type OrderCause } from "../../../lib/reports/order/verdicts.ts";
import { cannedBook } from "../canned_book.ts";

const CONTRACT = "0xb7f8bc63bbcad18155201308c8f3540b07f84f5e";
const TRADER = "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const WRAPPED = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const REFUND = "0x68cf4dc9209ff8587a4dd23ef834c6f73f58d8840e05970bb484f2f49cfdc2b1";

/** An order that the service recorded as expired and did not refund: its slippage was 0.5%. */
const SKIPPED = {
  creationDate: "2020-01-01T00:00:04Z",
  owner: CONTRACT,
  uid:
    "0xefe81fb503c7f344b03fdcac36bbe0dbdd4a96bb72c78eeabbdc099e4fbd39e2b7f8bc63bbcad18155201308c8f3540b07f84f5effffffff",
  availableBalance: null,
  executedBuyAmount: "0",
  executedSellAmount: "0",
  executedSellAmountBeforeFees: "0",
  executedFeeAmount: "0",
  executedFee: "0",
  executedFeeToken: WRAPPED,
  invalidated: false,
  status: "expired",
  class: "limit",
  settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
  ethflowData: { userValidTo: 1577837403, refundTxHash: null, isRefunded: false } as object,
  onchainOrderData: { sender: TRADER, placementError: null as string | null },
  onchainUser: TRADER,
  isLiquidityOrder: false,
  fullAppData: null,
  sellToken: WRAPPED,
  buyToken: "0x3aa5ebb10dc797cac828524e59a333d0a371443c",
  receiver: "0x2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a",
  sellAmount: "3000000000000000",
  buyAmount: "2976036098676028",
  validTo: 4294967295,
  appData: `0x${"00".repeat(32)}`,
  feeAmount: "0",
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
  signingScheme: "eip1271",
  signature: CONTRACT,
  interactions: { pre: [{ target: CONTRACT, value: "0", callData: "0x4c84c1c8" }], post: [] },
};

/** The same with a slippage of 5%, which the service refunded. */
const REFUNDED = {
  ...SKIPPED,
  uid:
    "0x73f794ebde7fdfe2ce6364629b3c649af483b596ddd7efd43b711fce32eed7f3b7f8bc63bbcad18155201308c8f3540b07f84f5effffffff",
  buyAmount: "2841441501248469",
  ethflowData: { userValidTo: 1577837403, refundTxHash: REFUND, isRefunded: true },
};

function inspect(order: typeof SKIPPED, stage = "scheduled"): Promise<OrderReport> {
  const path = `/api/v1/orders/${order.uid}`;
  const answers = { [`${path}/status`]: { type: stage }, [path]: order, "/api/v2/trades": [] };
  return inspectOrder(cannedBook(answers).book, order.uid);
}

Deno.test("inspectOrder() tells that an expired EthFlow order left its ETH in the contract", async () => {
  const { sentence, next, deposit } = await inspect(SKIPPED);
  assertEquals(
    sentence,
    "Expired: it was in no auction; its ETH is still in the EthFlow contract.",
  );
  assertEquals(deposit, {
    contract: CONTRACT,
    trader: TRADER,
    symbol: "ETH",
    state: "held",
    unsoldAtoms: 3_000_000_000_000_000n,
    refundTxHash: null,
  });
  const [{ action, text, atoms, token }, ...others] = next as [typeof next[0], ...typeof next];
  assertEquals([action, atoms, token], ["reclaim_funds", 3_000_000_000_000_000n, NATIVE]);
  assertMatch(text, new RegExp(`\`invalidateOrder\` of the EthFlow contract ${CONTRACT}: anybody`));
  assertMatch(
    text,
    new RegExp(`pays ${TRADER}; .* not for those with a small slippage or a short`),
  );
  assertEquals(others.map(({ action }) => action), ["place_anew"]);
});

Deno.test("inspectOrder() encodes the call that gets the ETH of an EthFlow order back", async () => {
  const { money } = await inspect(SKIPPED);
  const [place, ...others] = money!.places;
  assertEquals([place!.place, place!.account, place!.atoms, others], [
    "ethflow_contract",
    CONTRACT,
    3_000_000_000_000_000n,
    [],
  ]);
  const [move, ...calls] = money!.moves;
  const { call, from, to, data } = move!;
  assertEquals(calls, []);
  assertEquals([call, from, to], ["invalidate_ethflow_order", null, CONTRACT]);
  // The terms in the contract's order: amounts and expiry in hex, no app data, no fee, no quote.
  const words = [
    ...[SKIPPED.buyToken.slice(2), SKIPPED.receiver.slice(2)],
    ...["aa87bee538000", "a92b06680153c", "0", "0", "5e0be35b", "0", "0"],
  ];
  assertEquals(data, `0x7bc41b96${words.map((digits) => digits.padStart(64, "0")).join("")}`);
  const returned = (await inspect(REFUNDED)).money!;
  assertEquals(returned.moves, []);
  assertEquals(returned.places.map(({ place, account, txHash }) => [place, account, txHash]), [
    ["returned", TRADER, REFUND],
  ]);
  const open = await inspect({
    ...SKIPPED,
    status: "open",
    ethflowData: { ...SKIPPED.ethflowData, userValidTo: 4_000_000_000 },
  }, "open");
  assertEquals(open.money!.moves.map(({ call, from }) => [call, from]), [
    ["invalidate_ethflow_order", TRADER],
  ]);
});

Deno.test("inspectOrder() names the transaction that returned the ETH of an EthFlow order", async () => {
  const { verdict, sentence, next, deposit, timeline } = await inspect(REFUNDED);
  assertEquals([verdict, deposit?.state], ["refunded", "returned"]);
  assertEquals(timeline.map(({ kind }) => kind), ["created", "expiry", "refunded"]);
  assertEquals(sentence, `Refunded; its ETH went back to ${TRADER} in transaction ${REFUND}.`);
  assertEquals(next.map(({ action }) => action), ["place_anew"]);
  const named = { ...SKIPPED.ethflowData, isRefunded: true };
  assertEquals((await inspect({ ...SKIPPED, ethflowData: named })).verdict, "refunded");
  // A cancellation pays in its own transaction: the service names none.
  const cancelled = await inspect({ ...SKIPPED, status: "cancelled", invalidated: true });
  assertEquals(
    cancelled.sentence,
    `Cancelled with nothing filled; its ETH went back to ${TRADER}.`,
  );
  assertEquals(cancelled.next.map(({ action }) => action), ["place_anew"]);
});

Deno.test("reportDeposit() counts what was not sold, and nothing of other orders", async () => {
  const third = { executedSellAmount: "1000000000000000", executedBuyAmount: "992012032892009" };
  const partly = await inspect({
    ...SKIPPED,
    ...third,
    executedSellAmountBeforeFees: third.executedSellAmount,
    feeAmount: "10",
    partiallyFillable: true,
  });
  // 2/3 of the amount, and the fee of 10 without floor(10 / 3).
  assertEquals(partly.deposit?.unsoldAtoms, 2_000_000_000_000_000n + 10n - 3n);
  const { ethflowData: _, ...plain } = SKIPPED;
  const other = await inspect(plain as typeof SKIPPED);
  assertEquals([other.deposit, other.sentence], [null, "Expired: it was in no auction."]);
  const open = await inspect({
    ...SKIPPED,
    status: "open",
    ethflowData: { userValidTo: 4_000_000_000, refundTxHash: null },
  });
  assertEquals(open.deposit?.state, "held");
  assert(!open.sentence.includes("EthFlow"));
});

Deno.test("nextSteps() never begins with a new order while the contract holds the deposit", async () => {
  const report = await inspect(SKIPPED);
  const pending = ORDER_CAUSES.filter((cause) =>
    !/^(?:filled|refunded|cancelled|replaced|unknown_here|part_not_posted|jit)/.test(cause)
  );
  assert(pending.length >= 13);
  for (const cause of pending as OrderCause[]) {
    const [first] = suggestSteps({ ...report, cause });
    assert(
      first?.action === "reclaim_funds" || first?.action === "wait",
      `${cause}: ${first?.text}`,
    );
  }
  const refused = await inspect({
    ...SKIPPED,
    status: "open",
    onchainOrderData: { sender: TRADER, placementError: "invalidQuote" },
  });
  assertEquals(refused.next.map(({ action }) => action), ["reclaim_funds", "place_anew"]);
  assertStringIncludes(refused.next[0]!.text, "its trader alone may call it before it expires");
});

Deno.test("orderText() shows an EthFlow order with ETH and its trader", async () => {
  const text = orderText(await inspect(SKIPPED));
  assertMatch(text, /^Was to sell 0\.003 ETH → at least/m);
  assertMatch(text, new RegExp(`^  Owner +${TRADER}$`, "m"));
  assertMatch(text, new RegExp(`^  EthFlow contract +${CONTRACT}$`, "m"));
  assertMatch(text, /^ {2}Its ETH +0\.003 ETH, still in the EthFlow contract$/m);
  // The order itself sells the wrapped token, whose address stands among its tokens alone.
  assert(!text.slice(0, text.indexOf("\nTokens\n")).includes(WRAPPED));
  const returned = orderText(await inspect(REFUNDED));
  assertMatch(returned, /^ {2}Its ETH +0\.003 ETH, returned$/m);
  assertMatch(returned, new RegExp(`^  Refunded in +${REFUND}$`, "m"));
});

Deno.test("inspectOrder() lists no auctions as unknown of an order that was in none", async () => {
  const topics = async (stage: string) =>
    (await inspect(SKIPPED, stage)).unknown.map(({ what }) => what);
  assertEquals(await topics("scheduled"), ["events"]);
  assert((await topics("cancelled")).includes("auctions"));
  const onchainOrderData = { sender: TRADER, placementError: "invalidQuote" };
  const rejected = await inspect({ ...SKIPPED, onchainOrderData }, "cancelled");
  assertEquals(rejected.unknown.map(({ what }) => what), ["events"]);
});

Deno.test("inspectOrder() says of a refunded order that it was in no auction", async () => {
  const events = [{ label: "created", timestamp: REFUNDED.creationDate }];
  const report = { orderUid: REFUNDED.uid, order: REFUNDED, events, auctions: [], trades: [] };
  const { alsoHappened } = await inspectOrder(
    cannedBook({
      [`/api/v1/orders/${REFUNDED.uid}`]: REFUNDED,
      [`/restricted/api/v1/debug/order/${REFUNDED.uid}`]: report,
    }).book,
    REFUNDED.uid,
  );
  assertEquals(alsoHappened.map(({ cause, text }) => [cause, text]), [
    ["never_in_an_auction", "It was in no auction"],
  ]);
});
