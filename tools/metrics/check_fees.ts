import { InputError, type Trade } from "orderlens";
import { type DecodedSettlement, decodeSettlement } from "orderlens/evm";
import {
  auditFees,
  checkUniformPrices,
  type FeeAudit,
  isNotComputable,
  networkFee,
} from "orderlens/metrics";
import type { Scenario } from "./read_scenario.ts";
import { type FindRole, scenarioRoles } from "./scenario_roles.ts";
import { type Check, compared, type Tally } from "./tally.ts";
import type { StoredExecution } from "./truth.ts";

/** Compares every fee of every fill with the service's records, and checks uniform prices. */
export function checkFees(scenario: Scenario, tally: Tally): void {
  const stored = storedExecutions(scenario);
  checkTrades(scenario, stored, tally);
  checkReports(scenario, stored, tally);
  checkSettlements(scenario, stored, tally);
}

/** Finds the record of a fill: by its auction if known, otherwise by its block. */
function storedExecutions({ truth }: Scenario) {
  const rows = truth?.order_execution ?? [];
  const byOrder = Map.groupBy(rows, ({ order_uid }) => order_uid.toLowerCase());
  const auctions = new Map(
    truth?.settlements?.map(({ tx_hash, auction_id }) => [tx_hash.toLowerCase(), auction_id]),
  );
  return (fill: { orderUid: string; blockNumber: number; txHash?: string | null }) => {
    const own = byOrder.get(fill.orderUid.toLowerCase()) ?? [];
    const auction = fill.txHash == null ? undefined : auctions.get(fill.txHash.toLowerCase());
    return own.find((row) => row.auction_id === auction) ??
      own.find((row) => row.block_number === fill.blockNumber);
  };
}

type FindStored = ReturnType<typeof storedExecutions>;

function checkTrades({ trades, orders, truth }: Scenario, stored: FindStored, tally: Tally): void {
  for (const trade of trades.values()) {
    const order = orders.get(trade.orderUid);
    if (order === undefined) {
      tally.skip("fees/trade");
      continue;
    }
    const expected = truth === null ? undefined : stored(trade);
    checkAudit("fees/trade", auditFees(trade, order), expected, tally);
  }
}

function checkReports({ reports, truth }: Scenario, stored: FindStored, tally: Tally): void {
  for (const report of reports.values()) {
    for (const audit of auditFees(report)) {
      const twin = report.trades.find(({ blockNumber, logIndex }) =>
        blockNumber === audit.blockNumber && logIndex === audit.logIndex
      );
      const place = { ...audit, txHash: twin?.txHash ?? null };
      checkAudit("fees/report", audit, truth === null ? undefined : stored(place), tally);
    }
  }
}

/** Checks each fee: compares it with the stored one, or with the reported one without records. */
function checkAudit(
  check: Check,
  audit: FeeAudit,
  expected: StoredExecution | undefined,
  tally: Tally,
): void {
  const fill = `${audit.orderUid}, block ${audit.blockNumber}`;
  const amounts = expected?.protocol_fee_amounts;
  if (amounts !== undefined && amounts.length !== audit.fees.length) {
    const found = `${fill}: ${audit.fees.length} fees, but ${amounts.length} were stored`;
    tally.check(check, found);
    return;
  }
  for (const [place, fee] of audit.fees.entries()) {
    const where = `${fill}, fee ${place + 1} (${fee.kind})`;
    if (fee.verdict !== "not_computable") {
      const amount = amounts?.[place] ?? `${fee.reportedAtoms}`;
      tally.check(check, compared(where, `${fee.recomputedAtoms}`, amount));
    } else if (fee.reason === "no_policy") {
      tally.skip(check);
    } else {
      tally.check(check, `${where}: ${fee.detail}`);
    }
  }
}

function checkSettlements(scenario: Scenario, stored: FindStored, tally: Tally): void {
  const { trades, orders, chain, truth } = scenario;
  const settlements = chain?.settlements ?? {};
  const roleOf = scenarioRoles(scenario);
  const groups = Map.groupBy(trades.values(), ({ txHash }) => txHash);
  for (const [txHash, fills] of groups) {
    const calldata = txHash === null ? undefined : settlements[txHash]?.input;
    const settlement = calldata === undefined ? undefined : decoded(calldata);
    if (settlement === undefined) {
      for (const _ of fills) tally.skip("executedFee");
      tally.skip("prices");
      continue;
    }
    const executions = fills.map((trade) => executionOf(trade, { orders, truth, stored, roleOf }));
    for (const execution of executions) checkExecutedFee(execution, settlement, tally);
    const known = executions.flatMap(({ trade, order, executedFee, role }) =>
      order === undefined ? [] : { uid: trade.orderUid, order, fill: trade, executedFee, role }
    );
    const found = [{ settlement }, {}].flatMap((options) =>
      checkUniformPrices(known, options).violations
        .map(({ what, uids, detail }) => `${what} ${uids}: ${detail}`)
    );
    tally.check("prices", found.length === 0 ? null : `${txHash}: ${found.join("; ")}`);
  }
}

function executionOf(
  trade: Trade,
  { orders, truth, stored, roleOf }: Pick<Scenario, "orders" | "truth"> & {
    stored: FindStored;
    roleOf: FindRole;
  },
) {
  const order = orders.get(trade.orderUid);
  const row = truth === null ? undefined : stored(trade);
  const fee = row === undefined ? undefined : BigInt(row.executed_fee);
  const role = trade.txHash === null || order === undefined
    ? undefined
    : roleOf(order, trade.txHash);
  return { trade, order, executedFee: fee, role };
}

function checkExecutedFee(
  { trade, order, executedFee, role }: ReturnType<typeof executionOf>,
  settlement: DecodedSettlement,
  tally: Tally,
): void {
  if (order === undefined || executedFee === undefined || role === "unknown") {
    tally.skip("executedFee");
    return;
  }
  const where = `${trade.orderUid}, block ${trade.blockNumber}`;
  const fees = networkFee(trade, order, { settlement, protocolFees: [], role });
  tally.check(
    "executedFee",
    isNotComputable(fees)
      ? `${where}: ${fees.detail}`
      : compared(where, `${fees.executedFee}`, `${executedFee}`),
  );
}

/** Transactions that do not call the settlement contract directly have no settlement calldata. */
function decoded(calldata: string): DecodedSettlement | undefined {
  try {
    return decodeSettlement(calldata);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
