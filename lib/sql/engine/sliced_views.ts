import type { DuckDBConnection } from "@duckdb/node-api";
import { namesIn } from "./query_facts.ts";
import { asPattern, quoted } from "./quoted.ts";
import { type SlicedQuery, sliceOf } from "../catalogue/sliced_query.ts";

/** A view whose joins are made in slices. */
export interface SlicedView extends SlicedQuery {
  /** Its name. */
  readonly name: string;
  /** The tables that are read in slices. */
  readonly tables: readonly string[];
  /** Number of slices. */
  readonly slices: number;
}

/** What slices are made with. */
export interface SlicingParts {
  /** The folder for the rows of all slices. */
  readonly folder: string;
  /** The views. */
  readonly views: readonly SlicedView[];
  /** A new connection. */
  readonly connect: () => Promise<DuckDBConnection>;
  /** Runs a statement that the signal interrupts. */
  readonly execute: (
    connection: DuckDBConnection,
    sql: string,
    signal: AbortSignal | undefined,
  ) => Promise<unknown>;
}

/** Rows of a slice that are written together. */
const ROWS_AT_ONCE = 20_480;

/**
 * Views over datasets that are large beside the memory of the database. DuckDB holds the tables of
 * all joins of a query at once, and fails where their parts do not fit: here the joins of some orders
 * after those of others go to the disk when a query first names the view, once for the session.
 */
export class SlicedViews {
  readonly #parts: SlicingParts;
  readonly #made = new Map<string, Promise<void>>();
  #done = 0;
  #of = 0;

  constructor(parts: SlicingParts) {
    this.#parts = parts;
  }

  /** Slices that are made, of those that are asked for; `null` if there is nothing to do. */
  get progress(): { readonly done: number; readonly of: number } | null {
    return this.#done === this.#of ? null : { done: this.#done, of: this.#of };
  }

  /** Makes the slices of the views that a query names, unless they are there. */
  async prepare(
    connection: DuckDBConnection,
    query: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const names = new Set(await namesIn(connection, query));
    for (const view of this.#parts.views.filter(({ name }) => names.has(name))) {
      // Those that another query makes may fail with it, and are then made again for this one.
      for (let isMade = false; !isMade;) {
        const making = this.#made.get(view.name);
        if (making === undefined) await this.#makeOnce(view, signal);
        else isMade = await making.then(() => true, () => false);
      }
    }
  }

  async #makeOnce(view: SlicedView, signal: AbortSignal | undefined): Promise<void> {
    const making = this.#make(view, signal);
    this.#made.set(view.name, making);
    try {
      await making;
    } catch (error) {
      this.#made.delete(view.name);
      throw error;
    }
  }

  async #make(view: SlicedView, signal: AbortSignal | undefined): Promise<void> {
    const { folder, connect, execute } = this.#parts;
    const files = Array.from(
      { length: view.slices },
      (_, slice) => `${folder}/${view.name}_${slice}.parquet`,
    );
    const connection = await connect();
    this.#of += view.slices;
    const before = this.#done;
    try {
      for (const [slice, file] of files.entries()) {
        for (const table of view.tables) {
          const rows = sliceOf(table, slice, view.slices);
          await connection.run(`CREATE OR REPLACE TEMP VIEW ${table} AS ${rows}`);
        }
        await execute(
          connection,
          `COPY (${view.step}) TO ${quoted(file)} (FORMAT parquet, ROW_GROUP_SIZE ${ROWS_AT_ONCE})`,
          signal,
        );
        this.#done++;
      }
      const patterns = files.map((file) => quoted(asPattern(file))).join(", ");
      const query = view.rest(`read_parquet([${patterns}])`);
      await connection.run(`CREATE OR REPLACE VIEW ${view.name} AS ${query}`);
    } catch (error) {
      this.#of -= view.slices;
      this.#done = before;
      throw error;
    } finally {
      connection.closeSync();
    }
  }
}
