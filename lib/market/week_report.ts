import {
  type Chart,
  settlementOutcomes,
  type SettlementOutcomesRow,
  slippageBaselines,
  slippageBySolver,
  solverLeaderboard,
  type SolverLeaderboardRow,
  solverRewards,
  type SolverRewardsRow,
} from "../charts/mod.ts";
import type { DoubtfulPrices } from "../charts/texts/price_text.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "../charts/slippage/measured_fills.ts";
import {
  checkDataset,
  type DatasetCheck,
  type DatasetDescription,
  describeDataset,
  openDataset,
} from "../datasets/mod.ts";
import { formatFindings } from "../datasets/reading/check_dataset.ts";
import { formatCowPrice, formatPriceArgument } from "../datasets/state/cow_price_lines.ts";
import { MAX_MISSING_MS } from "../datasets/reading/plausibility_checks.ts";
import { InputError } from "../errors/mod.ts";
import { checkOptions, defineRule } from "../errors/option_rules.ts";
import { ABSURD_TIMES, SUSPECT_TIMES } from "../metrics/prices/price_sides.ts";
import { wilsonInterval } from "../metrics/mod.ts";
import { renderHtmlPage } from "../reports/page/pages.ts";
import {
  buildTable,
  type Cell,
  cell,
  numberColumn,
  type Section,
  textColumn,
  toFacts,
} from "../reports/page/page_content.ts";
import { toAccountCell, toSolverCell } from "../reports/page/cell_formatter.ts";
import { drawPicture } from "../reports/page/notebook_report.ts";
import { records } from "../tables/mod.ts";
import { pluralize } from "../units/format.ts";
import { WEEK_MS } from "../units/instant.ts";
import { formatSpan } from "../units/mod.ts";
import {
  type FillTotals,
  formatOmitted,
  formatRounded,
  HAS_SOUND_PRICES,
  sumFillTotals,
  toAtomsCell,
} from "./fill_totals.ts";
import type { Market } from "./market.ts";
import { MARKET_OPTIONS, type MarketOptions } from "./market_options.ts";
import { openMarket } from "./open_market.ts";
import { buildSlippageSection } from "./week_slippage.ts";

/** Options of {@linkcode weekReport}; `rewardsOf` and `cowPrice` are for unnamed deployments. */
export interface WeekReportOptions extends Pick<MarketOptions, "rewardsOf" | "cowPrice"> {
  /** First day of the accounting week, a Tuesday such as `2026-11-17`. @default {the only one} */
  week?: string | undefined;
}

const ACTION = "Cannot report a week";

/** Maximum size of a page: bytes of all, and of its pictures and tables. */
const PAGE_LIMITS = { bytes: 2_000_000, shown: 1_700_000 };

/**
 * Reports one accounting week of a dataset as one HTML file to publish: winners, earnings of solvers with
 * their bounds, fees by policy, wins that were not settled, slippage against quotes, with a node slippage
 * of settlements, the method, and the citation of the dataset.
 *
 * A reward belongs to the week of its auction's deadline, a solution to that of its auction's start, a
 * fill and a fee to that of the fill. Rows without a known time are left out and counted.
 *
 * @param dataset Folder of a dataset, or the name of one that ships.
 * @returns The file: at most 2 MB, printable, and without anything to load.
 * @throws {InputError} If it is not a dataset, or `week` is not one of its weeks, or is missing where
 *   it has several.
 *
 * @example The dataset that ships
 * ```ts
 * import { weekReport } from "orderlens/market";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const page = await weekReport("market_1");
 *
 * assertStringIncludes(page, "of the week from 2026-11-17");
 * ```
 */
