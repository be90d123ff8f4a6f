import { connect, placeOrder, ServiceError } from "orderlens";
import { buildAppData } from "orderlens/client";
import { exportDataset } from "orderlens/datasets";
import {
  auctionBrackets,
  estimateRewards,
  recognizeAuctionPath,
  settlementOutcomes,
} from "orderlens/metrics";
import { inspectAuction, inspectOrder } from "orderlens/reports";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "orderlens/sandbox";
import { buildTable, TRADES } from "orderlens/tables";
import { ratio } from "orderlens/units";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import { inFolder } from "./temp_folder.ts";

const [OWN] = DEVELOPMENT_ACCOUNTS;
const ACCOUNT = privateKeyToAccount(OWN!.privateKey as `0x${string}`);
const ETHER = 10n ** 18n;

/** A sale of one ether that takes the fast path. */
function fastSale({ description: { tokens: [weth, usdc] } }: Sandbox) {
  return {
    kind: "sell",
    sellToken: weth!.address,
    buyToken: usdc!.address,
    sellAmountBeforeFee: ETHER,
    fastPath: true,
    appData: buildAppData({ appCode: "Test", metadata: { enableFastPath: true } }).fullAppData,
  } as const;
}

const validToOf = ({ now }: Sandbox) => Math.floor(now.epochMilliseconds / 1_000) + 600;
const LOOSE = { minBuyAmount: 1n, slippageBps: 100 };

/** A sandbox with a fast path, a quote of a sale on it, and what places the sale. */
async function quoted(auctions = 20) {
  const sandbox = await openSandbox({ seed: 7, auctions, fastPath: true });
  const book = connect(sandbox);
  const request = { ...fastSale(sandbox), validTo: validToOf(sandbox) };
  const before = (await book.competition("latest")).auctionId;
  const quote = await book.quote({ ...request, from: ACCOUNT.address, priceQuality: "verified" });
  const place = () => placeOrder(book, ACCOUNT, request, { quote, ...LOOSE });
  return { sandbox, book, request, before, quote, place };
}

/** The same, placed after auctions: the id of its auction is then an old one. */
async function quotedAndPlaced(auctionsBetween: number) {
  const { sandbox, book, before, quote, place } = await quoted();
  assertEquals(quote.supportsFastPath, true);
  await sandbox.advance({ auctions: auctionsBetween });
  return { sandbox, book, before, placed: await place() };
}

Deno.test("an order of the fast path has the auction id of its quote, is held for it, and settles alone", async () => {
  const { sandbox, book, before, placed } = await quotedAndPlaced(3);
  const order = await book.order(placed.uid);
  // Four blocks of two seconds.
  assertEquals(order.validFrom, Math.floor(sandbox.now.epochMilliseconds / 1_000) + 8);
  assertEquals((await book.orderStatus(placed.uid)).type, "scheduled");
  const latest = await book.competition("latest");
  assert(latest.auctionId > before + 1);
  const own = await book.competition(before + 1);
  assertEquals(own.auction.orders, [placed.uid]);
  assertEquals(own.solutions.map(({ isWinner }) => isWinner), [true]);
  assertEquals(recognizeAuctionPath(own, { orders: [order] }), {
    path: "fast_path",
    basis: "app_data",
  });
  const auction = await inspectAuction(book, own.auctionId);
  assert(auction.sentence.includes("won on the fast path, by the order's quote"), auction.sentence);
  assertEquals(auction.replay?.agrees, true);
  assertEquals((await inspectOrder(book, placed.uid)).verdict, "open_executing");
  // A deployment without debug reports hides the auction until its deadline.
  const { deployment, clock } = sandbox;
  const hidden = connect({
    deployment,
    clock,
    fetch(url: string, init: RequestInit) {
      const isHidden = url.includes("/debug/") || url.endsWith(`/solver_competition/${before + 1}`);
      return sandbox.fetch(isHidden ? "/nothing" : url, init);
    },
  });
  const seen = await inspectOrder(hidden, placed.uid);
  assertEquals([seen.verdict, seen.reason], ["open_not_valid_yet", "fast_path"]);
  assert(seen.sentence.includes("only the solver that quoted it may settle it"), seen.sentence);
  await sandbox.advance({ auctions: 1 });
  assertEquals((await book.order(placed.uid)).status, "fulfilled");
  const execution = await placed.execution();
  assertEquals([execution.fills.length, execution.differences], [1, []]);
  // No other auction had it.
  assert(!(await book.competition("latest")).auction.orders.includes(placed.uid));
});

