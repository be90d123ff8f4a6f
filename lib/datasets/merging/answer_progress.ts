import type { Exchange } from "../../recordings/exchange.ts";

/** Statuses in which an order stays. */
const ENDED = ["fulfilled", "cancelled", "expired"];

/**
 * How far what an answer tells of has come: of two answers for the same thing, the one that is
 * further is the later. Compared number by number.
 */
export function answerProgress(kind: string, answers: readonly Exchange[]): bigint[] {
  const bodies = answers.filter(({ status }) => status === 200)
    .map(({ responseBody }) => bodyOf(responseBody));
  const [first] = bodies;
  if (first === undefined) return [0n];
  const rows = bodies.flatMap((body) => Array.isArray(body) ? body : [body]);
  return [1n, ...STEPS[kind]?.(rows) ?? []];
}

/** Whether one thing has come further than another; 0 if nothing tells. */
export function compareProgress(one: readonly bigint[], other: readonly bigint[]): number {
  for (let place = 0; place < Math.max(one.length, other.length); place++) {
    const [a, b] = [one[place] ?? -1n, other[place] ?? -1n];
    if (a !== b) return a > b ? 1 : -1;
  }
  return 0;
}

const STEPS: Readonly<Record<string, (rows: readonly unknown[]) => bigint[]>> = {
  competition: settledSolutions,
  transaction: settledSolutions,
  order: ([element]) => {
    const { status, executedSellAmount, executedBuyAmount } = fieldsOf(
      fieldsOf(element).order,
    );
    return [
      BigInt(element === undefined ? 0 : 1),
      wholeOf(executedSellAmount),
      wholeOf(executedBuyAmount),
      BigInt(ENDED.includes(String(status)) ? 1 : 0),
    ];
  },
  trades: (rows) => [BigInt(rows.length), countOf(rows, ({ txHash }) => txHash)],
  account: (rows) => [BigInt(rows.length)],
  report: ([report]) => {
    const { events } = fieldsOf(report);
    return [BigInt(Array.isArray(events) ? events.length : 0)];
  },
};

function settledSolutions([competition]: readonly unknown[]): bigint[] {
  const { solutions } = fieldsOf(competition);
  return [countOf(Array.isArray(solutions) ? solutions : [], ({ txHash }) => txHash)];
}

function countOf(
  rows: readonly unknown[],
  field: (fields: Record<string, unknown>) => unknown,
): bigint {
  return BigInt(rows.filter((row) => typeof field(fieldsOf(row)) === "string").length);
}

function wholeOf(text: unknown): bigint {
  return typeof text === "string" && /^\d+$/.test(text) ? BigInt(text) : 0n;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