export async function weekReport(
  dataset: string,
  options: WeekReportOptions = {},
): Promise<string> {
  const { rewardsOf, cowPrice } = MARKET_OPTIONS;
  const week = defineRule<string>("a day such as 2026-11-17", isDay);
  checkOptions(options, { week, rewardsOf, cowPrice }, ACTION);
  const { week: day, ...rules } = options;
  const openedDataset = await openDataset(dataset);
  const market = await openMarket(openedDataset, rules);
  const description = await describeDataset(openedDataset.folder);
  const check = await checkDataset(openedDataset.folder);
  const rewards = records<WeekRewards>(await market.rewards());
  const period = findWeek(rewards, day);
  const totals = await sumFillTotals(
    (query) => market.sql<FillTotals>(query),
    period.has("filled_at_ms"),
  );
  const weekRewards = rewards.filter((row) => row.week_start === period.start);
  const tables = new Set(description.tables.map(({ name }) => name));
  const hasAudits = tables.has("settlements") && tables.has("settlement_slippage");
  const sections = [
    ...await buildSolverSections(market, period, weekRewards),
    await buildFeeSection(market, period),
    ...await buildFillSections(market, period),
    ...hasAudits ? [await buildSlippageSection(market, period.start)] : [],
    ...buildMethodSections(description, totals, check),
  ];
  const covered = findCoveredPart(period, description.span);
  const folder = openedDataset.folder.split(/[/\\]/).at(-1)!;
  const { citation, source } = description;
  return renderHtmlPage({
    title: citation.title,
    sentence: `${formatCovered(period, covered)}: ${await formatTotals(market, period, totals)}`,
    tone: "neutral",
    facts: toFacts({
      "network": cell(source.network ?? `chain ${source.chainId}`),
      "accounting week": cell(`${period.day}, Tuesday to Tuesday, UTC`),
      "part in the dataset": covered === null ? null : cell(
        isWholeWeek(period, covered) ? "all" : `${covered.from} to ${covered.to}`,
      ),
      "rewards by the rules of": rules.rewardsOf === undefined ? null : cell(rules.rewardsOf),
      "price of COW": toPriceCell(weekRewards, source.network),
      "auctions in the dataset": description.range === null
        ? null
        : cell(`${description.range.from} to ${description.range.to}`),
      "between": description.span === null
        ? null
        : cell(`${description.span.from} and ${description.span.to}`),
    }),
    sections,
    network: source.network,
    command: `orderlens report week ${folder} ${folder}.html --week ${period.day}` +
      formatOptions(rules),
    data: { ...description, folder, verify: undefined, findings: check.findings },
  }, PAGE_LIMITS);
}

/** The price of COW by which rewards for quotes are computed, and its source. */
function toPriceCell([first]: readonly WeekRewards[], network: string | null): Cell {
  const { cow_price_atoms: nativeAtoms = null, cow_price_source: source } = first ?? {};
  if (nativeAtoms === null) return cell("not passed: rewards for quotes are bounds");
  return cell(formatCowPrice({ nativeAtoms, source: source ?? undefined }, network));
}

/** Formats the options of rewards for the command line. */
function formatOptions({ rewardsOf, cowPrice }: Omit<WeekReportOptions, "week">): string {
  const rules = rewardsOf === undefined ? "" : ` --rewards-of ${rewardsOf}`;
  if (cowPrice === undefined) return rules;
  const price = typeof cowPrice === "object" ? formatPriceArgument(cowPrice) : cowPrice;
  return `${rules} --cow-price ${price}`;
}

function isDay(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
}

/** Columns of `rewards` that the page shows. */
interface WeekRewards extends SolverRewardsRow {
  readonly week_start: string | null;
  readonly gaps: string | null;
  readonly cow_price_atoms: string | null;
  readonly cow_price_source: string | null;
}

/** An accounting week. */
interface Week {
  /** Its first day. */
  readonly day: string;
  readonly start: string;
  /** Formats the SQL condition that a column of unix milliseconds lies in it. */
  readonly has: (column: string) => string;
}

function findWeek(rewards: readonly WeekRewards[], day: string | undefined): Week {
  const starts = [...new Set(rewards.flatMap(({ week_start: start }) => start ?? []))].sort();
  const matches = starts.filter((start) => day === undefined || start.startsWith(day));
  const [start] = matches;
  if (start === undefined || matches.length > 1) {
    throw starts.length === 0
      ? new InputError(`${ACTION}: the dataset has no auction whose time is known`, {
        remedy: "Export it again with the URL of a node",
      })
      : new InputError(
        `${ACTION}${day === undefined ? "" : ` from ${day}`}: the weeks of the dataset begin on ` +
          starts.map((weekStart) => weekStart.slice(0, 10)).join(", "),
        { remedy: "Pass one of these days as the week" },
      );
  }
  const from = Temporal.Instant.from(start).epochMilliseconds;
  return {
    day: start.slice(0, 10),
    start,
    has: (column) => `(${column} >= ${from} AND ${column} < ${from + WEEK_MS})`,
  };
}

/** Finds the part of a week that a dataset covers; `null` where times are unknown. */
function findCoveredPart({ start }: Week, span: DatasetDescription["span"]) {
  if (span === null) return null;
  const first = Temporal.Instant.from(start);
  const end = first.add({ milliseconds: WEEK_MS });
  const [from, to] = [span.from, span.to].map((text) => Temporal.Instant.from(text));
  return {
    from: Temporal.Instant.compare(from!, first) < 0 ? first : from!,
    to: Temporal.Instant.compare(to!, end) > 0 ? end : to!,
  };
}

