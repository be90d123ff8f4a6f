import { connect, InputError, NetworkError } from "orderlens";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { replay } from "orderlens/recordings";
import * as reports from "orderlens/reports";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { toPageContent } from "../../../lib/reports/page/report_content.ts";
import { renderTextPage } from "../../../lib/reports/page/text_page.ts";
import { recordedRun } from "../../metrics/recorded_run.ts";
import {
  cannedBook,
  competitionBody,
  CONTRACT,
  filledAnswers,
  hex,
  orderBody,
  OWNER,
  tradeBody,
  TX,
  uidOf,
} from "../canned_book.ts";

const RECORDING = await replay("market_3");
const BOOK = connect(RECORDING);
const { truth } = await recordedRun("market_3");
/** A settlement of a recorded auction, as the service stored it. */
const settled = truth!.settlements!.find(({ auction_id: id }) =>
  id !== null && RECORDING.recorded.auctionIds.includes(id)
)!;

Deno.test("inspectAuction() shows solutions as the service stored them", async () => {
  const auctionId = settled.auction_id!;
  const report = await reports.inspectAuction(BOOK, auctionId);
  const stored = truth!.proposed_solutions!.filter((row) => row.auction_id === auctionId)
    .sort((a, b) => a.uid - b.uid);
  assertEquals(
    report.solutions.map((
      { ranking, solver, score, isWinner, filteredOut },
    ) => [ranking, solver, score, isWinner, filteredOut]),
    stored.map((row) => [
      row.uid + 1,
      row.solver,
      BigInt(row.score),
      row.is_winner,
      row.filtered_out,
    ]),
  );
  assertEquals(report.replay?.agrees, true);
  assert(report.transactions.includes(settled.tx_hash));
  const trades = truth!.trades!.filter(({ block_number, log_index }) =>
    block_number === settled.block_number && log_index < settled.log_index
  );
  const fills = report.settled.flatMap(({ uid, fills }) =>
    fills.filter(({ txHash }) => txHash === settled.tx_hash).map((fill) =>
      `${uid} ${fill.sellAmount}`
    )
  );
  assertEquals(fills.sort(), trades.map((row) => `${row.order_uid} ${row.sell_amount}`).sort());
});

Deno.test("the page of an auction says where a pair is certain because no other can be", async () => {
  const book = connect(await replay("market_1"));
  const text = renderTextPage(toPageContent(await reports.inspectAuction(book, 1606)), {
    width: 100,
  });
  // Both have one pair with a baseline; the whole score of rank 3 alone would reach it.
  assertMatch(
    text,
    / 3 {2}solver_c .* certain: the only possible pair\n.* test_solver .* certain\n/,
  );
});

Deno.test("inspectTransaction() finds auction, solver and orders of a settlement", async () => {
  const report = await reports.inspectTransaction(
    BOOK,
    settled.tx_hash.toUpperCase().replace("0X", "0x"),
  );
  assertEquals(
    [report.txHash, report.block, report.auctionId, report.ranking],
    [settled.tx_hash, settled.block_number, settled.auction_id, settled.solution_uid! + 1],
  );
  const none = await reports.inspectTransaction(cannedBook({}).book, TX);
  assertEquals([none.isFound, none.settled], [false, []]);
  assertEquals(none.sentence, "This deployment does not know the transaction as a settlement.");
});

Deno.test("programmatic orders are not known only where an order may be one", async () => {
  const readWhats = (unknown: readonly { readonly what: string }[]) =>
    unknown.map(({ what }) => what);
  const node = RECORDING;
  const settlement = await reports.inspectTransaction(BOOK, settled.tx_hash!, { node });
  assertEquals(settlement.block, settled.block_number);
  assert(!readWhats(settlement.unknown).includes("programmatic_orders"));
  const answers = (signingScheme: string) => ({
    "/api/v1/account": [orderBody({ signingScheme, status: "expired" })],
  });
  for (const scheme of ["eip712", "eip1271"]) {
    const { book } = cannedBook(answers(scheme));
    const { unknown, orders } = await reports.inspectAccount(book, OWNER, { node });
    assertEquals(orders.length, 1);
    assertEquals(readWhats(unknown).includes("programmatic_orders"), scheme === "eip1271");
  }
});

