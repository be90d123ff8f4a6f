import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { OrderDesk } from "../sandbox/order_desk.ts";
import { askEdges } from "../sandbox/recorded_edges.ts";
import { askInvented, SANDBOX } from "../sandbox/invented_requests.ts";

/** A sandbox that remembers everything that it was asked and what it answered, in order. */
export function witness(sandbox: Sandbox) {
  const exchanges: Exchange[] = [];
  const fetch: Sandbox["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const requestBody = await request.clone().text();
    const response = await sandbox.fetch(request);
    exchanges.push({
      method: request.method,
      path: `${pathname}${search}`,
      ...(requestBody === "" ? {} : { requestBody }),
      status: response.status,
      contentType: response.headers.get("content-type"),
      responseBody: await response.clone().text(),
    });
    return response;
  };
  const { deployment } = sandbox;
  return {
    exchanges,
    fetch,
    deployment,
    get description() {
      return sandbox.description;
    },
  };
}

/** Well-formed values that no sandbox has. */
const MISSING_UID = `0x${"ab".repeat(56)}`;
const MISSING_ACCOUNT = `0x${"ef".repeat(20)}`;
/** A price that nobody pays for a WETH, in atoms of DAI. */
const TOO_DEAR = 10n ** 24n;
/** Auctions that are held in a minute and a little more. */
const MINUTE = 31;
const UNKNOWN_TOKEN = `0x${"77".repeat(20)}`;
const CONTRACT = `0x${"c0".repeat(20)}`;
const SIMULATION = "restricted/api/v1/debug/simulation";

/** Has sandboxes do all that they can, and asks for all of it; what was asked and answered. */
export async function tourOfSandbox() {
  const sandbox = await openSandbox({ seed: 4 });
  const asked = witness(sandbox);
  const desk = new OrderDesk(asked);
  await askForTheLatest(desk);
  await sandbox.advance({ auctions: MINUTE });
  const uids = await trade(sandbox, desk);
  await crawl(desk, uids);
  await cancel(desk, uids);
  await askForQuotes(sandbox, desk);
  await simulate(desk, uids);
  await placeRejectedOrders(sandbox, desk, uids);
  await askUnderFaults(sandbox, desk);
  // The recorded deployment had its notifications elsewhere.
  const atEdges = witness(await openSandbox({ seed: 3, auctions: 60, notifications: false }));
  const edges = await askEdges(atEdges);
  const invented = witness(SANDBOX);
  const unexpected = await askInvented(new OrderDesk(invented));
  // A method that `by_uids` has not is one that the specification's `{UID}` has.
  const allowed = invented.exchanges.filter(({ status }) => status !== 405);
  const limited = await askUnderLimits();
  const exchanges = [...asked.exchanges, ...limited, ...atEdges.exchanges, ...allowed];
  return { exchanges, edges, unexpected };
}

async function askForTheLatest(desk: OrderDesk): Promise<void> {
  await desk.ask("GET /api/v1/auction");
  await desk.ask("GET /api/v2/solver_competition/latest");
  await desk.ask("GET /restricted/api/v2/solver_competition/latest");
}

/** Places orders of every kind, and asks how far they are after each auction. */
async function trade(sandbox: Sandbox, desk: OrderDesk): Promise<string[]> {
  const { now } = sandbox.description;
  sandbox.registerVerifier(CONTRACT, () => true);
  const uids = await Promise.all([
    desk.placed(),
    desk.placed({ signingScheme: "presign" }),
    desk.placed({ signingScheme: "eip1271", signature: "0x1271", from: CONTRACT }),
    desk.placed({ buyAmount: TOO_DEAR, validTo: now + 60 }),
    desk.placed({ buyAmount: TOO_DEAR }),
    desk.placed({ buyToken: UNKNOWN_TOKEN }),
    desk.placed({ sellAmount: 1n, partiallyFillable: true }),
  ]);
  for (let auction = 0; auction < MINUTE; auction++) {
    for (const uid of sandbox.description.orderUids) {
      await desk.ask(`GET /api/v1/orders/${uid}/status`);
    }
    await sandbox.advance({ auctions: 1 });
  }
  return uids;
}

