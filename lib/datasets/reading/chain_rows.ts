import {
  isNotComputable,
  type SettlementAudit,
  type SettlementDifferenceKind,
} from "../../metrics/mod.ts";
import type { AuditedTrade } from "../../metrics/settlements/compare_records.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import { findRowsByValue } from "../../tables/columns/frame_files.ts";
import { countTrades } from "../../tables/settlements/settlements.ts";
import { type HexMap, sameHex } from "../../units/mod.ts";
import { type DatasetPaths, sha256 } from "../layout/files.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import type { AuditOutcome } from "../../tables/mod.ts";

type Row = Readonly<Record<string, unknown>>;

interface ProvedSettlement extends AuditOutcome {
  /** Whether its responses are stored, so that tables of settlements have it. */
  readonly isKept: boolean;
}

interface ReportedFacts {
  /** Orders by UID. */
  readonly orders: HexMap<Order>;
  readonly trades: readonly Trade[];
  /** UIDs of orders with a response for their fills, in lower case. */
  readonly answeredFills: ReadonlySet<string>;
}

/**
 * Compares the rows about settlements with the chain: fills, fees, winners and settlements.
 *
 * @param files The dataset, and the name of the files of the auctions, which are read first.
 * @returns Number of rows that were compared.
 */
export async function compareRows(
  { paths, manifest, name }: {
    readonly paths: DatasetPaths;
    readonly manifest: DatasetManifest;
    readonly name: string;
  },
  settlements: readonly ProvedSettlement[],
  { reported, tally }: { readonly reported: ReportedFacts; readonly tally: ChainTally },
): Promise<number> {
  const hashes = settlements.map(({ txHash }) => txHash);
  const uids = settlements.flatMap(({ audit }) => audit?.trades.map(({ uid }) => uid) ?? []);
  const readRows = async (table: string, isEverywhere: boolean) => {
    if (!manifest.request.tables.includes(table)) return null;
    const files = isEverywhere ? "*" : name;
    const [column, values] = table === "orders" ? ["order_uid", uids] : ["tx_hash", hashes];
    const rows = await findRowsByValue(paths.pattern(`${table}/${files}.parquet`), column, values);
    return Map.groupBy(rows, (row) => String(row[column]));
  };
  const orders = await readRows("orders", false);
  // Orders that solvers bid on before are with their fills in the files of earlier auctions.
  const isEverywhere = uids.some((uid) => reported.orders.has(uid) && orders?.has(uid) !== true);
  const tables = {
    orders: isEverywhere ? await readRows("orders", isEverywhere) : orders,
    trades: await readRows("trades", isEverywhere),
    fees: await readRows("protocol_fees", isEverywhere),
    solutions: await readRows("solutions", false),
    settlements: await readRows("settlements", false),
  };
  const fills = new Map(
    reported.trades.map((fill) => [`${fill.blockNumber} ${fill.logIndex}`, fill]),
  );
  for (const { txHash, audit, isKept } of settlements) {
    const report: Report = (kind, values) => tally.add(kind, { txHash, orderUid: null, ...values });
    if (isKept && tables.settlements !== null) {
      compareSettlementRow(audit, tables.settlements.get(txHash)?.[0], report);
    }
    if (audit === null) continue;
    for (const row of tables.solutions?.get(txHash) ?? []) compareWinner(audit, row, report);
    // Without calldata an audit has no trades, and nothing to compare rows of trades with.
    if (!audit.isDecoded) continue;
    if (tables.trades !== null) {
      compareTradeRows(audit, tables.trades.get(txHash) ?? [], { reported, report });
    }
    const feeRows = tables.fees?.get(txHash) ?? [];
    for (const trade of audit.trades) {
      const orders = (tables.orders?.get(trade.uid) ?? [])[0];
      if (orders !== undefined) compareFee(trade, orders, report);
      const rows = feeRows.filter((row) =>
        isOfTrade(row, trade) && sameHex(String(row.fee_token), trade.surplusToken)
      );
      const fill = fills.get(`${audit.blockNumber} ${trade.logIndex}`);
      if (fill !== undefined) compareProtocolFees(trade, { rows, fill }, report);
    }
    for (const row of feeRows) {
      if (audit.trades.some((trade) => isOfTrade(row, trade))) continue;
      report("table_fee", {
        orderUid: String(row.order_uid),
        onChain: "no event",
        reported: `${row.fee_atoms} of protocol fees of ${row.order_uid}, log ${row.log_index}`,
      });
    }
  }
  const compared = Object.values(tables).flatMap((groups) => [...groups?.values() ?? []]);
  return compared.flat().length;
}

