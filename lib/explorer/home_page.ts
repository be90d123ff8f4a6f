import type { SolverLeaderboardRow } from "../charts/mod.ts";
import { OrderlensError } from "../errors/mod.ts";
import { type FillTotals, formatOmitted, sumFillTotals } from "../market/fill_totals.ts";
import { cell, type Section, toFacts } from "../reports/page/page_content.ts";
import { toStatusCell } from "../reports/page/cell_formatter.ts";
import { buildTokensSection } from "../reports/page/tokens_section.ts";
import { memoize } from "./cache.ts";
import type { Listing } from "./listing.ts";
import { createContent, FailureError, type Reply, toHtmlReply } from "./reply.ts";
import { buildAuctionTable, buildOrderTable } from "./row_cells.ts";
import { listRowTokens, type PageContext } from "./page_context.ts";
import { renderSitePage } from "./site_page.ts";

/** Rows of the lists of the first page. */
const NEWEST_COUNT = 10;

/** Fills that are drawn over time. */
const MAX_DRAWN = 100_000;

/** Milliseconds for which the pictures of what goes on are kept. */
const FRESH_MS = 15_000;

/** Totals and pictures of all fills on the first page. */
interface Overview {
  readonly totals: FillTotals;
  readonly pictures: readonly Section[];
}

/** The first page: totals, pictures, the newest auctions and orders, below the search box. */
export function createHomePage(context: PageContext): () => Promise<Reply> {
  const { source, fills } = context;
  const freshMs = source.isFixed ? Infinity : FRESH_MS;
  const readCachedOverview = memoize(() => readOverview(context), { freshMs });
  const readCachedView = memoize(
    async () => await fills((await countAll(await context.listing())).trades, () => true, source),
    { freshMs },
  );
  return async () => {
    const listing = await context.listing();
    const counts = await countAll(listing);
    const { auctions, orders, trades } = counts;
    const newest = { limit: NEWEST_COUNT };
    const view = await readCachedView();
    const overview = source.isLocal && trades > 0
      ? await readCachedOverview().catch(ignoreBusy)
      : null;
    const newestOrders = await listing.rows("orders", newest);
    const words = await context.nameTokensOf(newestOrders);
    const tokens = buildTokensSection(listRowTokens(newestOrders), words);
    const content = createContent({
      title: "Orderlens",
      // A site has the title of its dataset, which is a sentence of its own.
      sentence: source.files === null ? `What happened in ${source.name}` : source.name,
      facts: formatTotals(counts, overview, context),
      sections: [
        ...overview?.pictures ?? [],
        {
          id: "auctions",
          title: "Newest auctions",
          note: `${listing.note} Auctions: ${auctions}, orders: ${orders}, fills: ${trades}.`,
          table: buildAuctionTable(await listing.rows("auctions", newest), context),
        },
        {
          id: "orders",
          title: "Newest orders",
          table: buildOrderTable(newestOrders, { ...context, words }),
        },
        ...tokens === null ? [] : [tokens],
      ],
      data: { auctions, orders, trades },
    });
    return toHtmlReply(renderSitePage(content, { source, ...view }), { ...view });
  };
}

/** Of a source without these tables there is none. */
async function readOverview({ sql, source }: PageContext): Promise<Overview | null> {
  const findName = (solver: string) => source.solverName(solver);
  try {
    const totals = await sumFillTotals((query) => sql.rows<FillTotals>(query, 1));
    const filled = await sql.rows<{ solver: string | null; volume_native: number | null }>(
      "SELECT filled_at, volume_native, solver FROM fills ORDER BY filled_at_utc DESC",
      MAX_DRAWN,
    );
    const leaders = await sql.rows<SolverLeaderboardRow>("FROM leaderboard", MAX_DRAWN);
    const { solverLeaderboard, timeSeries } = await import("../charts/mod.ts");
    const { drawPicture } = await import("../reports/page/notebook_report.ts");
    const volume = filled.map((row) => ({
      ...row,
      solver: row.solver === null ? null : findName(row.solver) ?? row.solver,
    }));
    const allCount = totals.fills.toLocaleString("en-US");
    const board = leaders.map((row) => ({ ...row, solver_name: findName(row.solver) }));
    return {
      totals,
      pictures: [
        {
          id: "volume",
          title: "Volume over time",
          ...filled.length < totals.fills && {
            note: `Of the newest ${filled.length.toLocaleString("en-US")} of ${allCount} fills.`,
          },
          chart: drawPicture(
            (width) =>
              timeSeries(volume, {
                x: "filled_at",
                y: "volume_native",
                series: "solver",
                stat: "sum",
                unit: "native",
                limit: 4,
                width,
              }),
            "volume",
          ),
        },
        {
          id: "solvers",
          title: "Who won",
          chart: drawPicture(
            (width) => solverLeaderboard(board, { limit: 12, width }),
            "solvers",
          ),
        },
      ],
    };
  } catch (error) {
    if (error instanceof OrderlensError) return null;
    throw error;
  }
}

/** While too many queries run, the page has no totals. */
function ignoreBusy(error: unknown): null {
  if (error instanceof FailureError) return null;
  throw error;
}

/** Counts auctions, orders, fills and solvers. */
async function countAll(listing: Listing) {
  const { total: orders, facets } = await listing.count("orders");
  const [counts] = await listing.select<Record<"auctions" | "trades" | "solvers", number>>(
    "SELECT (SELECT count(*) FROM auctions) AS auctions, (SELECT count(*) FROM trades) AS trades, " +
      "(SELECT count(DISTINCT solver) FROM solutions) AS solvers",
  );
  return { ...counts!, orders, statuses: facets.filter(({ filter }) => filter === "status") };
}

function formatTotals(
  { auctions, orders, trades, solvers, statuses }: Awaited<ReturnType<typeof countAll>>,
  overview: Overview | null,
  { words }: PageContext,
) {
  const { totals } = overview ?? {};
  const { volume = null, surplus = null, first = null, last = null } = totals ?? {};
  const formatNative = (atoms: string | null) =>
    atoms === null ? null : words.formatNative(BigInt(atoms));
  const doubtful = totals === undefined ? null : formatOmitted(totals, "fill");
  const formatSound = (atoms: string | null | undefined) =>
    doubtful === null ? null : formatNative(atoms ?? "0");
  const formatCount = (value: number) => cell(value.toLocaleString("en-US"));
  const formatTime = (value: string | null) =>
    String(value).replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
  return toFacts({
    Auctions: formatCount(auctions),
    Orders: {
      ...formatCount(orders),
      after: `: ${
        statuses.map(({ value, rows }) =>
          `${rows.toLocaleString("en-US")} ${toStatusCell(value).text.toLowerCase()}`
        ).join(", ")
      }`,
    },
    Fills: formatCount(trades),
    Solvers: formatCount(solvers),
    Volume: formatNative(volume),
    Surplus: formatNative(surplus),
    ...doubtful !== null && {
      [`Volume without ${doubtful}`]: formatSound(totals?.sound_volume),
      [`Surplus without ${doubtful}`]: formatSound(totals?.sound_surplus),
    },
    Filled: first === null ? null : cell(`${formatTime(first)} to ${formatTime(last)}`),
  });
}