inFolder.test("an export requests the id of a quote again whose order came late", async (folder) => {
  const { sandbox, book, before, place } = await quoted();
  await sandbox.advance({ auctions: 4 });
  const options = {
    auctions: { from: before, to: before + 4 },
    tables: ["auctions", "orders", "trades"],
    debugReports: false,
  };
  const first = (await exportDataset(book, folder, options)).manifest;
  assert(first.ids.absent.some(([from, to]) => from <= before + 1 && before + 1 <= to));
  await place();
  assertEquals((await book.competition(before + 1)).auctionId, before + 1);
  await sandbox.advance({ auctions: 6 });
  const second = (await exportDataset(book, folder, options)).manifest;
  assert(second.ids.present.some(([from, to]) => from <= before + 1 && before + 1 <= to));
});

Deno.test("bounds of auction times contain the truth where ids do not follow it", async () => {
  const { sandbox, book, before } = await quotedAndPlaced(4);
  await sandbox.advance({ auctions: 4 });
  const found = await Array.fromAsync(book.competitions({ from: before - 4, to: before + 8 }));
  const competitions = found.flatMap(({ competition }) => competition ?? []);
  const blocks = competitions.map(({ auctionStartBlock }) => auctionStartBlock);
  assert(blocks.some((block, at) => at > 0 && block < blocks[at - 1]!), "an id out of order");
  const { orders } = await book.orders(competitions.flatMap(({ auction }) => auction.orders));
  const brackets = auctionBrackets(competitions, { orders });
  const { now, block } = sandbox.description;
  for (const { auctionId, auctionStartBlock } of competitions) {
    // Virtual time: a block every two seconds.
    const startMs = (now - 2 * (block - auctionStartBlock)) * 1_000;
    const { min, max } = brackets.get(auctionId)!;
    assert(min.epochMilliseconds <= startMs + 2_000, `auction ${auctionId} began before ${min}`);
    assert(max === null || max.epochMilliseconds >= startMs, `auction ${auctionId} after ${max}`);
  }
});

Deno.test("the fast path is rejected where it is off, beside validFrom, and beyond the quote", async () => {
  const off = await openSandbox({ seed: 7, auctions: 3 });
  const { sandbox, book, request, quote } = await quoted(3);
  const { fullAppData } = buildAppData({
    appCode: "Test",
    metadata: { enableFastPath: true, validFrom: 1_900_000_000 },
  });
  const withBoth = { ...fastSale(sandbox), appData: fullAppData };
  // Half a percent above the quote, without a tolerance.
  const better = { ...quote.quote, buyAmount: quote.quote.buyAmount * 1_005n / 1_000n };
  const exact = { quote: { ...quote, quote: better }, slippageBps: 0 };
  for (
    const [at, sale, options, errorType, remedy] of [
      [connect(off), fastSale(off), {}, "InvalidAppData", ""],
      [book, withBoth, {}, "InvalidAppData", ""],
      [book, request, exact, "FastPathLimitTooTight", "enableFastPath"],
    ] as const
  ) {
    const place = () => placeOrder(at, ACCOUNT, sale, { minBuyAmount: 1n, ...options });
    const error = await assertRejects(place, ServiceError);
    assertEquals(error.errorType, errorType);
    assert(error.remedy.includes(remedy), error.remedy);
  }
});

Deno.test("an order names its earliest time, and no auction has it before", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 3 });
  const book = connect(sandbox);
  const validFrom = Math.floor(sandbox.now.epochMilliseconds / 1_000) + 20;
  const { fastPath: _, ...request } = fastSale(sandbox);
  const { fullAppData } = buildAppData({ appCode: "Test", metadata: { validFrom } });
  const { uid } = await placeOrder(book, ACCOUNT, { ...request, appData: fullAppData }, {
    minBuyAmount: 1n,
  });
  await sandbox.advance({ auctions: 5 });
  assertEquals((await book.order(uid)).validFrom, validFrom);
  const report = await inspectOrder(book, uid);
  assertEquals([report.verdict, report.reason], ["open_not_valid_yet", null]);
  await sandbox.advance({ auctions: 20 });
  assertEquals((await book.order(uid)).status, "fulfilled");
});