Deno.test("inspectSolver() counts what a solver bid, won and settled", async () => {
  const auctions = {
    from: RECORDING.recorded.auctionIds.at(-1)! - 39,
    to: RECORDING.recorded.auctionIds.at(-1)!,
  };
  const rows = truth!.proposed_solutions!.filter(({ auction_id: id }) =>
    RECORDING.recorded.auctionIds.includes(id) && id >= auctions.from && id <= auctions.to
  );
  const { solver } = rows.find(({ is_winner }) => is_winner)!;
  const own = rows.filter((row) => row.solver === solver);
  const progress: number[] = [];
  const report = await reports.inspectSolver(BOOK, solver, {
    auctions,
    onProgress: ({ done }) => progress.push(done),
  });
  assertEquals(report.statistics?.bids, own.length);
  assertEquals(report.won.length, own.filter(({ is_winner }) => is_winner).length);
  const { won, inTime, late, absent, pending, unknown } = report.outcomes!;
  assertEquals(won, inTime + late + absent + pending + unknown);
  assertEquals(progress.at(-1), 40);
  const nobody = await reports.inspectSolver(BOOK, hex("99", 20), { auctions });
  assertEquals([nobody.statistics, nobody.place], [null, null]);
  assertStringIncludes(nobody.sentence, "did not bid in any of ");
});

Deno.test("inspectSolver() counts ids that cannot be read, and no ids without an auction", async () => {
  const route = "/api/v2/solver_competition";
  const at = (auctionId: number) => competitionBody({ auctionId });
  const { book } = cannedBook({
    [`${route}/2`]: at(2),
    [`${route}/4`]: { auctionId: 4 },
    [`${route}/5`]: 503,
    [`${route}/6`]: at(6),
    [`${route}/latest`]: at(6),
  });
  const { auctions } = await reports.inspectSolver(book, hex("50", 20), { auctions: { last: 5 } });
  assertEquals(auctions, { from: 2, to: 6, found: 2, unread: 2 });
});

Deno.test("inspectAccount() judges the newest orders, and counts verdicts", async () => {
  const { book, asked } = cannedBook({
    ...filledAnswers(),
    [`/api/v1/account/${OWNER}/orders`]: [Object.values(filledAnswers())[1]],
  });
  const report = await reports.inspectAccount(book, OWNER);
  assertEquals(report.verdicts, [{ verdict: "filled", count: 1 }]);
  assertEquals([report.hasMore, report.totalSurplus], [false, null]);
  assertStringIncludes(report.sentence, "One order: Filled in block 103");
  // 210 bought, 10 above the limit of 200.
  assertEquals(report.orders[0]?.surplusAtoms, 10n);
  // The order is not asked for again.
  assertEquals(asked.filter((path) => path === `/api/v1/orders/${uidOf("01")}`), []);
});

Deno.test("reports of nouns are data, text and pages", async () => {
  const answers = {
    ...filledAnswers(),
    "/api/v2/solver_competition/7": competitionBody(),
    "/api/v2/solver_competition/latest": competitionBody(),
    [`/api/v1/transactions/${TX}/orders`]: [Object.values(filledAnswers())[1]],
    [`/api/v1/account/${OWNER}/orders`]: [Object.values(filledAnswers())[1]],
  };
  const { book } = cannedBook(answers);
  const auction = await reports.inspectAuction(book, 7);
  const solver = await reports.inspectSolver(book, hex("50", 20), { auctions: { last: 1 } });
  const account = await reports.inspectAccount(book, OWNER);
  const transaction = await reports.inspectTransaction(book, TX);
  const shown = [
    [auction, reports.auctionText(auction), reports.auctionPage(auction)],
    [solver, reports.solverText(solver), reports.solverPage(solver)],
    [account, reports.accountText(account), reports.accountPage(account)],
    [transaction, reports.transactionText(transaction), reports.transactionPage(transaction)],
  ] as const;
  for (const [report, text, page] of shown) {
    const { schema, sentence } = JSON.parse(reports.reportJson(report));
    assert(/^orderlens\/inspect-(auction|solver|account|transaction)@1$/.test(schema));
    const oneLine = text.replaceAll(/\s+/g, " ");
    assertStringIncludes(oneLine, sentence);
    assertStringIncludes(page, "Content-Security-Policy");
    assertStringIncludes(page, schema);
  }
});

Deno.test("reports of nouns reject what is none, before any request", async () => {
  const { book, asked } = cannedBook({});
  await assertRejects(() => reports.inspectAuction(book, -1), InputError);
  await assertRejects(() => reports.inspectTransaction(book, "0x12"), InputError);
  await assertRejects(() => reports.inspectAccount(book, "me"), InputError);
  await assertRejects(() => reports.inspectAccount(book, OWNER, { orders: 0 }), InputError);
  await assertRejects(
    () => reports.inspectSolver(book, OWNER, { auctions: { from: 2, to: 1 } }),
    InputError,
  );
  assertEquals(asked, []);
});

const UID = uidOf("01");

