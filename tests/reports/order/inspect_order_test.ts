import { DecodeError, InputError } from "orderlens";
import { computeOrderUid, orderDomain, signOrder } from "orderlens/evm";
import { inspectOrder, type OrderReport, orderText, reportJson } from "orderlens/reports";
import { decodeOrder } from "orderlens/schemas";
import { privateKeyToAccount } from "viem/accounts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  BUY,
  cannedBook,
  competitionBody,
  CONTRACT,
  filledAnswers,
  hex,
  orderBody,
  OWNER,
  SELL,
  tradeBody,
  TX,
  uidOf,
} from "../canned_book.ts";
import { fundsChain } from "../funds_chain.ts";

const UID = uidOf("01");
const ORDER = `/api/v1/orders/${UID}`;
const STATUS = `${ORDER}/status`;

/** The answers about an order that is in a stage. */
function staged(type: string, order: Record<string, unknown> = {}): Record<string, unknown> {
  return { [STATUS]: { type }, [ORDER]: orderBody(order), "/api/v2/trades": [] };
}

Deno.test("inspectOrder() of a filled order takes five requests, two round trips deep", async () => {
  const { book, asked, depth } = cannedBook(filledAnswers());
  const report = await inspectOrder(book, UID.toUpperCase().replace("0X", "0x"));
  assertEquals([report.uid, report.verdict], [UID, "filled"]);
  assertEquals(report.sentence, `Filled in block 103 by ${hex("50", 20)}.`);
  assertEquals([asked.length, depth()], [5, 2]);
});

Deno.test("inspectOrder() asks a deployment that refuses debug reports for one report only", async () => {
  const { book, asked } = cannedBook(filledAnswers());
  for (let order = 0; order < 3; order++) await inspectOrder(book, UID);
  assertEquals(asked.filter((path) => path.startsWith("/restricted/")).length, 1);
});

Deno.test("inspectOrder() says what has a deadline missed by how many blocks", async () => {
  const late: Record<string, unknown> = {
    ...filledAnswers(),
    "/api/v2/trades": [tradeBody({ blockNumber: 106 })],
  };
  const report = await inspectOrder(cannedBook(late).book, UID);
  assertEquals(report.verdict, "filled_late");
  assertStringIncludes(report.sentence, "2 blocks after the deadline of its auction.");
  const { "/api/v2/solver_competition/by_tx_hash": _, ...unknown } = late;
  const filled = await inspectOrder(cannedBook(unknown).book, UID);
  assertEquals(filled.verdict, "filled");
  assertEquals(filled.unknown.some(({ what }) => what === "deadline"), true);
});

Deno.test("inspectOrder() sends what a deployment does not have to the others", async () => {
  const report = await inspectOrder(cannedBook({}).book, UID);
  assertEquals([report.verdict, report.order], ["unknown_here", null]);
  assertStringIncludes(report.unknown[0]!.remedy, "`locate`");
  const text = orderText(report);
  assertStringIncludes(text, `Owner by its UID        ${OWNER}`);
  assertStringIncludes(text, "Valid until by its UID  2026-08-21 03:43:28 UTC");
});

Deno.test("inspectOrder() finds whose owner captures surplus only where it is told", async () => {
  const answers = {
    ...filledAnswers(),
    "/api/v2/solver_competition/by_tx_hash": competitionBody({
      auction: { orders: [uidOf("02")], prices: {} },
    }),
  };
  const verdict = async (surplusCapturingJitOrderOwners?: string[]) => {
    const options = surplusCapturingJitOrderOwners && { surplusCapturingJitOrderOwners };
    const report = await inspectOrder(cannedBook(answers).book, UID, options ?? {});
    // It was filled as a whole.
    assertEquals(report.alsoHappened, []);
    const text = orderText(report, { width: 160 });
    for (const words of ["none is counted for liquidity", "Limit, at which it counts as traded"]) {
      assertEquals(text.includes(words), report.verdict === "jit_liquidity");
    }
    return [report.verdict, ...report.possible];
  };
  assertEquals(await verdict([OWNER]), ["jit_capturing"]);
  assertEquals(await verdict([hex("99", 20)]), ["jit_liquidity"]);
  assertEquals(await verdict(), ["unknown", "jit_liquidity", "jit_capturing"]);
});

Deno.test("inspectOrder() names the order that replaced one, and the one that it replaced", async () => {
  const other = orderBody({
    uid: uidOf("02"),
    creationDate: "2026-08-21T10:05:00Z",
    fullAppData: JSON.stringify({ metadata: { replacedOrder: { uid: UID } } }),
  });
  const answers = {
    ...staged("cancelled", { status: "cancelled", invalidated: true }),
    [`/api/v1/account/${OWNER}/orders`]: [other],
  };
  const replaced = await inspectOrder(cannedBook(answers).book, UID);
  assertEquals([replaced.verdict, replaced.replacedBy], ["replaced", uidOf("02")]);
  assertEquals(
    replaced.sentence,
    "Cancelled with nothing filled: order 0x02020202…87c960 replaced it.",
  );
  const replacement = replaced.timeline.find(({ kind }) => kind === "cancelled");
  assertEquals(
    [`${replacement?.at}`, replacement?.text],
    [
      `${decodeOrder(other).creationDate}`,
      "Replaced by order 0x02020202…87c960, whose creation cancelled it",
    ],
  );
  assertEquals(`${replaced.asOf}`, "2026-08-21T10:05:00Z");
  const replacing = cannedBook({ [`/api/v1/orders/${uidOf("02")}`]: other });
  assertEquals((await inspectOrder(replacing.book, uidOf("02"))).replaces, UID);
});

