import type { Column, Table } from "orderlens/tables";

const INTRODUCTION = `# Tables

Every table of \`orderlens/tables\` with its columns, generated from the declarations in this folder
by \`deno run -A tools/tables/write_dictionary.ts\`.

- Amounts are decimal text in atoms, with a minus sign if negative: every digit survives a round
  trip through Parquet, CSV and NDJSON. Cast them in polars only if the digits fit.
- \`sumAtoms\` and \`sumAtomsBy\` add amounts exactly, all or by group; an unknown amount is an error
  there, never 0. Sort by the \`Float64\` column beside an amount: text sorts \`"10"\` before \`"9"\`.
- **polars divides whole numbers by truncating them** (\`div\`, \`divideBy\`), and sums of amounts
  that were cast to \`Int64\` wrap: divide with \`divideColumns\`, add with \`sumAtoms\`.
- Readers guess types. Read CSV with \`{ schema: toPolarsSchema(ORDERS) }\`, or amounts lose digits;
  read NDJSON with \`inferSchemaLength\` set to its number of rows, or a column that starts empty is
  rejected.
- Every amount ends in \`_atoms\` and has a \`Float64\` column named with its unit: \`_tokens\`
  (whole tokens), \`_native\` (native tokens), \`_usd\` (US dollars), \`_bps\` (basis points). It is the
  nearest double: for axes, not for sums.
- Whole tokens are \`null\` if a token's decimals are unknown. \`data/tokens.json\` and
  \`data/token_lists.json\` list some; the options \`decimals\` and \`network\` add more, and
  \`onUnknownTokens\` receives the missing ones once. Tokens that share a symbol have it with their
  shortened address.
- US dollars are by the median native price of dollar tokens in the auction itself; \`usd_reason\` says
  why a fill has none, and the option \`dollarTokens\` names other tokens.
- A column of a solver is followed by its name (\`solver\`, \`solver_name\`): from the option \`solvers\`,
  otherwise from \`data/solvers.json\` for the \`network\`. Names are labels: group by the address,
  since several accounts can have one name.
- Times are RFC 3339 text in UTC with the digits of the response, and \`_ms\` in unix milliseconds,
  which polars cuts to windows: \`pl.col("filled_at_ms").cast(pl.Datetime("ms")).dt.truncate("5m")\`.
  Texts do not sort as the times: \`…59Z\` comes after \`…59.500Z\`.
- When an auction began (\`auction_at\`) and a fill happened (\`filled_at\`) is in no record of the API:
  pass what \`auctionTimes\` returns as the option \`times\`. \`time_basis\` says how a time is known:
  \`block\`, the timestamp of its block; \`event\`, when the service indexed the fill, a little later;
  \`bracketed\`, an interval from \`…_time_min\` to \`…_time_max\`, of which \`…_at\` is the lower end.
- \`null\` means "unknown" or "does not apply", never zero.
`;

const HEADINGS = ["column", "dtype", "unit", "source"];

function formatCells({ name, dtype, unit, source }: Column<never>): string[] {
  return [`\`${name}\``, dtype, unit ?? "", source].map((text) => text.replaceAll("|", "\\|"));
}

function layOut(rows: readonly string[][]): string[] {
  const formatLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [formatLine(HEADINGS), formatLine(HEADINGS.map(() => "---")), ...rows.map(formatLine)];
}

function formatSection({ name, grain, columns }: Table): string {
  return [`## ${name}`, "", `**${grain}.**`, "", ...layOut(columns.map(formatCells)), ""].join(
    "\n",
  );
}

/** Describes tables as a data dictionary in unformatted Markdown. */
export function describeTables(tables: readonly Table[]): string {
  return [INTRODUCTION, ...tables.map(formatSection)].join("\n");
}
