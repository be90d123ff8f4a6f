import { type Cell, cell, type ReportTable } from "../../reports/page/page_content.ts";
import {
  accountCell,
  auctionCell,
  type PageWords,
  solverCell,
  timeCell,
  transactionCell,
  uidCell,
} from "../../reports/page/page_words.ts";
import type { JudgedOrderRow } from "../lists/list_columns.ts";
import type { AuctionRow, TradeRow } from "../lists/list_rows.ts";
import type { OpenedSource } from "../source/explorer_source.ts";

/** Orders as a table. */
export function orderTable(rows: readonly JudgedOrderRow[], words: PageWords): ReportTable {
  return {
    columns: [
      { name: "Order" },
      { name: "Created" },
      { name: "Status" },
      { name: "Verdict" },
      { name: "Kind" },
      { name: "Sells", isNumber: true },
      { name: "Buys", isNumber: true },
      { name: "Owner" },
    ],
    rows: rows.map((row) => [
      uidCell(row.uid),
      timeCell(Temporal.Instant.from(row.createdAt)),
      cell(row.status),
      cell(row.verdict?.replaceAll("_", " ")),
      cell(row.kind),
      words.amount(row.sellAmount, row.sellToken),
      words.amount(row.buyAmount, row.buyToken),
      accountCell(row.owner),
    ]),
  };
}

/** Auctions as a table. */
export function auctionTable(rows: readonly AuctionRow[], source: OpenedSource): ReportTable {
  return {
    columns: [
      { name: "Auction", isNumber: true },
      { name: "Block", isNumber: true },
      { name: "Orders", isNumber: true },
      { name: "Solutions", isNumber: true },
      { name: "Won by" },
      { name: "Settled in" },
    ],
    rows: rows.map((row) => [
      auctionCell(row.auctionId),
      cell(row.startBlock),
      cell(row.orders),
      cell(row.solutions),
      firstOf(row.winners, (winner) => solverCell(winner, source.solverName(winner))),
      firstOf(row.settlements, ({ txHash }) => transactionCell(txHash)),
    ]),
  };
}

/** The first of several as a cell, which says how many more there are. */
function firstOf<Value>(values: readonly Value[], cellOf: (value: Value) => Cell): Cell {
  const [first] = values;
  if (first === undefined) return cell(null);
  const one = cellOf(first);
  if (values.length === 1) return one;
  return { ...one, after: ` and ${values.length - 1} more` };
}

/** Fills as a table. */
export function tradeTable(rows: readonly TradeRow[], words: PageWords): ReportTable {
  return {
    columns: [
      { name: "Block", isNumber: true },
      { name: "Order" },
      { name: "Sold", isNumber: true },
      { name: "Bought", isNumber: true },
      { name: "Owner" },
      { name: "Transaction" },
    ],
    rows: rows.map((row) => [
      cell(row.block),
      uidCell(row.uid),
      words.amount(row.sellAmount, row.sellToken),
      words.amount(row.buyAmount, row.buyToken),
      accountCell(row.owner),
      transactionCell(row.txHash),
    ]),
  };
}
