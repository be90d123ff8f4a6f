import { auditRange, type Order, type Trade } from "orderlens";
import { settlement } from "orderlens/evm";
import { auditFees } from "orderlens/metrics";
import { encodeTrade } from "orderlens/schemas";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { LineProcess } from "../line_process.ts";
import { orderOf, recordedRun } from "../metrics/recorded_run.ts";
import { benchmarkProgram } from "./benchmark_program.ts";
import { type Benchmark, type Comparison, measureRatio } from "./ratio.ts";
import { type SettlementChain, settlementChain } from "./settlement_chain.ts";

const FILLS = 100_000;

/** Auditing the fees of fills, decoded before, against bare `JSON.parse` of the same trades. */
export async function auditingComparisons(): Promise<Comparison[]> {
  const market = await recordedRun("market_1");
  const fills = Array.from({ length: FILLS }, (_, index): [Trade, Order] => {
    const trade = market.trades[index % market.trades.length]!;
    return [trade, orderOf(market, trade)];
  });
  const text = JSON.stringify(fills.map(([trade]) => encodeTrade(trade)));
  return [{
    name: `audit the fees of ${FILLS.toLocaleString("en")} fills / JSON.parse of their trades`,
    bar: 1.5,
    reference: () => JSON.parse(text),
    measured: () => {
      for (const [trade, order] of fills) {
        if (auditFees(trade, order).verdict !== "exact") throw new Error(trade.orderUid);
      }
    },
  }];
}

const SETTLEMENTS = 1_000;
const SETTLEMENTS_A_BATCH = 50;
/** Requests per settlement, each with two calls for 50 of them. */
const MOST_REQUESTS = 2 / SETTLEMENTS_A_BATCH;

/** Auditing settlements from a node in another process, against its bare batches of JSON-RPC. */
export function settlementAuditing(): Benchmark[] {
  return [{
    name: `audit ${
      SETTLEMENTS.toLocaleString("en")
    } settlements of a local node / its bare batches`,
    bar: 2,
    measure: async () => {
      const chain = await settlementChain(SETTLEMENTS);
      const file = await Deno.makeTempFile();
      await Deno.writeTextFile(file, JSON.stringify(chain.settlements));
      await using server = new LineProcess(benchmarkProgram("./node_server.ts", { args: [file] }));
      const url = await server.line();
      await Deno.remove(file);
      const hashes = chain.settlements.map(({ hash }) => hash);
      await requireFewRequests(url, chain);
      return await measureRatio({
        reference: () => askBare(url, hashes),
        measured: () => audit(url, chain),
      });
    },
  }];
}

/** The same calls in the same batches, parsed and no more. */
async function askBare(url: string, hashes: readonly string[]): Promise<void> {
  for (let start = 0; start < hashes.length; start += SETTLEMENTS_A_BATCH) {
    const calls = hashes.slice(start, start + SETTLEMENTS_A_BATCH).flatMap((hash) =>
      ["eth_getTransactionByHash", "eth_getTransactionReceipt"].map((method) => ({
        method,
        params: [hash],
      }))
    );
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))),
    });
    const answers: unknown[] = await response.json();
    if (answers.length !== calls.length) throw new TaskError("The node left out answers");
  }
}

async function audit(url: string, { settlements, reports }: SettlementChain): Promise<void> {
  const { competitions, trades, orders } = reports;
  let audited = 0;
  for await (const { audit } of auditRange(url, competitions, { trades, orders })) {
    if (audit !== null) audited++;
  }
  if (audited < settlements.length) throw new TaskError(`${audited} settlements were audited`);
}

/** Requires that the node is as strict a witness as a real one, and is asked as seldom as said. */
async function requireFewRequests(url: string, chain: SettlementChain): Promise<void> {
  const { isHashVerified } = await settlement(url, chain.settlements[0]!.hash);
  if (!isHashVerified) throw new TaskError("The hash of a transaction is not that of its bytes");
  const requests = async () => Number(await (await fetch(url)).text());
  const before = await requests();
  await audit(url, chain);
  const sent = await requests() - before;
  if (sent <= MOST_REQUESTS * chain.settlements.length) return;
  throw new TaskError(`${sent} requests for ${chain.settlements.length} settlements`);
}
