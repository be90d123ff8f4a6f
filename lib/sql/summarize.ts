import { quoteName, quoteText } from "./sql_result.ts";
import type { EngineColumn } from "./write_result.ts";

/** SUMMARIZE and its table or query. */
const SUMMARIZE = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*SUMMARIZE\s+([^]+)$/i;
/** Start of a query, as opposed to the name of a table. */
const QUERY = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:SELECT|WITH|FROM|VALUES|\()/i;

/** Types with a mean and quantiles; amounts are of the last one. */
const NUMERIC =
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|BIGNUM)$/;
/** Types with quantiles alone. */
const ORDERED = /^(?:DATE|TIME|TIMESTAMP)/;

/** Parses the rows of a SUMMARIZE, as SQL after FROM; `null` of any other query. */
export function parseSummarize(query: string): string | null {
  const [, rows] = SUMMARIZE.exec(query) ?? [];
  if (rows === undefined) return null;
  // An error shows its place in the text, which keeps its lines.
  const padded = query.slice(0, -rows.length).replaceAll(/[^\n]/g, " ") + rows;
  return QUERY.test(rows) ? `(\n${padded}\n)` : `\n${padded}`;
}

/**
 * Builds the query of an exact SUMMARIZE: the engine's own estimates distinct counts and quartiles.
 *
 * @param rows The rows, from {@linkcode parseSummarize}.
 */
export function buildSummary(rows: string, columns: readonly EngineColumn[]): string {
  const summaries = columns.map(({ name, type }) => {
    const column = quoteName(name);
    const isNumeric = NUMERIC.test(type);
    // Quartiles of amounts and of times are some of them; those of numbers may lie between two.
    const isDiscrete = type === "BIGNUM" || ORDERED.test(type);
    const quantile = isDiscrete ? "quantile_disc" : "quantile_cont";
    const quartiles = `${quantile}(${column}, [0.25, 0.5, 0.75])`;
    const formatQuartile = (index: number) =>
      isNumeric || isDiscrete ? `CAST(${quartiles}[${index}] AS VARCHAR)` : NO_TEXT;
    // The mean of amounts is a double: the one nearest to their text.
    const number = type === "BIGNUM" ? `CAST(CAST(${column} AS VARCHAR) AS DOUBLE)` : column;
    const formatNumeric = (sql: string) => isNumeric ? `CAST(${sql} AS VARCHAR)` : NO_TEXT;
    const parts = {
      column_name: quoteText(name),
      column_type: quoteText(type),
      min: `CAST(min(${column}) AS VARCHAR)`,
      max: `CAST(max(${column}) AS VARCHAR)`,
      distinct_count: `count(DISTINCT ${column})`,
      avg: formatNumeric(`avg(${number})`),
      std: formatNumeric(`stddev_samp(${number})`),
      q25: formatQuartile(1),
      q50: formatQuartile(2),
      q75: formatQuartile(3),
      count: "count(*)",
      null_percentage: `CAST(CASE WHEN count(*) > 0
        THEN 100 * (count(*) - count(${column})) / count(*) ELSE 0 END AS DECIMAL(9, 2))`,
    };
    return `{${Object.entries(parts).map(([part, sql]) => `'${part}': ${sql}`).join(", ")}}`;
  });
  return `SELECT unnest(summaries, recursive := true)
    FROM (SELECT [${summaries.join(", ")}] AS summaries FROM ${rows})`;
}

const NO_TEXT = "CAST(NULL AS VARCHAR)";