/** Whether a row is of a trade: another order has other fees, also in the same transaction. */
function isOfTrade(row: Row, { uid, logIndex }: AuditedTrade): boolean {
  return Number(row.log_index) === logIndex && sameHex(String(row.order_uid), uid);
}

type Report = (
  kind: Parameters<ChainTally["add"]>[0],
  values: { readonly orderUid?: string; readonly onChain: string; readonly reported: string },
) => void;

const UNKNOWN = "an unknown number of";

function compareSettlementRow(
  audit: SettlementAudit | null,
  row: Row | undefined,
  report: Report,
): void {
  const onChain = audit === null
    ? "no audit"
    : `block ${audit.blockNumber}, ${audit.solver}, ${countTrades(audit) ?? UNKNOWN} trades, ` +
      `gas ${audit.gasUsed} at ${audit.effectiveGasPrice}, succeeded: ${audit.succeeded}`;
  const reported = row === undefined
    ? "no row"
    : row.audit_reason !== null
    ? "no audit"
    : `block ${row.block_number}, ${row.solver}, ${row.trade_count ?? UNKNOWN} trades, ` +
      `gas ${row.gas_used} at ${row.effective_gas_price}, succeeded: ${row.succeeded}`;
  if (onChain !== reported) report("table_settlement", { onChain, reported });
}

function compareTradeRows(
  audit: SettlementAudit,
  rows: readonly Row[],
  { reported: reportedFacts, report }: {
    readonly reported: ReportedFacts;
    readonly report: Report;
  },
): void {
  const byLog = new Map(rows.map((row) => [Number(row.log_index), row]));
  for (const trade of audit.trades) {
    const { uid: orderUid, logIndex } = trade;
    const row = byLog.get(logIndex);
    byLog.delete(logIndex);
    if (row === undefined && !reportedFacts.answeredFills.has(orderUid.toLowerCase())) continue;
    const onChain = `${orderUid} sold ${trade.sellAmount}, bought ${trade.buyAmount}, ` +
      `block ${audit.blockNumber}, log ${logIndex}`;
    const reported = row === undefined ? "no row" : formatTrade(row);
    if (onChain !== reported) report("table_trade", { orderUid, onChain, reported });
  }
  for (const row of byLog.values()) {
    const orderUid = String(row.order_uid);
    report("table_trade", { orderUid, onChain: "no event", reported: formatTrade(row) });
  }
}

function formatTrade(row: Row): string {
  return `${row.order_uid} sold ${row.sell_amount_atoms}, bought ${row.buy_amount_atoms}, ` +
    `block ${row.block_number}, log ${row.log_index}`;
}

function compareWinner({ solver }: SettlementAudit, row: Row, report: Report): void {
  if (row.is_winner === true && row.solver === solver) return;
  const role = row.is_winner === true ? "winner" : "no winner";
  report("table_winner", {
    onChain: `winner ${solver}`,
    reported: `${role} ${row.solver}, ranking ${row.ranking} of auction ${row.auction_id}`,
  });
}

/** Of an order with one fill, its executed fee is that of the trade. */
function compareFee(trade: AuditedTrade, row: Row, report: Report): void {
  const { executedFee, uid: orderUid } = trade;
  const hasOneFill = row.executed_sell_amount_atoms === `${trade.sellAmount}` &&
    row.executed_buy_amount_atoms === `${trade.buyAmount}`;
  if (!hasOneFill || isNotComputable(executedFee) || typeof row.executed_fee_atoms !== "string") {
    return;
  }
  if (row.executed_fee_atoms === `${executedFee}`) return;
  report("table_fee", { orderUid, onChain: `${executedFee}`, reported: row.executed_fee_atoms });
}

