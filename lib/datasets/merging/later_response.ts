import { compareTexts } from "../../recordings/recorded_competitions.ts";
import { type Exchange, tryParseJson } from "../../recordings/request_key.ts";
import { CLOSED_STATUSES } from "../../schemas/order.ts";
import type { ItemResponses } from "../state/segment_lines.ts";

/** Fields of a transaction and its receipt that all nodes return in the same form. */
const SAME_FIELDS = ["result", "hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
  .concat(["logs", "address", "topics", "data", "logIndex"]);

/**
 * Whether a response is later than another for the same item: its record has progressed further. Equal
 * responses are not.
 *
 * @returns `null` if it cannot be determined, or both cannot be right.
 */
export function isLaterResponse(
  { kind, responses }: ItemResponses,
  earlier: readonly Exchange[],
): boolean | null {
  const [now, old] = [parseBodies(responses), parseBodies(earlier)];
  const [text, otherText] = [toText(now), toText(old)];
  if (text === otherText) return false;
  if (kind === "receipt") {
    const [facts, otherFacts] = [now, old].map((bodies) => JSON.stringify(bodies, SAME_FIELDS));
    if (facts!.toLowerCase() !== otherFacts!.toLowerCase()) return null;
    // The one with more fields, or either: two nodes may return the same facts in different forms.
    const countFields = (bodies: Bodies) => JSON.stringify(bodies).split('":').length;
    return (countFields(now) - countFields(old) || compareTexts(text, otherText)) > 0;
  }
  const [progress, otherProgress] = [measureProgress(now), measureProgress(old)];
  const index = progress.findIndex((number, index) => number !== otherProgress[index]);
  return index === -1 ? null : progress[index]! > otherProgress[index]!;
}

/** Responses: status and body of each. */
type Bodies = readonly (readonly [status: number, body: unknown])[];

function parseBodies(responses: readonly Exchange[]): Bodies {
  return responses.map((
    { status, responseBody },
  ) => [status, tryParseJson(responseBody) ?? responseBody]);
}

/**
 * Serializes responses independent of the order of lists: the service does not fix that of an auction's
 * transactions, nor of a solution's orders.
 */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, part) => Array.isArray(part) ? part.map(toText).sort() : part);
}

/** Measures the progress of the records in responses, number by number. */
function measureProgress(bodies: Bodies): (bigint | number)[] {
  const present = bodies.filter(([status]) => status === 200).map(([, body]) => body);
  const rows = present.flat();
  const { order, solutions, events } = Object(rows[0]);
  const { executedSellAmount, executedBuyAmount, status } = Object(order);
  const parseAmount = (text: unknown) => BigInt(/^\d+$/.test(`${text}`) ? `${text}` : 0);
  const filled = [executedSellAmount, executedBuyAmount].map(parseAmount);
  const isClosed = CLOSED_STATUSES.includes(status);
  // The solutions of an auction stay, of which more have settled; fills and events get more.
  const entries: unknown[] = [solutions ?? events ?? rows].flat();
  const elementCount = solutions === undefined ? entries.length : 0;
  const settledCount = entries.filter((entry) => typeof Object(entry).txHash === "string").length;
  return [
    Number(order !== undefined),
    ...filled,
    Number(isClosed),
    present.length,
    elementCount,
    settledCount,
  ];
}
