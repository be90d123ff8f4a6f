import { formatInstant } from "../../units/mod.ts";
import { isShort } from "./order_funds.ts";
import type { ReportedFunds } from "./reported_chain.ts";

/**
 * Allowances from this on are meant to have no limit: no token has so many atoms, and one that was
 * unlimited shrinks with what is spent.
 */
export const UNLIMITED_FROM: bigint = 2n ** 128n;

/** Moments in the past, by how much they say about why an order was left out last. */
const PAST = ["last_invalid", "first_invalid", "expiry"] as const;

/**
 * What was missing when the service left an order out, as the end of a sentence; `null` if nothing is
 * known to have been, or the reason is another one.
 *
 * @param reason Reason of the event; `null` if it is not stored.
 * @param funds What its owner has and had.
 */
export function lackClause(reason: string | null, funds: readonly ReportedFunds[]): string | null {
  if (reason !== null && reason !== "insufficient_balance") return null;
  const at = (moment: ReportedFunds["moment"]) => funds.find((each) => each.moment === moment);
  const now = at("now");
  const then = PAST.map(at).find((each) => each !== undefined && isShort(each));
  if (then === undefined) return now !== undefined && isShort(now) ? clauseOf(now) : null;
  return `${clauseOf(then)}${now === undefined ? "" : nowClause(now)}`;
}

/** What the owner had in a block, as a sentence without a full stop. */
export function fundsText(funds: ReportedFunds): string {
  const { block } = funds;
  if (isShort(funds)) return `Funds in block ${block}: its owner ${lacks(funds)}`;
  const { allowanceAtoms } = funds;
  const allowanceText = allowanceAtoms >= UNLIMITED_FROM
    ? "an unlimited allowance"
    : `an allowance of ${allowanceAtoms} atoms`;
  const held = `a balance of ${heldOf(funds)} and ${allowanceText}`;
  return `Funds in block ${block}: ${held}, enough for ${neededOf(funds)}`;
}

function nowClause(now: ReportedFunds): string {
  if (isShort(now)) return `; now, ${clauseOf(now).replace("its owner", "it")}`;
  return `; in block ${now.block}, the latest one, nothing is missing`;
}

function clauseOf(funds: ReportedFunds): string {
  const { moment, block, at } = funds;
  const when = `in block ${block} (${formatInstant(at)})`;
  return moment === "now"
    ? `its owner ${lacks(funds)}, ${when}`
    : `${when} its owner ${lacks(funds)}`;
}

function lacks(funds: ReportedFunds): string {
  const { moment, missingBalanceAtoms, missingAllowanceAtoms } = funds;
  const isNow = moment === "now";
  const balance = missingBalanceAtoms === 0n ? [] : [
    `${isNow ? "has" : "had"} too little of the sell token: ` +
    `${heldOf(funds)} of ${neededOf(funds)}, ${missingBalanceAtoms} missing`,
  ];
  const allowance = missingAllowanceAtoms === 0n ? [] : [allowanceClause(funds, isNow)];
  return [...balance, ...allowance].join("; and ");
}

function allowanceClause(funds: ReportedFunds, isNow: boolean): string {
  const { allowanceAtoms, missingAllowanceAtoms, isRelayerApproved } = funds;
  const { spender, relayer } = funds;
  if (isRelayerApproved === false) {
    return `${isNow ? "has" : "had"} not approved the relayer ${relayer} in the vault ${spender}`;
  }
  return `${isNow ? "allows" : "allowed"} ${spender} to take too little of the sell token: ` +
    `${allowanceAtoms} of ${neededOf(funds)}, ${missingAllowanceAtoms} missing`;
}

/** Of an order that can be filled in parts, the service requires one atom of what is left. */
function neededOf({ neededAtoms, remainingAtoms }: ReportedFunds): string {
  return neededAtoms === 1n && remainingAtoms > 1n
    ? `the 1 atom required of ${remainingAtoms} left to sell`
    : `${neededAtoms} atoms`;
}

function heldOf({ balanceAtoms, nativeAtoms }: ReportedFunds): string {
  return nativeAtoms === 0n
    ? `${balanceAtoms}`
    : `${balanceAtoms + nativeAtoms}, with ${nativeAtoms} of it still native,`;
}
