import { InputError } from "../errors/mod.ts";
import type { Market } from "../market/mod.ts";
import type { SqlResult, SqlSession } from "../sql/mod.ts";
import type { OpenedSource } from "./explorer_source.ts";
import { memoize } from "./cache.ts";
import { requirePlain } from "./plain_query.ts";
import { FailureError } from "./reply.ts";

/** Limits of each query, and of all of them together. */
export const QUERY_LIMITS: QueryLimits = { timeoutMs: 5_000, memoryLimit: "512MB", atOnce: 3 };

/** Limits of queries. */
export interface QueryLimits {
  /** Milliseconds of each. */
  readonly timeoutMs: number;
  /** Memory of each, as DuckDB reads it. */
  readonly memoryLimit: string;
  /** Number of queries at once. */
  readonly atOnce: number;
}

/** The tables of a source in SQL: what readers ask, within limits. */
export type SqlQueries = ReturnType<typeof createSqlQueries>;

/** Asks the tables of a source. Opens nothing yet. */
export function createSqlQueries(
  { isFixed, dataset }: OpenedSource,
  market: () => Promise<Market>,
  { ending, limits = QUERY_LIMITS }: {
    /** Ends what runs. */
    readonly ending: AbortSignal;
    readonly limits?: QueryLimits | undefined;
  },
) {
  let runningCount = 0;

  /** The database is loaded by the first query. One thread each: pages are served by another. */
  const open = async (): Promise<SqlSession> => {
    const options = { memoryLimit: limits.memoryLimit, threads: 1, usesDisk: false };
    if (dataset !== null) {
      const { openSql } = await import("../sql/mod.ts");
      return await openSql(dataset.folder, options);
    }
    const { openFrames } = await import("../sql/open_sql.ts");
    const { createSqlTables } = await import("../market/market_tables.ts");
    return await openFrames(createSqlTables(await market()), options);
  };

  const openOnce = memoize(open);

  /** Opens a fixed source once, and a live one for each query. */
  const useSession = async <Value>(
    use: (session: SqlSession) => Promise<Value>,
  ): Promise<Value> => {
    if (isFixed) return await use(await openOnce());
    using session = await open();
    return await use(session);
  };

  /**
   * Runs a query, and uses its result before it is let go of.
   *
   * @param most Rows that are wanted; the result has one more if there are more.
   * @throws {InputError} If it is not one `SELECT` of these tables, is stopped at a limit, or fails.
   */
  const run = async <Value>(
    query: string,
    maxRows: number,
    use: (result: SqlResult) => Promise<Value>,
  ): Promise<Value> => {
    const { timeoutMs, atOnce } = limits;
    if (runningCount >= atOnce) throw new FailureError(createBusy(atOnce));
    runningCount++;
    try {
      return await useSession(async (session) => {
        await requirePlain(session, query);
        await session.readTables(query);
        const deadline = new AbortController();
        const timer = setTimeout(() => deadline.abort(createTimeout(timeoutMs)), timeoutMs);
        const signal = AbortSignal.any([ending, deadline.signal]);
        try {
          using result = await session.run(query, { maxRows: maxRows + 1, signal });
          return await use(result);
        } finally {
          clearTimeout(timer);
        }
      });
    } finally {
      runningCount--;
    }
  };

  return {
    run,
    /** The tables and views that queries may name. */
    relations: () => useSession(({ relations }) => Promise.resolve(relations)),
    /** Runs a query of the explorer's own, with the type of its rows, which is not checked. */
    rows: <Row>(query: string, maxRows: number) =>
      run(
        query,
        maxRows,
        async (result) => (await Array.fromAsync(result.parts())).flat() as Row[],
      ),
  };
}

function createTimeout(timeoutMs: number): InputError {
  return new InputError(`Cannot run the query: it took longer than ${timeoutMs / 1_000} s`, {
    remedy: "Read fewer rows or columns, or run it with `orderlens sql`, which has no limit",
  });
}

function createBusy(atOnce: number) {
  return {
    status: 503,
    what: `${atOnce} queries are running already`,
    remedy: "Try again in a few seconds",
  };
}
