// deno-lint-ignore-file no-console -- a benchmark's program speaks by lines
/**
 * Serves a sandbox with many open orders that no price can meet, in both directions of a pair. Says
 * how long auctions take with them and where it listens; then ends for any line, and says how long
 * that took.
 *
 * @module
 */
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { linesOf } from "../../tools/terminal/run_quietly.ts";
import { OrderDesk } from "../sandbox/service/order_desk.ts";
import { medianOf } from "./ratio.ts";
import { unreachableOrder } from "./unreachable_order.ts";

const AUCTIONS = 21;

const count = Number(Deno.args[0]);
const sandbox = await openSandbox({ seed: 7, auctions: 50, clock: "wall" });
const desk = new OrderDesk(sandbox);
for (let at = 0; at < count; at++) {
  await desk.placed(unreachableOrder(sandbox.description, at));
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
for await (const _ of linesOf(Deno.stdin.readable)) {
  const start = performance.now();
  await server.close();
  console.log(String(performance.now() - start));
  break;
}
