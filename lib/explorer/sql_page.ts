import { InputError } from "../errors/mod.ts";
import {
  buildTable,
  type Cell,
  cell,
  type CellSubject,
  countBytes,
  type Section,
} from "../reports/page/page_content.ts";
import { html, html as markup, type Markup } from "../reports/page/html_cell.ts";
import type { SqlRelation, SqlResult, SqlRow, SqlValue } from "../sql/mod.ts";
import { formatCsvLine, formatCsvRow } from "../sql/result_text.ts";
import type { ListFormat } from "./list_pages.ts";
import {
  createContent,
  createReplyCache,
  FailureError,
  type Reply,
  toCsvReply,
  toHtmlReply,
  toJsonReply,
} from "./reply.ts";
import {
  chooseAxes,
  drawResult,
  isNumber,
  listChartColumns,
  type ResultChart,
} from "./explorations.ts";
import type { PageContext } from "./page_context.ts";
import { renderSitePage } from "./site_page.ts";
import { QUERY_LIMITS } from "./sql_queries.ts";

/** Rows of a result on a page and in JSON, and in CSV, which also has at most so many bytes. */
const MAX = { page: 1_000, csv: 100_000, csvBytes: 32_000_000 };

/** Bytes of answers that are kept. */
const MAX_CACHED_BYTES = 4_000_000;

/** Characters of a query. */
const MAX_QUERY_LENGTH = 12_000;

/** Parameters of the SQL page in its address. */
interface SqlRequest {
  readonly query: string;
  /** The columns of its chart. @default {by their types} */
  readonly x: string | null;
  readonly y: string | null;
}

/** An answer on a page. */
type PageResult = Awaited<ReturnType<typeof readResult>>;

/** The page on which a source is asked in SQL, with the same as CSV and JSON. */
export function createSqlPage(
  context: PageContext,
): (search: URLSearchParams, format: ListFormat) => Promise<Reply> {
  const cache = createReplyCache(MAX_CACHED_BYTES, context.freshMs);
  return async (search, format) => {
    if (!context.source.isLocal) throw new FailureError(ELSEWHERE);
    const query = (search.get("q") ?? "").replaceAll("\r\n", "\n").trim();
    if (query.length > MAX_QUERY_LENGTH) throw new FailureError(TOO_LONG);
    const request = { query, x: search.get("x"), y: search.get("y") };
    const name = `${format} ${JSON.stringify(request)}`;
    try {
      return await cache.get(name, () => runRequest(context, request, format));
    } catch (error) {
      // A query that fails is a page too, with what is wrong.
      if (!(error instanceof InputError) || format !== "html" || query === "") throw error;
      return await renderPage(context, request, error);
    }
  };
}

async function runRequest(
  context: PageContext,
  request: SqlRequest,
  format: ListFormat,
): Promise<Reply> {
  const { query } = request;
  const { sql } = context;
  if (query === "") {
    if (format === "html") return await renderPage(context, request, null);
    throw new InputError("Cannot run the query: it is empty", { remedy: "Pass one SELECT as q" });
  }
  if (format === "csv") return await sql.run(query, MAX.csv, toCsv);
  const result = await sql.run(query, MAX.page, readResult);
  return format === "html"
    ? await renderPage(context, request, result)
    : toJsonReply({ query, ...result });
}

async function renderPage(
  { source, sql }: PageContext,
  request: SqlRequest,
  outcome: PageResult | InputError | null,
): Promise<Reply> {
  const relations = await sql.relations();
  const result = outcome instanceof InputError ? null : outcome;
  const chart = result === null ? null : await drawChart(request, result);
  const { script } = chart ?? {};
  const content = createContent({
    title: "SQL",
    sentence: outcome instanceof InputError
      ? "The query failed"
      : result === null
      ? `Query ${source.name} in SQL`
      : countRows(result),
    ...outcome instanceof InputError && { tone: "bad" },
    sections: result === null ? [] : [
      ...chart?.picture === undefined ? [] : [{
        id: "chart",
        title: "Chart",
        chart: chart.picture,
      }],
      buildResultSection(result),
    ],
    data: null,
  });
  const page = renderSitePage(content, {
    source,
    ...script !== undefined && { script },
    intro: html`${outcome instanceof InputError ? renderError(outcome) : ""}<div class="sql">${
      renderForm(request, result, chart)
    }${renderTables(relations)}</div>${chart?.view ?? ""}`,
  });
  return toHtmlReply(page, { status: outcome instanceof InputError ? 400 : 200, script });
}

