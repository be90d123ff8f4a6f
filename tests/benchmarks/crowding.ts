import { LineProcess } from "../line_process.ts";
import { OrderDesk } from "../sandbox/service/order_desk.ts";
import { benchmarkProgram } from "./benchmark_program.ts";
import type { Benchmark, Measurement } from "./ratio.ts";
import { unreachableOrder } from "./unreachable_order.ts";

const ORDERS = 10_000;
const MOST_AUCTION_MS = 100;
const MOST_WAIT_MS = 1_000;
const WATCHED_MS = 15_000;
const WRITERS = 8;
const EVERY_MS = 50;

function against(mostMs: number, ms: number): Measurement {
  return { ratios: [ms / mostMs], amounts: [mostMs, ms], unit: "ms" };
}

/** The longest that anybody waits for `GET version` while orders keep coming in. */
async function longestWait(url: string): Promise<number> {
  const description = await (await fetch(`${url}/sandbox`)).json();
  const { chainId, settlementContract } = description;
  const desk = new OrderDesk({
    fetch: (input, init) => fetch(String(input).replace("http://sandbox", url), init),
    deployment: { chainId, settlementContract },
    description,
  });
  const until = performance.now() + WATCHED_MS;
  let placed = ORDERS;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (performance.now() < until) await desk.placed(unreachableOrder(description, placed++));
  });
  let longest = 0;
  const watcher = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      await (await fetch(`${url}/api/v1/version`)).text();
      longest = Math.max(longest, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  await Promise.all([...writers, watcher()]);
  return longest;
}

/** A sandbox with 10,000 open orders that no price can meet: its auctions, its answers and its end. */
export function crowdingBenchmarks(): Benchmark[] {
  const args = [String(ORDERS)];
  const crowded = async (
    measure: (sandbox: LineProcess, output: string[]) => Promise<Measurement>,
  ) => {
    await using sandbox = new LineProcess(benchmarkProgram("./crowded_sandbox.ts", { args }));
    return await measure(sandbox, (await sandbox.line()).split(" "));
  };
  return [
    {
      name: `an auction with ${ORDERS} open orders out of reach / ${MOST_AUCTION_MS} ms`,
      bar: 1,
      measure: () =>
        crowded((_, [median]) => Promise.resolve(against(MOST_AUCTION_MS, Number(median)))),
    },
    {
      name: `the longest wait for GET version while orders join ${ORDERS} / ${MOST_WAIT_MS} ms`,
      bar: 1,
      measure: () =>
        crowded(async (_, [, , url]) => against(MOST_WAIT_MS, await longestWait(url!))),
    },
    {
      name: `ending a sandbox with ${ORDERS} open orders out of reach / ${MOST_WAIT_MS} ms`,
      bar: 1,
      measure: () =>
        crowded(async (sandbox) => against(MOST_WAIT_MS, Number(await sandbox.ask("end")))),
    },
  ];
}
