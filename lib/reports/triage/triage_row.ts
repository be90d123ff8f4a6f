import type { OrderBook } from "../../client/order_book.ts";
import type { OrderlensError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { NameLookup } from "../order/report_parts.ts";
import type { OrderVerdict } from "../order/verdicts.ts";

/** Answer of the evidence to a question. */
export type TriageAnswer = "yes" | "no" | "unknown";

/** One order of a triage: the columns of its table, in their order. */
export interface TriageRow {
  /** UID of the order, in lower case. */
  readonly order_id: string;
  /** Whether it expired, rather than that it was filled, cancelled or is still open. */
  readonly expired: TriageAnswer;
  /** The decisive cause, if it expired; `null` otherwise. */
  readonly expired_detail: string | null;
  /** Solver whose quote the order was placed with; `null` without one. */
  readonly quoter: string | null;
  /** Its name; `null` if unknown. */
  readonly quoter_name: string | null;
  /** Whether the quoter bid on the order in an auction that was read. */
  readonly did_bid: TriageAnswer;
  /** Layer that shows its bid: `autopilot` in an auction; what a driver discards, only its logs show. */
  readonly bid_layer: "autopilot" | "unknown";
  /** Reason that a bid was discarded: only the solver's logs show it. */
  readonly discard_reason: "unknown";
  /** The verdict; `not_read` if a request failed. */
  readonly verdict: OrderVerdict | "not_read";
  /** The verdict as one sentence, or the failure. */
  readonly sentence: string;
  /** The last auction that the verdict rests on; `null` if none was read. */
  readonly evidence_auction: number | null;
  /** Network that has the order; `null` without one. */
  readonly network: string | null;
  /** Its environment; `null` without one. */
  readonly environment: string | null;
}

/** Columns of a triage, in their order. */
export const TRIAGE_COLUMNS: readonly (keyof TriageRow)[] = [
  "order_id",
  "expired",
  "expired_detail",
  "quoter",
  "quoter_name",
  "did_bid",
  "bid_layer",
  "discard_reason",
  "verdict",
  "sentence",
  "evidence_auction",
  "network",
  "environment",
];

const UNKNOWN_ROW = {
  expired: "unknown",
  expired_detail: null,
  quoter: null,
  quoter_name: null,
  did_bid: "unknown",
  bid_layer: "unknown",
  discard_reason: "unknown",
  evidence_auction: null,
} as const;

/** The row of an order that was read. */
export function toTriageRow(report: OrderReport, findName: NameLookup): TriageRow {
  const { uid, order, deployment, cause, auctions, verdict, sentence } = report;
  const { network, environment } = deployment;
  const deploymentFields = { network, environment };
  if (order === null) {
    return { order_id: uid, ...UNKNOWN_ROW, verdict, sentence, ...deploymentFields };
  }
  const quoter = order.quote?.solver ?? null;
  const didBid = quoter === null ? "unknown" : judgeDidBid(report, quoter);
  const isExpired = order.status === "expired";
  return {
    order_id: uid,
    expired: isExpired ? "yes" : "no",
    expired_detail: isExpired ? cause : null,
    quoter,
    quoter_name: quoter === null ? null : findName(quoter),
    did_bid: didBid,
    bid_layer: didBid === "yes" ? "autopilot" : "unknown",
    discard_reason: "unknown",
    verdict,
    sentence,
    evidence_auction: auctions.at(-1)?.auctionId ?? null,
    ...deploymentFields,
  };
}

/** The row of an order that no deployment that was asked has, or whose requests failed. */
export function toEmptyRow(
  uid: string,
  { network, environment }: OrderBook,
  error: OrderlensError | null = null,
): TriageRow {
  return {
    order_id: uid,
    ...UNKNOWN_ROW,
    verdict: error === null ? "unknown_here" : "not_read",
    sentence: error === null
      ? "None of the queried deployments has this order."
      : error.message.split("\n")[0]!,
    network: network?.name ?? null,
    environment,
  };
}

/** Only a debug report has all auctions of an order, so that no bid in them means none at all. */
function judgeDidBid({ auctions, evidence }: OrderReport, quoter: string): TriageAnswer {
  const hasBid = auctions.some(({ bids }) => bids.some(({ solver }) => sameHex(solver, quoter)));
  if (hasBid) return "yes";
  return evidence.debugReport === "present" ? "no" : "unknown";
}
