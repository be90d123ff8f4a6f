import type { NodeSource } from "../../evm/mod.ts";
import { accountFunds } from "../../evm/node/account_funds.ts";
import { filledOf } from "../../metrics/orders/state_in_words.ts";
import type { Order } from "../../schemas/mod.ts";
import type { ReportedFunds } from "./order_report.ts";

/**
 * What the owner of an open order has at the latest block, against what the order needs.
 *
 * @returns `null` without a node, for an order that is over, and for tokens in the Balancer vault.
 */
export async function orderFunds(
  order: Order,
  { node, settlementContract, signal }: {
    readonly node: NodeSource | undefined;
    readonly settlementContract: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<ReportedFunds | null> {
  const isOpen = order.status === "open" || order.status === "presignaturePending";
  if (node === undefined || !isOpen || order.sellTokenBalance !== "erc20") return null;
  const funds = await accountFunds(
    node,
    { token: order.sellToken, owner: order.owner, settlementContract },
    signal === undefined ? {} : { signal },
  );
  return funds === null ? null : { ...funds, neededAtoms: neededBy(order) };
}

/** Whether the service takes the order for one that cannot be settled. */
export function isUnfunded({ balanceAtoms, allowanceAtoms, neededAtoms }: ReportedFunds): boolean {
  return balanceAtoms < neededAtoms || allowanceAtoms < neededAtoms;
}

/** What is left to sell; an order that can be filled in parts needs any amount. */
function neededBy(order: Order): bigint {
  if (order.partiallyFillable) return 1n;
  const [filled] = order.kind === "sell" ? filledOf(order) : [0n];
  return order.sellAmount + order.feeAmount - filled;
}