Deno.test("inspectOrder() says what shows how an order was cancelled: its stage alone, without a node", async () => {
  const inspect = async (stage: string) => {
    const cancelled = staged(stage, { status: "cancelled", invalidated: true });
    return await inspectOrder(cannedBook(cancelled).book, UID);
  };
  const requested = await inspect("cancelled");
  assertEquals(
    [requested.verdict, requested.sentence],
    ["cancelled", "Cancelled with nothing filled."],
  );
  const readTexts = ({ unknown, timeline }: OrderReport) => [
    ...unknown.slice(0, 2).map(({ what, why }) => what === "cancellation" ? why : what),
    ...timeline.flatMap(({ kind, at: time, text }) => kind === "cancelled" ? [text, time] : []),
  ];
  assertEquals(readTexts(requested), [
    "replacement",
    "The responses do not show when it was cancelled by request",
    "Cancelled by request, at a time that no response shows",
    null,
  ]);
  assertEquals(readTexts(await inspect("active")), [
    "replacement",
    "The responses show neither when it was cancelled, nor whether on the chain or by request",
    "Cancelled, at a time that no response shows",
    null,
  ]);
  assertEquals(requested.state, null);
});

Deno.test("inspectOrder() asks the settlement contract whether it counts an order as cancelled", async () => {
  const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const domain = orderDomain({ chainId: 1, settlementContract: CONTRACT });
  const owner = account.address.toLowerCase();
  const terms = decodeOrder(orderBody({ owner, validTo: 2 ** 32 - 2 }));
  const { signature } = await signOrder(account, domain, terms);
  const uid = computeOrderUid(domain, terms, owner);
  const body = { owner, uid, signature, validTo: terms.validTo, status: "cancelled" };
  const { book } = cannedBook({
    [`/api/v1/orders/${uid}`]: orderBody({ ...body, invalidated: true }),
    [`/api/v1/orders/${uid}/status`]: { type: "cancelled" },
    "/api/v2/trades": [],
  });
  const stateAt = async (filledAtoms: bigint) => {
    const node = fundsChain(() => ({ balance: 0n, allowance: 0n }), { filledAtoms });
    const { state, unknown } = await inspectOrder(book, uid, { node });
    const [cancellation] = unknown.filter(({ what }) => what === "cancellation");
    return [state?.block, state?.filledAtoms, state?.refusal, cancellation?.why];
  };
  assertEquals(await stateAt(0n), [
    1_000_000,
    0n,
    null,
    "The responses do not show when it was cancelled by request: " +
    "the settlement contract would still take it",
  ]);
  assertEquals(await stateAt(2n ** 256n - 1n), [
    1_000_000,
    null,
    "cancelled",
    "The responses do not show when it was cancelled",
  ]);
});

Deno.test("inspectOrder() takes the end and the trader of an EthFlow order from its data", async () => {
  const ethflow = staged("open", {
    status: "expired",
    validTo: 4_294_967_295,
    signingScheme: "eip1271",
    ethflowData: { userValidTo: 1_787_313_600, refundTxHash: hex("4e", 32) },
    onchainUser: hex("77", 20),
    onchainOrderData: { sender: hex("77", 20), placementError: null },
  });
  const report = await inspectOrder(cannedBook(ethflow).book, UID);
  assertEquals([report.verdict, report.identity?.onchainUser], ["refunded", hex("77", 20)]);
  // It is valid until its last second, which userValidTo is.
  assertEquals(
    report.timeline.find(({ kind }) => kind === "expiry")?.at?.toString(),
    "2026-08-21T12:00:00Z",
  );
  assertEquals(report.timeline.find(({ kind }) => kind === "refunded")?.txHash, hex("4e", 32));
});

Deno.test("inspectOrder() says where the reported status and the rules disagree", async () => {
  const { book } = cannedBook(staged("active", { status: "open" }));
  const now = Temporal.Instant.from("2026-12-01T00:00:00Z");
  const report = await inspectOrder(book, UID, { now });
  assertEquals(report.verdict, "open_unknown");
  assertEquals(report.status?.agrees, false);
  assertEquals(report.unknown.some(({ what }) => what === "status"), true);
});

