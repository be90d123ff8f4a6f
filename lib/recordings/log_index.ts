import type { EventLog } from "../evm/mod.ts";

/** A log with the number of its block. */
interface NumberedLog {
  readonly number: number;
  readonly log: EventLog;
}

/** Recorded logs by block and by transaction. */
export class LogIndex {
  readonly #inOrder: readonly NumberedLog[];
  readonly #byTransaction: ReadonlyMap<string, readonly EventLog[]>;

  /** Sorts logs by block; those of one block stay in their order. */
  constructor(logs: readonly EventLog[]) {
    this.#inOrder = logs.map((log) => ({ number: Number(log.blockNumber), log }))
      .sort((a, b) => a.number - b.number);
    this.#byTransaction = Map.groupBy(logs, ({ transactionHash }) => transactionHash.toLowerCase());
  }

  /** The logs of a transaction by its hash, in lower case. */
  ofTransaction(hash: string): readonly EventLog[] {
    return this.#byTransaction.get(hash) ?? [];
  }

  /** The logs from one block to another. */
  *between(first: number, last: number): Generator<NumberedLog> {
    for (let at = this.#countBefore(first); at < this.#inOrder.length; at++) {
      const one = this.#inOrder[at]!;
      if (one.number > last) return;
      yield one;
    }
  }

  #countBefore(block: number): number {
    let low = 0;
    let high = this.#inOrder.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#inOrder[middle]!.number < block) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