const ELSEWHERE = {
  status: 404,
  what: "SQL is not available for a remote deployment",
  why: "It would need a request for every auction",
  remedy: "Export a dataset with `orderlens export`, and serve its folder",
};

const TOO_LONG = {
  status: 414,
  what: `The query is longer than ${MAX_QUERY_LENGTH} characters`,
  remedy: "Shorten it, or run it with `orderlens sql`",
};

async function readResult(result: SqlResult) {
  const rows = (await Array.fromAsync(result.parts())).flat();
  return {
    columns: result.columns,
    rows: rows.slice(0, MAX.page),
    isCut: rows.length > MAX.page,
  };
}

/** A result as CSV (RFC 4180); its name says where it was cut. */
async function toCsv(result: SqlResult): Promise<Reply> {
  const names = result.columns.map(({ name }) => name);
  const lines = [formatCsvLine(names)];
  let bytes = 0;
  let isCut = false;
  for await (const rows of result.parts()) {
    for (const row of rows) {
      const line = formatCsvRow(names, row);
      bytes += countBytes(line);
      isCut = lines.length > MAX.csv || bytes > MAX.csvBytes;
      if (isCut) break;
      lines.push(line);
    }
    if (isCut) break;
  }
  const name = isCut ? `first_${lines.length - 1}_rows` : "result";
  return toCsvReply(name, new TextEncoder().encode(lines.join("")));
}

async function drawChart(
  { x, y }: SqlRequest,
  { columns, rows }: PageResult,
): Promise<ResultChart | null> {
  const usual = chooseAxes(columns, rows);
  if (usual === null || rows.length === 0) return null;
  const names = listChartColumns(columns);
  const axes = {
    x: x !== null && names.x.includes(x) ? x : usual.x,
    y: y !== null && names.y.includes(y) ? y : usual.y,
  };
  try {
    return await drawResult(columns, rows, axes);
  } catch (error) {
    // Such as rows without any number.
    if (error instanceof InputError) return null;
    throw error;
  }
}

function countRows({ rows, isCut }: PageResult): string {
  const count = rows.length.toLocaleString("en-US");
  if (isCut) return `The first ${count} rows; the result has more`;
  return rows.length === 1 ? "1 row" : `${count} rows`;
}

/** Subjects that values of a column link to, by column name. */
const SUBJECTS: Readonly<Record<string, (value: string) => CellSubject>> = {
  order_uid: (uid) => ({ uid }),
  auction_id: (auction) => ({ auction: Number(auction) }),
  tx_hash: (transaction) => ({ transaction }),
  solver: (solver) => ({ solver }),
  owner: (account) => ({ account }),
  sell_token: (token) => ({ token }),
  buy_token: (token) => ({ token }),
};

function buildResultSection({ columns, rows, isCut }: PageResult): Section {
  const createCell = (name: string, value: SqlValue): Cell => {
    if (value === null) return { text: "null" };
    const text = String(value);
    const subject = Object.hasOwn(SUBJECTS, name) && /^(?:0x[0-9a-f]+|\d+)$/i.test(text)
      ? SUBJECTS[name]!(text)
      : undefined;
    return { ...cell(text), subject };
  };
  return {
    id: "result",
    title: "Result",
    ...isCut && {
      note: `The first ${MAX.page} rows are here. The CSV has up to ${
        MAX.csv.toLocaleString("en-US")
      }; add a LIMIT or an aggregate.`,
    },
    table: buildTable(
      rows,
      columns.map((column) => ({
        name: column.name,
        isNumber: isNumber(column),
        toCell: (row: SqlRow) => createCell(column.name, row[column.name] ?? null),
      })),
    ),
  };
}

