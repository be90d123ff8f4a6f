import {
  type Competition,
  encodeCompetition,
  encodeOrder,
  isClosedStatus,
  type Order,
} from "../../schemas/mod.ts";

/** What has changed of a record since it was exported. */
export interface Change {
  /** Whether the service may change it: a late hash, a fill, a cancellation. */
  readonly isPossible: boolean;
  /** Names of the fields. */
  readonly fields: string;
}

/** Fields of an order that change while it is open, and when its fills are indexed. */
const CHANGING: ReadonlySet<string> = new Set([
  "availableBalance",
  "ethflowData",
  "executed",
  "executedBuyAmount",
  "executedFee",
  "executedFeeAmount",
  "executedFeeToken",
  "executedSellAmount",
  "executedSellAmountBeforeFees",
  "invalidated",
  "status",
  "totalFee",
]);

/** What has changed of a competition; `null` if nothing has. Only hashes may appear. */
export function competitionChange(then: Competition, now: Competition): Change | null {
  const [before, after] = [then, now].map(encodeCompetition);
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  const isOnlyLater = textOf(withoutHashes(then, then)) === textOf(withoutHashes(now, then)) &&
    then.transactionHashes.every((hash) => now.transactionHashes.includes(hash));
  return { isPossible: isOnlyLater, fields: fields.join(", ") };
}

/** A competition without the hashes that another one does not have yet. */
function withoutHashes(competition: Competition, then: Competition): Competition {
  return {
    ...competition,
    transactionHashes: [],
    solutions: competition.solutions.map(({ txHash, ...solution }, place) => {
      const isLate = (then.solutions[place]?.txHash ?? null) === null;
      return isLate || txHash === undefined ? solution : { ...solution, txHash };
    }),
  };
}

/** What has changed of an order; `null` if nothing has. An order that is gone has changed too. */
export function orderChange(then: Order, now: Order | undefined): Change | null {
  if (now === undefined) return { isPossible: false, fields: "it is gone" };
  const fields = changedFields(encodeOrder(then), encodeOrder(now));
  if (fields.length === 0) return null;
  const isPossible = fields.every((field) => CHANGING.has(field)) &&
    now.executedSellAmount >= then.executedSellAmount &&
    now.executedBuyAmount >= then.executedBuyAmount &&
    !(then.invalidated && !now.invalidated) &&
    mayBecome(then.status, now.status);
  return { isPossible, fields: fields.join(", ") };
}

/** A fill that was indexed late fulfils an order that had expired or was cancelled. */
function mayBecome(then: Order["status"], now: Order["status"]): boolean {
  return then === now || then !== "fulfilled" && (now === "fulfilled" || !isClosedStatus(then)) ||
    then === "expired" && now === "cancelled";
}

function changedFields(before: unknown, after: unknown): string[] {
  const [then, now] = [Object(before), Object(after)];
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((field) => textOf(then[field]) !== textOf(now[field])).sort();
}

/** A value as JSON, with the fields of objects in one order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1));
  }) ?? "none";
}
