import type { OrderDesk } from "../sandbox/order_desk.ts";

interface Description {
  readonly accounts: readonly string[];
  readonly tokens: readonly { readonly address: string }[];
  readonly auctionId: number;
}

/** Id of a sandbox's first auction. */
const FIRST_AUCTION = 1_001;
const MAX_UIDS = 128;
const MISSING_UID = `0x${"ab".repeat(56)}`;

/** Asks for everything that a sandbox has, and for these orders, at every path that has it. */
export async function crawl(desk: OrderDesk, others: readonly string[]): Promise<void> {
  const read = async (request: string, body?: unknown) =>
    JSON.parse((await desk.ask(request, body)).text);
  const { accounts, tokens, auctionId }: Description = await read("GET /sandbox");
  await desk.ask("GET /api/v1/version");
  await desk.ask("GET /api/v1/auction");
  await desk.ask("GET /api/v2/solver_competition/latest");
  await desk.ask("GET /restricted/api/v2/solver_competition/latest");
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
    const orders = await read(`GET /api/v1/account/${account}/orders?limit=1000`);
    const trades = await read(`GET /api/v2/trades?owner=${account}&limit=1000`);
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
