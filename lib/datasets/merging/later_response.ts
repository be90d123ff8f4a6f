import { compareTexts } from "../../recordings/recorded_competitions.ts";
import type { Exchange } from "../../recordings/request_key.ts";
import { CLOSED_STATUSES } from "../../schemas/order.ts";
import { parseJson } from "../layout/files.ts";
import type { ItemResponses } from "../state/segment_lines.ts";

/** What of a settlement all nodes tell in the same words. */
const SETTLED_FIELDS = ["result", "hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
  .concat(["logs", "address", "topics", "data", "logIndex"]);

/**
 * Whether an answer is later than another about the same thing: what it tells of has come further.
 * Answers that say the same are not.
 *
 * @returns `null` if nothing tells which is later, or both cannot be right.
 */
export function isLaterResponse(
  { kind, responses: answers }: ItemResponses,
  before: readonly Exchange[],
): boolean | null {
  const [one, other] = [parseBodies(answers), parseBodies(before)];
  const [text, otherText] = [stringify(one), stringify(other)];
  if (text === otherText) return false;
  if (kind === "receipt") {
    const [settled, otherSettled] = [one, other].map((bodies) =>
      JSON.stringify(bodies, SETTLED_FIELDS)
    );
    if (settled!.toLowerCase() !== otherSettled!.toLowerCase()) return null;
    // The one with more fields, or either: two nodes may say as much in other words.
    const fields = (bodies: Bodies) => JSON.stringify(bodies).split('":').length;
    return (fields(one) - fields(other) || compareTexts(text, otherText)) > 0;
  }
  const [progress, otherProgress] = [measureProgress(one), measureProgress(other)];
  const place = progress.findIndex((number, place) => number !== otherProgress[place]);
  return place === -1 ? null : progress[place]! > otherProgress[place]!;
}

/** Answers: whether each was found, and what it says. */
type Bodies = readonly (readonly [status: number, body: unknown])[];

function parseBodies(answers: readonly Exchange[]): Bodies {
  return answers.map((
    { status, responseBody },
  ) => [status, parseJson(responseBody) ?? responseBody]);
}

/** What answers say; the service keeps no order of an auction's transactions, nor of a solution's orders. */
function stringify(value: unknown): string {
  return JSON.stringify(
    value,
    (_, part) => Array.isArray(part) ? part.map(stringify).sort() : part,
  );
}

/** How far what answers tell of has come, number by number. */
function measureProgress(bodies: Bodies): (bigint | number)[] {
  const found = bodies.filter(([status]) => status === 200).map(([, body]) => body);
  const rows = found.flat();
  const { order, solutions, events } = Object(rows[0]);
  const { executedSellAmount, executedBuyAmount, status } = Object(order);
  const amount = (text: unknown) => BigInt(/^\d+$/.test(`${text}`) ? `${text}` : 0);
  const filled = [executedSellAmount, executedBuyAmount].map(amount);
  const isClosed = CLOSED_STATUSES.includes(status);
  // Auctions keep their solutions, of which more have settled; of fills and events, more are known.
  const all: unknown[] = [solutions ?? events ?? rows].flat();
  const known = solutions === undefined ? all.length : 0;
  const settled = all.filter((one) => typeof Object(one).txHash === "string").length;
  return [Number(order !== undefined), ...filled, Number(isClosed), found.length, known, settled];
}
