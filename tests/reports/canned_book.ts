import { connect } from "orderlens";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { encodeOrder, encodeTrade } from "orderlens/schemas";
import { orderOf, tradeOf } from "../metrics/reports.ts";

/** A body that a path answers; `404` and `403` without one. */
export type Canned = Readonly<Record<string, unknown>>;

/** The settlement contract of canned books. */
export const CONTRACT = `0x${"90".repeat(20)}`;

/**
 * Answers paths, and those with a hash behind them: an object with 200, a number with that status, everything else with
 * a 404 of the service, and debug reports with 403. `asked` has the paths that were asked for, in order,
 * and `depth` tells how many requests waited for an answer when they were sent, at most: round trips.
 */
export function cannedBook(answers: Canned) {
  const asked: string[] = [];
  let [depth, waiting, round] = [0, 0, Promise.resolve()];
  async function send({ path }: HttpRequest): Promise<HttpResponse> {
    asked.push(path);
    // Requests that are sent while others wait belong to the same round trip.
    if (waiting++ === 0) {
      depth++;
      round = new Promise((resolve) => setTimeout(resolve));
    }
    await round;
    waiting--;
    return responseTo(path, answers);
  }
  const deployment = { chainId: 1, settlementContract: CONTRACT };
  const book = connect({ baseUrl: "canned://book", deployment, send });
  return { book, asked, depth: () => depth };
}

function responseTo(path: string, answers: Canned): HttpResponse {
  const [place = ""] = path.split("?");
  const known = Object.entries(answers).find(([start]) =>
    place === start || place.startsWith(`${start}/0x`)
  )?.[1];
  const refused = path.startsWith("/restricted/") ? 403 : 404;
  const status = typeof known === "number" ? known : known === undefined ? refused : 200;
  const body = status === 200
    ? JSON.stringify(known)
    : '{"errorType":"NotFound","description":"not found"}';
  const contentType = "application/json";
  return { status, contentType, headers: new Headers({ "content-type": contentType }), body };
}

/** Hex text of a number of bytes, each the same. */
export function hex(byte: string, bytes: number): string {
  return `0x${byte.repeat(bytes)}`;
}

/** Owner of made-up orders. */
export const OWNER = hex("0d", 20);
/** Token that made-up orders sell. */
export const SELL = hex("a1", 20);
/** Token that they buy. */
export const BUY = hex("b2", 20);
/** A settlement transaction. */
export const TX = hex("7e", 32);

/** A UID by its first byte. */
export function uidOf(byte: string): string {
  return `0x${byte.repeat(32)}${OWNER.slice(2)}6a87c960`;
}

/** The body of an order that sells 100 for 200, made up for a test. */
export function orderBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  const order = orderOf({
    owner: OWNER,
    uid: uidOf("01"),
    sellToken: SELL,
    buyToken: BUY,
    validTo: 0x6a87c960,
    appData: hex("00", 32),
    partiallyFillable: false,
    signature: hex("1b", 65),
  });
  return { ...Object(encodeOrder(order)), ...more };
}

/** The body of its fill. */
export function tradeBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  const trade = tradeOf({
    blockNumber: 103,
    logIndex: 2,
    orderUid: uidOf("01"),
    owner: OWNER,
    sellToken: SELL,
    buyToken: BUY,
    txHash: TX,
  });
  return { ...Object(encodeTrade(trade)), ...more };
}

/** The body of a competition in which a solver won with the order. */
export function competitionBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    auctionId: 7,
    auctionStartBlock: 100,
    auctionDeadlineBlock: 104,
    transactionHashes: [TX],
    referenceScores: {},
    auction: { orders: [uidOf("01")], prices: {} },
    solutions: [{
      solverAddress: hex("50", 20),
      score: "10",
      ranking: 1,
      clearingPrices: {},
      orders: [{
        id: uidOf("01"),
        sellAmount: "100",
        buyAmount: "210",
        sellToken: SELL,
        buyToken: BUY,
      }],
      isWinner: true,
      filteredOut: false,
      txHash: TX,
    }],
    ...more,
  };
}

/** The answers about one filled order. */
export function filledAnswers(): Record<string, unknown> {
  return {
    [`/api/v1/orders/${uidOf("01")}/status`]: { type: "traded" },
    [`/api/v1/orders/${uidOf("01")}`]: orderBody({
      status: "fulfilled",
      executedSellAmount: "100",
      executedSellAmountBeforeFees: "100",
      executedBuyAmount: "210",
    }),
    "/api/v2/trades": [tradeBody()],
    "/api/v2/solver_competition/by_tx_hash": competitionBody(),
  };
}
