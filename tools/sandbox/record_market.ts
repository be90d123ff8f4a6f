/**
 * Writes the simulated recording that ships in `data/recorded/`: a market of the sandbox, with
 * everything that exists asked for once; `deno run -A tools/sandbox/record_market.ts`.
 *
 * @module
 */
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import { report } from "../terminal/say.ts";

const NAME = "simulated_1";
const SEED = 20;
const AUCTIONS = 240;
const FOLDER = new URL("../../data/recorded/", import.meta.url);
const MOST_UIDS = 128;

/** One line of a recording. */
interface Line {
  readonly method: string;
  readonly path: string;
  readonly requestBody?: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly responseBody: string;
}

/** Asks a sandbox for everything that there is, and writes it down. */
async function crawl(sandbox: Sandbox): Promise<{ lines: Line[]; from: number; to: number }> {
  const lines: Line[] = [];
  async function ask(path: string, requestBody?: string): Promise<unknown> {
    const method = requestBody === undefined ? "GET" : "POST";
    const response = await sandbox.fetch(`http://sandbox${path}`, {
      method,
      ...(requestBody === undefined
        ? {}
        : { body: requestBody, headers: { "content-type": "application/json" } }),
    });
    const responseBody = await response.text();
    const contentType = response.headers.get("content-type");
    const sent = requestBody === undefined ? {} : { requestBody };
    lines.push({ method, path, ...sent, status: response.status, contentType, responseBody });
    return contentType === "application/json" ? JSON.parse(responseBody) : responseBody;
  }
  await ask("/api/v1/version");
  const uids: string[] = [];
  const documents = new Set<string>();
  const { accounts, tokens, auctionId: to } = sandbox.description;
  for (const owner of [...accounts, "0x1271000000000000000000000000000000000001"]) {
    const orders = await ask(`/api/v1/account/${owner}/orders?limit=1000`) as {
      uid: string;
      appData: string;
    }[];
    await ask(`/api/v2/trades?owner=${owner}&limit=1000`);
    await ask(`/api/v1/users/${owner}/total_surplus`);
    for (const { uid, appData } of orders) {
      uids.push(uid);
      documents.add(appData);
    }
  }
  const transactions = new Set<string>();
  for (let at = 0; at < uids.length; at += MOST_UIDS) {
    await ask("/api/v1/orders/by_uids", JSON.stringify(uids.slice(at, at + MOST_UIDS)));
  }
  for (const uid of uids) {
    await ask(`/restricted/api/v1/debug/order/${uid}`);
    await ask(`/api/v1/orders/${uid}/status`);
    const trades = await ask(`/api/v2/trades?orderUid=${uid}&limit=1000`) as { txHash: string }[];
    for (const { txHash } of trades) transactions.add(txHash);
  }
  const from = 1_001;
  for (let id = from; id <= to; id++) await ask(`/api/v2/solver_competition/${id}`);
  await ask("/api/v2/solver_competition/latest");
  for (const hash of transactions) await ask(`/api/v1/transactions/${hash}/orders`);
  for (const hash of documents) await ask(`/api/v1/app_data/${hash}`);
  for (const { address } of tokens) {
    await ask(`/api/v1/token/${address}/native_price`);
    await ask(`/api/v1/token/${address}/metadata`);
  }
  await ask("/api/v1/auction");
  return { lines, from, to };
}

async function packed(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

if (import.meta.main) {
  const sandbox = await openSandbox({ seed: SEED, auctions: AUCTIONS });
  const { lines, from, to } = await crawl(sandbox);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await Deno.writeFile(new URL(`${NAME}.ndjson.gz`, FOLDER), await packed(text));
  const facts = { ...sandbox.deployment, walked: { from, to } };
  await Deno.writeTextFile(
    new URL(`${NAME}.deployment.json`, FOLDER),
    `${JSON.stringify(facts, null, 2)}\n`,
  );
  report(`${lines.length} exchanges, ${text.length} bytes unpacked, auctions ${from} to ${to}`);
}
