import { openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import type { Exchange } from "../../lib/sandbox/recordings/exchange.ts";
import { EdgeMapping } from "../sandbox/service/edge_mapping.ts";
import { crawl } from "./crawl.ts";
import { recordedExchanges } from "./recorded_exchange.ts";
import { placeWhatIsRefused } from "./refused_orders.ts";
import { askWhatIsRefused } from "./refused_requests.ts";
import { TOO_DEAR } from "./refused_values.ts";
import { type OrderBody, Trader } from "./trader.ts";
import { Witness } from "./witness.ts";

/** Auctions that are held in a minute and a little more. */
const MINUTE = 31;
const UNKNOWN_TOKEN = `0x${"77".repeat(20)}`;
const CONTRACT = `0x${"c0".repeat(20)}`;
const SIMULATION = "restricted/api/v1/debug/simulation";
const ANY_UID = `0x${"ab".repeat(56)}`;

/** Has sandboxes do all that they can, and asks for all of it; what was asked and answered. */
export async function tourOfSandbox(): Promise<Exchange[]> {
  const sandbox = await openSandbox({ seed: 4 });
  const witness = new Witness(sandbox);
  await askBeforeTheFirstAuction(witness);
  await sandbox.advance({ auctions: MINUTE });
  const trader = new Trader(sandbox, witness);
  const uids = await trade(sandbox, { trader, witness });
  await crawl(witness, uids);
  await cancel(trader, uids);
  await askForQuotes(sandbox, witness);
  await simulate(witness, { uids, order: await trader.order() });
  await askWhatIsRefused(sandbox, witness);
  await placeWhatIsRefused(sandbox, { witness, done: uids });
  await askUnderFaults(sandbox, witness);
  return [...witness.exchanges, ...await askUnderLimits(), ...await askWhatWasRecorded()];
}

async function askBeforeTheFirstAuction(witness: Witness): Promise<void> {
  await witness.ask("GET /api/v1/auction");
  await witness.ask("GET /api/v2/solver_competition/latest");
  await witness.ask("GET /restricted/api/v2/solver_competition/latest");
}

/** Places orders of every kind, and asks how far they are after each auction. */
async function trade(
  sandbox: Sandbox,
  { trader, witness }: { trader: Trader; witness: Witness },
): Promise<string[]> {
  const { now } = sandbox.description;
  sandbox.registerVerifier(CONTRACT, () => true);
  const uids = await Promise.all([
    trader.place(),
    trader.place({ signingScheme: "presign", signature: "0x" }),
    trader.place({ signingScheme: "eip1271", signature: "0x1271", from: CONTRACT }),
    trader.place({ buyAmount: TOO_DEAR, validTo: now + 60 }),
    trader.place({ buyAmount: TOO_DEAR }),
    trader.place({ buyToken: UNKNOWN_TOKEN }),
    trader.place({ sellAmount: 1n, partiallyFillable: true }),
  ]);
  for (let auction = 0; auction < MINUTE; auction++) {
    for (const uid of sandbox.description.orderUids) {
      await witness.ask(`GET /api/v1/orders/${uid}/status`);
    }
    await sandbox.advance({ auctions: 1 });
  }
  return uids;
}

/** Asks to cancel orders that are done, open, cancelled, another's, or none. */
async function cancel(trader: Trader, uids: readonly string[]): Promise<void> {
  for (const uid of [...uids, ...uids, ANY_UID]) {
    await trader.cancelOne(uid);
    await trader.cancel(uid);
  }
  await trader.cancel();
}

async function askForQuotes(sandbox: Sandbox, witness: Witness): Promise<void> {
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
      await witness.ask(`POST /api/v1/${route}`, { ...about, ...size });
    }
  }
}

/** Simulates orders of the book, another one, and one whose document is none. */
async function simulate(
  witness: Witness,
  { uids, order }: { uids: readonly string[]; order: OrderBody },
): Promise<void> {
  for (const uid of uids) await witness.ask(`GET /${SIMULATION}/${uid}`);
  for (const appData of ["{}", "none"]) {
    const body = { ...order, owner: order.from, appData };
    await witness.ask(`POST /${SIMULATION}`, body);
  }
}

async function askUnderFaults(sandbox: Sandbox, witness: Witness): Promise<void> {
  const fault = sandbox.fault({ kind: "serverError" });
  const token = sandbox.description.tokens[0]!.address;
  await witness.ask(`GET /api/v1/token/${token}/native_price`);
  await witness.ask(`GET /accounts/${token}/notifications`);
  for (const path of ["restricted/api/v1/debug/order", "api/v1/debug/order", SIMULATION]) {
    await witness.ask(`GET /${path}/${ANY_UID}`);
  }
  for (const path of ["api/v1/orders", "api/v1/quote", "api/v1/quote/stream", SIMULATION]) {
    await witness.ask(`POST /${path}`, {});
  }
  await witness.ask("PUT /api/v1/app_data", {});
  await witness.ask(`PUT /api/v1/app_data/0x${"ab".repeat(32)}`, {});
  await witness.ask("DELETE /api/v1/orders", {});
  fault.remove();
}

async function askUnderLimits(): Promise<Exchange[]> {
  const limits = { ordersPerMinute: 1, quotesPerMinute: 0, openLimitOrders: 0 };
  const sandbox = await openSandbox({ limits, notifications: false });
  const witness = new Witness(sandbox);
  const trader = new Trader(sandbox, witness);
  const order = await trader.order({ buyAmount: TOO_DEAR });
  for (let time = 0; time < 2; time++) await witness.ask("POST /api/v1/orders", order);
  await witness.ask("POST /api/v1/quote", {});
  await witness.ask("POST /api/v1/quote/stream", {});
  await witness.ask(`GET /accounts/${CONTRACT}/notifications`);
  return witness.exchanges;
}

/** Asks all that the service was asked at its edges. */
async function askWhatWasRecorded(): Promise<Exchange[]> {
  const sandbox = await openSandbox({ seed: 3, auctions: 60, notifications: false });
  const witness = new Witness(sandbox);
  const mapping = new EdgeMapping(sandbox.description);
  for (const edge of await recordedExchanges("edges")) {
    const contentType = edge.status === 415 ? "text/plain" : "application/json";
    const request = `${edge.method} ${mapping.path(edge)}`;
    const body = await mapping.body(edge);
    const { status, responseBody } = await witness.ask(request, body, { contentType });
    if (edge.path === "/api/v1/orders" && edge.status === 201 && status === 201) {
      mapping.learn(JSON.parse(edge.responseBody), JSON.parse(responseBody));
    }
  }
  return witness.exchanges;
}
