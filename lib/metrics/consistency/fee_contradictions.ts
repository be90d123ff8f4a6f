import {
  type DebugFeePolicy,
  type DebugReport,
  type FeePolicy,
  feePolicyKind,
  type Order,
  type Trade,
} from "../../schemas/mod.ts";
import { storedQuoteFee } from "../quotes/quote_baseline.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";
import { formatFill } from "./order_contradictions.ts";

/**
 * Compares the quote of an order with those of the price-improvement policies of a fill: the service
 * reads both from one row. The fee of a policy is recomputed from the gas and the prices of the
 * order's quote.
 */
export function* compareFillQuotes({ quote }: Order, trade: Trade): Generator<Contradiction> {
  if (quote == null) return;
  for (const [index, { policy }] of (trade.executedProtocolFees ?? []).entries()) {
    const stated = policy?.priceImprovement?.quote;
    if (stated === undefined) continue;
    const pairs = [
      ["sellAmount", quote.sellAmount, "sellAmount", stated.sellAmount],
      ["buyAmount", quote.buyAmount, "buyAmount", stated.buyAmount],
      ["gasAmount * gasPrice / sellTokenPrice", storedQuoteFee(quote), "fee", stated.fee],
    ] as const;
    for (const [field, first, statedField, second] of pairs) {
      if (first === null) continue;
      yield* compareFacts(
        "fill_quote",
        formatFill(trade),
        [`order.quote.${field}`, first],
        [`${statedField} in the quote of fee policy ${index + 1}`, second],
      );
    }
  }
}

/**
 * Compares the fee policies of a fill with those that its debug report has for the auction: kinds,
 * factors and caps. Where a policy is missing, as for JIT orders, or of an unknown kind, none is.
 */
export function* compareFeePolicies(report: DebugReport, trade: Trade): Generator<Contradiction> {
  const { auctionId } =
    report.trades.find(({ blockNumber, logIndex }) =>
      blockNumber === trade.blockNumber && logIndex === trade.logIndex
    ) ?? {};
  const { feePolicies = [] } = report.auctions.find(({ id }) => id === auctionId) ?? {};
  const charged = trade.executedProtocolFees?.map(({ policy }) => describePolicy(policy ?? {}));
  if (feePolicies.length === 0 || charged === undefined || charged.includes(null)) return;
  yield* compareFacts(
    "report_executions",
    formatFill(trade),
    ["policies of trade.executedProtocolFees", charged.join(", ") || "none"],
    [
      `feePolicies of auction ${auctionId} in the debug report`,
      feePolicies.map(describeReportedPolicy).join(", "),
    ],
  );
}

/** Kind, factor and cap of a policy; `null` if its kind is unknown. */
function describePolicy(policy: FeePolicy): string | null {
  const kind = feePolicyKind(policy);
  if (kind === undefined) return null;
  const { surplus, volume, priceImprovement } = policy;
  const { factor, maxVolumeFactor } = {
    maxVolumeFactor: null,
    ...surplus ?? volume ?? priceImprovement!,
  };
  return formatPolicy(kind, factor, maxVolumeFactor);
}

function describeReportedPolicy(policy: DebugFeePolicy): string {
  const factor = policy.surplusFactor ?? policy.volumeFactor ?? policy.priceImprovementFactor;
  const cap = policy.surplusMaxVolumeFactor ?? policy.priceImprovementMaxVolumeFactor;
  return formatPolicy(policy.kind, factor, cap);
}

function formatPolicy(
  kind: string,
  factor: number | null | undefined,
  cap: number | null | undefined,
): string {
  return `${kind} ${factor ?? "none"}${cap == null ? "" : ` up to ${cap}`}`;
}
