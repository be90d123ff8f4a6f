import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A database of SQLite whose statements are prepared once. */
export class Database implements Disposable {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  /** Takes an open database, which it closes. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Applies changes together, or none of them. */
  runInTransaction(change: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.#database.exec("COMMIT");
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  query<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  queryRow<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  *iterateRows<Row>(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    for (const row of this.#database.prepare(sql).iterate(...values)) yield row as Row;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#database.prepare(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}
