import type { OrderLifecycle } from "../../metrics/mod.ts";
import type { Judgement } from "./judge_order.ts";
import type { ReportedUnknown, ReportEvidence } from "./order_report.ts";

const PARTNER = "Ask with an API key of a partner, whose debug reports have it";
const DEEP = "Inspect with `deep`, which walks the auctions of its lifetime";
const NODE = "Pass the URL of a node";

const REMEDIES: Readonly<Record<OrderLifecycle["unknown"][number]["what"], string>> = {
  events: PARTNER,
  auctions: DEEP,
  bids: DEEP,
  attempts: PARTNER,
  fills: "Ask again: the trades could not be read",
  fill_times: NODE,
  presignature: NODE,
  status: "Pass the time of the answers as `now`",
};

/** What the answers do not show, why, and what would show it. */
export function reportUnknown(
  life: OrderLifecycle,
  { cause, possible }: Judgement,
  evidence: Pick<ReportEvidence, "debugReport" | "walked">,
): ReportedUnknown[] {
  const unknown: ReportedUnknown[] = [];
  if (cause === "unknown") {
    unknown.push({
      what: "cause",
      why: `The answers fit ${possible.join(", ")}`,
      remedy: evidence.walked === null ? `${PARTNER}; or: ${DEEP}` : PARTNER,
    });
  }
  for (const { what, why } of life.unknown) {
    const isWalked = evidence.walked !== null && (what === "auctions" || what === "bids");
    if (!isWalked) unknown.push({ what, why, remedy: REMEDIES[what] });
  }
  return unknown;
}
