import { InputError } from "../errors/mod.ts";
import {
  byteLength,
  type Cell,
  cell,
  type CellSubject,
  type Section,
  tableOf,
} from "../reports/page/page_content.ts";
import { html, html as markup, type Markup } from "../reports/page/html_cell.ts";
import type { SqlRelation, SqlResult, SqlRow, SqlValue } from "../sql/mod.ts";
import { formatCsvLine, formatCsvRow } from "../sql/result_text.ts";
import type { ListFormat } from "./list_pages.ts";
import {
  csvReply,
  FailureError,
  jsonReply,
  keptReplies,
  pageReply,
  plainContent,
  type Reply,
} from "./reply.ts";
import {
  chartColumns,
  isNumber,
  type ResultChart,
  resultChart,
  usualAxes,
} from "./explorations.ts";
import type { Shown } from "./shown.ts";
import { sitePage } from "./site_page.ts";
import { QUERY_LIMITS } from "./sql_queries.ts";

/** Rows of a result on a page and in JSON, and in CSV, which also has at most so many bytes. */
const MOST = { page: 1_000, csv: 100_000, csvBytes: 32_000_000 };

/** Bytes of answers that are kept. */
const MOST_KEPT = 4_000_000;

/** Characters of a query. */
const LONGEST = 12_000;

/** What a query asks for in the address of its page. */
interface Asked {
  readonly query: string;
  /** The columns of its chart. @default {by their types} */
  readonly x: string | null;
  readonly y: string | null;
}

/** An answer on a page. */
type Answer = Awaited<ReturnType<typeof answerOf>>;

/** The page on which a source is asked in SQL, with the same as CSV and JSON. */
export function sqlPage(
  shown: Shown,
): (search: URLSearchParams, format: ListFormat) => Promise<Reply> {
  const kept = keptReplies(MOST_KEPT, shown.freshMs);
  return async (search, format) => {
    if (!shown.source.isLocal) throw new FailureError(ELSEWHERE);
    const query = (search.get("q") ?? "").replaceAll("\r\n", "\n").trim();
    if (query.length > LONGEST) throw new FailureError(TOO_LONG);
    const asked = { query, x: search.get("x"), y: search.get("y") };
    const name = `${format} ${JSON.stringify(asked)}`;
    try {
      return await kept.of(name, () => replyOf(shown, asked, format));
    } catch (error) {
      // A query that fails is a page too, with what is wrong.
      if (!(error instanceof InputError) || format !== "html" || query === "") throw error;
      return await pageOf(shown, asked, error);
    }
  };
}

async function replyOf(shown: Shown, asked: Asked, format: ListFormat): Promise<Reply> {
  const { query } = asked;
  const { sql } = shown;
  if (query === "") {
    if (format === "html") return await pageOf(shown, asked, null);
    throw new InputError("Cannot run the query: it is empty", { remedy: "Pass one SELECT as q" });
  }
  if (format === "csv") return await sql.run(query, MOST.csv, csvOf);
  const answer = await sql.run(query, MOST.page, answerOf);
  return format === "html" ? await pageOf(shown, asked, answer) : jsonReply({ query, ...answer });
}

async function pageOf(
  { source, sql }: Shown,
  asked: Asked,
  found: Answer | InputError | null,
): Promise<Reply> {
  const relations = await sql.relations();
  const answer = found instanceof InputError ? null : found;
  const chart = answer === null ? null : await chartOf(asked, answer);
  const { script } = chart ?? {};
  const content = plainContent({
    title: "SQL",
    sentence: found instanceof InputError
      ? "The query failed"
      : answer === null
      ? `Ask ${source.name} in SQL`
      : countText(answer),
    ...found instanceof InputError && { tone: "bad" },
    sections: answer === null ? [] : [
      ...chart?.picture === undefined ? [] : [{
        id: "chart",
        title: "Chart",
        chart: chart.picture,
      }],
      resultSection(answer),
    ],
    data: null,
  });
  const page = sitePage(content, {
    source,
    ...script !== undefined && { script },
    intro: html`${found instanceof InputError ? problem(found) : ""}<div class="sql">${
      queryForm(asked, answer, chart)
    }${tableList(relations)}</div>${chart?.view ?? ""}`,
  });
  return pageReply(page, { status: found instanceof InputError ? 400 : 200, script });
}

const ELSEWHERE = {
  status: 404,
  what: "A deployment elsewhere is not asked in SQL",
  why: "It would have to be asked for every auction",
  remedy: "Export a dataset with `orderlens export`, and serve its folder",
};

const TOO_LONG = {
  status: 414,
  what: `The query is longer than ${LONGEST} characters`,
  remedy: "Shorten it, or run it with `orderlens sql`",
};

async function answerOf(result: SqlResult) {
  const rows = (await Array.fromAsync(result.parts())).flat();
  return {
    columns: result.columns,
    rows: rows.slice(0, MOST.page),
    isCut: rows.length > MOST.page,
  };
}