/** All fees are those of the chain: the network fee follows from it less the reported fees. */
function compareProtocolFees(
  { networkFeeAtoms, uid: orderUid }: AuditedTrade,
  { rows, fill }: { readonly rows: readonly Row[]; readonly fill: Trade },
  report: Report,
): void {
  if (rows.length === 0 || isNotComputable(networkFeeAtoms)) return;
  const fees = fill.executedProtocolFees ?? [];
  const total = fees.reduce((sum, { amount }) => sum + amount, networkFeeAtoms);
  const sum = rows.reduce((sum, { fee_atoms: fee }) => sum + BigInt(String(fee)), 0n);
  if (sum <= total) return;
  report("table_fee", {
    orderUid,
    onChain: `${total} of all fees`,
    reported: `${sum} of protocol fees`,
  });
}

/**
 * Difference between the chain and a dataset: one that `compareSettlement` finds in the records, or one
 * in the tables:
 *
 * - `"table_trade"`: a row of `trades` has other amounts, another order or place, is missing, or is of
 *   no event
 * - `"table_fee"`: `orders` has another executed fee, fees of `protocol_fees` exceed all fees of their
 *   trade, or are of no event
 * - `"table_winner"`: the row of `solutions` with the transaction did not win, or is of another solver
 * - `"table_settlement"`: a row of `settlements` has another block, solver, gas or number of trades
 */
export type ChainDifferenceKind =
  | SettlementDifferenceKind
  | "table_trade"
  | "table_fee"
  | "table_winner"
  | "table_settlement"
  | "gas_cost";

/** A difference between the chain and a dataset. */
export interface ChainDifferencePlace {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Order concerned; `null` if it is the whole settlement. */
  readonly orderUid: string | null;
  /** According to the chain. */
  readonly onChain: string;
  /** According to the dataset. */
  readonly reported: string;
}

/** Differences of one kind. */
export interface ChainDifferenceCount {
  /** The kind. */
  readonly kind: ChainDifferenceKind;
  /** Number of them. */
  readonly count: number;
  /** The first of them, at most ten. */
  readonly first: readonly ChainDifferencePlace[];
}

const MAX_EXAMPLES = 10;

export class ChainTally {
  readonly #kinds = new Map<
    ChainDifferenceKind,
    { count: number; first: ChainDifferencePlace[] }
  >();

  add(kind: ChainDifferenceKind, difference: ChainDifferencePlace): void {
    const counted = this.#kinds.get(kind) ?? { count: 0, first: [] };
    counted.count++;
    if (counted.first.length < MAX_EXAMPLES) counted.first.push(difference);
    this.#kinds.set(kind, counted);
  }

  result(): ChainDifferenceCount[] {
    return [...this.#kinds].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([kind, counted]) => ({ kind, ...counted }));
  }
}

/** A random sample by the hashes of seed and name: equal seeds draw equal samples. */
export class Sample<T> {
  readonly #count: number;
  readonly #seed: number;
  #lots: { readonly lot: string; readonly value: T }[] = [];

  /** Draws at most `count`. */
  constructor(count: number, seed: number) {
    this.#count = count;
    this.#seed = seed;
  }

  /** The sample, in an order that depends on the seed alone. */
  get values(): T[] {
    return this.#lots.map(({ value }) => value);
  }

  /** Adds a value to draw from; equal names count once. */
  add(name: string, value: T): void {
    const lot = sha256(`${this.#seed} ${name}`);
    if (this.#lots.some((drawn) => drawn.lot === lot)) return;
    this.#lots.push({ lot, value });
    this.#lots.sort((a, b) => a.lot < b.lot ? -1 : 1);
    this.#lots.length = Math.min(this.#lots.length, this.#count);
  }
}
