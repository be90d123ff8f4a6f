import type { Exchange } from "../../recordings/request_key.ts";
import { sha256 } from "../layout/durable_files.ts";

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
  // Nodes of different makers answer with different fields about the same transaction.
  receipt: (rows) => [
    numberOf(JSON.stringify(settlementFacts(rows))),
    BigInt(countFields(rows)),
    numberOf(JSON.stringify(rows)),
  ],
  report: ([report]) => {
    const { events } = fieldsOf(report);
    return [BigInt(Array.isArray(events) ? events.length : 0)];
  },
};

/** Number of values of a settlement's progress that both answers must have. */
const SAME_FACTS = 2;

/** Whether two answers for the same thing cannot both be right, however far they have come. */
export function areContrary(
  kind: string,
  one: readonly bigint[],
  other: readonly bigint[],
): boolean {
  const shared = kind === "receipt" ? SAME_FACTS : 0;
  return one.slice(0, shared).some((value, place) => value !== other[place]);
}

/** What a settlement did, whichever node tells. */
function settlementFacts(rows: readonly unknown[]): unknown[] {
  return rows.map((row) => {
    const result = fieldsOf(fieldsOf(row).result);
    const logs = Array.isArray(result.logs) ? result.logs.map(fieldsOf) : [];
    return [
      ...["hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
        .map((name) => lower(result[name])),
      ...logs.map(({ address, topics, data, logIndex }) =>
        [address, topics, data, logIndex].map(lower)
      ),
    ];
  });
}

function lower(value: unknown): string {
  return (JSON.stringify(value) ?? "").toLowerCase();
}

function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countFields(part), 0);
}

function numberOf(text: string): bigint {
  return BigInt(`0x${sha256(text)}`);
}

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