type CoveredPart = NonNullable<ReturnType<typeof findCoveredPart>>;

function isWholeWeek({ start }: Week, { from, to }: CoveredPart): boolean {
  const missingBefore = from.epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds;
  const missingAfter = WEEK_MS -
    (to.epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds);
  return missingBefore <= MAX_MISSING_MS && missingAfter <= MAX_MISSING_MS;
}

/** Formats the week, or the part of it that the dataset covers. */
function formatCovered(week: Week, covered: CoveredPart | null): string {
  if (covered === null) return `Part of the week from ${week.day}`;
  if (isWholeWeek(week, covered)) return `Week from ${week.day}`;
  const ms = covered.to.epochMilliseconds - covered.from.epochMilliseconds;
  if (ms < 1_000) return `Part of the week from ${week.day}`;
  const unit = ms < 60_000 ? 1_000 : 60_000;
  return `${
    formatSpan(BigInt(Math.round(ms / unit) * unit) * 1_000_000n)
  } of the week from ${week.day}`;
}

/** Formats the totals of the week as one sentence. */
async function formatTotals(market: Market, week: Week, totals: FillTotals): Promise<string> {
  const [auctions] = await market.sql<{ auctions: number; solvers: number }>(
    `SELECT count(DISTINCT auction_id) AS auctions, count(DISTINCT solver) AS solvers
      FROM outcomes WHERE ${week.has("auction_at_ms")}`,
  );
  const { nativeSymbol } = market;
  const { solvers, auctions: auctionCount } = auctions!;
  const { fills, volume, surplus, sound_volume: soundVolume, sound_surplus: soundSurplus } = totals;
  const doubtful = formatOmitted(totals, "fill");
  return `${pluralize(solvers, "solver")}, ${pluralize(auctionCount, "auction")}, ` +
    `${pluralize(fills, "fill")} of ${toAtomsCell(volume ?? "0").text} ${nativeSymbol}, ` +
    `surplus ${toAtomsCell(surplus ?? "0").text} ${nativeSymbol}` +
    (doubtful === null ? "" : `; without ${doubtful}: ` +
      `${toAtomsCell(soundVolume ?? "0").text} ${nativeSymbol}, ` +
      `surplus ${toAtomsCell(soundSurplus ?? "0").text} ${nativeSymbol}`);
}

/** Formats the numbers of fills with absurd, suspect and uncompared native prices. */
function toPricesCell({ fills, absurd, suspect, uncompared }: FillTotals): Cell {
  return cell(
    `${absurd} of ${pluralize(fills, "fill")} are valued at absurd prices, at which the ` +
      `amounts sold and bought differ in value more than ${ABSURD_TIMES}; ${suspect} at suspect ` +
      `ones, at which they differ more than ${SUSPECT_TIMES}; ${uncompared} have a token without a price`,
  );
}

/** One solver in the week. */
interface SolverWeekRow
  extends Omit<SolverLeaderboardRow, keyof SettlementOutcomesRow>, SettlementOutcomesRow {
  readonly score_won_atoms: string | null;
  readonly auctions_bid: number;
  readonly auctions_won: number;
  /** Penalties for wins that were not settled in time; `null` if one is unknown. */
  readonly owed_low: string | null;
  readonly owed_high: string | null;
}

/** Adds the intervals of its rates, and the share of its wins that were settled in time. */
function addRates(row: SolverWeekRow): SolverWeekRow {
  const inTime = row.in_time ?? 0; // null of a solver that won nothing
  const decided = inTime + (row.late ?? 0) + (row.absent ?? 0);
  const won = wilsonInterval(row.auctions_won, row.auctions_bid);
  const inTimeInterval = wilsonInterval(inTime, decided);
  return {
    ...row,
    win_rate_low: won?.low ?? null,
    win_rate_high: won?.high ?? null,
    in_time_rate: decided === 0 ? null : inTime / decided,
    in_time_rate_low: inTimeInterval?.low ?? null,
    in_time_rate_high: inTimeInterval?.high ?? null,
  };
}

const SOLVER = textColumn(
  "solver",
  (row: Pick<SolverLeaderboardRow, "solver" | "solver_name">) =>
    toSolverCell(row.solver, row.solver_name ?? null),
);

