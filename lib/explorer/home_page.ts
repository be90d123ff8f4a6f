import type { SolverLeaderboardRow } from "../charts/mod.ts";
import { OrderlensError } from "../errors/mod.ts";
import { type FillTotals, fillTotals, nameDoubtful } from "../market/fill_totals.ts";
import { cell, factsOf, type Section } from "../reports/page/page_content.ts";
import { PageWords, statusCell } from "../reports/page/page_words.ts";
import { keptOne } from "./kept.ts";
import type { Listing } from "./listings.ts";
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
    async () => await fills((await shown.listing()).trades.length, () => true),
    { freshMs },
  );
  return async () => {
    const listing = await shown.listing();
    const { auctions, orders, trades, note } = listing;
    const view = await keptView();
    const overview = source.isLocal && trades.length > 0
      ? await keptOverview().catch(nullIfBusy)
      : null;
    const content = plainContent({
      title: "Orderlens",
      sentence: `What happened in ${source.name}`,
      facts: totalsOf(listing, overview),
      sections: [
        ...overview?.pictures ?? [],
        {
          id: "auctions",
          title: "Newest auctions",
          note: `${note} Auctions: ${auctions.length}, orders: ${orders.length}, ` +
            `fills: ${trades.length}.`,
          table: auctionTable(auctions.slice(0, NEWEST), shown),
        },
        {
          id: "orders",
          title: "Newest orders",
          table: orderTable(orders.slice(0, NEWEST), shown),
        },
      ],
      data: { auctions: auctions.length, orders: orders.length, trades: trades.length },
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

function totalsOf({ auctions, orders, trades }: Listing, overview: Overview | null) {
  const { totals } = overview ?? {};
  const { volume = null, surplus = null, first = null, last = null } = totals ?? {};
  const native = (atoms: string | null) => atoms === null ? null : PageWords.native(BigInt(atoms));
  const doubtful = totals === undefined ? null : nameDoubtful(totals, "fill");
  const sound = (atoms: string | null | undefined) =>
    doubtful === null ? null : native(atoms ?? "0");
  const count = (value: number) => cell(value.toLocaleString("en-US"));
  const statuses = Map.groupBy(orders, ({ status }) => status);
  const time = (value: string | null) =>
    String(value).replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
  return factsOf({
    Auctions: count(auctions.length),
    Orders: {
      ...count(orders.length),
      after: `: ${
        [...statuses].map(([status, { length }]) =>
          `${length.toLocaleString("en-US")} ${statusCell(status).text.toLowerCase()}`
        ).join(", ")
      }`,
    },
    Fills: count(trades.length),
    Solvers: count(new Set(auctions.flatMap(({ solvers }) => solvers)).size),
    Volume: native(volume),
    Surplus: native(surplus),
    ...doubtful !== null && {
      [`Volume without ${doubtful}`]: sound(totals?.sound_volume),
      [`Surplus without ${doubtful}`]: sound(totals?.sound_surplus),
    },
    Filled: first === null ? null : cell(`${time(first)} to ${time(last)}`),
  });
}