/** A result as CSV (RFC 4180); its name says where it was cut. */
async function csvOf(result: SqlResult): Promise<Reply> {
  const names = result.columns.map(({ name }) => name);
  const lines = [formatCsvLine(names)];
  let bytes = 0;
  let isCut = false;
  for await (const rows of result.parts()) {
    for (const row of rows) {
      const line = formatCsvRow(names, row);
      bytes += byteLength(line);
      isCut = lines.length > MOST.csv || bytes > MOST.csvBytes;
      if (isCut) break;
      lines.push(line);
    }
    if (isCut) break;
  }
  const name = isCut ? `first_${lines.length - 1}_rows` : "result";
  return csvReply(name, new TextEncoder().encode(lines.join("")));
}

async function chartOf({ x, y }: Asked, { columns, rows }: Answer): Promise<ResultChart | null> {
  const usual = usualAxes(columns, rows);
  if (usual === null || rows.length === 0) return null;
  const names = chartColumns(columns);
  const axes = {
    x: x !== null && names.x.includes(x) ? x : usual.x,
    y: y !== null && names.y.includes(y) ? y : usual.y,
  };
  try {
    return await resultChart(columns, rows, axes);
  } catch (error) {
    // Such as rows without any number.
    if (error instanceof InputError) return null;
    throw error;
  }
}

function countText({ rows, isCut }: Answer): string {
  const count = rows.length.toLocaleString("en-US");
  if (isCut) return `The first ${count} rows; the result has more`;
  return rows.length === 1 ? "1 row" : `${count} rows`;
}

/** Where values of a column lead, by its name. */
const SUBJECTS: Readonly<Record<string, (value: string) => CellSubject>> = {
  order_uid: (uid) => ({ uid }),
  auction_id: (auction) => ({ auction: Number(auction) }),
  tx_hash: (transaction) => ({ transaction }),
  solver: (solver) => ({ solver }),
  owner: (account) => ({ account }),
  sell_token: (token) => ({ token }),
  buy_token: (token) => ({ token }),
};

function resultSection({ columns, rows, isCut }: Answer): Section {
  const cellOf = (name: string, value: SqlValue): Cell => {
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
      note: `The first ${MOST.page} rows are here. The CSV has up to ${
        MOST.csv.toLocaleString("en-US")
      }; add a LIMIT or an aggregate.`,
    },
    table: tableOf(
      rows,
      columns.map((column) => ({
        name: column.name,
        isNumber: isNumber(column),
        of: (row: SqlRow) => cellOf(column.name, row[column.name] ?? null),
      })),
    ),
  };
}

/** What is wrong with a query, with the place in it. */
function problem({ message }: InputError): Markup {
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
  "What became of orders": `SELECT status, why, count(*) AS orders
FROM lifecycle GROUP BY status, why ORDER BY orders DESC`,
};

/** Where a query has its page. */
function linkTo(query: string, ending = ""): string {
  return `/sql${ending}?${new URLSearchParams({ q: query })}`;
}

function queryForm(
  { query }: Asked,
  answer: Answer | null,
  chart: ResultChart | null,
): Markup {
  const { timeoutMs, memoryLimit } = QUERY_LIMITS;
  const axis = (name: "x" | "y") =>
    answer === null || chart === null
      ? ""
      : html`<label>Chart ${name} <select name="${name}">${
        chartColumns(answer.columns)[name].map((column) =>
          column === chart[name]
            ? html`<option selected>${column}</option>`
            : html`<option>${column}</option>`
        )
      }</select></label>`;
  const examples = Object.entries(EXAMPLES).map(([title, text]) =>
    html`<li><a href="${linkTo(text)}">${title}</a></li>`
  );
  return html`
    <form class="query" method="get" action="/sql" aria-label="Query">
    <label for="query">One SELECT over the tables, in DuckDB's SQL</label>
    <textarea id="query" name="q" rows="8" maxlength="${LONGEST}" spellcheck="false"
      autocapitalize="off" autocomplete="off" required>${query}</textarea>
    <button type="submit">Run</button>${axis("x")}${axis("y")}
    ${answer === null ? "" : html`<span><a href="${linkTo(query, ".csv")}" download>CSV</a> <a
      href="${linkTo(query, ".json")}">JSON</a></span>`}
    <p>A query only reads, and ends after ${String(timeoutMs / 1_000)} s or at ${memoryLimit}.
    The address of the page is a link to the query.</p>
    <ul class="examples">${examples}</ul>
    </form>
  `;
}

/** Columns of every table. */
const SOURCE_COLUMNS: readonly string[] = ["network", "environment", "chain_id"];

/** All tables and views with their columns. */
function tableList(relations: readonly SqlRelation[]): Markup {
  const tables = relations.toSorted((a, b) => a.name < b.name ? -1 : 1).map((table) => {
    const { name, grain } = table;
    const link = linkTo(`SELECT * FROM ${name} LIMIT 100`);
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
