import { accountingWeek } from "../../metrics/mod.ts";
import { ABSURD_TIMES, SUSPECT_TIMES } from "../../metrics/prices/price_sides.ts";
import { pluralize } from "../../units/format.ts";
import { countIds, printRanges } from "../layout/id_ranges.ts";
import { type DatasetDrift, type DatasetManifest, ITEM_STATES } from "../layout/manifest.ts";
import type { TimeSpan } from "../state/citation.ts";
import { findUnknownIds, formatOpenOrders } from "../state/dataset_gaps.ts";

/** Rows of a table that a query selects, and the reason to doubt them. */
export interface RowCheck {
  /** The table. */
  readonly table: string;
  /** Columns that the query names. */
  readonly columns: readonly string[];
  /** Condition in SQL of rows that can be checked, and what the others lack. @default {all rows} */
  readonly known?: readonly [condition: string, lacking: string];
  /** Selects the doubtful rows, in the SQL that polars and DuckDB share. */
  readonly query: string;
  /** Order in SQL of the doubtful rows: the first is the example. */
  readonly order: string;
  /** Formats the number of doubtful rows. */
  readonly count: (count: number) => string;
  /** Effect on results that include them. */
  readonly consequence?: string;
  /** Amount, never negative, whose share in the table is stated. */
  readonly amount?: string;
}

/** Facts that are found in a manifest; a count of 0 finds nothing. */
export interface ManifestFinding {
  readonly count: number;
  readonly text: string;
  readonly example: string;
  readonly consequence: string;
}

/** Facts that checks of manifests read. */
export interface ManifestFacts {
  readonly manifest: DatasetManifest;
  /** Times between which the dataset lies; `null` if unknown. */
  readonly span: TimeSpan | null;
}

/** One check: of rows, or of the manifest, which gives a finding, rows to check, or why it cannot be. */
export interface PlausibilityCheck {
  readonly name: string;
  readonly question: string;
  readonly rows?: RowCheck;
  readonly find?: (facts: ManifestFacts) => ManifestFinding | RowCheck | string;
}

/** A dataset whose first and last auctions are this close to the ends of a week has all of it. */
export const MAX_MISSING_MS = 600_000;

/** A token whose native prices differ by a larger factor may have a wrong one. */
const MAX_PRICE_FACTOR = 1_000;
const MAX_PRICE_TIMES = `${MAX_PRICE_FACTOR.toLocaleString("en-US")} times`;

const FILL_KEY = ["block_number", "log_index"];

/** Checks the verdict of `comparePriceSides`, by its share in an amount. */
function checkPrices(
  table: "fills" | "fees",
  verdict: "absurd" | "suspect",
  amount: string,
): PlausibilityCheck {
  const noun = table.slice(0, -1);
  const [times, limit] = verdict === "absurd"
    ? [ABSURD_TIMES, ""]
    : [SUSPECT_TIMES, `, and at most ${ABSURD_TIMES}`];
  const key = table === "fees" ? [...FILL_KEY, "position"] : FILL_KEY;
  const columns = [...key, "pair", "price_sides", amount];
  return {
    name: `${verdict}_${noun}_prices`,
    question: `Do the native prices of ${table} agree, within ${times}?`,
    rows: {
      table,
      columns,
      known: ["price_sides IS NOT NULL", "native prices of both tokens"],
      query: `SELECT ${columns.join(", ")} FROM ${table} WHERE price_sides = '${verdict}'`,
      order: `CAST(${amount} AS DOUBLE) DESC NULLS LAST, ${key.join(", ")}`,
      count: (count) =>
        `${
          pluralize(count, noun)
        } at ${verdict} native prices: the values sold and bought differ more than ${times}${limit}`,
      amount,
    },
  };
}

/** Counts differences between responses and what the library knows. */
function checkDrift<Name extends keyof DatasetDrift>(
  name: Name,
  [question, text, consequence]: readonly [string, (count: number) => string, string],
  format: (difference: DatasetDrift[Name][number]) => string = ({ kind, path }) =>
    `${kind} ${path}`,
): PlausibilityCheck {
  return {
    name: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    question,
    find({ manifest: { drift } }) {
      const differences: readonly DatasetDrift[Name][number][] = drift[name];
      const [first] = differences;
      return {
        count: differences.length,
        text: text(differences.length),
        example: first === undefined ? "" : `${format(first)}, ${pluralize(first.count, "time")}`,
        consequence,
      };
    },
  };
}