Deno.test("trades and the auction have penalty caps, and rewards apply them", async () => {
  const penaltyCaps = { volumeBps: 4, maxAtoms: 5n * 10n ** 15n };
  const sandbox = await openSandbox({ seed: 11, auctions: 60, penaltyCaps });
  const book = connect(sandbox);
  const { orders: listed, prices } = await book.auction();
  assert(listed.length > 5);
  for (const { kind, sellToken, buyToken, sellAmount, buyAmount, penaltyCapNative } of listed) {
    const [token, amount] = kind === "sell" ? [buyToken, buyAmount] : [sellToken, sellAmount];
    // The smaller of 4 basis points of the volume and 0.005 ether, each rounded down.
    const volume = amount * prices[token.toLowerCase()]! / ETHER;
    const cap = volume * 4n / 10_000n;
    assertEquals(penaltyCapNative, cap < 5n * 10n ** 15n ? cap : 5n * 10n ** 15n);
  }
  const found = await Array.fromAsync(book.competitions({ last: 60 }));
  const competitions = found.flatMap(({ competition }) => competition ?? []);
  const { orders } = await book.orders(competitions.flatMap(({ auction }) => auction.orders));
  const trades = (await Promise.all(
    orders.map(({ uid }) => Array.fromAsync(book.trades({ orderUid: uid }))),
  )).flat();
  assert(trades.length > 20);
  const rows = buildTable(TRADES, { trades }).toRecords();
  assertEquals(rows.length, trades.length);
  for (const row of rows) {
    const cap = trades.find(({ blockNumber, logIndex }) =>
      blockNumber === row.block_number && logIndex === row.log_index
    )!.penaltyCapNative;
    assertEquals([typeof cap, row.penalty_cap_atoms], ["bigint", String(cap)]);
  }
  const outcomes = settlementOutcomes(competitions, {
    trades,
    latestBlock: sandbox.description.block,
  });
  const rules = { asOf: "2026-08", since: null, feeShare: ratio(1n, 2n), lowerCapAtoms: 1n };
  const estimate = estimateRewards(competitions, { rules, outcomes, trades, orders });
  const capOf = new Map(trades.map((one) => [`${one.txHash} ${one.orderUid}`, one]));
  /** The largest cap that the vote allows: 10 basis points of the volume at the limit. */
  const mostOf = (uid: string, auctionId: number) => {
    const { auction } = competitions.find((one) => one.auctionId === auctionId)!;
    const order = orders.find((one) => one.uid === uid)!;
    const [token, amount] = order.kind === "sell"
      ? [order.buyToken, order.buyAmount]
      : [order.sellToken, order.sellAmount];
    return amount * auction.prices[token.toLowerCase()]! / ETHER / 1_000n;
  };
  let [late, absent] = [0, 0];
  for (const { auctionId, solver, lowerCap, uncapped, performance } of estimate.rewards) {
    const own = outcomes.solutions.filter((one) =>
      one.auctionId === auctionId && one.solver === solver
    );
    if (own.every(({ result }) => result === "late")) {
      late++;
      const caps = own.flatMap(({ txHash, orders }) => orders.map((uid) => `${txHash} ${uid}`))
        .reduce((sum, fill) => sum + capOf.get(fill)!.penaltyCapNative!, 0n);
      assertEquals(lowerCap, { low: caps, high: caps });
      assertEquals(performance.low, uncapped.low > -caps ? uncapped.low : -caps);
    }
    if (own.every(({ result }) => result === "absent")) {
      absent++;
      const most = own.flatMap((one) => one.orders).reduce(
        (sum, uid) => sum + mostOf(uid, auctionId),
        0n,
      );
      assertEquals(lowerCap, { low: 0n, high: most });
      assertEquals(performance.low, uncapped.low > -most ? uncapped.low : -most);
    }
  }
  assert(late > 0 && absent > 0, "a late settlement, and an absent one");
});
