// deno-lint-ignore-file no-explicit-any -- answers are whatever the service or a node said
import { InputError } from "../../errors/mod.ts";
import { type Exchange, printExchange } from "../../recordings/request_key.ts";
import type { ItemAnswers } from "../state/segment_lines.ts";

/** Statuses in which an order stays. */
const ENDED = ["fulfilled", "cancelled", "expired"];

/**
 * Whether an answer is later than another about the same thing: what it tells of has come further.
 * Answers that say the same are not.
 *
 * @throws {InputError} If nothing tells which is later, or both cannot be right.
 */
export function isLaterAnswer(
  { kind, key, answers }: ItemAnswers,
  before: readonly Exchange[],
  folders: readonly string[],
): boolean {
  const [text, otherText] = [textOf(kind, answers), textOf(kind, before)];
  if (text === otherText) return false;
  const [one, other] = [bodiesOf(answers), bodiesOf(before)];
  const [progress, otherProgress] = [progressOf(kind, one), progressOf(kind, other)];
  const isContrary = kind === "receipt" && settlementOf(one) !== settlementOf(other);
  for (const [place, number] of isContrary ? [] : progress.entries()) {
    if (number !== (otherProgress[place] ?? -1n)) return number > (otherProgress[place] ?? -1n);
  }
  if (!isContrary && progress.length < otherProgress.length) return false;
  // Two nodes may say as much in other words.
  if (!isContrary && kind === "receipt") return text > otherText;
  throw new InputError(`Cannot merge ${folders.join(" with ")}: answers differ`, {
    facts: { "answer for": `${kind} ${kind === "competition" ? Number(key) : key}` },
    remedy: "Resume the exports so that all have the last answer, or leave one of them out",
  });
}

/**
 * What answers say. The service keeps no order of an auction's transactions, nor of the orders of a
 * solution, and two answers of one moment may have another.
 */
function textOf(kind: string, answers: readonly Exchange[]): string {
  if (kind !== "competition") return answers.map(printExchange).join("");
  return JSON.stringify(bodiesOf(answers), (name, value) => {
    if (!Array.isArray(value)) return value;
    if (name === "transactionHashes") return value.toSorted();
    const isOfSolution = name === "orders" && typeof value[0] === "object";
    return isOfSolution ? value.toSorted((a, b) => a.id < b.id ? -1 : 1) : value;
  });
}

function bodiesOf(answers: readonly Exchange[]): (readonly [status: number, body: any])[] {
  return answers.map(({ status, responseBody }) => {
    try {
      return [status, JSON.parse(responseBody)];
    } catch {
      return [status, responseBody];
    }
  });
}

/** How far what answers tell of has come, number by number; nothing for what was not found. */
function progressOf(kind: string, bodies: ReturnType<typeof bodiesOf>): bigint[] {
  const found = bodies.filter(([status]) => status === 200);
  if (found.length === 0) return [];
  const rows: any[] = found.flatMap(([, body]) => body);
  const count = (all: unknown) => BigInt(Array.isArray(all) ? all.length : 0);
  const withHash = (all: any) =>
    count(all?.filter?.((row: any) => typeof row?.txHash === "string"));
  const order = rows[0]?.order;
  const amount = (text: unknown) => /^\d+$/.test(String(text)) ? BigInt(String(text)) : 0n;
  switch (kind) {
    case "competition":
    case "transaction":
      return [1n, withHash(rows[0]?.solutions)];
    case "order":
      return [
        order === undefined ? 0n : 1n,
        amount(order?.executedSellAmount),
        amount(order?.executedBuyAmount),
        ENDED.includes(order?.status) ? 1n : 0n,
      ];
    case "report":
      return [1n, count(rows[0]?.events)];
    case "receipt":
      return [BigInt(JSON.stringify(rows).split('":').length)];
    default:
      return [1n, count(rows), withHash(rows)];
  }
}

/** What a settlement did, whichever node tells. */
function settlementOf(bodies: ReturnType<typeof bodiesOf>): string {
  const results = bodies.map(([, body]) => body?.result);
  const facts = results.map((one) => [
    ...["hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
      .map((name) => one?.[name]),
    one?.logs?.map?.((log: any) => [log?.address, log?.topics, log?.data, log?.logIndex]),
  ]);
  return JSON.stringify(facts).toLowerCase();
}
