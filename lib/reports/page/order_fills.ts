import { isNotComputable, surplusToken } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { sumDollars } from "../order/dollar_amounts.ts";
import type { OrderReport, ReportedFill, TimelineEntry } from "../order/order_report.ts";
import { areAllFills } from "../order/report_parts.ts";
import {
  buildTable,
  type Cell,
  cell,
  listSection,
  numberColumn,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import {
  type CellFormatter,
  toAccountCell,
  toAuctionCell,
  toBpsCell,
  toSolverCell,
  toTimeCell,
  toTransactionCell,
} from "./cell_formatter.ts";
import { toAuditCell } from "./subject_sections.ts";

const BASELINES = [
  ["gross", "Quote before fees (gross)"],
  ["net", "Quote after network costs (net)"],
  ["userShown", "Quote as shown, after all fees"],
  ["limit", "Limit"],
] as const;

/** The fills of an order: what each sold for what, and how it compares with the four baselines. */
export function buildFillsSections(report: OrderReport, amounts: CellFormatter): Section[] {
  const { order, fills } = report;
  const [fill] = fills;
  if (order === null || fill === undefined) return [];
  const token = surplusToken(order);
  const isLiquidity = report.cause === "jit_liquidity";
  const rows = fills.flatMap((fill) =>
    compareParts(fill, token, amounts).map(({ name, ...part }) => ({
      block: fill.blockNumber,
      name: isLiquidity && name === "Limit" ? "Limit, at which it counts as traded" : name,
      ...part,
    }))
  );
  const comparison = {
    id: "fills",
    title: "Fill",
    note: `Positive is better for the trader. Differences are in ${amounts.token(token).text}.`,
    table: buildTable(rows, [
      ...fills.length === 1
        ? []
        : [numberColumn("Block", ({ block }: { block: number }) => cell(block))],
      textColumn("Compared with", ({ name }) => cell(name)),
      numberColumn("Difference", ({ difference }) => difference),
      numberColumn("Slippage", ({ bps }) => bps),
    ]),
  };
  if (fills.length > 1) {
    return [buildFillList(report, order, amounts), {
      ...comparison,
      title: "Fills compared with the quote",
    }];
  }
  const { sell, buy } = fill.usdPerAtom ?? {};
  const soldText = amounts.formatAmount(fill.sellAmount, order.sellToken, sell).text;
  const boughtText = amounts.formatAmount(fill.buyAmount, order.buyToken, buy).text;
  const facts = toFacts({
    [`Block ${fill.blockNumber}`]: cell(`${soldText} for ${boughtText}`),
    Transaction: toTransactionCell(fill.txHash),
    Auction: fill.auctionId === null ? null : toAuctionCell(fill.auctionId),
    Solver: fill.solver === null ? null : toSolverCell(fill.solver, fill.solverName),
  });
  return [{ ...comparison, facts }];
}

function buildFillList(report: OrderReport, order: Order, amounts: CellFormatter): Section {
  const { fills } = report;
  const { sellToken, buyToken } = order;
  const token = surplusToken(order);
  const side = order.kind === "sell" ? "buy" : "sell";
  return {
    id: "fill-list",
    title: `${fills.length} fills`,
    table: buildTable(fills, [
      numberColumn("Block", ({ blockNumber }) => cell(blockNumber)),
      textColumn("Filled at", (fill) => {
        const entry = findFillEntry(report, fill);
        return toTimeCell(entry?.at ?? null, entry?.latestAt ?? null);
      }, { isMinor: true }),
      numberColumn(
        "Sold",
        ({ sellAmount, usdPerAtom }) =>
          amounts.formatAmount(sellAmount, sellToken, usdPerAtom?.sell),
      ),
      numberColumn(
        "Bought",
        ({ buyAmount, usdPerAtom }) => amounts.formatAmount(buyAmount, buyToken, usdPerAtom?.buy),
      ),
      numberColumn(
        "Rate",
        ({ sellAmount, buyAmount }) =>
          amounts.formatRate(order, sellAmount, buyAmount) ?? cell(null),
      ),
      numberColumn(
        "Surplus",
        ({ surplusAtoms, usdPerAtom }) =>
          amounts.formatAmount(surplusAtoms, token, usdPerAtom?.[side]),
      ),
      numberColumn(
        "Over limit",
        ({ slippages: { limit } }) => isNotComputable(limit) ? cell(null) : toBpsCell(limit.bps),
      ),
      textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
      numberColumn("Auction", ({ auctionId }) => toAuctionCell(auctionId)),
      textColumn("Transaction", ({ txHash }) => toTransactionCell(txHash)),
    ]),
  };
}

/** Finds the entry of the timeline about a fill. */
export function findFillEntry(
  { timeline }: OrderReport,
  { blockNumber }: ReportedFill,
): TimelineEntry | undefined {
  return timeline.findLast(({ kind, block }) => kind === "fill" && block === blockNumber);
}

/** Compares a fill with each baseline, and splits the difference to the first. */
function compareParts({ slippages, parts }: ReportedFill, token: string, amounts: CellFormatter) {
  const toCell = (atoms: bigint) => amounts.formatDifference({ low: atoms, high: atoms }, token);
  const split = isNotComputable(parts) ? [] : [
    {
      name: "of it: network costs",
      difference: amounts.formatDifference(parts.networkCostAtoms, token),
    },
    { name: "of it: protocol fees", difference: toCell(parts.protocolFeeAtoms) },
    { name: "of it: partner fees", difference: toCell(parts.partnerFeeAtoms) },
    { name: "of it: the market", difference: amounts.formatDifference(parts.marketAtoms, token) },
  ];
  return BASELINES.flatMap(([baseline, name]) => {
    const slippage = slippages[baseline];
    // Without a quote, only the limit is left to compare with.
    if (isNotComputable(slippage)) {
      const difference = amounts.formatAmount(slippage, token);
      return baseline === "limit" ? [{ name, difference, bps: cell(null) }] : [];
    }
    const { atoms, bps } = slippage;
    return [
      { name, difference: toCell(atoms), bps: toBpsCell(bps) },
      ...baseline === "gross" ? split.map((part) => ({ ...part, bps: cell(null) })) : [],
    ];
  });
}

/** A fee of a fill, or the sum of one over all fills. */
interface FeeRow {
  readonly block: string;
  readonly kind: string | null;
  readonly recipient: string | null;
  readonly charged: Cell;
  readonly audit: Cell;
}

/** Fees by kind, token and recipient, each compared with what its policy gives. */
export function buildFeesSection(
  { order, fills }: OrderReport,
  amounts: CellFormatter,
): Section | null {
  if (order === null) return null;
  const rows = [
    ...fills.length < 2 ? [] : sumFees(fills, order, amounts),
    ...fills.flatMap((fill) => listFees(fill, order, amounts)),
  ];
  const note =
    "Protocol and partner fees are recomputed from their policies and compared with what was charged, " +
    "to the atom.";
  const section = listSection({ id: "fees", title: "Fees", note, rows }, [
    ...fills.length === 1 ? [] : [numberColumn("Block", ({ block }: FeeRow) => cell(block))],
    textColumn("Kind", ({ kind }) => cell(kind)),
    textColumn(
      "Recipient",
      ({ recipient }) => recipient === null ? cell(null) : toAccountCell(recipient),
    ),
    numberColumn("Charged", ({ charged }) => charged),
    textColumn("Audit", ({ audit }) => audit),
  ]);
  if (section === null || order.gasCost == null) return section;
  const gas = { ...amounts.formatNative(order.gasCost), after: ", as the service reports it" };
  return { ...section, facts: toFacts({ "Its share of the gas": gas }) };
}

function listFees(
  { blockNumber, networkFee, audit, usdPerAtom }: ReportedFill,
  order: Order,
  amounts: CellFormatter,
): FeeRow[] {
  const token = surplusToken(order);
  const side = order.kind === "sell" ? "buy" : "sell";
  const block = `${blockNumber}`;
  return [
    {
      ...{ block, kind: "network", recipient: null },
      charged: amounts.formatNetworkFee(networkFee, token),
      audit: cell(explainNetworkFee(networkFee)),
    },
    ...audit.fees.map((fee) => ({
      ...{ block, kind: formatKind(fee), recipient: fee.recipient },
      charged: amounts.formatAmount(fee.reportedAtoms, token, usdPerAtom?.[side]),
      audit: toAuditCell([fee.verdict]),
    })),
  ];
}

/** Words for the source of a network fee, or for the reason that it is unknown. */
const NETWORK_FEE_WORDS: Readonly<Record<string, string>> = {
  settlement: "from its settlement",
  executed_fee: "from its executed fee",
  role: "none for liquidity of a solver",
  jit_owner_unknown: "unknown: whether its owner captures surplus is not known",
  no_protocol_fees: "unknown: its protocol fees are not known",
  fee_does_not_fit: "unknown: the reported fees do not fit its amounts",
  no_settlement_or_executed_fee: "unknown: the service reports the fees of all fills together",
};

function explainNetworkFee(fee: ReportedFill["networkFee"]): string {
  const word = isNotComputable(fee) ? fee.reason : fee.basis;
  return NETWORK_FEE_WORDS[word] ?? word.replaceAll("_", " ");
}

type AuditedFee = ReportedFill["audit"]["fees"][number];

function formatKind({ kind, origin }: AuditedFee): string | null {
  const words = kind?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? null;
  return origin === null ? words : `${words}, ${origin}`;
}

/** Sums each fee over all fills, or those that are known. */
function sumFees(
  fills: readonly ReportedFill[],
  order: Order,
  amounts: CellFormatter,
): FeeRow[] {
  const token = surplusToken(order);
  const side = order.kind === "sell" ? "buy" : "sell";
  const block = areAllFills(order, fills) ? "all" : "known";
  const charged = fills.flatMap(({ audit, usdPerAtom }) =>
    audit.fees.map((fee) => ({ ...fee, usdPerAtom: usdPerAtom?.[side] }))
  );
  const groups = Map.groupBy(
    charged,
    (fee) => `${formatKind(fee)} ${fee.recipient?.toLowerCase()}`,
  );
  const { executedFee, executedFeeToken, sellToken } = order;
  const isTotal = block === "all" && executedFee != null &&
    fills.some(({ networkFee }) => isNotComputable(networkFee));
  return [
    {
      ...{ block, kind: isTotal ? "all kinds" : "network", recipient: null },
      charged: isTotal
        ? amounts.formatAmount(executedFee, executedFeeToken ?? sellToken)
        : sumNetworkFees(fills, token, amounts),
      audit: cell(isTotal ? "as the service reports it" : null),
    },
    ...[...groups.values()].map((fees) => ({
      ...{ block, kind: formatKind(fees[0]!), recipient: fees[0]!.recipient },
      charged: amounts.addDollars({
        atoms: fees.reduce((sum, { reportedAtoms }) => sum + reportedAtoms, 0n),
        dollars: sumDollars(
          fees.map(({ reportedAtoms: atoms, usdPerAtom }) => ({ atoms, usdPerAtom })),
        ),
      }, token),
      audit: toAuditCell(fees.map(({ verdict }) => verdict)),
    })),
  ];
}

/** Sums network fees, each of which is known between two ends; a dash if one is unknown. */
function sumNetworkFees(
  fills: readonly ReportedFill[],
  token: string,
  amounts: CellFormatter,
): Cell {
  let [low, high] = [0n, 0n];
  for (const { networkFee } of fills) {
    if (isNotComputable(networkFee)) return amounts.formatAmount(networkFee, token);
    low += networkFee.networkAtoms.low;
    high += networkFee.networkAtoms.high;
  }
  return amounts.formatInterval({ low, high }, token);
}
