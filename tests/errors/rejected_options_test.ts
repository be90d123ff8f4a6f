import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as front from "orderlens";
import * as http from "orderlens/http";
import * as metrics from "orderlens/metrics";
import { render } from "orderlens/notebook";
import { record, replay } from "orderlens/recordings";
import { drift } from "orderlens/schemas";
import { openSandbox } from "orderlens/sandbox";
import { auctionRanking } from "orderlens/charts";

type Call = (options: never) => unknown;

const recording = await replay("trades_v2__trades_v2_endpoints");
const sandbox = await openSandbox({ seed: 7, auctions: 1 });
const book = front.connect(recording);
const UID = `0x${"01".repeat(56)}`;
const OWNER = `0x${"02".repeat(20)}`;
const latest = await book.competition("latest");
const now = Temporal.Instant.from("2026-11-21T15:30:00Z");
const order = await book.order(latest.solutions[0]!.orders[0]!.id);
const fill = { sellAmount: 1n, buyAmount: 1n, sellAmountBeforeFees: 1n };
const anything = {} as never;
const outcomes = { solutions: [], solvers: [] };

const quote = {
  kind: "sell",
  sellAmountBeforeFee: 1n,
  sellToken: OWNER,
  buyToken: `0x${"03".repeat(20)}`,
  from: OWNER,
} as const;
const creation = {
  ...quote,
  sellAmount: 1n,
  buyAmount: 1n,
  feeAmount: 0n,
  validTo: 1,
  partiallyFillable: false,
  signingScheme: "presign",
  signature: "0x",
  appData: "{}",
};
const cancellations = { orderUids: [UID], signature: "0x", signingScheme: "eip712" };

/** Every call of an order book, with its options last. */
const CALLS: Readonly<Record<string, Call>> = {
  order: (options) => book.order(UID, options),
  orders: (options) => book.orders([UID], options),
  accountOrders: (options) => book.accountOrders(OWNER, options).next(),
  transactionOrders: (options) => book.transactionOrders(`0x${"01".repeat(32)}`, options),
  orderStatus: (options) => book.orderStatus(UID, options),
  debugReport: (options) => book.debugReport(UID, options),
  trades: (options) => book.trades({ owner: OWNER }, options).next(),
  simulate: (options) => book.simulate(UID, options),
  competition: (options) => book.competition("latest", options),
  competitions: (options) => book.competitions({ last: 1 }, options).next(),
  quote: (options) => book.quote(quote, options),
  quotes: (options) => book.quotes(quote, options).next(),
  registerAppData: (options) => book.registerAppData("{}", options),
  appData: (options) => book.appData(`0x${"01".repeat(32)}`, options),
  nativePrice: (options) => book.nativePrice(OWNER, options),
  tokenMetadata: (options) => book.tokenMetadata(OWNER, options),
  auction: (options) => book.auction(options),
  notifications: (options) => book.notifications(OWNER, options),
  totalSurplus: (options) => book.totalSurplus(OWNER, options),
  version: (options) => book.version(options),
  createOrder: (options) => book.createOrder(creation, options),
  cancelOrders: (options) => book.cancelOrders(cancellations, options),
};

