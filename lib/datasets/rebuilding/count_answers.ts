import { routeOf } from "../../recordings/request_key.ts";
import type { DatasetFailure, DatasetManifest, ItemState } from "../layout/manifest.ts";
import { itemsIn } from "../reading/item_answers.ts";

/** What the answers of a file are the answers for, as a manifest counts them. */
export interface AnswerCounts {
  /** Things by kind and state; auctions are in no file of counts, since a manifest has their ids. */
  readonly items: DatasetManifest["items"];
  /** Answers by method, route and status. */
  readonly answers: DatasetManifest["answers"];
}

/**
 * Counts the answers of a file.
 *
 * @param shard Name of the file.
 * @param failures What could not be read, although there is an answer.
 */
export async function countAnswers(
  file: string,
  shard: string,
  failures: readonly DatasetFailure[],
): Promise<AnswerCounts> {
  const failed = new Set(failures.map(({ kind, key }) => `${kind} ${key}`));
  const items = new Counts();
  const routes = new Map<string, number>();
  for await (const { kind, key, answers } of itemsIn(file, shard)) {
    for (const { method, path, status } of answers) {
      const route = `${method} ${routeOf(path)} ${status}`;
      routes.set(route, (routes.get(route) ?? 0) + 1);
    }
    const name = kind === "block" ? String(Number(key.split(" ")[0])) : key;
    const isFound = answers.some(({ status }) => status === 200);
    const state = failed.has(`${kind} ${name}`) ? "failed" : isFound ? "present" : "absent";
    if (kind !== "competition") items.add(kind, state, 1);
  }
  return { items: items.sorted(), answers: Object.fromEntries(routes) };
}

/** The counts of several files together. */
export function sumOfCounts(all: readonly AnswerCounts[]): AnswerCounts {
  const items = new Counts();
  const answers = new Map<string, number>();
  for (const one of all) {
    for (const [kind, states] of Object.entries(one.items)) {
      for (const [state, count] of Object.entries(states)) {
        items.add(kind, state as ItemState, count);
      }
    }
    for (const [route, count] of Object.entries(one.answers)) {
      answers.set(route, (answers.get(route) ?? 0) + count);
    }
  }
  return { items: items.sorted(), answers: Object.fromEntries(sortedByName(answers)) };
}

class Counts {
  readonly #kinds = new Map<string, Map<ItemState, number>>();

  add(kind: string, state: ItemState, count: number): void {
    const states = this.#kinds.get(kind) ?? new Map<ItemState, number>();
    this.#kinds.set(kind, states.set(state, (states.get(state) ?? 0) + count));
  }

  sorted(): Record<string, Partial<Record<ItemState, number>>> {
    return Object.fromEntries(
      sortedByName(this.#kinds)
        .map(([kind, states]) => [kind, Object.fromEntries(sortedByName(states))]),
    );
  }
}

function sortedByName<Value>(counts: ReadonlyMap<string, Value>): [string, Value][] {
  return [...counts].sort(([a], [b]) => a < b ? -1 : 1);
}
