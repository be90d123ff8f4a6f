import type { OrderBook } from "../../client/order_book.ts";
import type { ReportedDeployment } from "./order_report.ts";

/** The deployment of a book, as reports name it. */
export function deploymentOf(
  { network, environment, chainId, settlementContract, baseUrl }: OrderBook,
): ReportedDeployment {
  const facts = { environment, chainId, settlementContract, source: baseUrl };
  return { network: network?.name ?? null, ...facts };
}

/** Owners whose orders capture surplus, as a recording has them; `null` elsewhere. */
export function recordedOwners({ transport }: OrderBook): readonly string[] | null {
  const recorded: unknown = "recorded" in transport ? transport.recorded : undefined;
  const owners: unknown = Object(recorded).surplusCapturingJitOrderOwners;
  return Array.isArray(owners) ? owners : null;
}