/** Functions with options, besides the calls of an order book. */
const OTHERS: Readonly<Record<string, Call>> = {
  connect: (options) => front.connect("mainnet", options),
  "connect to an address": (options) =>
    front.connect("http://127.0.0.1:8080", { chainId: 1, ...options as object }),
  "connect to a recording": (options) => front.connect(recording, options),
  "connect to a sandbox": (options) => front.connect(sandbox, options),
  httpTransport: (options) => http.httpTransport("https://example.org", options),
  gatherOrders: (options) => front.gatherOrders(book, [], options),
  placeOrder: (options) => front.placeOrder(book, anything, anything, options),
  trackOrder: (options) => front.trackOrder(book, UID, options).next(),
  orderExecution: (options) => front.orderExecution(book, UID, options),
  signOrder: (options) => front.signOrder(anything, book.domain, anything, options),
  signCancellations: (options) => front.signCancellations(anything, book.domain, [UID], options),
  auctionBrackets: (options) => metrics.auctionBrackets([], options),
  AuctionTimes: (options) => new metrics.AuctionTimes([], options),
  auditFees: (options) => metrics.auditFees(anything, order, options),
  checkUniformPrices: (options) => metrics.checkUniformPrices([], options),
  consistencyShares: (options) =>
    metrics.consistencyShares([], { outcomes, orders: [], ...options as object }),
  scoreSolution: (options) =>
    metrics.scoreSolution(latest.solutions[0]!, latest.auction, {
      orders: [],
      ...options as object,
    }),
  scoreOrder: (options) =>
    metrics.scoreOrder(fill, order, { nativePrice: 1n, ...options as object }),
  surplusNativeAtoms: (options) =>
    metrics.surplusNativeAtoms(fill, order, { nativePrice: 1n, ...options as object }),
  surplusBpsBeforeFees: (options) => metrics.surplusBpsBeforeFees(fill, order, options),
  recomputeFees: (options) =>
    metrics.recomputeFees(fill, order, { policies: [], ...options as object }),
  chargeFees: (options) => metrics.chargeFees(fill, order, { policies: [], ...options as object }),
  impliedPrice: (options) =>
    metrics.impliedPrice(fill, { kind: "sell", executedFee: 0n, ...options as object }),
  fillTime: (options) => metrics.fillTime({ blockNumber: 1 }, options),
  decomposeSlippage: (options) => metrics.decomposeSlippage(fill, order, options),
  totalFeeInterval: (options) =>
    metrics.totalFeeInterval(fill, { executedFee: 0n, ...options as object }),
  drift: (options) => drift([], options),
  networkFee: (options) => metrics.networkFee(fill, order, options),
  slippage: (options) => metrics.slippage(fill, order, null, "net", options),
  tolerance: (options) => metrics.tolerance(order, null, options),
  markout: (options) => metrics.markout(fill, anything, options),
  quoteStages: (options) => metrics.quoteStages(anything, options),
  solverStatistics: (options) => metrics.solverStatistics([], options),
  settlementOutcomes: (options) => metrics.settlementOutcomes([], options),
  wilsonInterval: (options) => metrics.wilsonInterval(1, 2, options),
  estimateRewards: (options) => metrics.estimateRewards([], options),
  quoteRewards: (options) => metrics.quoteRewards([], { outcomes, ...options as object }),
  weeklyRewards: (options) =>
    metrics.weeklyRewards([], { outcomes, rules: [], ...options as object }),
  orderLifecycle: (options) => metrics.orderLifecycle({ order }, { now, ...options as object }),
  policiesByAuction: (options) => metrics.policiesByAuction(options),
  replayCompetition: (options) => metrics.replayCompetition(latest, options),
  replayCompetitions: (options) => metrics.replayCompetitions([latest], options),
  inferMaxWinners: (options) => metrics.inferMaxWinners([latest], options),
  judgeBySurplus: (options) => metrics.judgeBySurplus(latest, { orders: [], ...options as object }),
  missedBaselines: (options) => metrics.missedBaselines(latest, options),
  render: (options) => render(1, options),
  png: (options) => auctionRanking([]).png(options),
  openSandbox: (options) => openSandbox(options),
  advance: (options) => sandbox.advance(options),
  listen: (options) => sandbox.listen(options),
  fault: (options) => sandbox.fault({ kind: "html", ...options as object }),
  record: (options) => record(recording, "nowhere", options),
};

async function messageFor(call: Call, options: unknown): Promise<string> {
  const run = async () => await call(options as never);
  return (await assertRejects(run, front.InputError)).message;
}

for (const [name, call] of Object.entries({ ...CALLS, ...OTHERS })) {
  Deno.test(`${name} rejects unknown options and names the known ones`, async () => {
    const text = await messageFor(call, { noSuchOption: 1 });
    assertStringIncludes(text, 'with "noSuchOption": unknown option\nFix: Pass ');
    for (const option of text.split("Fix: Pass ")[1]!.split(", ")) {
      const value = await messageFor(call, { [option]: Symbol("x") });
      assert(value.includes(option), value);
    }
  });
}

Deno.test("every call of an order book rejects with the reason of its signal", async () => {
  const reason = new Error("enough");
  const options = { signal: AbortSignal.abort(reason) };
  for (const [name, call] of Object.entries(CALLS)) {
    assertEquals(await assertRejects(async () => await call(options as never)), reason, name);
  }
});

Deno.test("every call of an order book is covered", () => {
  const calls = Object.getOwnPropertyNames(front.OrderBook.prototype).filter((name) => {
    const own = Object.getOwnPropertyDescriptor(front.OrderBook.prototype, name);
    return name !== "constructor" && typeof own?.value === "function";
  });
  assertEquals(calls.sort(), Object.keys(CALLS).sort());
});