Deno.test("locate() looks for transactions and accounts at every deployment", async () => {
  const answers = {
    [`/api/v1/transactions/${TX}/orders`]: [orderBody()],
    [`/api/v1/account/${OWNER}/orders`]: [orderBody()],
  };
  const books = [cannedBook(answers), cannedBook({}), cannedBook(answers)].map(({ book }) => book);
  for (const [subject, kind] of [[TX, "transaction"], [OWNER, "account"]] as const) {
    const located = await reports.locate(subject, { books });
    assertEquals([located.kind, located.found.length, located.asked], [kind, 2, 3]);
  }
});

Deno.test("locate() names deployments that could not be asked, and goes on", async () => {
  const refusing = cannedBook({ [`/api/v1/orders/${UID}`]: 403 });
  const { found, failed } = await reports.locate(UID, {
    books: [refusing.book, cannedBook(filledAnswers()).book],
  });
  assertEquals([found.length, failed.length, failed[0]?.error.code], [1, 1, "unauthorized"]);
});

Deno.test("locate() rejects what is no order, transaction or account", async () => {
  await assertRejects(() => reports.locate(hex("01", 33)), InputError);
});

Deno.test("locate() asks a host that cannot be reached once, whatever else it has", async () => {
  let asked = 0;
  const books = ["a", "b", "c"].map((path) =>
    connect({
      baseUrl: `https://down.example/${path}`,
      deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
      send: () => {
        asked++;
        return Promise.reject(
          new NetworkError("Cannot reach it", {
            request: "GET",
            attempts: 1,
            mayHaveBeenReceived: false,
            remedy: "Check the network",
          }),
        );
      },
    })
  );
  const { failed, found } = await reports.locate(`0x${"01".repeat(56)}`, { books });
  assertEquals([failed.length, found, asked], [3, [], 2]);
});

Deno.test("inspectAuction() and inspectTransaction() name a node that fails, and stay whole", async () => {
  const { auctionIds: [auctionId] } = RECORDING.recorded;
  const failure = new InputError("The node hung up", { remedy: "Ask again later" });
  const node = { rpc: () => Promise.reject(failure) };
  for (
    const report of [
      await reports.inspectAuction(BOOK, auctionId!, { node }),
      await reports.inspectTransaction(BOOK, settled.tx_hash!, { node }),
    ]
  ) {
    assertEquals([report.isFound, report.at], [true, null]);
    assertEquals(report.unknown.filter(({ why }) => why === "The node hung up").length, 1);
  }
});

Deno.test("inspectTransaction() tells two settlements of one transaction", async () => {
  const [solution] = Object(competitionBody()).solutions;
  const second = uidOf("02");
  const orders = [uidOf("01"), second].map((uid) => ({
    ...Object(filledAnswers()[`/api/v1/orders/${uidOf("01")}`]),
    uid,
  }));
  const trades = [tradeBody(), tradeBody({ orderUid: second, logIndex: 5 })];
  const inspect = async (competition: object) => {
    const { book: { transport } } = cannedBook({
      [`/api/v1/transactions/${TX}/orders`]: orders,
      "/api/v2/solver_competition/by_tx_hash": competition,
    });
    const send = async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await transport.send(request);
      const uid = new URLSearchParams(request.path.split("?")[1]).get("orderUid");
      if (uid === null) return response;
      const body = JSON.stringify(trades.filter(({ orderUid }) => orderUid === uid));
      return { ...response, status: 200, body };
    };
    const deployment = { chainId: 1, settlementContract: CONTRACT };
    const book = connect({ baseUrl: "canned://two", deployment, send });
    return await reports.inspectTransaction(book, TX);
  };
  // The deployment names the auction of the first settlement alone.
  const named = await inspect(competitionBody());
  assertEquals([named.settlementCount, named.otherOrderUids], [2, [second]]);
  assertStringIncludes(
    named.sentence,
    "Settled 2 orders in 2 settlements of one transaction in block 103, from auction 7",
  );
  assertStringIncludes(named.sentence, "1 of its orders is from another settlement");
  assertEquals(named.unknown.some(({ what }) => what === "other_settlements"), true);
  // Two solutions of one auction were settled together.
  const other = { ...solution, ranking: 2, solverAddress: hex("51", 20) };
  const both = await inspect(competitionBody({
    solutions: [solution, { ...other, orders: [{ ...solution.orders[0], id: second }] }],
  }));
  assertEquals([both.settlementCount, both.otherOrderUids], [2, []]);
  assertEquals(both.settled.map(({ fills }) => fills[0]?.solver), [hex("50", 20), hex("51", 20)]);
  const one = await inspect(competitionBody({
    solutions: [{
      ...solution,
      orders: [...solution.orders, { ...solution.orders[0], id: second }],
    }],
  }));
  assertEquals([one.settlementCount, one.sentence.includes("settlements")], [1, false]);
});