/** Orders that were open when they were requested, by their status. */
const OPEN_ORDERS: RowCheck = {
  table: "orders",
  columns: ["order_uid", "status", "creation_date"],
  query: "SELECT order_uid, status, creation_date FROM orders " +
    "WHERE status IN ('open', 'presignaturePending')",
  order: "creation_date, order_uid",
  count: (count) => `${pluralize(count, "order")} open when requested`,
  consequence: "later fills may be missing: sums of fills may grow",
};

/** Finds weeks of which the dataset has a part. */
function findPartialWeeks({ manifest, span }: ManifestFacts): ManifestFinding | string {
  if (manifest.range === null) return "it has selected orders, not a range of auctions";
  if (span === null) return "no record has a time";
  const [from, to] = [span.from, span.to].map((time) =>
    Temporal.Instant.from(time).epochMilliseconds
  ) as [number, number];
  const partial: string[] = [];
  for (let week = accountingWeek(from); week.startMs <= to; week = accountingWeek(week.endMs)) {
    if (from - week.startMs > MAX_MISSING_MS || week.endMs - to > MAX_MISSING_MS) {
      partial.push(week.firstDay);
    }
  }
  const weeks = pluralize(partial.length, "accounting week");
  return {
    count: partial.length,
    text: `${weeks} of which the dataset has a part`,
    example: `the week from ${partial[0]}: ${span.of} between ${span.from} and ${span.to}`,
    consequence: "rewards and totals are of that part, not of the week",
  };
}

/** Finds auction ids whose record is missing, or may be. */
function findMissingAuctions({ manifest }: ManifestFacts): ManifestFinding | string {
  if (manifest.range === null) return "it has selected orders, not a range of auctions";
  const { ids: { failed, hidden, beforeHistory }, walk } = manifest;
  const states = Object.entries({
    failed,
    hidden,
    beforeHistory,
    "not requested": findUnknownIds(manifest),
  }).filter(([, ranges]) => ranges.length > 0);
  const count = states.reduce((sum, [, ranges]) => sum + countIds(ranges), 0);
  const skippedCount = walk === undefined ? 0 : countIds(findUnknownIds(manifest));
  return {
    count,
    text: `${pluralize(count, "auction id")} without a record, which may be auctions`,
    example: states.map(([state, ranges]) => `${state}: ${printRanges(ranges.slice(0, 1))}`)
      .join(", "),
    consequence: [
      ...count === skippedCount ? [] : ["counts, sums and rates over the range leave them out"],
      ...skippedCount === 0 ? [] : [
        "auctions that settled nothing were not requested: shares and rates over all auctions are " +
        "unknown",
      ],
    ].join("; "),
  };
}

/** Finds orders, fills and other items that could not be read. */
function findMissingItems({ manifest: { items, failures } }: ManifestFacts): ManifestFinding {
  const lacking = Object.entries(items).flatMap(([kind, states]) =>
    kind === "competition" || kind === "settlement" ? [] : ITEM_STATES.flatMap((state) => {
      const count = states[state] ?? 0;
      return state === "present" || count === 0 ? [] : [{ kind, state, count }];
    })
  );
  const count = lacking.reduce((sum, item) => sum + item.count, 0);
  const [first] = lacking;
  const failure = first?.state === "failed"
    ? failures.find(({ kind }) => kind === first.kind)
    : undefined;
  return {
    count,
    text: `${pluralize(count, "other record")} missing: ` +
      lacking.map((item) => `${item.count} of ${item.kind} ${item.state}`).join(", "),
    example: failure === undefined
      ? `${first?.kind} ${first?.state}`
      : `${failure.kind} ${failure.key}: ${failure.reason}`,
    consequence: "what is read or computed from them is null or missing",
  };
}

