/**
 * A program that serves a market of the size of mainnet over HTTP, and ends with its input. Its
 * arguments are the newest auction and how many of a thousand ids are auctions; its first line of
 * output is its address. Without
 * arguments it serves the shipped market as it was recorded. Small ranges are kept as they were sent, so that serving them takes little.
 *
 * @module
 */
import { replay } from "orderlens/recordings";
import { serveUntilClosed } from "./benchmark_program.ts";
import { MainnetMarket } from "./mainnet_market.ts";

/** Answers that are kept, in bytes. */
const KEPT_BYTES = 200e6;

const [latest = "", perThousand = ""] = Deno.args;
const market = latest === ""
  ? await replay("market_1")
  : await MainnetMarket.open({ latest: Number(latest), perThousand: Number(perThousand) });
const facts = new TextEncoder().encode(JSON.stringify(market.deployment));
const kept = new Map<string, { status: number; bytes: Uint8Array<ArrayBuffer> }>();
let keptBytes = 0;

async function answerTo(method: "GET" | "POST", path: string, body: string) {
  const key = `${path} ${body}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const request = method === "POST" ? { method, path, body } : { method, path };
  const { status, body: text } = await market.send(request);
  const answer = { status, bytes: new TextEncoder().encode(text) };
  keptBytes += answer.bytes.length;
  if (keptBytes < KEPT_BYTES) kept.set(key, answer);
  return answer;
}

const headers = { "content-type": "application/json" };
await serveUntilClosed(async (request) => {
  const { pathname, search } = new URL(request.url);
  if (pathname === "/deployment") return new Response(facts, { headers });
  const method = request.method === "POST" ? "POST" : "GET";
  const text = method === "POST" ? await request.text() : "";
  const { status, bytes } = await answerTo(method, `${pathname}${search}`, text);
  return new Response(bytes, { status, headers });
});
