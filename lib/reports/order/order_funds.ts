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
import { readRemaining } from "../../metrics/orders/lifecycle_facts.ts";
import {
  type CompetitionOrderStatus,
  effectiveValidTo,
  isOpenStatus,
  type Order,
  type OrderEvent,
} from "../../schemas/mod.ts";
import { mulDivDown, sameHex } from "../../units/mod.ts";
import {
  explainFailure,
  isOutage,
  type ReadFailure,
  type ReportedUnknown,
  toInstant,
} from "./order_report.ts";
import type { FundsMomentName, ReportedFunds, ReportedState } from "./verdicts.ts";

/** Node and domain for reading the chain. */
export interface ChainSource {
  /** A node. */
  readonly node: NodeSource | undefined;
  /** Chain and settlement contract that give the order its UID. */
  readonly domain: OrderDomain;
  /** Aborts the requests. */
  readonly signal: AbortSignal | undefined;
}

interface FundsSource extends ChainSource {
  /** Times of some blocks, which shorten the search for others. */
  readonly blockTimes?: ReadonlyMap<number, Temporal.Instant> | undefined;
}

/**
 * Reads the funds of an open order's owner at the latest block, against what the order needs.
 *
 * @returns `null` without a node, for an order that is over, and where the node does not tell.
 * @throws {OrderlensError} If the node does not answer at all.
 */
export async function readCurrentFunds(
  order: Order,
  source: FundsSource,
): Promise<ReportedFunds | null> {
  const isOpen = isOpenStatus(order.status);
  if (!isOpen || source.node === undefined) return null;
  try {
    const funding = await requestFunding(order, null, source);
    const needs = computeNeeds(order, source.domain);
    return "reason" in funding ? null : toReportedFunds("now", funding, needs);
  } catch (error) {
    if (isOutage(error)) throw error;
    explainFailure(error);
    return null;
  }
}

/**
 * Reads the funds of an order's owner at the latest block, whatever the state of the order is.
 *
 * @returns `null` without a node, and from one that executes no calls, such as a recording; why, where it
 * fails.
 */
export async function readLatestFunds(
  order: Order,
  source: FundsSource,
): Promise<ReportedFunds | ReadFailure | null> {
  if (source.node === undefined) return null;
  try {
    const funding = await requestFunding(order, null, source);
    if (!("reason" in funding)) {
      return toReportedFunds("now", funding, computeNeeds(order, source.domain));
    }
    const { reason, detail, remedy } = funding;
    return reason === "calls_not_served" ? null : { why: detail, remedy };
  } catch (error) {
    return explainFailure(error);
  }
}