/** Asks to cancel orders that are done, open, cancelled, another's, or none. */
async function cancel(desk: OrderDesk, uids: readonly string[]): Promise<void> {
  for (const uid of [...uids, ...uids, MISSING_UID]) {
    await desk.cancelOne(uid);
    await desk.cancel([uid]);
  }
  await desk.cancel([]);
}

async function askForQuotes(sandbox: Sandbox, desk: OrderDesk): Promise<void> {
  const { tokens, accounts } = sandbox.description;
  const [sellToken, buyToken] = tokens.map(({ address }) => address);
  const about = { sellToken, buyToken, from: accounts[0] };
  const sizes = [
    { kind: "sell", sellAmountBeforeFee: 10n ** 18n },
    { kind: "sell", sellAmountAfterFee: 10n ** 18n, appData: "{}" },
    { kind: "buy", buyAmountAfterFee: 10n ** 6n, priceQuality: "fast" },
  ];
  for (const size of sizes) {
    for (const route of ["quote", "quote/stream"]) {
      await desk.ask(`POST /api/v1/${route}`, { ...about, ...size });
    }
  }
}

/** Simulates orders of the book, another one, and one whose document is none. */
async function simulate(desk: OrderDesk, uids: readonly string[]): Promise<void> {
  for (const uid of uids) await desk.ask(`GET /${SIMULATION}/${uid}`);
  const order = await desk.order();
  for (const appData of ["{}", "none"]) {
    await desk.ask(`POST /${SIMULATION}`, { ...order, owner: order.from, appData });
  }
}

/** Signs what a sandbox rejects nevertheless, besides all that it is asked at its edges. */
async function placeRejectedOrders(
  sandbox: Sandbox,
  desk: OrderDesk,
  uids: readonly string[],
): Promise<void> {
  const [, stranger] = DEVELOPMENT_ACCOUNTS;
  const dear = await desk.placed({ buyAmount: TOO_DEAR });
  await desk.cancel([dear], stranger);
  await desk.cancelOne(dear, stranger);
  const noSignature = { signature: `0x${"00".repeat(65)}`, signingScheme: "eip712" };
  await desk.ask(`DELETE /api/v1/orders/${dear}`, noSignature);
  // Orders that will be bid on, belong to another account, are pre-signed, or do not exist.
  const irreplaceable = [
    ...uids,
    await desk.placed(),
    await desk.placed({ buyAmount: TOO_DEAR }, stranger),
    await desk.placed({ signingScheme: "presign" }),
    MISSING_UID,
  ];
  await sandbox.advance();
  const hook = { target: MISSING_ACCOUNT, callData: "0x", gasLimit: "9000000" };
  const documents = [
    { hooks: { pre: [hook] } },
    ...irreplaceable.map((uid) => ({ replacedOrder: { uid } })),
  ];
  const changes = [
    { sellToken: MISSING_ACCOUNT },
    { from: MISSING_ACCOUNT },
    { validTo: 4_000_000_000 },
    ...documents.map((metadata) => ({ document: JSON.stringify({ metadata }) })),
  ];
  for (const each of changes) await desk.place(each);
  const order = await desk.order();
  for (let time = 0; time < 2; time++) await desk.ask("POST /api/v1/orders", order);
}

