import type { SettlementAnswers } from "../shards/settlement_audits.ts";

/** How a node answers about a settlement today, where it is not as it is kept. */
export interface AnswerChange {
  /** Whether it is in another block, or something else differs. */
  readonly what: "reorganized" | "different";
  /** What differs, with both values. */
  readonly detail: string;
}

const LONGEST_VALUE_CHARS = 80;
/** Of a value whose beginning is left out, what is shown in front of the difference. */
const SHOWN_BEFORE_CHARS = 16;

/**
 * How the answers of a node differ from the kept ones, in fields that both have: nodes of other
 * makers have fields of their own.
 *
 * @returns `null` if nothing differs.
 */
export function answerChange(
  kept: SettlementAnswers,
  now: SettlementAnswers,
): AnswerChange | null {
  const found = [
    ...differences("transaction", kept.transaction, now.transaction),
    ...differences("receipt", kept.receipt, now.receipt),
  ];
  const [first] = found;
  if (first === undefined) return null;
  const moved = found.find(({ path }) => /\.block(?:Number|Hash)$/.test(path));
  const { path, before, after } = moved ?? first;
  const more = found.length > 1 ? `, and ${found.length - 1} more` : "";
  return {
    what: moved === undefined ? "different" : "reorganized",
    detail: `${path} was ${before} and is ${after}${more}`,
  };
}

interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function* differences(path: string, before: unknown, after: unknown): Generator<Difference> {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) {
      yield { path: `${path}.length`, before: `${before.length}`, after: `${after.length}` };
      return;
    }
    for (const [place, one] of before.entries()) {
      yield* differences(`${path}[${place}]`, one, after[place]);
    }
  } else if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(after, name)) {
        yield* differences(`${path}.${name}`, before[name], after[name]);
      }
    }
  } else if (!isSame(before, after)) {
    const [one, two] = [before, after].map((value) => JSON.stringify(value) ?? "nothing") as [
      string,
      string,
    ];
    const start = startOf(one, two);
    yield { path, before: textOf(one, start), after: textOf(two, start) };
  }
}

/** Letter case of hex, and leading zeros of a quantity, are a matter of the node. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== "string" || typeof after !== "string") return false;
  const [one, two] = [before, after].map((text) => text.toLowerCase());
  if (one === two) return true;
  const areQuantities = [one, two].every((text) => /^0x[0-9a-f]{1,64}$/.test(text ?? ""));
  return areQuantities && BigInt(one!) === BigInt(two!);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where to begin, so that long values show what differs. */
function startOf(one: string, two: string): number {
  let same = 0;
  while (same < one.length && one[same] === two[same]) same++;
  return same < LONGEST_VALUE_CHARS / 2 ? 0 : same - SHOWN_BEFORE_CHARS;
}

function textOf(text: string, start: number): string {
  const end = start + LONGEST_VALUE_CHARS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