/** Reads the funds of an order's owner at some moments, each in the state of the last block before it. */
export async function readFundsAt(
  order: Order,
  moments: readonly FundsMoment[],
  source: FundsSource,
): Promise<{ funds: readonly ReportedFunds[]; unknown: readonly ReportedUnknown[] }> {
  const funds: ReportedFunds[] = [];
  const unknowns: ReportedUnknown[] = [];
  if (source.node === undefined) return { funds, unknown: unknowns };
  const needs = computeNeeds(order, source.domain);
  const blockTimes = new Map(source.blockTimes);
  for (const { moment, time } of moments) {
    const funding = await readFunding(order, time, { ...source, blockTimes });
    if ("why" in funding) {
      unknowns.push({ what: "funds", ...funding });
    } else {
      blockTimes.set(funding.block, funding.at);
      funds.push(toReportedFunds(moment, funding, needs));
    }
  }
  return { funds, unknown: unknowns };
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
async function readFunding(
  order: Order,
  time: Temporal.Instant | null,
  source: FundsSource,
): Promise<Funding | ReadFailure> {
  try {
    const funding = await requestFunding(order, time, source);
    return "reason" in funding ? { why: funding.detail, remedy: funding.remedy } : funding;
  } catch (error) {
    return explainFailure(error);
  }
}

async function requestFunding(
  order: Order,
  time: Temporal.Instant | null,
  { node, domain, blockTimes, signal }: FundsSource,
): Promise<Funding | FundingUnknown> {
  const knownTimes = blockTimes === undefined ? {} : { knownTimes: blockTimes };
  const block = time === null ? null : await findBlockAt(node!, time, { signal, ...knownTimes });
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

function toReportedFunds(
  moment: FundsMoment["moment"],
  funding: Funding,
  needs: ReturnType<typeof computeNeeds>,
): ReportedFunds {
  const { usableAtoms: _, blockHash: __, ...facts } = funding;
  const { neededAtoms } = needs;
  return {
    moment,
    ...facts,
    ...needs,
    missingBalanceAtoms: subtractHeld(neededAtoms, facts.balanceAtoms + facts.nativeAtoms),
    missingAllowanceAtoms: subtractHeld(neededAtoms, facts.allowanceAtoms),
  };
}

function subtractHeld(neededAtoms: bigint, heldAtoms: bigint): bigint {
  return heldAtoms < neededAtoms ? neededAtoms - heldAtoms : 0n;
}

/**
 * Computes the balance and the allowance that an order needs.
 *
 * The service does not check orders that contracts sign, nor those whose receiver is the settlement
 * contract: they may get their funds within the settlement.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/solvable_orders.rs | orders_with_balance}
 */
function computeNeeds(order: Order, { verifyingContract }: OrderDomain) {
  const { sellAmount, feeAmount, partiallyFillable, receiver, signingScheme } = order;
  const fullAmount = sellAmount + feeAmount;
  return {
    neededAtoms: partiallyFillable ? 1n : fullAmount,
    remainingAtoms: scaleToRemaining(order, sellAmount) + scaleToRemaining(order, feeAmount),
    isChecked: signingScheme !== "eip1271" &&
      (receiver == null || !sameHex(receiver, verifyingContract)),
  };
}

/** Scales an amount of an order to what is not filled, rounded down. */
export function scaleToRemaining(order: Order, atoms: bigint): bigint {
  return mulDivDown(atoms, ...readRemaining(order));
}

/**
 * Reads the state of an order in the settlement contract at the latest block.
 *
 * @returns `null` without a node, for an order that was filled or has expired, and where the node does
 * not execute calls; why, where it fails.
 */
export async function readOrderState(
  order: Order,
  { node, domain, signal }: ChainSource,
): Promise<ReportedState | ReadFailure | null> {
  if (node === undefined || order.status === "fulfilled" || order.status === "expired") return null;
  try {
    const state = await orderAt(node, domain, order, { signal });
    if ("reason" in state) return null;
    const { block, at, filledAtoms, isSignatureValid, refusal } = state;
    return { block, at, filledAtoms, isSignatureValid, refusal };
  } catch (error) {
    return explainFailure(error);
  }
}

/** The state in words, as a sentence without a full stop. It does not say whether there are funds. */
export function formatState({ refusal }: ReportedState, isEthFlow: boolean): string {
  switch (refusal) {
    case null:
      return "Its signature is valid, and it is neither expired, filled nor cancelled";
    case "cancelled":
      return "Cancelled in the settlement contract";
    case "invalid_signature":
      return isEthFlow
        ? "The EthFlow contract no longer signs it"
        : "The settlement contract refuses its signature";
    case "expired":
      return "Expired by the clock of the settlement contract";
    case "filled":
      return "Filled, by the count of the settlement contract";
  }
}

/** A moment at which funds matter. */
interface FundsMoment {
  /** Name of the moment. */
  readonly moment: FundsMomentName;
  /** Its time; `null` for now. */
  readonly time: Temporal.Instant | null;
}

/** Facts that show when funds mattered. */
interface MomentFacts {
  /** The order. */
  readonly order: Order;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Its stage; `absent` if the service has no event of it, `null` if it was not asked. */
  readonly stage: CompetitionOrderStatus | "absent" | null;
}

/**
 * Lists the moments at which the owner's funds mattered: when the service first and last left it out for lack of
 * them, or as dust, which depends on them too, by its events; without events at the end of its validity, if its stage is that
 * of an order that was left out; and now, while it is open.
 */
export function listFundsMoments({ order, events, stage }: MomentFacts): FundsMoment[] {
  const isOpen = isOpenStatus(order.status);
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
    moments.push({ moment: "expiry", time: toInstant(effectiveValidTo(order)) });
  }
  if (isOpen) moments.push({ moment: "now", time: null });
  return moments;
}

/** Whether the service left an order out for lack of balance or allowance, or does not say why. */
function isLack({ label, reason }: OrderEvent): boolean {
  return label === "invalid" && (reason == null || reason === "insufficient_balance");
}
