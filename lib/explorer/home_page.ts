import type { SolverLeaderboardRow } from "../charts/mod.ts";
import { OrderlensError } from "../errors/mod.ts";
import { type FillTotals, fillTotals, nameDoubtful } from "../market/fill_totals.ts";
import { cell, factsOf, type Section } from "../reports/page/page_content.ts";
import { PageWords, statusCell } from "../reports/page/page_words.ts";
import { keptOne } from "./kept.ts";
import type { Listing } from "./listing.ts";
import { FailureError, pageReply, plainContent, type Reply } from "./reply.ts";
import { auctionTable, orderTable } from "./row_cells.ts";
import type { Shown } from "./shown.ts";
import { sitePage } from "./site_page.ts";

/** Rows of the lists of the first page. */
const NEWEST = 10;

/** Fills that are drawn over time. */
const MOST_DRAWN = 100_000;

/** Milliseconds for which the pictures of what goes on are kept. */
const FRESH_MS = 15_000;

/** What the first page says of all fills: totals, and pictures. */
interface Overview {
  readonly totals: FillTotals;
  readonly pictures: readonly Section[];
}

/** The first page: totals, pictures, the newest auctions and orders, below the search box. */
export function homePage(shown: Shown): () => Promise<Reply> {
  const { source, fills } = shown;
  const freshMs = source.isFixed ? Infinity : FRESH_MS;
  const keptOverview = keptOne(() => overviewOf(shown), { freshMs });
  const keptView = keptOne(
    async () => await fills((await countAll(await shown.listing())).trades, () => true),
    { freshMs },
  );
  return async () => {
    const listing = await shown.listing();
    const counts = await countAll(listing);
    const { auctions, orders, trades } = counts;
    const newest = { limit: NEWEST };
    const view = await keptView();
    const overview = source.isLocal && trades > 0 ? await keptOverview().catch(nullIfBusy) : null;
    const content = plainContent({
      title: "Orderlens",
      sentence: `What happened in ${source.name}`,
      facts: totalsOf(counts, overview),
      sections: [
        ...overview?.pictures ?? [],
        {
          id: "auctions",
          title: "Newest auctions",
          note: `${listing.note} Auctions: ${auctions}, orders: ${orders}, fills: ${trades}.`,
          table: auctionTable(await listing.rows("auctions", newest), shown),
        },
        {
          id: "orders",
          title: "Newest orders",
          table: orderTable(await listing.rows("orders", newest), shown),
        },
      ],
      data: { auctions, orders, trades },
    });
    return pageReply(sitePage(content, { source, ...view }), { ...view });
  };
}

/** Of a source without these tables there is none. */
async function overviewOf({ sql, source }: Shown): Promise<Overview | null> {
  const nameOf = (solver: string) => source.solverName(solver);
  try {
    const totals = await fillTotals((query) => sql.rows<FillTotals>(query, 1));
    const filled = await sql.rows<{ solver: string | null; volume_native: number | null }>(
      "SELECT filled_at, volume_native, solver FROM fills ORDER BY filled_at_utc DESC",
      MOST_DRAWN,
    );
    const leaders = await sql.rows<SolverLeaderboardRow>("FROM leaderboard", MOST_DRAWN);
    const { solverLeaderboard, timeSeries } = await import("../charts/mod.ts");
    const { pagePicture } = await import("../reports/page/shown_report.ts");
    const volume = filled.map((row) => ({
      ...row,
      solver: row.solver === null ? null : nameOf(row.solver) ?? row.solver,
    }));
    const board = leaders.map((row) => ({ ...row, solver_name: nameOf(row.solver) }));
    return {
      totals,
      pictures: [
        {
          id: "volume",
          title: "Volume over time",
          chart: pagePicture(
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
          chart: pagePicture(
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
function nullIfBusy(error: unknown): null {
  if (error instanceof FailureError) return null;
  throw error;
}

/** How many there are of everything. */
async function countAll(listing: Listing) {
  const { total: orders, facets } = await listing.count("orders");
  const [counts] = await listing.select<Record<"auctions" | "trades" | "solvers", number>>(
    "SELECT (SELECT count(*) FROM auctions) AS auctions, (SELECT count(*) FROM trades) AS trades, " +
      "(SELECT count(DISTINCT solver) FROM solutions) AS solvers",
  );
  return { ...counts!, orders, statuses: facets.filter(({ filter }) => filter === "status") };
}

function totalsOf(
  { auctions, orders, trades, solvers, statuses }: Awaited<ReturnType<typeof countAll>>,
  overview: Overview | null,
) {
  const { totals } = overview ?? {};
  const { volume = null, surplus = null, first = null, last = null } = totals ?? {};
  const native = (atoms: string | null) => atoms === null ? null : PageWords.native(BigInt(atoms));
  const doubtful = totals === undefined ? null : nameDoubtful(totals, "fill");
  const sound = (atoms: string | null | undefined) =>
    doubtful === null ? null : native(atoms ?? "0");
  const count = (value: number) => cell(value.toLocaleString("en-US"));
  const time = (value: string | null) =>
    String(value).replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
  return factsOf({
    Auctions: count(auctions),
    Orders: {
      ...count(orders),
      after: `: ${
        statuses.map(({ value, rows }) =>
          `${rows.toLocaleString("en-US")} ${statusCell(value).text.toLowerCase()}`
        ).join(", ")
      }`,
    },
    Fills: count(trades),
    Solvers: count(solvers),
    Volume: native(volume),
    Surplus: native(surplus),
    ...doubtful !== null && {
      [`Volume without ${doubtful}`]: sound(totals?.sound_volume),
      [`Surplus without ${doubtful}`]: sound(totals?.sound_surplus),
    },
    Filled: first === null ? null : cell(`${time(first)} to ${time(last)}`),
  });
}