async function buildSolverSections(
  market: Market,
  week: Week,
  rewards: readonly WeekRewards[],
): Promise<Section[]> {
  const count = (outcome: string) => `count_if(outcome = '${outcome}')`;
  const rows = await market.sql<SolverWeekRow>(
    `WITH solvers AS (
      SELECT solver, any_value(solver_name) AS solver_name,
        count(DISTINCT auction_id) AS auctions_bid,
        count(DISTINCT auction_id) FILTER (is_winner) AS auctions_won,
        sum(score_atoms) FILTER (is_winner) AS score_won_atoms,
        coalesce(sum(score_native) FILTER (is_winner), 0) AS score_won_native,
        ${count("in_time")} AS in_time, ${count("late")} AS late, ${count("absent")} AS absent,
        ${count("pending")} AS pending, ${count("unknown")} AS unknown
      FROM outcomes WHERE ${week.has("auction_at_ms")} GROUP BY solver),
    failures AS (
      SELECT solver, sum(penalty_low_atoms) AS owed_low, sum(penalty_high_atoms) AS owed_high
      FROM attempts WHERE ${week.has("auction_at_ms")} AND position = 1 GROUP BY solver
      HAVING count(penalty_low_atoms) = count(*))
    SELECT *, auctions_won / auctions_bid AS win_rate,
      score_won_native / sum(score_won_native) OVER () AS score_share
    FROM solvers LEFT JOIN failures USING (solver) ORDER BY auctions_won DESC, solver`,
  );
  const solvers = rows.map((row) => addRates(row));
  const { caption, nativeCaption } = market;
  const undated = await formatUndated(market, "auction", "auction_at_ms");
  return [
    {
      id: "solvers",
      title: "Who won?",
      ...drawSection("won", (size) => solverLeaderboard(solvers, { ...caption, ...size }), undated),
      table: buildTable(solvers, [
        SOLVER,
        numberColumn("auctions bid", (row) => cell(row.auctions_bid)),
        numberColumn("won", (row) => cell(row.auctions_won)),
        numberColumn(
          `score won (${market.nativeSymbol})`,
          (row) => toAtomsCell(row.score_won_atoms),
        ),
      ]),
    },
    {
      id: "rewards",
      title: "What did solvers earn?",
      ...drawSection(
        "earned",
        (size) => solverRewards(rewards, { ...nativeCaption, ...size }),
        " Lower and upper bounds differ where something is missing.",
      ),
      ...rewards.length === 0 && { note: "The dataset has no rewards for this week." },
      table: buildTable(rewards, [
        SOLVER,
        numberColumn(
          `at least (${market.nativeSymbol})`,
          (row) => toBoundCell(row.total_low_native),
        ),
        numberColumn(
          `at most (${market.nativeSymbol})`,
          (row) => toBoundCell(row.total_high_native),
        ),
        textColumn("missing", (row) => cell(row.gaps)),
      ]),
    },
    {
      id: "failures",
      title: "Which wins were not settled?",
      ...drawSection("settled", (size) => settlementOutcomes(solvers, { ...caption, ...size })),
      table: buildTable(solvers, [
        SOLVER,
        numberColumn("in time", (row) => cell(row.in_time)),
        numberColumn("late", (row) => cell(row.late)),
        numberColumn("absent", (row) => cell(row.absent)),
        numberColumn("unknown", (row) => cell((row.unknown ?? 0) + (row.pending ?? 0))),
        numberColumn(`owes at least (${market.nativeSymbol})`, (row) => toAtomsCell(row.owed_low)),
        numberColumn(`at most (${market.nativeSymbol})`, (row) => toAtomsCell(row.owed_high)),
      ]),
    },
  ];
}

/** Draws a chart for wide and narrow pages; the note is its finding and an addition. */
function drawSection(
  id: string,
  draw: (size: { readonly width?: number }) => Chart,
  addition = "",
): Pick<Section, "note" | "chart"> {
  return {
    note: `${draw({}).finding}${addition}`,
    chart: drawPicture((width) => draw({ width }), id),
  };
}

/** Counts the rows of a table without a time, as the last sentence of a note; empty without any. */
async function formatUndated(market: Market, noun: string, time: string): Promise<string> {
  const sql = `SELECT count(*) AS n FROM ${noun}s WHERE ${time} IS NULL`;
  const [row] = await market.sql<{ n: number }>(sql);
  return row!.n === 0 ? "" : ` Left out: ${pluralize(row!.n, noun)} without a known time.`;
}

