import { InputError } from "../errors/mod.ts";
import type { Market } from "../market/mod.ts";
import type { SqlRelation, SqlResult, SqlSession } from "../sql/mod.ts";
import type { OpenedSource } from "./explorer_source.ts";
import { requirePlain } from "./plain_query.ts";
import { FailureError } from "./reply.ts";

/** What queries may take: each one, and all of them together. */
export const QUERY_LIMITS = { timeoutMs: 5_000, memoryLimit: "512MB", atOnce: 3 } as const;

/** The tables of a source in SQL: what readers ask, within limits. */
export class SqlQueries {
  readonly #source: OpenedSource;
  readonly #market: () => Promise<Market>;
  readonly #signal: AbortSignal;
  #session: Promise<SqlSession> | null = null;
  #running = 0;

  /** Opens nothing yet. `signal` ends what runs. */
  constructor(source: OpenedSource, market: () => Promise<Market>, signal: AbortSignal) {
    this.#source = source;
    this.#market = market;
    this.#signal = signal;
  }

  /** The tables and views that queries may name. */
  async relations(): Promise<readonly SqlRelation[]> {
    return await this.#using(({ relations }) => Promise.resolve(relations));
  }

  /**
   * Runs a query, and uses its result before it is let go of.
   *
   * @param most Rows that are wanted; the result has one more if there are more.
   * @throws {InputError} If it is not one `SELECT` of these tables, is stopped at a limit, or fails.
   */
  async run<Value>(
    query: string,
    most: number,
    use: (result: SqlResult) => Promise<Value>,
  ): Promise<Value> {
    const { timeoutMs, atOnce } = QUERY_LIMITS;
    if (this.#running >= atOnce) throw new FailureError(BUSY);
    this.#running++;
    try {
      return await this.#using(async (session) => {
        await requirePlain(session, query);
        await session.readTables(query);
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(TOO_LONG), timeoutMs);
        const signal = AbortSignal.any([this.#signal, late.signal]);
        try {
          const result = await session.run(query, { maxRows: most + 1, signal });
          return await use(result).finally(() => result[Symbol.dispose]());
        } finally {
          clearTimeout(timer);
        }
      });
    } finally {
      this.#running--;
    }
  }

  /** Runs a query of the explorer's own, with the type of its rows, which is not checked. */
  async rows<Row>(query: string, most: number): Promise<Row[]> {
    return await this.run(
      query,
      most,
      async (result) => (await Array.fromAsync(result.parts())).flat() as Row[],
    );
  }

  /** What does not change is opened once; what goes on, for each query. */
  async #using<Value>(use: (session: SqlSession) => Promise<Value>): Promise<Value> {
    if (this.#source.isFixed) return await use(await this.#kept());
    const session = await this.#open();
    try {
      return await use(session);
    } finally {
      session[Symbol.dispose]();
    }
  }

  #kept(): Promise<SqlSession> {
    const opening = this.#session ??= this.#open();
    opening.catch(() => this.#session = null);
    return opening;
  }

  /** The database is loaded by the first query. One thread each: pages are served by another. */
  async #open(): Promise<SqlSession> {
    const options = { memoryLimit: QUERY_LIMITS.memoryLimit, threads: 1, usesDisk: false };
    const { dataset } = this.#source;
    if (dataset !== null) {
      const { openSql } = await import("../sql/mod.ts");
      return await openSql(dataset.folder, options);
    }
    const { openFrames } = await import("../sql/open_sql.ts");
    const { sqlTables } = await import("../market/market_tables.ts");
    return await openFrames(sqlTables(await this.#market()), options);
  }
}

const TOO_LONG = new InputError(
  `Cannot run the query: it took longer than ${QUERY_LIMITS.timeoutMs / 1_000} s`,
  { remedy: "Read fewer rows or columns, or run it with `orderlens sql`, which has no limit" },
);

const BUSY = {
  status: 503,
  what: `${QUERY_LIMITS.atOnce} queries are running already`,
  remedy: "Try again in a few seconds",
};
