import { DEVELOPMENT_ACCOUNTS, type SandboxDescription } from "../../lib/sandbox/mod.ts";
import type { OrderDesk } from "../sandbox/service/order_desk.ts";
import { FOR_EVER, MISSING, NATIVE_TOKEN, TOO_DEAR } from "./rejected_values.ts";

const INVALID_JSON = "{";

const PATHS = [
  "/api/v1/orders/*",
  "/api/v1/orders/*/status",
  "/restricted/api/v1/debug/order/*",
  "/api/v1/debug/order/*",
  "/restricted/api/v1/debug/simulation/*",
];

/** Sends every kind of request that a sandbox rejects, besides orders. */
export async function sendRejectedRequests(
  desk: OrderDesk,
  description: SandboxDescription,
): Promise<void> {
  for (const request of GETS) await desk.ask(request);
  await sendRejectedQuotes(desk, description);
  await sendRejectedBodies(desk);
  await sendRejectedCancellations(desk);
}

const GETS = [
  ...PATHS.flatMap((path) => [MISSING.uid, "0x12"].map((uid) => `GET ${path.replace("*", uid)}`)),
  "GET /api/v2/solver_competition/1",
  "GET /api/v2/solver_competition/one",
  "GET /restricted/api/v2/solver_competition/1",
  "GET /restricted/api/v2/solver_competition/one",
  `GET /api/v2/solver_competition/by_tx_hash/${MISSING.hash}`,
  "GET /api/v2/solver_competition/by_tx_hash/0x12",
  `GET /restricted/api/v2/solver_competition/by_tx_hash/${MISSING.hash}`,
  "GET /restricted/api/v2/solver_competition/by_tx_hash/0x12",
  `GET /api/v1/transactions/${MISSING.hash}/orders`,
  "GET /api/v1/transactions/0x12/orders",
  "GET /api/v1/orders/tx/0x12",
  `GET /api/v1/account/${MISSING.address}/orders?limit=1001`,
  "GET /api/v1/account/0x12/orders",
  "GET /api/v1/trades",
  "GET /api/v1/trades?owner=0x12",
  "GET /api/v2/trades",
  `GET /api/v2/trades?owner=${MISSING.address}&limit=0`,
  "GET /api/v2/trades?owner=0x12",
  `GET /api/v1/token/${MISSING.address}/native_price`,
  "GET /api/v1/token/0x12/native_price",
  "GET /api/v1/token/0x12/metadata",
  "GET /api/v1/users/0x12/total_surplus",
  `GET /api/v1/app_data/${MISSING.hash}`,
  "GET /api/v1/app_data/0x12",
  "GET /accounts/0x12/notifications",
  "GET /",
  "PUT /api/v1/orders",
];

async function sendRejectedQuotes(
  desk: OrderDesk,
  { tokens, accounts, unsupportedTokens, deniedAccounts }: SandboxDescription,
): Promise<void> {
  const good = {
    sellToken: tokens[0]!.address,
    buyToken: tokens[1]!.address,
    from: accounts[0],
    kind: "sell",
    sellAmountBeforeFee: String(10n ** 18n),
  };
  const rejected: Readonly<Record<string, unknown>>[] = [
    { from: deniedAccounts[0] },
    { sellAmountBeforeFee: String(10n ** 12n) },
    { buyToken: good.sellToken },
    { buyToken: MISSING.address },
    { buyToken: unsupportedTokens[0]!.address },
    { sellToken: NATIVE_TOKEN },
    { sellTokenBalance: "external" },
    { buyTokenBalance: "internal" },
    { validTo: 1 },
    { validTo: FOR_EVER },
    { appData: "[]" },
    { appData: "{}", appDataHash: MISSING.hash },
    { kind: "swap" },
  ];
  for (const changes of rejected) {
    for (const route of ["quote", "quote/stream"]) {
      await desk.ask(`POST /api/v1/${route}`, { ...good, ...changes });
    }
  }
}

/** Bodies that are rejected before or while they are parsed. */
async function sendRejectedBodies(desk: OrderDesk): Promise<void> {
  const requests = [
    "POST /api/v1/orders",
    "POST /api/v1/orders/by_uids",
    "POST /api/v1/quote",
    "POST /api/v1/quote/stream",
    "PUT /api/v1/app_data",
    `PUT /api/v1/app_data/${MISSING.hash}`,
    "POST /restricted/api/v1/debug/simulation",
  ];
  for (const request of requests) {
    await desk.ask(request, INVALID_JSON);
    await desk.ask(request, "7");
    await desk.ask(request, {}, "text/plain");
    await desk.ask(request, " ".repeat(20_000));
  }
  await desk.ask("POST /api/v1/orders/by_uids", Array(129).fill(MISSING.uid));
  for (const fullAppData of ["nope", "{}", '{"new":true}']) {
    await desk.ask("PUT /api/v1/app_data", { fullAppData });
    await desk.ask(`PUT /api/v1/app_data/${MISSING.hash}`, { fullAppData });
  }
}

/** Cancellations of an open order that are malformed, or signed by another account. */
async function sendRejectedCancellations(desk: OrderDesk): Promise<void> {
  const uid = await desk.placed({ buyAmount: TOO_DEAR });
  const [, stranger] = DEVELOPMENT_ACCOUNTS;
  await desk.cancel([uid], stranger);
  await desk.cancelOne(uid, stranger);
  for (const request of ["DELETE /api/v1/orders", `DELETE /api/v1/orders/${uid}`]) {
    await desk.ask(request, INVALID_JSON);
    for (const signature of ["0x12", `0x${"00".repeat(65)}`]) {
      await desk.ask(request, { orderUids: [uid], signature, signingScheme: "eip712" });
    }
  }
}
