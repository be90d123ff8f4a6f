import type { AtomInterval } from "../../metrics/prices/atom_interval.ts";
import { isNotComputable } from "../../metrics/mod.ts";
import type { OrderReport, ReportedFill } from "../order/order_report.ts";
import { auctionCell, bpsCell, type PageWords, solverCell, transactionCell } from "./page_words.ts";
import { type Cell, cell, type Section } from "./page_content.ts";

const BASELINES = [
  ["gross", "Quote before fees"],
  ["net", "Quote after network costs"],
  ["userShown", "Quote as shown, after all fees"],
  ["limit", "Limit"],
] as const;

/** Signed, quoted and executed amounts side by side. */
export function comparison({ order, tolerance }: OrderReport, words: PageWords): Section | null {
  if (order === null) return null;
  const { quote } = order;
  const row = (name: string, sell: bigint | null, buy: bigint | null): Cell[] => [
    cell(name),
    words.amount(sell, order.sellToken),
    words.amount(buy, order.buyToken),
  ];
  const rows = [row("Signed: the limit", order.sellAmount, order.buyAmount)];
  if (quote != null) rows.push(row("Quoted, before fees", quote.sellAmount, quote.buyAmount));
  rows.push(row("Executed", order.executedSellAmount, order.executedBuyAmount));
  return {
    id: "amounts",
    title: "Signed, quoted, executed",
    facts: [
      { name: "Tolerance asked for", value: bpsCell(tolerance?.askedBps ?? null) },
      { name: "Tolerance signed", value: signedCell(tolerance) },
    ],
    table: {
      columns: [{ name: "" }, { name: "Sells", isNumber: true }, { name: "Buys", isNumber: true }],
      rows,
    },
  };
}

/**
 * How much worse than its quote the limit is: than what the trader was shown, or before volume fees where
 * those are not known, as of an order that is not filled.
 */
function signedCell(tolerance: OrderReport["tolerance"]): Cell {
  if (tolerance === null) return cell(null);
  const { userShown, net } = tolerance;
  if (!isNotComputable(userShown)) return bpsCell(userShown.signedBps);
  if (isNotComputable(net)) return { text: "–", exact: net.detail };
  return { text: `${bpsCell(net.signedBps).text}, before volume fees` };
}

/** Fills with the four baselines, and the split against the gross quote. */
export function fills(report: OrderReport, words: PageWords): Section | null {
  const { order, fills } = report;
  if (order === null || fills.length === 0) return null;
  const token = order.kind === "sell" ? order.buyToken : order.sellToken;
  return {
    id: "fills",
    title: fills.length === 1 ? "Fill" : `${fills.length} fills`,
    note: `Positive is better for the trader. Differences are in ${words.token(token).text}.`,
    table: {
      columns: [
        { name: "Block", isNumber: true },
        { name: "Compared with" },
        { name: "Difference", isNumber: true },
        { name: "Slippage", isNumber: true },
      ],
      rows: fills.flatMap((fill) => fillRows(fill, token, words)),
    },
    facts: fills.flatMap((fill) => [
      {
        name: `Block ${fill.blockNumber}`,
        value: cell(
          `${words.amount(fill.sellAmount, order.sellToken).text} for ${
            words.amount(fill.buyAmount, order.buyToken).text
          }`,
        ),
      },
      { name: "Transaction", value: transactionCell(fill.txHash) },
      { name: "Auction", value: auctionCell(fill.auctionId) },
      { name: "Solver", value: solverCell(fill.solver, fill.solverName) },
    ]),
  };
}

function fillRows(fill: ReportedFill, token: string, words: PageWords): Cell[][] {
  const block = cell(fill.blockNumber);
  const rows = BASELINES.map(([baseline, name]) => {
    const slippage = fill.slippages[baseline];
    return isNotComputable(slippage)
      ? [block, cell(name), { text: "–", exact: slippage.detail }, cell(null)]
      : [block, cell(name), words.amount(slippage.atoms, token), bpsCell(slippage.bps)];
  });
  const { parts } = fill;
  if (isNotComputable(parts)) return rows;
  const part = (name: string, atoms: bigint | AtomInterval): Cell[] => [
    block,
    cell(name),
    typeof atoms === "bigint" ? words.amount(atoms, token) : words.interval(atoms, token),
    cell(null),
  ];
  return [
    ...rows,
    part("of it: network costs", parts.networkCostAtoms),
    part("of it: protocol fees", parts.protocolFeeAtoms),
    part("of it: partner fees", parts.partnerFeeAtoms),
    part("of it: the market", parts.marketAtoms),
  ];
}

/** Fees by kind, token and recipient, each compared with what its policy gives. */
export function fees({ order, fills }: OrderReport, words: PageWords): Section | null {
  if (order === null || fills.length === 0) return null;
  const token = order.kind === "sell" ? order.buyToken : order.sellToken;
  const rows = fills.flatMap(({ blockNumber, networkFee, audit }) => [
    [
      cell(blockNumber),
      cell("network"),
      cell(null),
      isNotComputable(networkFee)
        ? { text: "–", exact: networkFee.detail }
        : words.interval(networkFee.networkAtoms, token),
      cell(
        (isNotComputable(networkFee) ? networkFee.reason : networkFee.basis).replaceAll("_", " "),
      ),
    ],
    ...audit.fees.map((fee) => [
      cell(blockNumber),
      cell(fee.origin === null ? fee.kind : `${fee.kind}, ${fee.origin}`),
      fee.recipient === null
        ? cell(null)
        : { text: fee.recipient, subject: { account: fee.recipient } },
      words.amount(fee.reportedAtoms, token),
      verdictCell(fee.verdict),
    ]),
  ]);
  return {
    id: "fees",
    title: "Fees",
    note: "Every policy is computed again and compared with what was charged, to the atom.",
    table: {
      columns: [
        { name: "Block", isNumber: true },
        { name: "Kind" },
        { name: "Recipient" },
        { name: "Charged", isNumber: true },
        { name: "Audit" },
      ],
      rows,
    },
  };
}

function verdictCell(verdict: string): Cell {
  if (verdict === "exact") return { text: "exact", tone: "good" };
  return { text: verdict.replaceAll("_", " "), tone: verdict === "differs" ? "bad" : "neutral" };
}
