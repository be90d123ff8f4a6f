import {
  auditRange,
  type AuditRangeOptions,
  type Competition,
  type Order,
  type Trade,
} from "orderlens";
import { encodeSettlement } from "orderlens/evm";
import { auditFees, isNotComputable } from "orderlens/metrics";
import { encodeTrade } from "orderlens/schemas";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { orderOf, recordedRun } from "../metrics/recorded_run.ts";
import { fourInOne, fourOrders } from "../peers/evm/batch.ts";
import { Protocol } from "../peers/evm/protocol.ts";
import { type Benchmark, measureRatio, timed } from "./ratio.ts";

const FILLS = 100_000;
const SETTLEMENTS = 1_000;
/** Settlements of four orders each, which are audited so often that there are as many. */
const DIFFERENT = 50;
const SETTLEMENTS_A_BATCH = 50;
const MOST_CALLS = 2;

/**
 * Auditing the fees of fills, decoded before, against bare `JSON.parse` of the same trades; and
 * settlements of a node on this machine, against its bare batches of JSON-RPC.
 */
export async function auditingBenchmarks(): Promise<Benchmark[]> {
  const market = await recordedRun("market_1");
  const trades = [...market.trades.values()];
  const fills = Array.from({ length: FILLS }, (_, index): [Trade, Order] => {
    const trade = trades[index % trades.length]!;
    return [trade, orderOf(market, trade)];
  });
  const text = JSON.stringify(fills.map(([trade]) => encodeTrade(trade)));
  const ofFees = timed({
    name: `audit the fees of ${FILLS.toLocaleString("en")} fills / JSON.parse of their trades`,
    bar: 1.5,
    reference: () => JSON.parse(text),
    measured: () => {
      for (const [trade, order] of fills) {
        if (auditFees(trade, order).verdict !== "exact") throw new Error(trade.orderUid);
      }
    },
  });
  return [ofFees, {
    name: `audit ${SETTLEMENTS.toLocaleString("en")} settlements of anvil / its bare batches`,
    bar: 2,
    measure: async () => {
      await using protocol = await Protocol.deploy();
      const made = await settleOnAnvil(protocol, DIFFERENT);
      const auctions = Array.from({ length: SETTLEMENTS }, (_, place) => made[place % DIFFERENT]!);
      const hashes = auctions.flatMap(({ transactionHashes }) => transactionHashes);
      await requireFewCalls(protocol, auctions);
      return await measureRatio({
        reference: () => askBare(protocol, hashes),
        measured: () => audit(protocol, auctions),
      });
    },
  }];
}

/** The same calls in the same batches, parsed and no more. */
async function askBare({ node }: Protocol, hashes: readonly string[]): Promise<void> {
  for (let start = 0; start < hashes.length; start += SETTLEMENTS_A_BATCH) {
    const calls = hashes.slice(start, start + SETTLEMENTS_A_BATCH).flatMap((hash) =>
      ["eth_getTransactionByHash", "eth_getTransactionReceipt"].map((method) => ({
        method,
        params: [hash],
      }))
    );
    const { length } = await node.answers(calls);
    if (length !== calls.length) throw new TaskError("The node left out answers");
  }
}

async function audit(
  { node, at }: Protocol,
  auctions: readonly Competition[],
  options: AuditRangeOptions = {},
): Promise<void> {
  let proved = 0;
  const audits = auditRange(node.url, auctions, { ...options, wrappedNativeToken: at.wrapped });
  for await (const { audit } of audits) {
    if (audit !== null && !isNotComputable(audit.imbalances)) proved++;
  }
  if (proved < auctions.length) throw new TaskError(`${proved} settlements were proved`);
}

/** Requires two calls per settlement, 50 settlements per request; one call asks for the chain. */
async function requireFewCalls(
  protocol: Protocol,
  auctions: readonly Competition[],
): Promise<void> {
  let [requests, calls] = [0, 0];
  const counting: typeof fetch = (input, init) => {
    requests++;
    calls += [JSON.parse(String(init?.body))].flat().length;
    return fetch(input, init);
  };
  await audit(protocol, auctions, { fetch: counting });
  const isFew = calls <= MOST_CALLS * auctions.length + 1 &&
    requests <= Math.ceil(auctions.length / SETTLEMENTS_A_BATCH) + 1;
  if (!isFew) throw new TaskError(`${requests} requests with ${calls} calls`);
}

/** Orders of a settlement: each expires before those of the one before. */
const LATEST = 2 ** 32 - 100;

/**
 * Settles four orders in each of some transactions, with the protocol's own contracts.
 *
 * @returns Auctions that report them.
 */
async function settleOnAnvil(protocol: Protocol, count: number): Promise<Competition[]> {
  const auctions: Competition[] = [];
  for (let auctionId = 1; auctionId <= count; auctionId++) {
    const orders = await fourOrders(protocol, LATEST - 4 * auctionId);
    const presigned = orders[3]!;
    await protocol.transact([{
      from: presigned.from,
      to: protocol.at.settlement,
      data: protocol.encode("settlement", "setPreSignature", [presigned.uid, true]),
    }]);
    const txHash = await protocol.settleSigned(encodeSettlement(fourInOne(protocol, orders)));
    auctions.push({
      auctionId,
      auctionStartBlock: 0,
      transactionHashes: [txHash],
      referenceScores: {},
      auction: { orders: orders.map(({ uid }) => uid), prices: {} },
      solutions: [],
    });
  }
  return auctions;
}