async function buildFeeSection(market: Market, week: Week): Promise<Section> {
  interface FeeRow {
    readonly policy_kind: string;
    readonly is_partner: boolean | null;
    readonly recipient: string | null;
    readonly app: string | null;
    readonly fees: number;
    readonly atoms: string | null;
    readonly unpriced: number;
  }
  const fees = await market.sql<FeeRow>(
    `SELECT policy_kind, is_partner, recipient, CASE WHEN is_partner THEN app_code END AS app,
        count(*) AS fees, sum(fee_native_atoms) AS atoms, count_if(fee_native_atoms IS NULL) AS unpriced
      FROM fees WHERE ${week.has("filled_at_ms")}
      GROUP BY ALL ORDER BY is_partner, atoms DESC, policy_kind, recipient, app`,
  );
  const [totals] = await market.sql<
    DoubtfulPrices & { readonly atoms: string | null; readonly sound: string | null }
  >(
    `SELECT count_if(price_sides = 'absurd') AS absurd, count_if(price_sides = 'suspect') AS suspect,
        sum(fee_native_atoms) AS atoms, sum(fee_native_atoms) FILTER (${HAS_SOUND_PRICES}) AS sound
      FROM fees WHERE ${week.has("filled_at_ms")}`,
  );
  const doubtful = formatOmitted(totals!, "fee");
  const { nativeSymbol } = market;
  const [totalText, sound] = [totals!.atoms, totals!.sound].map((atoms) =>
    toAtomsCell(atoms ?? "0").text
  );
  const doubtfulNote = doubtful === null
    ? ""
    : ` In total ${totalText} ${nativeSymbol}; without ${doubtful}: ${sound} ${nativeSymbol}.`;
  const undated = await formatUndated(market, "fee", "filled_at_ms");
  return {
    id: "fees",
    title: "What did fee policies charge?",
    note: `Each fee that was charged, at the native price of its auction.${doubtfulNote}${undated}`,
    table: buildTable(fees, [
      textColumn("policy", (row) => cell(row.policy_kind)),
      textColumn(
        "charged by",
        ({ is_partner: isPartner, recipient }) =>
          isPartner ? toPartnerCell(recipient) : cell(isPartner === null ? "unknown" : "protocol"),
      ),
      textColumn("app", (row) => cell(row.app)),
      numberColumn("fees", (row) => cell(row.fees)),
      numberColumn(`charged (${market.nativeSymbol})`, (row) => toAtomsCell(row.atoms)),
      numberColumn("without a price", (row) => cell(row.unpriced)),
    ]),
  };
}

function toPartnerCell(recipient: string | null): Cell {
  return recipient === null ? cell("a partner") : toAccountCell(recipient);
}

async function buildFillSections(market: Market, week: Week): Promise<Section[]> {
  const columns = Object.keys(SLIPPAGE_ROWS.columns).join(", ");
  const fills = await market.sql<SlippageRow>(
    `SELECT ${columns} FROM fills WHERE ${week.has("filled_at_ms")}`,
  );
  const undated = await formatUndated(market, "fill", "filled_at_ms");
  const { caption } = market;
  return [
    {
      id: "slippage",
      title: "How do fills compare with their quotes?",
      ...drawSection("fills", (size) => slippageBaselines(fills, { ...caption, ...size }), undated),
    },
    {
      id: "slippage-by-solver",
      title: "Whose fills are better?",
      ...drawSection("whose", (size) => slippageBySolver(fills, { ...caption, ...size })),
    },
  ];
}

function buildMethodSections(
  { citation, gaps, library }: DatasetDescription,
  totals: FillTotals,
  check: DatasetCheck,
): Section[] {
  return [
    {
      id: "method",
      title: "How are these numbers computed?",
      note: METHOD,
      facts: toFacts({
        "library": cell(`Orderlens ${library}`),
        "native prices": toPricesCell(totals),
        "what is missing": cell(gaps.length === 0 ? "nothing" : gaps.join("; ")),
        "findings of orderlens check": cell(formatFindings(check).join("; ")),
        "check the dataset with": cell("sha256sum -c SHA256SUMS, and orderlens verify"),
      }),
    },
    {
      id: "cite",
      title: "How to cite the dataset",
      note: citation.text,
      facts: toFacts({ "SHA-256 of manifest.json": cell(citation.manifestSha256) }),
      raw: citation.bibtex,
    },
  ];
}

const METHOD =
  "All amounts are summed in atoms, as whole numbers. Scores and reference scores are " +
  "the service's own; a solver's margin is the total score of the winners minus its reference " +
  "score. Rewards are estimated from public data by the documented rules of the network: " +
  "what solvers were paid is not public. Slippage compares what a fill gave with the quote that is " +
  "stored with its order, in basis points of the quote: the gross quote is before any fee, the net " +
  "quote after the network fee, and the quote as shown after volume fees too. A win is settled in " +
  "time if its settlement is in a block up to its deadline.";

function toBoundCell(value: number | null): Cell {
  if (value === null) return cell("unbounded");
  return { text: formatRounded(value), exact: String(value) };
}