async function askUnderFaults(sandbox: Sandbox, desk: OrderDesk): Promise<void> {
  const fault = sandbox.fault({ kind: "serverError" });
  const token = sandbox.description.tokens[0]!.address;
  await desk.ask(`GET /api/v1/token/${token}/native_price`);
  await desk.ask(`GET /accounts/${token}/notifications`);
  for (const path of ["restricted/api/v1/debug/order", "api/v1/debug/order", SIMULATION]) {
    await desk.ask(`GET /${path}/${MISSING_UID}`);
  }
  for (const path of ["api/v1/orders", "api/v1/quote", "api/v1/quote/stream", SIMULATION]) {
    await desk.ask(`POST /${path}`, {});
  }
  await desk.ask("PUT /api/v1/app_data", {});
  await desk.ask(`PUT /api/v1/app_data/0x${"cd".repeat(32)}`, {});
  await desk.ask("DELETE /api/v1/orders", {});
  fault.remove();
}

async function askUnderLimits(): Promise<Exchange[]> {
  const limits = { ordersPerMinute: 1, quotesPerMinute: 0, openLimitOrders: 0 };
  const sandbox = await openSandbox({ limits, notifications: false });
  const asked = witness(sandbox);
  const desk = new OrderDesk(asked);
  const order = await desk.order({ buyAmount: TOO_DEAR });
  for (let time = 0; time < 2; time++) await desk.ask("POST /api/v1/orders", order);
  await desk.ask("POST /api/v1/quote", {});
  await desk.ask("POST /api/v1/quote/stream", {});
  await desk.ask(`GET /accounts/${CONTRACT}/notifications`);
  return asked.exchanges;
}

/** Id of a sandbox's first auction. */
const FIRST_AUCTION = 1_001;
const MAX_UIDS = 128;

/** Asks for everything that a sandbox has, and for these orders, at every path that has it. */
async function crawl(desk: OrderDesk, others: readonly string[]): Promise<void> {
  const { accounts, tokens, auctionId } = await desk.read("GET /sandbox");
  await desk.ask("GET /api/v1/version");
  await askForTheLatest(desk);
  for (const { address } of tokens) {
    await desk.ask(`GET /api/v1/token/${address}/native_price`);
    await desk.ask(`GET /api/v1/token/${address}/metadata`);
  }
  for (let id = FIRST_AUCTION; id <= auctionId; id++) {
    await desk.ask(`GET /api/v2/solver_competition/${id}`);
    await desk.ask(`GET /restricted/api/v2/solver_competition/${id}`);
  }
  for (const uid of others) await crawlOrder(desk, uid);
  for (const account of accounts) {
    const orders = await desk.read(`GET /api/v1/account/${account}/orders?limit=1000`);
    const trades = await desk.read(`GET /api/v2/trades?owner=${account}&limit=1000`);
    await desk.ask(`GET /api/v1/trades?owner=${account}`);
    await desk.ask(`GET /api/v1/users/${account}/total_surplus`);
    await desk.ask(`GET /accounts/${account}/notifications`);
    for (const { uid } of orders) await crawlOrder(desk, uid);
    for (const { appData } of orders) await desk.ask(`GET /api/v1/app_data/${appData}`);
    for (const { txHash } of trades) await crawlTransaction(desk, txHash);
    const uids = orders.slice(1 - MAX_UIDS).map(({ uid }: { uid: string }) => uid);
    await desk.ask("POST /api/v1/orders/by_uids", [...uids, MISSING_UID]);
  }
}

async function crawlOrder(desk: OrderDesk, uid: string): Promise<void> {
  await desk.ask(`GET /api/v1/orders/${uid}`);
  await desk.ask(`GET /api/v1/orders/${uid}/status`);
  await desk.ask(`GET /api/v2/trades?orderUid=${uid}`);
  await desk.ask(`GET /restricted/api/v1/debug/order/${uid}`);
  await desk.ask(`GET /api/v1/debug/order/${uid}`);
}

async function crawlTransaction(desk: OrderDesk, hash: string): Promise<void> {
  await desk.ask(`GET /api/v1/transactions/${hash}/orders`);
  await desk.ask(`GET /api/v1/orders/tx/${hash}`);
  await desk.ask(`GET /api/v2/solver_competition/by_tx_hash/${hash}`);
  await desk.ask(`GET /restricted/api/v2/solver_competition/by_tx_hash/${hash}`);
}
