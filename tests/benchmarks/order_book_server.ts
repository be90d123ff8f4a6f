/**
 * A program that serves recorded bodies under as many UIDs and auction ids as a benchmark needs, and
 * ends with its input. Its first line of output is its address; below `/slow` every answer takes a
 * round trip of 20 ms.
 *
 * @module
 */
import { ACCOUNT, ACCOUNT_ORDERS, AUCTIONS, serveUntilClosed, uidOf } from "./benchmark_program.ts";
import { marketBodies } from "./market_bodies.ts";

const ROUND_TRIP_MS = 20;

const HEADERS = { "content-type": "application/json" };

const orders = await marketBodies("order");
const competitions = await marketBodies("competition_v2");
const utf8 = new TextEncoder();
const rendered = new Map<string, Uint8Array<ArrayBuffer>>();

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

/** The answer to a GET; `undefined` where there is nothing. */
function textAt({ pathname, searchParams }: URL): string | undefined {
  const [, route, last = ""] = /\/api\/v[12]\/(\w+)\/(.+)$/.exec(pathname) ?? [];
  if (route === "orders") return orderText(Number(BigInt(last)));
  if (route === "account") {
    return pageText(Number(searchParams.get("offset")), Number(searchParams.get("limit")));
  }
  const auctionId = last === "latest" ? AUCTIONS : Number(last);
  return auctionId <= AUCTIONS ? competitionText(auctionId) : undefined;
}

/** Rendered once, so that the server takes as little of the machine as it can. */
function answerTo(url: URL): Response {
  const key = url.pathname + url.search;
  const known = rendered.get(key);
  if (known !== undefined) return new Response(known, { headers: HEADERS });
  const text = textAt(url);
  if (text === undefined) return new Response("", { status: 404 });
  const bytes = utf8.encode(text);
  if (!key.includes("solver_competition")) rendered.set(key, bytes);
  return new Response(bytes, { headers: HEADERS });
}

await serveUntilClosed(async (request) => {
  const url = new URL(request.url);
  if (url.pathname.startsWith("/slow/")) {
    await new Promise((resolve) => setTimeout(resolve, ROUND_TRIP_MS));
  }
  if (request.method !== "POST") return answerTo(url);
  const uids: string[] = await request.json();
  const found = uids.map((uid) => `{"order":${orderText(Number(BigInt(uid)))}}`);
  return new Response(`[${found.join(",")}]`, { headers: HEADERS });
});
