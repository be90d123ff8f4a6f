/**
 * A program that serves a market of the size of mainnet over HTTP, and ends with its input. Its
 * arguments are the newest auction, how many of a thousand ids are auctions, and, if not as many as those of
 * mainnet, how many orders each lists; its first line of output is its address. Without arguments it serves the shipped market as it was recorded.
 *
 * @module
 */
import { replay } from "orderlens/recordings";
import { serveUntilClosed } from "./benchmark_program.ts";
import { MainnetMarket } from "./mainnet_market.ts";

const [latest = "", perThousand = "", listed] = Deno.args;
const market = latest === "" ? await replay("market_1") : await MainnetMarket.open({
  latest: Number(latest),
  perThousand: Number(perThousand),
  ...listed === undefined ? {} : { listed: Number(listed) },
});

await serveUntilClosed(async (path, body) => {
  if (path === "/deployment") return { status: 200, body: JSON.stringify(market.deployment) };
  return await market.send(
    body === undefined ? { method: "GET", path } : { method: "POST", path, body },
  );
});
