import {
  accountingWeek,
  auctionRole,
  consistencyShares,
  isNotComputable,
  type NotComputable,
  quoteRewards,
  settledSurplus,
  settlementOutcomes,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
} from "orderlens/metrics";
import type { Dataset } from "orderlens/datasets";
import {
  bestOtherBidsTable,
  fillsTable,
  type Frame,
  lifecycleTable,
  rewardsTable,
  solverLeaderboardTable,
  solverPairsTable,
} from "orderlens/tables";
import type { Competition, DebugReport, Order, Trade } from "orderlens";
import { groupByHex, nanosecondsBetween, type Ratio, ratioToNumber } from "orderlens/units";

/** A row of any table. */
export type Row = Record<string, unknown>;

/** Views name exact amounts without `_atoms`. */
function withoutAtoms(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name.replace(/_atoms$/, ""), cell]),
  );
}

/** Everything that a dataset was made from, and the tables that the library makes of it. */
export class LibraryRows {
  readonly #records;
  readonly #reports: ReadonlyMap<string, DebugReport>;
  readonly #auctionAt: ReadonlyMap<number, number>;

  private constructor(
    readonly orders: readonly Order[],
    readonly trades: readonly Trade[],
    readonly competitions: readonly Competition[],
    readonly fees: readonly Row[],
    auctions: readonly Row[],
    reports: readonly DebugReport[],
  ) {
    const byOrder = groupByHex(trades, ({ orderUid }) => orderUid);
    this.#records = orders.map((order) => ({ order, trades: byOrder.get(order.uid) ?? [] }));
    this.#reports = new Map(reports.map((one) => [one.orderUid, one]));
    this.#auctionAt = new Map(
      auctions.flatMap(({ auction_id, auction_at_ms }) =>
        auction_at_ms === null ? [] : [[Number(auction_id), Number(auction_at_ms)]]
      ),
    );
  }

  /** Reads the records of a dataset. */
  static async of(dataset: Dataset): Promise<LibraryRows> {
    const rows = async (table: string) => (await dataset.table(table).collect()).toRecords();
    return new LibraryRows(
      await Array.fromAsync(dataset.orders()),
      await Array.fromAsync(dataset.trades()),
      await Array.fromAsync(dataset.competitions()),
      await rows("protocol_fees"),
      await rows("auctions"),
      await Array.fromAsync(dataset.debugReports()),
    );
  }

  /** Slippage as the table has it, with the surplus by each denominator. */
  fills(): Row[] {
    const { competitions } = this;
    const orders = new Map(this.orders.map((order) => [order.uid, order]));
    const auctions = new Map(competitions.map((one) => [one.auctionId, one.auction]));
    const trades = new Map(this.trades.map((one) => [placeOf(one.blockNumber, one.logIndex), one]));
    const withReports = this.#records.map((one) => ({
      ...one,
      debugReport: this.#reports.get(one.order.uid),
    }));
    return rowsOf(fillsTable(withReports, { competitions })).map(withoutAtoms).map((row) => {
      const trade = trades.get(placeOf(row.block_number, row.log_index))!;
      const order = orders.get(trade.orderUid)!;
      const role = auctionRole(order, auctions.get(Number(row.auction_id)));
      const surplus = settledSurplus(trade, order, role);
      const known = role === "unknown" ? null : order;
      const feeAtoms = trade.executedProtocolFees?.reduce((sum, { amount }) => sum + amount, 0n);
      return {
        ...row,
        surplus: isNotComputable(surplus) ? null : String(surplus),
        surplus_bps_of_limit: known && double(surplusBpsOfLimit(trade, known)),
        surplus_bps_of_executed: known && double(surplusBpsOfExecuted(trade, known)),
        surplus_bps_of_quote: known?.quote
          ? double(surplusBpsOfQuote(trade, known, known.quote))
          : null,
        surplus_bps_before_protocol_fees: known && feeAtoms !== undefined
          ? double(surplusBpsBeforeFees(trade, known, { feeAtoms }))
          : null,
      };
    });
  }

  /** Winners and margins, added up from the competitions. */
  auctions(): Row[] {
    return this.competitions.map(({ auctionId, solutions, referenceScores }) => {
      const winners = solutions.filter(({ isWinner }) => isWinner);
      const total = winners.reduce((sum, { score }) => sum + score, 0n);
      const solvers = new Set(winners.map(({ solverAddress }) => solverAddress.toLowerCase()));
      const references = Object.entries(referenceScores)
        .filter(([solver]) => solvers.has(solver.toLowerCase())).map(([, score]) => score);
      const sum = references.reduce((all, score) => all + score, 0n);
      const known = references.length > 0;
      const ranked = (rank: number) => solutions.find(({ ranking }) => ranking === rank);
      return {
        auction_id: auctionId,
        solution_count: solutions.length,
        filtered_count: solutions.filter(({ filteredOut }) => filteredOut).length,
        winner_count: winners.length,
        winning_solver_count: solvers.size,
        first_solver: ranked(1)?.solverAddress ?? null,
        first_score: ranked(1)?.score.toString() ?? null,
        second_score: ranked(2)?.score.toString() ?? null,
        total_score: winners.length > 0 ? String(total) : null,
        reference_score_sum: known ? String(sum) : null,
        margin_sum: known ? String(total * BigInt(references.length) - sum) : null,
        margin_count: references.length,
      };
    });
  }

  /** What became of the winning solutions. */
  outcomes(): Row[] {
    return settlementOutcomes(this.competitions, { trades: this.trades }).solutions.map((one) => ({
      auction_id: one.auctionId,
      ranking: one.ranking,
      outcome: one.result === "in_time" || one.result === "late" ? one.result : "unsettled",
    }));
  }

  /** The leaderboard of all auctions. */
  leaderboard(): Row[] {
    return leaderboardOf(this.competitions, this.trades);
  }

  /** The leaderboards of the auctions of each day. */
  solverDays(): Row[] {
    const days = Map.groupBy(this.competitions, ({ auctionId }) => {
      const ms = this.#auctionAt.get(auctionId);
      return ms === undefined ? null : new Date(ms).toISOString().slice(0, 10);
    });
    return days.entries().toArray().flatMap(([day, own]) =>
      leaderboardOf(own, this.trades).map((row) => ({ ...row, day }))
    );
  }

  /** Pairs by solver. */
  pairs(): Row[] {
    return rowsOf(solverPairsTable(this.competitions));
  }

  /** The competitions of each accounting week. */
  #weeks(): [week_start_ms: number | null, Competition[]][] {
    return [
      ...Map.groupBy(this.competitions, ({ auctionId }) => {
        const ms = this.#auctionAt.get(auctionId);
        return ms === undefined ? null : accountingWeek(ms).startMs;
      }),
    ];
  }

  /** Shares in executed orders by week. */
  consistency(): Row[] {
    return this.#weeks().flatMap(([week_start_ms, competitions]) =>
      this.#consistencyOf(competitions).map((row) => ({ ...row, week_start_ms }))
    );
  }

  #consistencyOf(competitions: readonly Competition[]): Row[] {
    const outcomes = settlementOutcomes(competitions, { trades: this.trades });
    const { executedOrders, ordersWithoutSurplus, ordersUnknown, solvers } = consistencyShares(
      competitions,
      { outcomes, orders: this.orders },
    );
    const digits = (value: Ratio) => String(value.numerator * 10n ** 36n / value.denominator);
    return solvers.map(({ solver, orderShareSum, successRate, metric, share }) => ({
      solver,
      order_shares: digits(orderShareSum),
      pairs_won: successRate.trials,
      pairs_in_time: successRate.successes,
      metric: digits(metric),
      share: share && ratioToNumber(share),
      executed_orders: executedOrders + ordersWithoutSurplus + ordersUnknown,
      orders_unknown: ordersUnknown,
    }));
  }

  /** Verdicts on quotes of executed orders by week. */
  quotes(): Row[] {
    const { trades, orders } = this;
    return this.#weeks().flatMap(([week_start_ms, competitions]) => {
      const outcomes = settlementOutcomes(competitions, { trades });
      return quoteRewards(competitions, { outcomes, orders, trades }).map((one) => ({
        week_start_ms,
        order_uid: one.orderUid,
        quote_solver: one.solver,
        verdict: one.verdict,
        // Which of several reasons stands there for a possible reward is another matter.
        reason: one.verdict === "possible" ? "possible" : one.reason,
      }));
    });
  }

  /** Rewards by week. */
  rewards(network: string): Row[] {
    const { competitions, trades, orders } = this;
    const times = new Map(this.#auctionAt);
    return rowsOf(rewardsTable(competitions, { trades, orders, times, network }))
      .map(withoutAtoms).map((row) => ({ ...row, unsettled: row.unknown }));
  }

  /** The best other bids. */
  leftOnTheTable(): Row[] {
    const { competitions } = this;
    return rowsOf(bestOtherBidsTable(this.#records, { competitions })).map((row) => ({
      ...row,
      best_solver: row.best_unexecuted_solver,
      best_ranking: row.best_unexecuted_ranking,
      best_filtered_out: row.best_unexecuted_filtered_out,
      left_atoms: row.left,
    }));
  }

  /** Lives of the orders, with the events that the dataset has. */
  async lifecycle(dataset: Dataset): Promise<Row[]> {
    const reports = new Map(
      (await Array.fromAsync(dataset.debugReports())).map((one) => [one.orderUid, one]),
    );
    const { competitions } = this;
    const now = Temporal.Instant.from("2030-01-01T00:00:00Z");
    const without = rowsOf(lifecycleTable(this.#records, { competitions, now }));
    const withEvents = rowsOf(lifecycleTable(
      this.#records.map((one) => ({ ...one, debugReport: reports.get(one.order.uid) })),
      { competitions, now },
    ));
    const filled = Map.groupBy(
      (await dataset.table("trades").collect()).toRecords(),
      ({ order_uid }) => String(order_uid),
    );
    return withEvents.map((row, at) => {
      const { auction_count, bid_count, fill_count, filled_fraction } = without[at]!;
      const times = timesOf(filled.get(String(row.order_uid)) ?? [], row);
      return { ...row, auction_count, bid_count, fill_count, filled_fraction, ...times };
    });
  }
}

/** When an order was filled first and last, by the times that the table of fills has. */
function timesOf(fills: readonly Row[], { status, created_at }: Row): Row {
  const ordered = fills.toSorted((a, b) =>
    Number(a.block_number) - Number(b.block_number) || Number(a.log_index) - Number(b.log_index)
  );
  const [first, last] = [ordered.at(0)?.filled_at ?? null, ordered.at(-1)?.filled_at ?? null];
  const since = (at: unknown) =>
    at === null ? null : ratioToNumber({
      numerator: nanosecondsBetween(
        Temporal.Instant.from(String(created_at)),
        Temporal.Instant.from(String(at)),
      ),
      denominator: 1_000_000_000n,
    });
  return {
    first_fill_at: first,
    first_fill_at_ms: ordered.at(0)?.filled_at_ms ?? null,
    last_fill_at: last,
    last_fill_at_ms: ordered.at(-1)?.filled_at_ms ?? null,
    time_to_first_fill_seconds: since(first),
    time_to_last_fill_seconds: status === "fulfilled" ? since(last) : null,
  };
}

function leaderboardOf(competitions: readonly Competition[], trades: readonly Trade[]): Row[] {
  return rowsOf(solverLeaderboardTable(competitions, { trades })).map((row) => ({
    ...row,
    unsettled: row.unknown,
  }));
}

function rowsOf(frame: Frame): Row[] {
  return frame.toRecords();
}

function double(value: Ratio | NotComputable<string>): number | null {
  return isNotComputable(value) ? null : ratioToNumber(value);
}

function placeOf(block: unknown, log: unknown): string {
  return `${block} ${log}`;
}