Deno.test("auctionText has reference scores of winners, and native prices of what they trade", async () => {
  const book = connect(await replay("market_1"));
  const report = await reports.inspectAuction(book, 2624);
  const text = reports.auctionText(report, { width: 140 });
  // Each is the score of the others: 175592 alone, and 619654 beside 131093.
  assertMatch(
    text,
    / 1 +solver_b +0\.000619654 ETH +0\.000175592 ETH +1 +won, settled in time +3268 /,
  );
  assertMatch(
    text,
    / 2 +solver_c +0\.000175592 ETH +0\.000750747 ETH +1 +won, settled in time +3267 /,
  );
  assertMatch(text, / 3 +test_solver +0\.000131093 ETH +– +1 +lost +– +–\n/);
  assertMatch(text, /Native prices\n[^\n]*; the auction has 5 prices\.\n/);
  assertMatch(text, /T0 +1 T0 = 0\.00970566 ETH\n/);
  const unknown = { ...report, deployment: { ...report.deployment, network: "ink" } };
  const atoms = reports.auctionText(unknown, { width: 140 });
  assertMatch(atoms, /0x67d2…5933 +0\.00970566 ETH for 10\^18 atoms\n/);
});

Deno.test("accountText has status, filled part and surplus of each order", async () => {
  const open = orderBody({
    uid: uidOf("02"),
    partiallyFillable: true,
    executedSellAmount: "40",
    executedSellAmountBeforeFees: "40",
    executedBuyAmount: "84",
  });
  const { book } = cannedBook({
    ...filledAnswers(),
    [`/api/v1/account/${OWNER}/orders`]: [open, Object.values(filledAnswers())[1]],
  });
  const report = await reports.inspectAccount(book, OWNER);
  const text = reports.accountText(report, { width: 240 });
  // The only fill that is known, of 100, is not what the open one executed.
  assertEquals(report.orders.map(({ surplusAtoms }) => surplusAtoms), [null, 10n]);
  const terms = "sell 100 atoms of 0xa1a1…a1a1 for at least 200 atoms of 0xb2b2…b2b2";
  assertMatch(text, new RegExp(`Open, 40\\.0% filled +${terms} +– +– `));
  assertMatch(text, new RegExp(`Filled +${terms} +– +\\+500 bps +Filled in block 103`));
});

Deno.test("pages of transactions and accounts lead to both explorers of a public network", async () => {
  const { book } = cannedBook(filledAnswers());
  const report = await reports.inspectTransaction(book, TX);
  const deployment = { ...report.deployment, network: "mainnet" };
  const page = reports.transactionPage({ ...report, deployment });
  assertStringIncludes(page, `<a href="https://etherscan.io/tx/${TX}" rel="noreferrer">View on`);
  assertStringIncludes(page, `<a href="https://explorer.cow.fi/tx/${TX}" rel="noreferrer">View on`);
  assertEquals(reports.transactionPage(report).includes("View on"), false);
});

Deno.test("inspectAuction() says what its replay takes from an instance", async () => {
  const book = connect(await replay("market_1"));
  const bare = await reports.inspectAuction(book, 2624);
  const losing = bare.solutions.find(({ isWinner, orders }) => !isWinner && orders.length > 0)!;
  const [bid] = losing.orders;
  const winning = new Set(
    bare.solutions.flatMap(({ isWinner, orders }) => isWinner ? orders.map(({ id }) => id) : []),
  );
  const limit = { fullSellAmount: bid!.sellAmount, fullBuyAmount: 1n };
  const pair = { sellToken: bid!.sellToken!, buyToken: bid!.buyToken! };
  const instance = {
    id: 2624,
    orders: [{ uid: bid!.id, kind: "sell", ...pair, ...limit } as const],
  };
  const report = await reports.inspectAuction(book, 2624, { instance });
  const limits = winning.has(bid!.id) ? 0 : 1;
  assertEquals(report.instance, { limits, hasOwners: false });
  assertEquals(report.replay?.agrees, true);
  const text = renderTextPage(toPageContent(report), { width: 200 });
  assertStringIncludes(
    text,
    `From the instance of the auction: the limits of ${limits} order${limits === 1 ? "" : "s"}.`,
  );
  assertEquals(bare.instance, undefined);
  const wrong = () => reports.inspectAuction(book, 2624, { instance: 7 as never });
  await assertRejects(wrong, InputError, "instance");
});

Deno.test("inspectAuction() says that a winner settled where the deadline is not known", async () => {
  const competition = competitionBody({ auctionDeadlineBlock: undefined });
  const answers = { ...filledAnswers(), "/api/v2/solver_competition/7": competition };
  const { sentence } = await reports.inspectAuction(cannedBook(answers).book, 7);
  assertStringIncludes(sentence, " won; 1 settled, and its deadline is not known.");
});
