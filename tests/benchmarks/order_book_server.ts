/**
 * A program that serves recorded bodies under as many UIDs and auction ids as a benchmark needs, and
 * ends with its input. Its first line of output is its address.
 *
 * @module
 */
import { ACCOUNT, ACCOUNT_ORDERS, AUCTIONS, serveUntilClosed, uidOf } from "./benchmark_program.ts";
import { marketBodies } from "./market_bodies.ts";

const orders = await marketBodies("order");
const competitions = await marketBodies("competition_v2");

/** A recorded order of the account, under the UID of number `index`. */
function orderText(index: number): string {
  return orders[index % orders.length]!
    .replace(/"uid":"0x[0-9a-f]*"/, `"uid":"${uidOf(index)}"`)
    .replace(/"owner":"0x[0-9a-f]*"/, `"owner":"${ACCOUNT}"`);
}

function pageText(offset: number, limit: number): string {
  const count = Math.max(0, Math.min(limit, ACCOUNT_ORDERS - offset));
  const all = Array.from({ length: count }, (_, index) => orderText(offset + index));
  return `[${all.join(",")}]`;
}

function competitionText(auctionId: number): string {
  const recorded = competitions[auctionId % competitions.length]!;
  return recorded.replace(/"auctionId":\d+/, `"auctionId":${auctionId}`);
}

/** The orders of a list of UIDs, or what a path has; `undefined` where there is nothing. */
function textAt(path: string, uids?: string): string | undefined {
  if (uids !== undefined) {
    const found = (JSON.parse(uids) as string[])
      .map((uid) => `{"order":${orderText(Number(BigInt(uid)))}}`);
    return `[${found.join(",")}]`;
  }
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const [, route, last = ""] = /\/api\/v[12]\/(\w+)\/(.+)$/.exec(pathname) ?? [];
  if (route === "orders") return orderText(Number(BigInt(last)));
  if (route === "account") {
    return pageText(Number(searchParams.get("offset")), Number(searchParams.get("limit")));
  }
  const auctionId = last === "latest" ? AUCTIONS : Number(last);
  return auctionId <= AUCTIONS ? competitionText(auctionId) : undefined;
}

await serveUntilClosed((path, uids) => {
  const body = textAt(path, uids);
  const status = body === undefined ? 404 : 200;
  const absent = '{"errorType":"NotFound","description":"not found"}';
  return Promise.resolve({ status, body: body ?? absent, isNew: uids !== undefined });
});
