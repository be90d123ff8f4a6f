import {
  type Funding,
  fundingAt,
  type FundingBalance,
  type FundingUnknown,
  type NodeSource,
  orderAt,
  type OrderDomain,
} from "../../evm/mod.ts";
import { findBlockAt } from "../../evm/node/block_at.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import {
  type CompetitionOrderStatus,
  effectiveValidTo,
  type Order,
  type OrderEvent,
} from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  atSecond,
  isOutage,
  type NotTold,
  notToldBy,
  type ReportedUnknown,
} from "./order_report.ts";
import type { FundsMomentName, ReportedFunds, ReportedState } from "./verdicts.ts";

/** Where the chain is read. */
export interface ChainSource {
  /** A node. */
  readonly node: NodeSource | undefined;
  /** Chain and settlement contract that give the order its UID. */
  readonly domain: OrderDomain;
  /** Ends the requests. */
  readonly signal: AbortSignal | undefined;
}

interface FundsSource extends ChainSource {
  /** Times of some blocks, which shorten the search for others. */
  readonly blockTimes?: ReadonlyMap<number, Temporal.Instant> | undefined;
}

/**
 * What the owner of an open order has at the latest block, against what the order needs.
 *
 * @returns `null` without a node, for an order that is over, and where the node does not tell.
 * @throws {OrderlensError} If the node does not answer at all.
 */
export async function orderFunds(order: Order, source: FundsSource): Promise<ReportedFunds | null> {
  const isOpen = order.status === "open" || order.status === "presignaturePending";
  if (!isOpen || source.node === undefined) return null;
  try {
    const found = await askNode(order, null, source);
    const needed = fundsNeeded(order, source.domain);
    return "reason" in found ? null : reported("now", found, needed);
  } catch (error) {
    if (isOutage(error)) throw error;
    notToldBy(error);
    return null;
  }
}

/** What the owner of an order has at some moments, each in the state of the last block before it. */
export async function fundsAt(
  order: Order,
  moments: readonly FundsMoment[],
  source: FundsSource,
): Promise<{ funds: readonly ReportedFunds[]; unknown: readonly ReportedUnknown[] }> {
  const funds: ReportedFunds[] = [];
  const unknown: ReportedUnknown[] = [];
  if (source.node === undefined) return { funds, unknown };
  const needed = fundsNeeded(order, source.domain);
  const blockTimes = new Map(source.blockTimes);
  for (const { moment, time } of moments) {
    const found = await fundingOf(order, time, { ...source, blockTimes });
    if ("why" in found) {
      unknown.push({ what: "funds", ...found });
    } else {
      blockTimes.set(found.block, found.at);
      funds.push(reported(moment, found, needed));
    }
  }
  return { funds, unknown };
}

/** Whether the service takes the order for one that cannot be settled. */
export function isUnfunded(funds: ReportedFunds): boolean {
  return funds.isChecked && isShort(funds);
}

/** Whether something is missing of what the service requires. */
export function isShort({ missingBalanceAtoms, missingAllowanceAtoms }: ReportedFunds): boolean {
  return missingBalanceAtoms > 0n || missingAllowanceAtoms > 0n;
}

/** The funds at a time. That they are not told leaves the rest of a report as it is. */
async function fundingOf(
  order: Order,
  time: Temporal.Instant | null,
  source: FundsSource,
): Promise<Funding | NotTold> {
  try {
    const found = await askNode(order, time, source);
    return "reason" in found ? { why: found.detail, remedy: found.remedy } : found;
  } catch (error) {
    return notToldBy(error);
  }
}

async function askNode(
  order: Order,
  time: Temporal.Instant | null,
  { node, domain, blockTimes, signal }: FundsSource,
): Promise<Funding | FundingUnknown> {
  const known = blockTimes === undefined ? {} : { known: blockTimes };
  const block = time === null ? null : await findBlockAt(node!, time, { signal, ...known });
  if (block !== null && "reason" in block) return block;
  const { sellToken, owner, sellTokenBalance, ethflowData } = order;
  const question = {
    sellToken,
    owner,
    settlementContract: domain.verifyingContract,
    sellTokenBalance: sellTokenBalance as FundingBalance,
    wrapsNative: ethflowData != null,
  };
  return await fundingAt(node!, question, {
    signal,
    ...block === null ? {} : { block: block.number },
  });
}

function reported(
  moment: FundsMoment["moment"],
  funding: Funding,
  needed: ReturnType<typeof fundsNeeded>,
): ReportedFunds {
  const { usableAtoms: _, blockHash: __, ...facts } = funding;
  const { neededAtoms } = needed;
  return {
    moment,
    ...facts,
    ...needed,
    missingBalanceAtoms: shortOf(neededAtoms, facts.balanceAtoms + facts.nativeAtoms),
    missingAllowanceAtoms: shortOf(neededAtoms, facts.allowanceAtoms),
  };
}

