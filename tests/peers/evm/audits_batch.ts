import { assert, assertEquals } from "@std/assert";
import { auditRange, auditSettlement } from "../../../lib/client/mod.ts";
import type { Competition } from "../../../lib/schemas/mod.ts";
import { encodeSettlement, type EventLog, settlement } from "../../../lib/evm/mod.ts";
import { matchesBloom } from "../../../lib/evm/node/read_settlement.ts";
import { isNotComputable, type SettlementAudit, tokenFlows } from "../../../lib/metrics/mod.ts";
import { sameHex } from "../../../lib/units/mod.ts";
import { fourInOne, fourOrders, type SignedOrder } from "./batch.ts";
import { NATIVE, type Protocol } from "./protocol.ts";

/** Earlier than other orders, so that these have other UIDs. */
const VALID_TO = 2 ** 32 - 3;

/** What a service would report of the batch. */
function reported(
  { solver }: Protocol,
  { txHash, trades }: SettlementAudit,
  orders: readonly SignedOrder[],
): Competition {
  return {
    auctionId: 77,
    auctionStartBlock: 0,
    transactionHashes: [txHash],
    referenceScores: {},
    auction: { orders: orders.map(({ uid }) => uid), prices: {} },
    solutions: [{
      solverAddress: solver,
      score: 0n,
      ranking: 1,
      clearingPrices: {},
      txHash,
      isWinner: true,
      filteredOut: false,
      orders: trades.map(({ uid, sellAmount, buyAmount }) => ({ id: uid, sellAmount, buyAmount })),
    }],
  };
}

/** Whether the Bloom filter of the real receipt is that of its logs, and not of fewer. */
async function isBloomOfLogs({ node, at }: Protocol, txHash: string): Promise<boolean[]> {
  const [receipt] = await node.ask([{ method: "eth_getTransactionReceipt", params: [txHash] }]);
  const { logs, logsBloom } = receipt as { logs: EventLog[]; logsBloom: string };
  const fewer = logs.filter(({ address }) => address !== at.wrapped);
  assert(fewer.length < logs.length);
  return [matchesBloom(logs, logsBloom) === true, matchesBloom(fewer, logsBloom) === false];
}

/** Settles four orders, and holds the audit against balances before and after. */
export async function auditsBatch(protocol: Protocol): Promise<void> {
  const { at, node } = protocol;
  const orders = await fourOrders(protocol, VALID_TO);
  await protocol.preSign(orders[3]!);
  const tokens = [at.gold, at.silver, at.wrapped, NATIVE];
  // The settlement contract's come first.
  const accounts = [at.settlement, ...orders.map(({ uid }) => `0x${uid.slice(66, 106)}`)];
  const balances = () =>
    Promise.all(
      accounts.flatMap((account) => tokens.map((token) => protocol.balanceOf(token, account))),
    );
  const paid = () => protocol.balanceOf(NATIVE, protocol.solver);
  const [before, funds] = [await balances(), await paid()];
  const txHash = await protocol.settleSigned(encodeSettlement(fourInOne(protocol, orders)));
  const [after, rest] = [await balances(), await paid()];
  const changes = after.map((atoms, place) => atoms - before[place]!);

  const options = { wrappedNativeToken: at.wrapped };
  const audit = await auditSettlement(node.url, txHash, options);
  assertEquals([audit.auctionId, audit.solver, audit.gasCost], [77, protocol.solver, funds - rest]);
  assertEquals(audit.unverified.some((why) => why.includes("hash")), false);
  assert(!isNotComputable(audit.imbalances));
  assertEquals(await isBloomOfLogs(protocol, txHash), [true, true]);
  // A contract that an interaction calls may pay native atoms in, which no log would show.
  assertEquals(audit.imbalances.unknown.map(({ token }) => token), [NATIVE]);
  const net = new Map(audit.imbalances.tokens.map(({ token, netAtoms }) => [token, netAtoms]));
  const ownTokens = tokens.slice(0, -1);
  assertEquals(ownTokens.map((token) => net.get(token) ?? 0n), changes.slice(0, ownTokens.length));
  const flows = tokenFlows(await settlement(node.url, txHash), options);
  assert(!isNotComputable(flows));
  assertEquals(flows.unknown.map(({ token }) => token), [NATIVE]);
  const moved = (account: string, token: string) =>
    flows.flows.filter((flow) => sameHex(flow.token, token)).reduce(
      (sum, { from, to, atoms }) =>
        sum + (sameHex(to, account) ? atoms : 0n) - (sameHex(from, account) ? atoms : 0n),
      0n,
    );
  const flowed = accounts.flatMap((account) => tokens.map((token) => moved(account, token)));
  assertEquals(flowed, changes);
  assertEquals(audit.trades.map(({ uid }) => uid), orders.map(({ uid }) => uid));
  // Only the first has a price of its own: ceil(s * 1000003 / 333337) - ceil(s * 999001 / 333337).
  const [first, ...others] = audit.trades;
  assertEquals([first!.sellPrice, first!.uniformSellPrice], [999_001n, 1_000_003n]);
  assertEquals(first!.priceDifferenceAtoms, 12_023_867_737_454_888n);
  assertEquals(others.map(({ priceDifferenceAtoms }) => priceDifferenceAtoms), [0n, 0n, 0n]);

  const competition = reported(protocol, audit, orders);
  for await (const found of auditRange(node.url, [competition], options)) {
    assertEquals([found.error, found.audit?.differences], [null, []]);
  }
  const [solution] = competition.solutions;
  const fewer = { ...solution!, orders: solution!.orders.slice(1) };
  const { differences } = await auditSettlement(node.url, txHash, {
    ...options,
    competition: { ...competition, solutions: [fewer] },
  });
  const found = differences.map(({ what, uid }) => [what, uid]);
  assertEquals(found, [["trade_not_reported", orders[0]!.uid]]);
}
