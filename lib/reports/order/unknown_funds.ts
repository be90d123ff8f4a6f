import type { Order } from "../../schemas/mod.ts";
import type { Judgement } from "./judge_order.ts";
import { type FundsFound, isShort } from "./order_funds.ts";
import type { ReportedAppData, ReportedUnknown } from "./order_report.ts";
import type { ReportedFunds } from "./reported_chain.ts";

/** What is known of the funds of an order's owner. */
export interface FundsFacts {
  /** The order. */
  readonly order: Order;
  /** What decided. */
  readonly judgement: Judgement;
  /** What a node told. */
  readonly found: FundsFound;
  /** Hooks of the order. */
  readonly hooks: ReportedAppData["hooks"];
}

/**
 * What balances and allowances do not show, where an order was left out, or may have been: those that
 * the node does not tell, those that hooks bring, and a shortage that no block shows.
 */
export function unknownFunds(facts: FundsFacts): ReportedUnknown[] {
  const { judgement: { cause, reason, possible }, found: { funds, unknown } } = facts;
  const isLack = cause === "invalid" && (reason === null || reason === "insufficient_balance");
  if (!isLack && !possible.includes("invalid")) return [];
  return [...unknown, ...broughtFunds(facts), ...isLack ? unseenLack(funds) : []];
}

/** Pre-hooks run within a settlement, and may bring what is missing, or take what is there. */
function broughtFunds({ order, hooks, found: { funds } }: FundsFacts): ReportedUnknown[] {
  const count = hooks.filter(({ moment }) => moment === "pre").length;
  if (count === 0 || funds.length === 0) return [];
  const who = count === 1 ? "Its pre-hook runs" : `Its ${count} pre-hooks run`;
  const wraps = order.ethflowData == null ? "" : ", as does the wrapping of its native balance";
  return [{
    what: "funds_in_settlement",
    why:
      `${who} within the settlement${wraps}, and may bring funds or allowances that no block shows`,
    remedy: "Simulate the settlement: balances alone cannot tell",
  }];
}

function unseenLack(funds: readonly ReportedFunds[]): ReportedUnknown[] {
  const then = funds.filter(({ moment }) => moment !== "now");
  if (then.length === 0 || then.some(isShort)) return [];
  const blocks = then.map(({ block }) => block).join(" and ");
  return [{
    what: "shortage",
    why: `Balance and allowance sufficed in block ${blocks}, the last one before the event`,
    remedy:
      "Look at the blocks around it with `fundingAt`: the service may have judged an earlier one, with the order's pre-hooks, or found that the token refuses the transfer",
  }];
}
