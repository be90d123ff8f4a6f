/**
 * Writes the simulated recording in `data/recorded/`: a market of the sandbox, with every resource
 * requested once; `deno run -A tools/sandbox/record_market.ts`.
 *
 * @module
 */
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import { WALLET_CONTRACT } from "../../lib/sandbox/market/ledger.ts";
import { type Exchange, printExchange } from "../../lib/recordings/request_key.ts";
import { recordChain } from "./record_chain.ts";
import { report } from "../terminal/say.ts";

const NAME = "simulated_1";
const SEED = 20;
const AUCTIONS = 240;
const FOLDER = new URL("../../data/recorded/", import.meta.url);
const MAX_UIDS = 128;
/** Id of a sandbox's first auction. */
const FIRST_AUCTION = 1_001;

interface PlacedOrder {
  readonly uid: string;
  readonly appData: string;
}

/** Requests every resource of a sandbox and records the responses. */
class Crawl {
  readonly exchanges: Exchange[] = [];
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  async crawl(): Promise<void> {
    const { tokens, auctionId } = this.#sandbox.description;
    await this.#request("/api/v1/version");
    const orders = await this.#crawlOwners();
    const transactions = await this.#crawlOrders(orders.map(({ uid }) => uid));
    for (let id = FIRST_AUCTION; id <= auctionId; id++) {
      await this.#request(`/api/v2/solver_competition/${id}`);
    }
    await this.#request("/api/v2/solver_competition/latest");
    for (const hash of transactions) await this.#request(`/api/v1/transactions/${hash}/orders`);
    for (const hash of new Set(orders.map(({ appData }) => appData))) {
      await this.#request(`/api/v1/app_data/${hash}`);
    }
    for (const { address } of tokens) {
      await this.#request(`/api/v1/token/${address}/native_price`);
      await this.#request(`/api/v1/token/${address}/metadata`);
    }
    await this.#request("/api/v1/auction");
  }

  /** Requests the lists of every owner; returns all orders. */
  async #crawlOwners(): Promise<PlacedOrder[]> {
    const allOrders: PlacedOrder[] = [];
    for (const owner of [...this.#sandbox.description.accounts, WALLET_CONTRACT]) {
      const orders = await this.#request(`/api/v1/account/${owner}/orders?limit=1000`);
      allOrders.push(...JSON.parse(orders));
      await this.#request(`/api/v2/trades?owner=${owner}&limit=1000`);
      await this.#request(`/api/v1/users/${owner}/total_surplus`);
    }
    return allOrders;
  }

  /** Requests every resource of orders; returns the transactions that settled them. */
  async #crawlOrders(uids: readonly string[]): Promise<Set<string>> {
    for (let start = 0; start < uids.length; start += MAX_UIDS) {
      await this.#request(
        "/api/v1/orders/by_uids",
        JSON.stringify(uids.slice(start, start + MAX_UIDS)),
      );
    }
    const transactions = new Set<string>();
    for (const uid of uids) {
      await this.#request(`/restricted/api/v1/debug/order/${uid}`);
      await this.#request(`/api/v1/orders/${uid}/status`);
      const trades = await this.#request(`/api/v2/trades?orderUid=${uid}&limit=1000`);
      for (const { txHash } of JSON.parse(trades)) transactions.add(txHash);
    }
    return transactions;
  }

  /** Requests one resource; returns its body. */
  async #request(path: string, requestBody?: string): Promise<string> {
    const request = requestBody === undefined ? { method: "GET" } : { method: "POST", requestBody };
    const response = await this.#sandbox.fetch(`http://sandbox${path}`, {
      method: request.method,
      ...(requestBody === undefined
        ? {}
        : { body: requestBody, headers: { "content-type": "application/json" } }),
    });
    const contentType = response.headers.get("content-type");
    const responseBody = await response.text();
    this.exchanges.push({ ...request, path, status: response.status, contentType, responseBody });
    return responseBody;
  }
}

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

if (import.meta.main) {
  const sandbox = await openSandbox({ seed: SEED, auctions: AUCTIONS });
  const crawl = new Crawl(sandbox);
  await crawl.crawl();
  const text = crawl.exchanges.map(printExchange).join("");
  await Deno.writeFile(new URL(`${NAME}.ndjson.gz`, FOLDER), await gzip(text));
  const chain = JSON.stringify(await recordChain(sandbox));
  await Deno.writeFile(new URL(`${NAME}.chain.json.gz`, FOLDER), await gzip(chain));
  const walked = { from: FIRST_AUCTION, to: sandbox.description.auctionId };
  await Deno.writeTextFile(
    new URL(`${NAME}.deployment.json`, FOLDER),
    `${JSON.stringify({ ...sandbox.deployment, walked }, null, 2)}\n`,
  );
  report(
    `${crawl.exchanges.length} exchanges, ${text.length} bytes unpacked, ` +
      `auctions ${walked.from} to ${walked.to}`,
  );
}
