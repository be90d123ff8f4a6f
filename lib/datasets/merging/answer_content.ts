import { sha256 } from "../layout/file_hash.ts";
import { type ItemAnswers, printAnswers } from "../state/item_answers.ts";

/**
 * SHA-256 of what answers say: the same for two answers about an auction that differ in the order of
 * its transactions, and of orders in its solutions, alone. The service keeps no order of either, and
 * two answers of one moment may have another.
 */
export function answerContent(item: ItemAnswers): string {
  const { kind, answers } = item;
  if (kind !== "competition") return sha256(printAnswers(item));
  return sha256(
    JSON.stringify(answers.map(({ status, responseBody }) => [status, sortedBody(responseBody)])),
  );
}

function sortedBody(text: string): unknown {
  try {
    const { transactionHashes, solutions, ...others } = JSON.parse(text);
    return {
      ...others,
      transactionHashes: transactionHashes.toSorted(),
      solutions: solutions.map(({ orders, ...solution }: { orders: { id: string }[] }) => ({
        ...solution,
        orders: orders.toSorted((a, b) => a.id < b.id ? -1 : 1),
      })),
    };
  } catch {
    // Not a competition: it is what it says, character for character.
    return text;
  }
}
