import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { REWARD_RULES, rewardRules, RULES_OF } from "../catalogue/reward_rules.ts";
import { readViews, type SqlView } from "../catalogue/views.ts";
import { expandCalls, expandMacros } from "../functions/macros.ts";
import { trinoFunctions } from "./trino_functions.ts";
import { DUNE, wideMacros } from "./wide_functions.ts";

/** Engines that views are written for. */
export const DIALECTS = ["duckdb", "spark", "trino", "dune"] as const;

/** An engine that a view is written for. */
export type SqlDialect = typeof DIALECTS[number];

/** Options of {@linkcode viewText}. */
export interface ViewTextOptions {
  /** The network whose documented reward rules count for a deployment without a name. @default {none} */
  readonly rulesOf?: string | undefined;
}

const OPTIONS: OptionRules<ViewTextOptions> = { rulesOf: RULES_OF };

/**
 * A view as one query for an engine, with the views that it reads in front of it: only tables of a
 * dataset are left to be there, by their names, and `raw_auctions` for `auctions`.
 *
 * | dialect | what it needs |
 * | --- | --- |
 * | `duckdb`, `spark` | the functions `u_muldiv`, `u_muldiv_up`, `u_sub`, `u_add`, `u_join` and `u_quotient` on text |
 * | `trino` | Python functions (`python-udf.enabled` of the catalog, or in front of the query, where they are) |
 * | `dune` | nothing: exact in `UINT256`, or an error where a product has more than 76 digits |
 *
 * On Dune ratios and basis points are quotients of the nearest doubles, so that their last digits may
 * differ; every amount is exact.
 *
 * @throws {InputError} If there is no such view, no such dialect, or no such network.
 *
 * @example The leaderboard for Dune
 * ```ts
 * import { viewText } from "orderlens/sql";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(await viewText("leaderboard", "dune"), "AS UINT256");
 * ```
 */
export async function viewText(
  name: string,
  dialect: SqlDialect,
  options: ViewTextOptions = {},
): Promise<string> {
  checkOptions(options, OPTIONS, `Cannot print the view ${name}`);
  const views = await readViews();
  const view = views.find((one) => one.name === name);
  if (view === undefined) {
    throw new InputError(`Cannot print the view ${name}: there is none of this name`, {
      facts: { views: views.map((one) => one.name).join(", ") },
      remedy: "Pass one of them",
    });
  }
  if (!DIALECTS.includes(dialect)) {
    throw new InputError(`Cannot print the view ${name} for ${dialect}`, {
      remedy: `Pass one of ${DIALECTS.join(", ")}`,
    });
  }
  const parts = [...new Set(partsOf(view, views))];
  const query = parts.length === 0 ? view.query : withParts(view, parts, options.rulesOf);
  return `${headOf(view, dialect)}${inDialect(query, dialect)}\n`;
}

/** Views and rules that a view reads, those that others read first. */
function partsOf({ query }: SqlView, views: readonly SqlView[]): (SqlView | null)[] {
  const code = query.replace(/--[^\n]*/g, "").replace(/'[^']*'/g, "''");
  const read = views.filter(({ name }) => new RegExp(`\\b(?:FROM|JOIN) ${name}\\b`).test(code));
  const rules = new RegExp(`\\b(?:FROM|JOIN) ${REWARD_RULES}\\b`).test(code) ? [null] : [];
  return [...rules, ...read.flatMap((one) => [...partsOf(one, views), one])];
}

function withParts(
  { query }: SqlView,
  parts: readonly (SqlView | null)[],
  rulesOf: string | undefined,
): string {
  const tables = parts.map((part) =>
    part === null
      ? `${REWARD_RULES} AS (\n${rewardRules(rulesOf)}\n)`
      : `${part.name} AS (\n${part.query}\n)`
  );
  const start = /^WITH /.test(query) ? ",\n" : "\n";
  return `WITH ${tables.join(",\n")}${start}${query.replace(/^WITH /, "")}`;
}

function headOf({ name, grain, tables, optional, columns }: SqlView, dialect: SqlDialect): string {
  const lines = [
    `${name}: ${grain}`,
    `dialect: ${dialect}`,
    `tables: ${
      [...tables, ...optional].map((one) => one === "auctions" ? "raw_auctions" : one).join(", ")
    }`,
    ...columns.map((one) =>
      `${one.name}: ${one.dtype}${one.unit === null ? "" : `, ${one.unit}`}; ${one.text}`
    ),
  ];
  return lines.map((line) => `-- ${line}\n`).join("");
}

function inDialect(query: string, dialect: SqlDialect): string {
  switch (dialect) {
    case "duckdb":
    case "spark":
      return expandMacros(query);
    case "trino": {
      const functions = trinoFunctions().join(",\n");
      return `WITH ${functions}\n${inTrino(expandMacros(query))}`;
    }
    case "dune":
      return inTrino(expandCalls(query, wideMacros(DUNE)));
  }
}

/** Where Trino reads the shared text otherwise. */
function inTrino(query: string): string {
  return query
    .replace(/\bSTRING\b/g, "VARCHAR")
    .replace(
      /DATE '1970-01-06' \+ CAST\((\([^()]*\) \/ \d+) AS INT\)/g,
      "date_add('day', CAST($1 AS BIGINT), DATE '1970-01-06')",
    );
}