/** Renders the error of a query, with its position. */
function renderError({ message }: InputError): Markup {
  return html`<pre class="problem" role="alert">${message}</pre>`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  "Who won, and how often": `SELECT coalesce(solver_name, solver) AS solver_name, auctions_won,
  auctions_bid, score_won_native
FROM leaderboard ORDER BY auctions_won DESC`,
  "Slippage by pair": `SELECT pair, median(slippage_net_bps) AS slippage_net_bps, count(*) AS fills
FROM fills GROUP BY pair ORDER BY fills DESC LIMIT 20`,
  "Volume over time": `SELECT filled_at, volume_native, pair, order_uid
FROM fills ORDER BY filled_at_utc`,
  "Fees by policy, to the atom": `SELECT policy_kind, sum(fee_native_atoms) AS fee_native_atoms,
  count(*) AS fees
FROM fees GROUP BY policy_kind ORDER BY fees DESC`,
  "How orders ended": `SELECT status, why, count(*) AS orders
FROM lifecycle GROUP BY status, why ORDER BY orders DESC`,
};

/** Returns the path of the page of a query. */
function linkToQuery(query: string, ending = ""): string {
  return `/sql${ending}?${new URLSearchParams({ q: query })}`;
}

function renderForm(
  { query }: SqlRequest,
  result: PageResult | null,
  chart: ResultChart | null,
): Markup {
  const { timeoutMs, memoryLimit } = QUERY_LIMITS;
  const renderAxis = (name: "x" | "y") =>
    result === null || chart === null
      ? ""
      : html`<label>Chart ${name} <select name="${name}">${
        listChartColumns(result.columns)[name].map((column) =>
          column === chart[name]
            ? html`<option selected>${column}</option>`
            : html`<option>${column}</option>`
        )
      }</select></label>`;
  const examples = Object.entries(EXAMPLES).map(([title, text]) =>
    html`<li><a href="${linkToQuery(text)}">${title}</a></li>`
  );
  return html`
    <form class="query" method="get" action="/sql" aria-label="Query">
    <label for="query">One SELECT over the tables, in DuckDB's SQL</label>
    <textarea id="query" name="q" rows="8" maxlength="${MAX_QUERY_LENGTH}" spellcheck="false"
      autocapitalize="off" autocomplete="off" required>${query}</textarea>
    <button type="submit">Run</button>${renderAxis("x")}${renderAxis("y")}
    ${result === null ? "" : html`<span><a href="${linkToQuery(query, ".csv")}" download>CSV</a> <a
      href="${linkToQuery(query, ".json")}">JSON</a></span>`}
    <p>A query only reads, and ends after ${String(timeoutMs / 1_000)} s or at ${memoryLimit}.
    The address of the page is a link to the query.</p>
    <ul class="examples">${examples}</ul>
    </form>
  `;
}

/** Columns of every table. */
const SOURCE_COLUMNS: readonly string[] = ["network", "environment", "chain_id"];

/** All tables and views with their columns. */
function renderTables(relations: readonly SqlRelation[]): Markup {
  const tables = relations.toSorted((a, b) => a.name < b.name ? -1 : 1).map((table) => {
    const { name, grain } = table;
    const link = linkToQuery(`SELECT * FROM ${name} LIMIT 100`);
    const columns = table.columns.filter(({ name }) => !SOURCE_COLUMNS.includes(name))
      .map(({ name, unit, text }) =>
        markup`<dt>${name}</dt><dd>${unit === null ? text : `${unit}: ${text}`}</dd>`
      );
    return markup`<details><summary>${name}</summary><p>${grain}. <a href="${link}">First rows</a></p><dl>${columns}</dl></details>
`;
  });
  return markup`<aside aria-label="Tables and columns" tabindex="0">${tables}<p>All also have ${
    SOURCE_COLUMNS.join(", ")
  }.</p></aside>`;
}
