import {
  buildTable,
  cell,
  numberColumn,
  type Section,
  textColumn,
} from "../reports/page/page_content.ts";
import { toSolverCell } from "../reports/page/cell_formatter.ts";
import { pluralize } from "../units/format.ts";
import { toAtomsCell } from "./fill_totals.ts";
import type { Market } from "./market.ts";

/** Slippage of settlements, as the view `solver_slippage` sums it. */
interface SlippageTotals {
  readonly settlements: number;
  readonly exact_count: number;
  readonly bounded_count: number;
  readonly open_count: number;
  readonly slippage_low_atoms: string | null;
  readonly slippage_high_atoms: string | null;
}

interface SolverSlippageRow extends SlippageTotals {
  readonly solver: string;
  readonly solver_name: string | null;
  readonly unpriced_count: number;
  readonly unknown_count: number;
}

/** Reasons for unknown slippage, after the number of its settlements. */
const REASONS: Readonly<Record<string, string>> = {
  logs_incomplete: "whose logs are incomplete",
  imbalance_unknown: "with a token whose imbalance is unknown",
  calldata_unknown: "that other contracts called, with unknown calldata",
  fee_withdrawal: "in which the settlement contract itself trades",
  legacy_fee: "with an order that signed a fee",
  fee_unknown: "with a fee that is unknown",
  no_auction: "of unknown auctions",
  no_native_price: "with a token without a native price",
};

/**
 * Sums the slippage of the settlements of one accounting week by solver, with what is left out.
 *
 * @param weekStart Start of the week, as tables have it.
 */
export async function buildSlippageSection(market: Market, weekStart: string): Promise<Section> {
  const condition = `week_start = '${weekStart}'`;
  const rows = await market.sql<SolverSlippageRow>(
    `FROM solver_slippage WHERE ${condition} ORDER BY slippage_low_atoms NULLS LAST, solver`,
  );
  const [totals] = await market.sql<SlippageTotals>(
    `SELECT coalesce(sum(settlements), 0) AS settlements, coalesce(sum(exact_count), 0) AS exact_count,
        coalesce(sum(bounded_count), 0) AS bounded_count, coalesce(sum(open_count), 0) AS open_count,
        sum(slippage_low_atoms) AS slippage_low_atoms,
        CASE WHEN sum(open_count) = 0 THEN sum(slippage_high_atoms) END AS slippage_high_atoms
      FROM solver_slippage WHERE ${condition}`,
  );
  const { nativeSymbol } = market;
  return {
    id: "settlement-slippage",
    title: "What did settlements leave in the buffers, or take?",
    note: `${DEFINITION} ${formatTotals(totals!, nativeSymbol)}${await formatLeftOut(
      market,
      condition,
    )}`,
    table: buildTable(rows, [
      textColumn("solver", (row) => toSolverCell(row.solver, row.solver_name)),
      numberColumn("settlements", (row) => cell(row.settlements)),
      numberColumn(`at least (${nativeSymbol})`, (row) => toAtomsCell(row.slippage_low_atoms)),
      numberColumn(
        `at most (${nativeSymbol})`,
        (row) => row.open_count > 0 ? cell("unbounded") : toAtomsCell(row.slippage_high_atoms),
      ),
      numberColumn("exact", (row) => cell(row.exact_count)),
      numberColumn("with two bounds", (row) => cell(row.bounded_count)),
      numberColumn("with a lower bound alone", (row) => cell(row.open_count)),
      numberColumn("left out", (row) => cell(row.unpriced_count + row.unknown_count)),
    ]),
  };
}

const DEFINITION =
  "Slippage of a settlement is what the settlement contract received less what it paid, less " +
  "protocol, partner and network fees, at the native prices of its auction; it is negative where " +
  "the buffers paid. The protocol's accounting uses hourly prices of another feed, and leaves out " +
  "some settlements by hand, which are counted here.";

function formatTotals(totals: SlippageTotals, nativeSymbol: string): string {
  const { settlements, slippage_low_atoms: low, slippage_high_atoms: high } = totals;
  if (settlements === 0) return "No settlement of the week was audited.";
  const knownCount = totals.exact_count + totals.bounded_count + totals.open_count;
  const knownText = `${knownCount} of ${pluralize(settlements, "settlement")}`;
  if (low === null) return `It is known of ${knownText}.`;
  const [least, most] = [low, high].map((atoms) => `${toAtomsCell(atoms).text} ${nativeSymbol}`);
  const total = high === low
    ? `adds up to ${least}`
    : high === null
    ? `adds up to ${least} at least, without an upper bound: of ${totals.open_count}, a contract may ` +
      "have paid native tokens in, which leaves no log"
    : `adds up to between ${least} and ${most}`;
  return `It is known of ${knownText} (exact of ${totals.exact_count}), and ${total}.`;
}

/** Counts settlements that no sum has: by reason, of unknown weeks, and those that were not audited. */
async function formatLeftOut(market: Market, condition: string): Promise<string> {
  const reasons = await market.sql<{ readonly reason: string; readonly n: number }>(
    `SELECT slippage_reason AS reason, count(*) AS n FROM settlement_slippage
      WHERE ${condition} AND slippage_reason IS NOT NULL AND slippage_reason <> 'reverted'
      GROUP BY ALL ORDER BY n DESC, reason`,
  );
  const [elsewhere] = await market.sql<{ readonly undated: number; readonly unaudited: number }>(
    `SELECT (SELECT count(*) FROM settlement_slippage WHERE week_start IS NULL
        AND coalesce(slippage_reason, '') <> 'reverted') AS undated,
      (SELECT count(*) FROM settlements WHERE audit_reason IS NOT NULL) AS unaudited`,
  );
  const { undated, unaudited } = elsewhere!;
  const parts = [
    ...reasons.map(({ reason, n }) => `${n} ${REASONS[reason] ?? `with the reason ${reason}`}`),
    ...undated === 0 ? [] : [`${undated} without a known week`],
    ...unaudited === 0 ? [] : [`${unaudited} of any week that could not be audited`],
  ];
  return parts.length === 0 ? "" : ` Left out: ${parts.join("; ")}.`;
}