Deno.test("inspectOrder() asks a node what the owner of an open order has", async () => {
  const { book } = cannedBook(staged("open"));
  const blind = await inspectOrder(book, UID);
  assertEquals(blind.verdict, "open_unknown");
  assertEquals(blind.possible, ["invalid", "filtered", "executing", "won_not_settled"]);
  const node = fundsChain(() => ({ balance: 60n, allowance: 255n }));
  const { verdict, funds, sentence } = await inspectOrder(book, UID, { node });
  assertEquals([verdict, funds?.moment], ["open_invalid", "now"]);
  assertEquals(
    sentence,
    "Open: its owner has too little of the sell token: 60 of 100 atoms, 40 missing, " +
      "in block 1000000 (2026-08-21T16:00:00Z).",
  );
});

Deno.test("inspectOrder() finds hooks, and whether a document has its hash", async () => {
  const hook = { target: BUY, callData: "0x12", gasLimit: "21000" };
  const fullAppData = JSON.stringify({ appCode: "x", metadata: { hooks: { pre: [hook] } } });
  const { book } = cannedBook(staged("active", { fullAppData }));
  const { appData } = await inspectOrder(book, UID);
  assertEquals(appData?.isHashRight, false);
  assertEquals(appData?.hooks, [{ moment: "pre", ...hook, dappId: null }]);
});

Deno.test("inspectOrder() does without what cannot be read, and never without the order", async () => {
  const answers = filledAnswers();
  const unreadable = { ...answers, [STATUS]: { type: 7 }, "/restricted/api/v1/debug/order": {} };
  const { verdict, evidence } = await inspectOrder(cannedBook(unreadable).book, UID);
  assertEquals([verdict, evidence.stage], ["filled", "unreadable"]);
  const broken = { ...answers, [ORDER]: { uid: UID } };
  await assertRejects(() => inspectOrder(cannedBook(broken).book, UID), DecodeError);
});

Deno.test("reportJson() writes amounts as text, and the same text for the same answers", async () => {
  const json = async () => reportJson(await inspectOrder(cannedBook(filledAnswers()).book, UID));
  const text = await json();
  assertEquals(text, await json());
  const { schema, order, fills }: OrderReport = JSON.parse(text);
  assertEquals([schema, String(order?.sellAmount)], ["orderlens/inspect@1", "100"]);
  assertEquals(fills[0]?.surplusAtoms as unknown, "10");
  assertEquals(order?.sellToken, SELL);
});

Deno.test("inspectOrder() rejects what is no UID, and options that it does not have", async () => {
  const { book, asked } = cannedBook({});
  await assertRejects(
    () => inspectOrder(book, "0x12"),
    InputError,
    "Cannot use this as an order UID",
  );
  await assertRejects(() => inspectOrder(book, UID, { deep: 0 }), InputError);
  await assertRejects(() => inspectOrder(book, UID, { deeper: true } as object), InputError);
  assertEquals(asked, []);
});

Deno.test("inspectOrder() with deep walks on to the block of a late fill, and ends at a fill in time", async () => {
  const auction = (auctionId: number, auctionStartBlock: number, txHash: string | null) => {
    const [solution] = Object(competitionBody()).solutions;
    return competitionBody({
      auctionId,
      auctionStartBlock,
      auctionDeadlineBlock: auctionStartBlock + 4,
      transactionHashes: txHash === null ? [] : [txHash],
      solutions: [{ ...solution, txHash }],
    });
  };
  const walk = async (blockNumber: number, others: Record<string, unknown> = {}) => {
    const route = "/api/v2/solver_competition";
    const filled = filledAnswers();
    const answers = {
      ...filled,
      [ORDER]: { ...Object(filled[ORDER]), creationDate: "2026-08-21T03:30:00Z" },
      "/api/v2/trades": [tradeBody({ blockNumber })],
      [`${route}/7`]: auction(7, 100, TX),
      [`${route}/8`]: auction(8, 105, null),
      [`${route}/9`]: auction(9, 107, null),
      [`${route}/latest`]: auction(9, 107, null),
      ...others,
    };
    const { auctions, evidence } = await inspectOrder(cannedBook(answers).book, UID, {
      deep: true,
    });
    const outcomes = auctions.map(({ auctionId, outcome }) => `${auctionId} ${outcome}`);
    const { absent, unread, isEndSeen } = evidence.walked!;
    return [...outcomes, isEndSeen, ...Object.keys(others).length > 0 ? [absent, unread] : []];
  };
  assertEquals(await walk(103), ["7 settled", true]);
  // The deadline was block 104: auction 8 listed it too, and its winner could not settle it.
  assertEquals(await walk(106), ["7 settled_late", "8 won_not_settled", true]);
  // No auction is visible that began after the fill.
  const hidden = await walk(107);
  assertEquals(hidden, ["7 settled_late", "8 won_not_settled", "9 won_not_settled", false]);
  // An id without an auction is none that could not be read.
  const route = "/api/v2/solver_competition";
  const latest = auction(10, 109, null);
  const others = { [`${route}/8`]: 404, [`${route}/9`]: {}, [`${route}/latest`]: latest };
  const some = await walk(111, { ...others, [`${route}/10`]: latest });
  assertEquals(some, ["7 settled_late", "10 won_not_settled", false, 1, 1]);
});
