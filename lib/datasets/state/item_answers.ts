import { exchangesIn } from "../../recordings/read_recording.ts";
import { type Exchange, printExchange } from "../../recordings/exchange.ts";
import { ITEM_KINDS } from "./items.ts";
import { answeredItem } from "../shards/answered_item.ts";
import type { AnsweredItem } from "../shards/answered_item.ts";

/** The answers for one thing. */
export interface ItemAnswers extends AnsweredItem {
  /** The exchanges, in their order. */
  readonly answers: readonly Exchange[];
}

/** The answers of a file, as {@linkcode itemsOf} has them. */
export function itemsIn(
  file: string,
  shard: string,
): AsyncGenerator<ItemAnswers, void, undefined> {
  return itemsOf(exchangesIn(file), shard);
}

/** Answers together for each thing: they stand next to each other. */
export async function* itemsOf(
  exchanges: AsyncIterable<Exchange>,
  shard: string,
): AsyncGenerator<ItemAnswers, void, undefined> {
  let open: { kind: string; key: string; answers: Exchange[] } | undefined;
  for await (const found of exchanges) {
    const { kind, key } = answeredItem(found, shard);
    // Where its row stands is decided anew.
    const exchange = kind === "block" ? { ...found, path: "/rpc" } : found;
    if (open?.kind === kind && open.key === key) {
      open.answers.push(exchange);
      continue;
    }
    if (open !== undefined) yield open;
    open = { kind, key, answers: [exchange] };
  }
  if (open !== undefined) yield open;
}

/** Answers as their file has them. */
export function printAnswers({ answers }: ItemAnswers): string {
  return answers.map(printExchange).join("");
}

/** Things of several files in the order that a file has them in. */
export async function* inOrder(
  files: readonly AsyncGenerator<ItemAnswers, void, undefined>[],
): AsyncGenerator<ItemAnswers, void, undefined> {
  const heads = await Promise.all(files.map((file) => file.next()));
  while (true) {
    let least: { place: number; item: ItemAnswers } | undefined;
    for (const [place, head] of heads.entries()) {
      if (head.done === true) continue;
      if (least === undefined || isBefore(head.value, least.item)) {
        least = { place, item: head.value };
      }
    }
    if (least === undefined) return;
    yield least.item;
    heads[least.place] = await files[least.place]!.next();
  }
}

function isBefore(one: AnsweredItem, other: AnsweredItem): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a === b ? one.key < other.key : a < b;
}

function placeOf({ kind }: AnsweredItem): number {
  const place = (ITEM_KINDS as readonly string[]).indexOf(kind);
  return place === -1 ? ITEM_KINDS.length : place;
}
