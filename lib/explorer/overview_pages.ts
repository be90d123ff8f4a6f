import { OrderlensError } from "../errors/mod.ts";
import { HAS_SOUND_PRICES } from "../market/fill_totals.ts";
import {
  buildTable,
  type Cell,
  cell,
  numberColumn,
  type Section,
  textColumn,
  toFacts,
} from "../reports/page/page_content.ts";
import { type CellFormatter, toSolverCell } from "../reports/page/cell_formatter.ts";
import { buildTokensSection } from "../reports/page/tokens_section.ts";
import { formatShare, pluralize } from "../units/format.ts";
import { formatPercent, ratio } from "../units/mod.ts";
import { listRowTokens, type PageContext } from "./page_context.ts";
import { createContent, type Reply, toHtmlReply, toJsonReply } from "./reply.ts";
import { renderSitePage, toFailure } from "./site_page.ts";

/** Kinds of replies of these pages. */
type PageFormat = "html" | "json";

/** Rows of one table. */
const MAX_ROWS = 500;

/** Amounts of native atoms over fills, of which some may have none. */
interface Sum {
  /** The sum in native atoms; `null` without any. */
  readonly volume: string | null;
  /** Number of fills. */
  readonly fills: number;
  /** Number of fills with a volume. */
  readonly valued: number;
  /** Number of fills whose native prices disagree. */
  readonly doubtful: number;
}

const SUM_COLUMNS = "count(*) AS fills, count(volume_atoms) AS valued, " +
  `count_if(NOT ${HAS_SOUND_PRICES}) AS doubtful, sum(volume_atoms) AS volume`;

/** The page of all solvers: who won which scores, and settled in time. */
export async function renderSolvers(context: PageContext, format: PageFormat): Promise<Reply> {
  const { words, source } = context;
  const rows = await readRows<{
    solver: string;
    auctions_bid: number;
    auctions_won: number;
    score_won_atoms: string;
    total: string;
    in_time: number;
    late: number;
    absent: number;
    pair_count: number;
  }>(
    context,
    "SELECT solver, auctions_bid, auctions_won, score_won_atoms, in_time, late, absent, " +
      "pair_count, (SELECT sum(score_won_atoms) FROM leaderboard) AS total FROM leaderboard " +
      "ORDER BY score_won_atoms DESC, auctions_won DESC, solver",
  );
  const toShare = (atoms: bigint, total: bigint) =>
    cell(
      total === 0n ? null : formatPercent(ratio(atoms, total), { digits: 1, rounding: "floor" }),
    );
  return showPage(context, format, {
    title: "Solvers",
    sentence: `${count(rows, "solver")} proposed solutions`,
    rows,
    sections: [{
      id: "leaderboard",
      title: "By the score that they won",
      note:
        "The score of a solution is what it offers, in native tokens; shares are rounded down. " +
        "In time are winning solutions settled by the deadline block, of those whose end is known.",
      table: buildTable(rows.list, [
        textColumn("Solver", ({ solver }) => toSolverCell(solver, source.solverName(solver))),
        numberColumn(
          "Auctions won",
          ({ auctions_won, auctions_bid }) => cell(formatShare(auctions_won, auctions_bid)),
        ),
        numberColumn("Score won", (row) => words.formatNative(BigInt(row.score_won_atoms))),
        numberColumn(
          "Of all scores",
          (row) => toShare(BigInt(row.score_won_atoms), BigInt(row.total)),
        ),
        numberColumn(
          "In time",
          (row) => cell(formatShare(row.in_time, row.in_time + row.late + row.absent)),
        ),
        numberColumn("Not settled", ({ absent }) => cell(absent)),
        numberColumn("Pairs bid on", ({ pair_count }) => cell(pair_count)),
      ]),
    }],
  });
}

/** The page of all directed pairs of tokens: their fills, and who bid on them. */
export async function renderPairs(context: PageContext, format: PageFormat): Promise<Reply> {
  const { source } = context;
  const traded = await readRows<Sum & { sell_token: string; buy_token: string; solvers: number }>(
    context,
    `SELECT sell_token, buy_token, count(DISTINCT solver) AS solvers, ${SUM_COLUMNS} FROM fills ` +
      "GROUP BY sell_token, buy_token ORDER BY fills DESC, sell_token, buy_token",
  );
  const bid = await readRows<{
    solver: string;
    sell_token: string;
    buy_token: string;
    bids: number;
    wins: number;
  }>(
    context,
    "SELECT solver, sell_token, buy_token, bids, wins FROM pairs WHERE sell_token IS NOT NULL " +
      "AND buy_token IS NOT NULL ORDER BY bids DESC, solver, sell_token, buy_token",
  );
  const rows = [...traded.list, ...bid.list];
  const words = await context.nameTokensOf(rows);
  const pairColumns = <Row extends { sell_token: string; buy_token: string }>() => [
    textColumn<Row>("Sold", ({ sell_token }) => words.token(sell_token)),
    textColumn<Row>("Bought", ({ buy_token }) => words.token(buy_token)),
  ];
  const tokens = buildTokensSection(listRowTokens(rows), words);
  return showPage(context, format, {
    title: "Pairs",
    sentence: `${count(traded, "directed pair")} had fills`,
    rows: { ...traded, note: traded.note ?? (bid.list.length === 0 ? bid.note : null) },
    sections: [
      {
        id: "fills",
        title: "By fills",
        note: VOLUME_NOTE,
        table: buildTable(traded.list, [
          ...pairColumns<typeof traded.list[number]>(),
          numberColumn("Fills", ({ fills }) => cell(fills.toLocaleString("en-US"))),
          numberColumn("Volume", (row) => formatVolume(row, words)),
          numberColumn("Solvers", ({ solvers }) => cell(solvers)),
        ]),
      },
      ...bid.list.length === 0 ? [] : [{
        id: "bids",
        title: "By the bids of each solver",
        note: bid.note ?? "Solutions of a solver with an order of the pair.",
        table: buildTable(bid.list, [
          textColumn("Solver", ({ solver }) => toSolverCell(solver, source.solverName(solver))),
          ...pairColumns<typeof bid.list[number]>(),
          numberColumn("Bids", ({ bids }) => cell(bids.toLocaleString("en-US"))),
          numberColumn("Won", ({ wins, bids }) => cell(formatShare(wins, bids))),
        ]),
      }],
      ...tokens === null ? [] : [tokens],
    ],
  });
}

