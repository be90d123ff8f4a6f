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
import { type FindRole, indexRoles } from "./scenario_roles.ts";
import { type Check, compare, type Tally } from "./tally.ts";
import type { StoredExecution } from "./truth.ts";

/** Compares every fee of every fill with the service's records, and checks uniform prices. */
export function checkFees(scenario: Scenario, tally: Tally): void {
  const findStored = indexExecutions(scenario);
  checkTrades(scenario, findStored, tally);
  checkReports(scenario, findStored, tally);
  checkSettlements(scenario, findStored, tally);
}

/** Finds the record of a fill: by its auction if known, otherwise by its block. */
function indexExecutions({ truth }: Scenario) {
  const rows = truth?.order_execution ?? [];
  const byOrder = Map.groupBy(rows, ({ order_uid }) => order_uid.toLowerCase());
  const auctions = new Map(
    truth?.settlements?.map(({ tx_hash, auction_id }) => [tx_hash.toLowerCase(), auction_id]),
  );
  return (fill: { orderUid: string; blockNumber: number; txHash?: string | null }) => {
    const orderRows = byOrder.get(fill.orderUid.toLowerCase()) ?? [];
    const auction = fill.txHash == null ? undefined : auctions.get(fill.txHash.toLowerCase());
    return orderRows.find((row) => row.auction_id === auction) ??
      orderRows.find((row) => row.block_number === fill.blockNumber);
  };
}

type FindStored = ReturnType<typeof indexExecutions>;

function checkTrades(
  { trades, orders, truth }: Scenario,
  findStored: FindStored,
  tally: Tally,
): void {
  for (const trade of trades.values()) {
    const order = orders.get(trade.orderUid);
    if (order === undefined) {
      tally.skip("fees/trade");
      continue;
    }
    const expected = truth === null ? undefined : findStored(trade);
    checkAudit("fees/trade", auditFees(trade, order), expected, tally);
  }
}

function checkReports({ reports, truth }: Scenario, findStored: FindStored, tally: Tally): void {
  for (const report of reports.values()) {
    for (const audit of auditFees(report)) {
      const twin = report.trades.find(({ blockNumber, logIndex }) =>
        blockNumber === audit.blockNumber && logIndex === audit.logIndex
      );
      const fill = { ...audit, txHash: twin?.txHash ?? null };
      checkAudit("fees/report", audit, truth === null ? undefined : findStored(fill), tally);
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
    const difference = `${fill}: ${audit.fees.length} fees, but ${amounts.length} were stored`;
    tally.check(check, difference);
    return;
  }
  for (const [index, fee] of audit.fees.entries()) {
    const where = `${fill}, fee ${index + 1} (${fee.kind})`;
    if (fee.verdict !== "not_computable") {
      const amount = amounts?.[index] ?? `${fee.reportedAtoms}`;
      tally.check(check, compare(where, `${fee.recomputedAtoms}`, amount));
    } else if (fee.reason === "no_policy") {
      tally.skip(check);
    } else {
      tally.check(check, `${where}: ${fee.detail}`);
    }
  }
}

function checkSettlements(scenario: Scenario, findStored: FindStored, tally: Tally): void {
  const { trades, orders, chain, truth } = scenario;
  const settlements = chain?.settlements ?? {};
  const roleOf = indexRoles(scenario);
  const groups = Map.groupBy(trades.values(), ({ txHash }) => txHash);
  for (const [txHash, fills] of groups) {
    const calldata = txHash === null ? undefined : settlements[txHash]?.input;
    const settlement = calldata === undefined ? undefined : tryDecode(calldata);
    if (settlement === undefined) {
      for (const _ of fills) tally.skip("executedFee");
      tally.skip("prices");
      continue;
    }
    const executions = fills.map((trade) =>
      resolveExecution(trade, { orders, truth, findStored, roleOf })
    );
    for (const execution of executions) checkExecutedFee(execution, settlement, tally);
    const knownExecutions = executions.flatMap(({ trade, order, executedFee, role }) =>
      order === undefined ? [] : { uid: trade.orderUid, order, fill: trade, executedFee, role }
    );
    const violations = [{ settlement }, {}].flatMap((options) =>
      checkUniformPrices(knownExecutions, options).violations
        .map(({ what, uids, detail }) => `${what} ${uids}: ${detail}`)
    );
    tally.check("prices", violations.length === 0 ? null : `${txHash}: ${violations.join("; ")}`);
  }
}

function resolveExecution(
  trade: Trade,
  { orders, truth, findStored, roleOf }: Pick<Scenario, "orders" | "truth"> & {
    findStored: FindStored;
    roleOf: FindRole;
  },
) {
  const order = orders.get(trade.orderUid);
  const row = truth === null ? undefined : findStored(trade);
  const fee = row === undefined ? undefined : BigInt(row.executed_fee);
  const role = trade.txHash === null || order === undefined
    ? undefined
    : roleOf(order, trade.txHash);
  return { trade, order, executedFee: fee, role };
}

function checkExecutedFee(
  { trade, order, executedFee, role }: ReturnType<typeof resolveExecution>,
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
      : compare(where, `${fees.executedFee}`, `${executedFee}`),
  );
}

/** Transactions that do not call the settlement contract directly have no settlement calldata. */
function tryDecode(calldata: string): DecodedSettlement | undefined {
  try {
    return decodeSettlement(calldata);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
