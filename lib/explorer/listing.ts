import type { Market } from "../market/mod.ts";
import {
  type FilterName,
  type Filters,
  type ListName,
  type ListRows,
  LISTS,
  parseTime,
} from "./lists.ts";

/** Tells which addresses a word means, and which the source names itself. */
export interface Names {
  /** Addresses that the source names itself, in lower case. */
  readonly addresses: Readonly<Record<AddressKind, readonly string[]>>;
  /** Whether a token is meant by a word: its address or its symbol. */
  isToken(address: string, word: string): boolean;
  /** Whether a solver is meant by a word: its address or its name. */
  isSolver(address: string, word: string): boolean;
}

/** Kinds of addresses that also have names. */
export type AddressKind = "solver" | "token";

/** Values of the parameters of a query. */
type QueryValues = Readonly<Record<string, string | number>>;

/** The rows of a list to read. */
export interface Selection {
  /** Filters; that of verdicts has UIDs with spaces between. @default {none} */
  readonly filters?: Filters;
  /** A further condition on the row `t`, and its values. @default {none} */
  readonly and?: readonly [condition: string, values: QueryValues];
}

/** Order, limit and offset of the rows. */
interface RowWindow {
  /** The column that they are sorted by, with `-` for the largest first. @default {the newest first} */
  readonly sort?: string;
  /** Number of rows at most. */
  readonly limit: number;
  /** Number of rows before them. @default {0} */
  readonly offset?: number;
}

/** Number of rows of a list with a value of a filter. */
export interface FacetCount {
  readonly filter: FilterName;
  readonly value: string;
  readonly rows: number;
}

/** Values of a filter that are counted, the most frequent ones. */
const MAX_FACET_VALUES = 6;

/** The lists of a source as they are at a time: queries of its market. */
export class Listing {
  /** A sentence about the contents of the lists. */
  readonly note: string;
  readonly #market: Market;
  readonly #names: Names;
  readonly #queries: Set<Promise<unknown>>;
  #addresses: Promise<{ kind: AddressKind; address: string }[]> | null = null;
  #queryCount = 0;
  #isReplaced = false;

  /** @param running Where queries are while they run. */
  constructor(
    { market, note, names, running }: {
      readonly market: Market;
      readonly note: string;
      readonly names: Names;
      readonly running: Set<Promise<unknown>>;
    },
  ) {
    this.note = note;
    this.#market = market;
    this.#names = names;
    this.#queries = running;
  }

  /** Runs a query over the tables, with the type of its rows, which is not checked. */
  async select<Row>(query: string, values: QueryValues = {}): Promise<Row[]> {
    const usedValues = Object.entries(values).filter(([name]) =>
      RegExp(`\\$${name}\\b`).test(query)
    );
    const rows = this.#market.sql<Row>(query, { values: Object.fromEntries(usedValues) });
    this.#queries.add(rows);
    this.#queryCount++;
    try {
      return await rows;
    } finally {
      this.#queries.delete(rows);
      this.#queryCount--;
      await this.#closeIfUnused();
    }
  }

  /** Closes the database after the queries that run. */
  async replace(): Promise<void> {
    this.#isReplaced = true;
    await this.#closeIfUnused();
  }

  async #closeIfUnused(): Promise<void> {
    if (this.#isReplaced && this.#queryCount === 0) await this.#market[Symbol.asyncDispose]();
  }

  /** Rows of a list. */
  async rows<Name extends ListName>(
    name: Name,
    { sort = "", limit, offset = 0, ...selection }: Selection & RowWindow,
  ): Promise<ListRows[Name][]> {
    const { columns, times, key, sortKeys, joins = "" } = LISTS[name];
    const { where: condition, values } = await this.#buildCondition(name, selection);
    const sortName = sort.replace("-", "");
    const column = sortKeys?.[sortName] ?? columns[sortName];
    const order = column === undefined
      ? key
      : `${column} ${sort.startsWith("-") ? "DESC" : "ASC"}, ${key}`;
    const cells = Object.entries({ ...columns, ...times }).map(([name, expression]) =>
      `${expression} AS ${name}`
    );
    return await this.select(
      `WITH t AS (SELECT * FROM ${name} AS t WHERE ${condition} ORDER BY ${order} ` +
        `LIMIT $limit OFFSET $offset) SELECT ${cells.join(", ")} FROM t ${joins} ORDER BY ${order}`,
      { ...values, limit, offset },
    );
  }

  /** Counts the rows of a list, and those for each value of its filters. */
  async count(
    name: ListName,
    selection: Selection = {},
  ): Promise<{ total: number; facets: FacetCount[] }> {
    const facets = Object.entries(LISTS[name].facets);
    const { where: condition, values } = await this.#buildCondition(name, selection);
    const columns = new Set(facets.flatMap(([, values]) => values.match(/\bt\.\w+/g) ?? []));
    const counts = facets.map(([filter, values]) =>
      `(SELECT '${filter}', value, count(*) AS n FROM (${values}) AS f(value) GROUP BY value ` +
      `ORDER BY n DESC, value LIMIT ${MAX_FACET_VALUES})`
    );
    const [sum, ...rows] = await this.select<{ filter: FilterName; value: string; rows: number }>(
      `WITH t AS (SELECT ${[...columns].join(", ")} FROM ${name} AS t WHERE ${condition}) ` +
        `SELECT '' AS filter, '' AS value, count(*) AS rows FROM t UNION ALL ` +
        counts.join(" UNION ALL "),
      values,
    );
    return { total: sum!.rows, facets: rows };
  }

  /** Addresses in the lists, and those that the source names itself. */
  async findAddresses(kind: AddressKind, isMeant: (address: string) => boolean): Promise<string[]> {
    this.#addresses ??= this.select(
      "SELECT 'solver' AS kind, lower(solver) AS address FROM solutions " +
        "UNION SELECT 'token', lower(unnest([sell_token, buy_token])) FROM orders " +
        "UNION SELECT 'token', lower(unnest([sell_token, buy_token])) FROM trades ORDER BY ALL",
    );
    const rows = await this.#addresses.catch((error) => {
      this.#addresses = null;
      throw error;
    });
    const listed = rows.flatMap((row) => row.kind === kind ? row.address : []);
    return [...new Set([...listed, ...this.#names.addresses[kind]])].filter(isMeant);
  }

  async #buildCondition(
    name: ListName,
    { filters = {}, and: [condition, values] = ["true", {}] }: Selection,
  ): Promise<{ where: string; values: QueryValues }> {
    const { token, solver, text, from, to, verdict } = filters;
    const { isSolver, isToken } = this.#names;
    const findJoined = async (kind: AddressKind, word: string | undefined) => {
      if (word === undefined) return "";
      const isMeant = kind === "solver" ? isSolver : isToken;
      return (await this.findAddresses(kind, (address) => isMeant(address, word))).join(" ");
    };
    const conditions = Object.entries(LISTS[name].filters)
      .flatMap(([filter, condition]) =>
        filters[filter as FilterName] === undefined ? [] : condition
      );
    return {
      where: [condition, ...conditions].map((part) => `(${part})`).join(" AND "),
      values: {
        ...values,
        ...Object.fromEntries(
          Object.entries(filters).map(([filter, value]) => [filter, value.toLowerCase()]),
        ),
        token: await findJoined("token", token),
        solver: await findJoined("solver", solver),
        textTokens: await findJoined("token", text),
        textSolvers: await findJoined("solver", text),
        ...from !== undefined && { from: parseTime(from) },
        ...to !== undefined && { to: parseTime(to) },
        ...verdict !== undefined && { verdict },
      },
    };
  }
}