/** The page of all tokens: their orders and fills. */
export async function renderTokens(context: PageContext, format: PageFormat): Promise<Reply> {
  const ofBoth = (columns: string, table: string) =>
    `SELECT unnest([lower(sell_token), lower(buy_token)]) AS token${columns} FROM ${table}`;
  const rows = await readRows<Sum & { token: string; orders: number }>(
    context,
    "SELECT coalesce(o.token, f.token) AS token, coalesce(o.orders, 0) AS orders, " +
      "coalesce(f.fills, 0) AS fills, coalesce(f.valued, 0) AS valued, " +
      "coalesce(f.doubtful, 0) AS doubtful, f.volume AS volume FROM " +
      `(SELECT token, count(*) AS orders FROM (${ofBoth("", "orders")}) GROUP BY token) AS o ` +
      `FULL JOIN (SELECT token, ${SUM_COLUMNS} FROM ` +
      `(${ofBoth(", volume_atoms, price_sides", "fills")}) GROUP BY token) AS f ` +
      "ON o.token = f.token ORDER BY fills DESC, orders DESC, token",
  );
  const words = await context.nameTokensOf(rows.list.map(({ token }) => ({ sell_token: token })));
  return showPage(context, format, {
    title: "Tokens",
    sentence: `${count(rows, "token")} had orders or fills`,
    rows,
    sections: [{
      id: "tokens",
      title: "By fills",
      note: `A fill counts for both of its tokens. ${VOLUME_NOTE}`,
      table: buildTable(rows.list, [
        textColumn("Token", ({ token }) => words.token(token)),
        textColumn("Address", ({ token }) => ({ text: token, isCopied: true })),
        numberColumn(
          "Decimals",
          ({ token }) => cell(words.describeToken(token).decimals ?? "unknown"),
        ),
        numberColumn("Orders", ({ orders }) => cell(orders.toLocaleString("en-US"))),
        numberColumn("Fills", ({ fills }) => cell(fills.toLocaleString("en-US"))),
        numberColumn("Volume", (row) => formatVolume(row, words)),
      ]),
    }],
  });
}

const VOLUME_NOTE =
  "Volume is what was sold at the native price of the auction, or what was bought if " +
  "only that has a price. Fills without either are left out, and named beside it, as are those whose " +
  "two prices disagree.";

/** A volume, with the fills that it lacks, and those whose native prices disagree. */
function formatVolume({ volume, fills, valued, doubtful }: Sum, words: CellFormatter): Cell {
  const notes = [
    ...valued < fills ? [`${fills - valued} without a price`] : [],
    ...doubtful > 0 ? [`${doubtful} with doubtful prices`] : [],
  ];
  const amount = words.formatNative(volume === null ? null : BigInt(volume));
  return notes.length === 0 ? amount : { ...amount, after: ` (${notes.join(", ")})` };
}

/** Rows of a query; where it failed or is cut, the note says so. */
interface ReadRows<Row> {
  readonly list: readonly Row[];
  readonly isCut: boolean;
  readonly note: string | null;
}

/** Reads rows of the tables, with the type of its rows, which is not checked. */
async function readRows<Row>(
  { source, listing, sql }: PageContext,
  query: string,
): Promise<ReadRows<Row>> {
  try {
    // Lists of a live source have records of orders and fills alone; those of others have all.
    const rows = source.isFixed
      ? await (await listing()).select<Row>(`${query} LIMIT ${MAX_ROWS + 1}`)
      : await sql.rows<Row>(query, MAX_ROWS);
    const isCut = rows.length > MAX_ROWS;
    return {
      list: rows.slice(0, MAX_ROWS),
      isCut,
      note: isCut ? `These are the first ${MAX_ROWS}; the tables have all.` : null,
    };
  } catch (error) {
    if (!(error instanceof OrderlensError)) throw error;
    return { list: [], isCut: false, note: `${toFailure(error).what}. ${error.remedy}.` };
  }
}

function count({ list, isCut }: ReadRows<unknown>, noun: string): string {
  return `${isCut ? "More than " : ""}${pluralize(list.length, noun)}`;
}

function showPage(
  { source }: PageContext,
  format: PageFormat,
  { title, sentence, rows, sections }: {
    readonly title: string;
    readonly sentence: string;
    readonly rows: ReadRows<unknown>;
    readonly sections: readonly Section[];
  },
): Reply {
  if (format === "json") return toJsonReply({ rows: rows.list, note: rows.note });
  const isEmpty = rows.list.length === 0;
  const content = createContent({
    title,
    sentence: isEmpty ? `No ${title.toLowerCase()} to show` : sentence,
    facts: toFacts({ Note: rows.note === null ? null : cell(rows.note) }),
    sections: sections.filter(({ table }) => table !== undefined && table.rows.length > 0),
    data: rows.list,
  });
  return toHtmlReply(renderSitePage(content, { source, data: `/${title.toLowerCase()}.json` }));
}