/** The checks of `checkDataset`, in the order of its results. */
export const CHECKS: readonly PlausibilityCheck[] = [
  checkPrices("fees", "absurd", "fee_native_atoms"),
  checkPrices("fees", "suspect", "fee_native_atoms"),
  checkPrices("fills", "absurd", "volume_atoms"),
  checkPrices("fills", "suspect", "volume_atoms"),
  {
    name: "unpriced_fills",
    question: "Has every fill a native price?",
    rows: {
      table: "fills",
      columns: [...FILL_KEY, "pair", "volume_atoms"],
      query: "SELECT block_number, log_index, pair FROM fills WHERE volume_atoms IS NULL",
      order: FILL_KEY.join(", "),
      count: (count) => `${pluralize(count, "fill")} without a native price`,
      consequence: "sum(volume_atoms) leaves these rows out",
    },
  },
  {
    name: "price_jumps",
    question: `Do the native prices of a token stay within ${MAX_PRICE_TIMES} of each other?`,
    rows: {
      table: "native_prices",
      columns: ["token", "symbol", "native_price"],
      query: "SELECT token, min(symbol) AS symbol, min(CAST(native_price AS DOUBLE)) AS least, " +
        "max(CAST(native_price AS DOUBLE)) AS greatest FROM native_prices GROUP BY token " +
        `HAVING max(CAST(native_price AS DOUBLE)) > ${MAX_PRICE_FACTOR} * ` +
        "min(CAST(native_price AS DOUBLE))",
      order: "greatest / least DESC, token",
      count: (count) =>
        `${pluralize(count, "token")} whose native prices differ more than ${MAX_PRICE_TIMES}`,
      consequence: "some of these prices may be wrong, and values through these tokens with them",
    },
  },
  {
    name: "duplicate_prices",
    question: "Has a token one native price in an auction?",
    rows: {
      table: "native_prices",
      columns: ["auction_id", "token"],
      query: "SELECT auction_id, lower(token) AS token, count(*) AS prices FROM native_prices " +
        "GROUP BY auction_id, lower(token) HAVING count(*) > 1",
      order: "auction_id, token",
      count: (count) => `${pluralize(count, "token")} with several native prices in an auction`,
      consequence: "joins with native_prices count rows several times, and the price is unknown",
    },
  },
  {
    name: "unordered_times",
    question: "Do times of fills follow the order of blocks?",
    rows: {
      table: "fills",
      columns: [...FILL_KEY, "filled_at", "filled_at_ms"],
      known: ["filled_at_ms IS NOT NULL", "the time of its block"],
      query:
        "SELECT block_number, log_index, filled_at, previous_block, previous_ms FROM (SELECT " +
        "block_number, log_index, filled_at, filled_at_ms, " +
        "lag(block_number) OVER (ORDER BY block_number, filled_at_ms) AS previous_block, " +
        "lag(filled_at_ms) OVER (ORDER BY block_number, filled_at_ms) AS previous_ms " +
        "FROM fills WHERE filled_at_ms IS NOT NULL) AS t WHERE filled_at_ms < previous_ms " +
        "OR block_number = previous_block AND filled_at_ms <> previous_ms",
      order: FILL_KEY.join(", "),
      count: (count) =>
        `${
          pluralize(count, "fill")
        } earlier than one of a block before, or not at the time of its block`,
      consequence: "rows sorted by time, and durations, may be wrong",
    },
  },
  {
    name: "fills_before_creation",
    question: "Was every order created before its first fill?",
    rows: {
      table: "lifecycle",
      columns: ["order_uid", "created_at", "created_at_ms"]
        .concat("first_fill_at_ms", "first_fill_time_max", "first_fill_time_max_ms"),
      known: [
        "created_at_ms IS NOT NULL AND coalesce(first_fill_at_ms, first_fill_time_max_ms) IS NOT NULL",
        "times of creation and of a fill",
      ],
      query:
        "SELECT order_uid, created_at, coalesce(first_fill_at_ms, first_fill_time_max_ms) AS " +
        "first_fill_ms FROM lifecycle " +
        "WHERE created_at_ms > coalesce(first_fill_at_ms, first_fill_time_max_ms)",
      order: "created_at, order_uid",
      count: (count) => `${pluralize(count, "order")} created after a fill`,
      consequence: "times to a fill may be wrong",
    },
  },
  {
    name: "unnamed_solvers",
    question: "Has every solver a name?",
    rows: {
      table: "solutions",
      columns: ["solver", "solver_name"],
      known: ["solver IS NOT NULL", "a solver"],
      query: "SELECT solver, count(*) AS solutions FROM solutions " +
        "WHERE solver IS NOT NULL AND solver_name IS NULL GROUP BY solver",
      order: "solutions DESC, solver",
      count: (count) => `${pluralize(count, "solver")} without a name`,
      consequence: "groups by solver_name count them as one",
    },
  },
  {
    name: "unknown_solvers",
    question: "Is the solver of every fill known?",
    rows: {
      table: "fills",
      columns: [...FILL_KEY, "solver", "auction_id", "volume_atoms"],
      query:
        "SELECT block_number, log_index, auction_id, volume_atoms FROM fills WHERE solver IS NULL",
      order: FILL_KEY.join(", "),
      count: (count) => `${pluralize(count, "fill")} without a solver`,
      consequence: "groups by solver count them for none",
      amount: "volume_atoms",
    },
  },
  {
    name: "pending_wins",
    question: "Is it known whether winning solutions settled?",
    rows: {
      table: "outcomes",
      columns: ["auction_id", "ranking", "solver", "outcome"],
      query: "SELECT auction_id, ranking, solver, outcome FROM outcomes " +
        "WHERE outcome IN ('pending', 'unknown')",
      order: "auction_id, ranking",
      count: (count) => `${pluralize(count, "winning solution")} whose outcome is open or unknown`,
      consequence:
        "they may have settled or may settle: counts of in_time, late and absent leave " +
        "them out",
    },
  },
  {
    name: "late_fills",
    question: "Can orders have been filled after they were requested?",
    find: ({ manifest: { openOrders } }) =>
      openOrders === undefined ? OPEN_ORDERS : {
        count: openOrders.count,
        text: formatOpenOrders(openOrders),
        example: Object.entries(openOrders.statuses ?? {})
          .map(([status, count]) => `${status}: ${count}`).join(", ") || "statuses are unknown",
        consequence: "sums of fills may grow: the same export requests these orders again",
      },
  },
  {
    name: "late_auctions",
    question: "Can absent auction ids still get an auction?",
    find({ manifest: { openIds = [] } }) {
      const ids = pluralize(countIds(openIds), "absent auction id");
      return {
        count: countIds(openIds),
        text: `${ids} that may belong to a quote`,
        example: printRanges(openIds.slice(0, 1)),
        consequence: "auctions may be missing: the same export requests these ids again",
      };
    },
  },
  {
    name: "missing_auctions",
    question: "Is the record of every auction here, or known to be absent?",
    find: findMissingAuctions,
  },
  {
    name: "missing_items",
    question: "Are all requested orders, fills and other records here?",
    find: findMissingItems,
  },
  {
    name: "partial_weeks",
    question: "Does the dataset have whole accounting weeks?",
    find: findPartialWeeks,
  },
  checkDrift("missingFields", [
    "Do responses still have every field?",
    (count) => `${pluralize(count, "field")} that responses no longer have`,
    "columns that are read or computed from it are null",
  ], ({ kind, path, since }) => `${kind} ${path}, sent since ${since}`),
  checkDrift("unreadableMembers", [
    "Can every member of app data be read?",
    (count) => `${pluralize(count, "member")} of app data that cannot be read`,
    "columns that are read from it are null in these rows",
  ]),
  checkDrift("unknownFields", [
    "Does this version know every field?",
    (count) => `${pluralize(count, "field")} that this version does not know`,
    "no table has them: what they change is unknown",
  ]),
  checkDrift("unknownValues", [
    "Does this version know every value?",
    (count) => `${pluralize(count, "value")} that this version does not know`,
    "conditions on known values leave these rows out",
  ], ({ kind, path, value }) => `${kind} ${path} ${JSON.stringify(value)}`),
];
