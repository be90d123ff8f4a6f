import type { Exchange } from "../../recordings/request_key.ts";
import { jsonIn } from "../layout/files.ts";
import type { ItemAnswers } from "../state/segment_lines.ts";

/** Statuses in which an order stays. */
const ENDED = ["fulfilled", "cancelled", "expired"];

/** What of a settlement all nodes tell in the same words. */
const SETTLED = ["result", "hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
  .concat(["logs", "address", "topics", "data", "logIndex"]);

/**
 * Whether an answer is later than another about the same thing: what it tells of has come further.
 * Answers that say the same are not.
 *
 * @returns `null` if nothing tells which is later, or both cannot be right.
 */
export function isLaterAnswer(
  { kind, answers }: ItemAnswers,
  before: readonly Exchange[],
): boolean | null {
  const [one, other] = [bodiesOf(answers), bodiesOf(before)];
  const [text, otherText] = [textOf(one), textOf(other)];
  if (text === otherText) return false;
  const settled = (bodies: Bodies) => JSON.stringify(bodies, SETTLED).toLowerCase();
  if (kind === "receipt" && settled(one) !== settled(other)) return null;
  const [progress, otherProgress] = [progressOf(kind, one), progressOf(kind, other)];
  for (const [place, number] of progress.entries()) {
    if (number !== otherProgress[place]) return number > otherProgress[place]!;
  }
  // Two nodes may say as much in other words.
  return kind === "receipt" ? text > otherText : null;
}

/** Answers: whether each was found, and what it says. */
type Bodies = readonly (readonly [status: number, body: unknown])[];

function bodiesOf(answers: readonly Exchange[]): Bodies {
  return answers.map(({ status, responseBody }) => [status, jsonIn(responseBody) ?? responseBody]);
}

/** What answers say; the service keeps no order of an auction's transactions, nor of a solution's orders. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => Array.isArray(part) ? part.map(textOf).sort() : part);
}

/** How far what answers tell of has come, number by number: first, whether it was found. */
function progressOf(kind: string, bodies: Bodies): bigint[] {
  const found = bodies.filter(([status]) => status === 200).map(([, body]) => body);
  const rows = found.flat();
  if (kind === "receipt") return [BigInt(JSON.stringify(rows).split('":').length)];
  const { order, solutions, events } = Object(rows[0]);
  if (kind === "order") {
    const amount = (text: unknown) => /^\d+$/.test(String(text)) ? BigInt(String(text)) : 0n;
    const { executedSellAmount, executedBuyAmount, status } = Object(order);
    const amounts = [executedSellAmount, executedBuyAmount].map(amount);
    return [BigInt(order !== undefined), ...amounts, BigInt(ENDED.includes(status))];
  }
  // Auctions keep their solutions, of which more have settled; of fills and events, more are known.
  const all: unknown[] = [solutions ?? events ?? rows].flat();
  const hashes = all.filter((one) => typeof Object(one).txHash === "string");
  return [found, solutions === undefined ? all : [], hashes].map(({ length }) => BigInt(length));
}