function shortOf(needed: bigint, held: bigint): bigint {
  return held < needed ? needed - held : 0n;
}

/**
 * What the owner of an order must have, and allow to be taken.
 *
 * The service does not check orders that contracts sign, nor those whose receiver is the settlement
 * contract: they may get their funds within the settlement.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/solvable_orders.rs | orders_with_balance}
 */
function fundsNeeded(order: Order, { verifyingContract }: OrderDomain) {
  const { sellAmount, feeAmount, partiallyFillable, receiver, signingScheme } = order;
  const whole = sellAmount + feeAmount;
  return {
    neededAtoms: partiallyFillable ? 1n : whole,
    remainingAtoms: remainingOf(order, sellAmount) + remainingOf(order, feeAmount),
    isChecked: signingScheme !== "eip1271" &&
      (receiver == null || !sameHex(receiver, verifyingContract)),
  };
}

function remainingOf(order: Order, atoms: bigint): bigint {
  const [filled, total] = readFilled(order);
  return total === 0n || filled > total ? 0n : atoms * (total - filled) / total;
}

/**
 * What the settlement contract makes of an order at the latest block.
 *
 * @returns `null` without a node, for an order that was filled or has expired, and where the node does
 * not execute calls; why, where it fails.
 */
export async function orderState(
  order: Order,
  { node, domain, signal }: ChainSource,
): Promise<ReportedState | NotTold | null> {
  if (node === undefined || order.status === "fulfilled" || order.status === "expired") return null;
  try {
    const found = await orderAt(node, domain, order, { signal });
    if ("reason" in found) return null;
    const { block, at, filledAtoms, isSignatureValid, refusal } = found;
    return { block, at, filledAtoms, isSignatureValid, refusal };
  } catch (error) {
    return notToldBy(error);
  }
}

/** The state in words, as a sentence without a full stop. It does not say whether there are funds. */
export function stateText({ refusal }: ReportedState, isEthFlow: boolean): string {
  switch (refusal) {
    case null:
      return "Its signature is valid, and it is neither expired, filled nor cancelled";
    case "cancelled":
      return "Cancelled in the settlement contract";
    case "invalid_signature":
      return isEthFlow
        ? "The EthFlow contract does not sign it any more"
        : "The settlement contract refuses its signature";
    case "expired":
      return "Expired for the settlement contract";
    case "filled":
      return "Filled, as the settlement contract counts";
  }
}

/** A moment at which funds matter. */
interface FundsMoment {
  /** Which. */
  readonly moment: FundsMomentName;
  /** Its time; `null` for now. */
  readonly time: Temporal.Instant | null;
}

/** What tells when funds mattered. */
interface MomentFacts {
  /** The order. */
  readonly order: Order;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Its stage; `absent` if the service has no event of it, `null` if it was not asked. */
  readonly stage: CompetitionOrderStatus | "absent" | null;
}

/**
 * When the funds of an order's owner mattered: when the service first and last left it out for lack of
 * them, or as dust, which depends on them too, by its events; without events at the end of its validity, if its stage is that
 * of an order that was left out; and now, while it is open.
 */
export function fundsMoments({ order, events, stage }: MomentFacts): FundsMoment[] {
  const isOpen = order.status === "open" || order.status === "presignaturePending";
  const lacks = (events ?? []).filter(isLack);
  const [first, last] = [lacks[0], lacks.at(-1)];
  const moments: FundsMoment[] = [];
  if (first !== undefined) moments.push({ moment: "first_invalid", time: first.timestamp });
  if (last !== undefined && last !== first) {
    moments.push({ moment: "last_invalid", time: last.timestamp });
  }
  const dust = events?.findLast(({ label, reason }) =>
    label === "filtered" && reason === "dust_order"
  );
  if (dust !== undefined && order.partiallyFillable) {
    moments.push({ moment: "last_filtered", time: dust.timestamp });
  }
  const isLeftOut = stage !== null && stage !== "absent" && stage.type === "open";
  if (events === null && isLeftOut && order.status === "expired") {
    moments.push({ moment: "expiry", time: atSecond(effectiveValidTo(order)) });
  }
  if (isOpen) moments.push({ moment: "now", time: null });
  return moments;
}

/** Whether the service left an order out for lack of balance or allowance, or does not say why. */
function isLack({ label, reason }: OrderEvent): boolean {
  return label === "invalid" && (reason == null || reason === "insufficient_balance");
}
