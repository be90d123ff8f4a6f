// deno-lint-ignore-file no-console -- a benchmark's program speaks by lines
/**
 * Serves a sandbox with many open orders that no price can meet, in both directions of a pair. Says
 * how long auctions take with them and where it listens; then ends for any line, and says how long
 * that took.
 *
 * @module
 */
import { hashAppData } from "../../lib/evm/mod.ts";
import { Engine } from "../../lib/sandbox/market/engine.ts";
import { placeOrder } from "../../lib/sandbox/market/traders.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { Sandbox } from "../../lib/sandbox/sandbox.ts";
import { Service } from "../../lib/sandbox/service/service.ts";
import { linesOf } from "../../tools/terminal/run_quietly.ts";
import { medianOf } from "./ratio.ts";
import { unreachableOrder } from "./unreachable_order.ts";

const AUCTIONS = 21;
const UID_DIGITS = 112;

const engine = new Engine(7);
const { market } = engine;
market.time.begin(Date.now());
await engine.advance(50);
market.time.follow(() => Date.now());
const sandbox = new Sandbox(engine, { service: new Service(market), isVirtual: false });
const count = Number(Deno.args[0]);
for (let at = 0; at < count; at++) {
  // What was signed is not looked at again once an order is in the book.
  placeOrder(market, {
    uid: `0x${String(at).padStart(UID_DIGITS, "0")}`,
    owner: DEVELOPMENT_ACCOUNTS[0]!.address,
    fullAppData: "{}",
    signed: {
      ...unreachableOrder(sandbox.description, at),
      receiver: null,
      appData: hashAppData("{}"),
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
      signingScheme: "eip712",
      signature: `0x${"11".repeat(65)}`,
    },
  });
}
const times: number[] = [];
for (let auction = 0; auction < AUCTIONS; auction++) {
  const start = performance.now();
  await sandbox.advance();
  times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
const server = sandbox.listen({ port: 0 });
console.log(`${medianOf(times)} ${times.at(-1)} ${server.url}`);
// Whoever started this may also just go away.
for await (const _ of linesOf(Deno.stdin.readable)) break;
const start = performance.now();
await server.close();
console.log(String(performance.now() - start));
