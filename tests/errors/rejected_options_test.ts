import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as front from "orderlens";
import * as http from "orderlens/http";
import * as metrics from "orderlens/metrics";
import { render } from "orderlens/notebook";
import { record, replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { auctionRanking } from "orderlens/charts";

type Call = (options: unknown) => unknown;

const recording = await replay("market_1");
const sandbox = await openSandbox({ seed: 7, auctions: 3 });
const book = front.connect(recording);
const UID = `0x${"01".repeat(56)}`;
const OWNER = `0x${"02".repeat(20)}`;
const latest = await book.competition("latest");
const now = Temporal.Instant.from("2026-11-21T15:30:00Z");
const order = await book.order(latest.solutions[0]!.orders[0]!.id);
const fill = { sellAmount: 1n, buyAmount: 1n, sellAmountBeforeFees: 1n };
const anything = {} as never;
const outcomes = { solutions: [], solvers: [] };

/** Every call of an order book, with its options last. */
const CALLS: Readonly<Record<string, Call>> = {
  order: (options) => book.order(UID, options as never),
  orders: (options) => book.orders([UID], options as never),
  accountOrders: (options) => book.accountOrders(OWNER, options as never).next(),
  transactionOrders: (options) => book.transactionOrders(`0x${"01".repeat(32)}`, options as never),
  orderStatus: (options) => book.orderStatus(UID, options as never),
  debugReport: (options) => book.debugReport(UID, options as never),
  trades: (options) => book.trades({ owner: OWNER }, options as never).next(),
  simulate: (options) => book.simulate(UID, options as never),
  competition: (options) => book.competition("latest", options as never),
  competitions: (options) => book.competitions({ last: 1 }, options as never).next(),
  quote: (options) => book.quote(anything, options as never),
  quotes: (options) => book.quotes(anything, options as never).next(),
  registerAppData: (options) => book.registerAppData("{}", options as never),
  appData: (options) => book.appData(`0x${"01".repeat(32)}`, options as never),
  nativePrice: (options) => book.nativePrice(OWNER, options as never),
  tokenMetadata: (options) => book.tokenMetadata(OWNER, options as never),
  auction: (options) => book.auction(options as never),
  notifications: (options) => book.notifications(OWNER, options as never),
  totalSurplus: (options) => book.totalSurplus(OWNER, options as never),
  version: (options) => book.version(options as never),
};

/** Calls that reject their arguments before their options, so other tests cover them. */
const TESTED_ELSEWHERE = ["createOrder", "cancelOrders"];

/** Functions with options, besides the calls of an order book. */
const OTHERS: Readonly<Record<string, Call>> = {
  connect: (options) => front.connect("mainnet", options as never),
  "connect to an address": (options) =>
    front.connect("http://127.0.0.1:8080", { chainId: 1, ...options as object }),
  "connect to a recording": (options) => front.connect(recording, options as never),
  "connect to a sandbox": (options) => front.connect(sandbox, options as never),
  httpTransport: (options) => http.httpTransport("https://example.org", options as never),
  gatherOrders: (options) => front.gatherOrders(book, [], options as never),
  placeOrder: (options) => front.placeOrder(book, anything, anything, options as never),
  trackOrder: (options) => front.trackOrder(book, UID, options as never).next(),
  orderExecution: (options) => front.orderExecution(book, UID, options as never),
  signOrder: (options) => front.signOrder(anything, book.domain, anything, options as never),
  signCancellations: (options) =>
    front.signCancellations(anything, book.domain, [UID], options as never),
  auditFees: (options) => metrics.auditFees(anything, order, options as never),
  checkUniformPrices: (options) => metrics.checkUniformPrices([], options as never),
  decomposeSlippage: (options) => metrics.decomposeSlippage(fill, order, options as never),
  networkFee: (options) => metrics.networkFee(fill, order, options as never),
  slippage: (options) => metrics.slippage(fill, order, null, "net", options as never),
  tolerance: (options) => metrics.tolerance(order, null, options as never),
  markout: (options) => metrics.markout(fill, anything, options as never),
  quoteStages: (options) => metrics.quoteStages(anything, options as never),
  solverStatistics: (options) => metrics.solverStatistics([], options as never),
  settlementOutcomes: (options) => metrics.settlementOutcomes([], options as never),
  wilsonInterval: (options) => metrics.wilsonInterval(1, 2, options as never),
  estimateRewards: (options) => metrics.estimateRewards([], options as never),
  quoteRewards: (options) => metrics.quoteRewards([], { outcomes, ...options as object }),
  weeklyRewards: (options) =>
    metrics.weeklyRewards([], { outcomes, rules: [], ...options as object }),
  orderLifecycle: (options) => metrics.orderLifecycle({ order }, { now, ...options as object }),
  policiesByAuction: (options) => metrics.policiesByAuction(options as never),
  replayCompetition: (options) => metrics.replayCompetition(latest, options as never),
  inferMaxWinners: (options) => metrics.inferMaxWinners([latest], options as never),
  missedBaselines: (options) => metrics.missedBaselines(latest, options as never),
  render: (options) => render(1, options as never),
  png: (options) => auctionRanking([]).png(options as never),
  openSandbox: (options) => openSandbox(options as never),
  advance: (options) => sandbox.advance(options as never),
  listen: (options) => sandbox.listen(options as never),
  fault: (options) => sandbox.fault({ kind: "html", ...options as object }),
  record: (options) => record(recording, "nowhere", options as never),
};

async function messageFor(call: Call, options: unknown): Promise<string> {
  const run = async () => await call(options);
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

Deno.test("every call of an order book is covered", () => {
  const calls = Object.getOwnPropertyNames(front.OrderBook.prototype).filter((name) => {
    const own = Object.getOwnPropertyDescriptor(front.OrderBook.prototype, name);
    return name !== "constructor" && typeof own?.value === "function";
  });
  assertEquals(calls.sort(), [...Object.keys(CALLS), ...TESTED_ELSEWHERE].sort());
});

Deno.test("errors for unknown values suggest the nearest known one", async () => {
  for (
    const [call, options, words] of [
      [OTHERS.openSandbox, { clock: "vitual" }, "Pass virtual as clock; other values are wall"],
      [OTHERS.connect, { environment: "stagin" }, "Pass staging as environment"],
      [OTHERS.httpTransport, { timeoutMS: 5 }, "Pass timeoutMs; other options are"],
      [OTHERS.signOrder, { signingScheme: "eip-712" }, "Pass eip712 as signingScheme"],
      [CALLS.trades, { limt: 5 }, "Pass limit; other options are"],
      [CALLS.trades, { limit: -1 }, "Pass a whole number of at least 0 as limit"],
      [OTHERS.replayCompetition, { maxWinner: 5 }, "Pass maxWinners; other options are"],
    ] as const
  ) assertStringIncludes(await messageFor(call!, options), words);
});
