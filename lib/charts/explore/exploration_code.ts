import type { ExploredColumn } from "./explored_data.ts";
import {
  selectY,
  type View,
  type ViewColumn,
  type ViewRange,
  writePattern,
} from "./exploration_view.ts";

/** A condition that a row in view meets, of a column of the frame. */
export type ViewCondition =
  /** It has a value in a range, whose ends may be open; and none that is not drawn. */
  | { readonly kind: "range"; readonly column: ExploredColumn; readonly range: ViewRange }
  /** It has a text; the empty one stands for null. */
  | { readonly kind: "text"; readonly column: ExploredColumn; readonly text: string }
  /** It has none of some texts, the empty one standing for null. */
  | { readonly kind: "rest"; readonly column: ExploredColumn; readonly texts: readonly string[] }
  /** One of some columns contains a pattern. */
  | {
    readonly kind: "search";
    readonly columns: readonly ExploredColumn[];
    readonly pattern: string;
  };

/** Lists the conditions that select the rows in view among all rows of the frame. */
export function listConditions(view: View): ViewCondition[] {
  const { choice, filters, searched, x } = view;
  const conditions: ViewCondition[] = [];
  for (const [index, { column }] of filters.entries()) {
    const code = choice.codes[index]!;
    if (code === null || column.cells.kind !== "texts") continue;
    const { texts } = column.cells;
    const isRest = column.isMerged && code === texts.length - 1;
    conditions.push(
      isRest
        ? { kind: "rest", column, texts: texts.slice(0, -1) }
        : { kind: "text", column, text: texts[code]! },
    );
  }
  const addRange = ({ column }: ViewColumn, range: ViewRange) => {
    if (range !== null || column.hasNull || column.hasOdd) {
      conditions.push({ kind: "range", column, range });
    }
  };
  addRange(x, choice.x);
  addRange(selectY(view).y, choice.yRange);
  if (choice.search !== "") {
    const pattern = `(?i)${writePattern(choice.search)}`;
    conditions.push({ kind: "search", columns: searched.map(({ column }) => column), pattern });
  }
  return conditions;
}

/** The ends of a range, without open ones where the frame has numbers beyond them. */
export function closeEnds({ hasOdd }: ExploredColumn, range: ViewRange): [number, number] {
  const [low, high] = range ?? [-Infinity, Infinity];
  return hasOdd ? [Math.max(low, -1e100), Math.min(high, 1e100)] : [low, high];
}

/** Formats a line of TypeScript that selects rows of a frame with polars. */
export function formatPolars(frame: string, conditions: readonly ViewCondition[]): string {
  const filters = conditions.map((condition) => `.filter(${formatExpression(condition)})`);
  return `import pl from "nodejs-polars"; ${frame}${filters.join("")}`;
}

/** Formats a condition as an expression of polars. */
export function formatExpression(condition: ViewCondition): string {
  const name = ({ key }: ExploredColumn) => `pl.col(${quoteScript(key)})`;
  if (condition.kind === "search") {
    const pattern = quoteScript(condition.pattern);
    return condition.columns.map((column) => `${name(column)}.str.contains(pl.lit(${pattern}))`)
      .map((part) => condition.columns.length > 1 ? `${part}.fillNull(false)` : part)
      .reduce((all, part) => `${all}.or(${part})`);
  }
  const { column } = condition;
  if (condition.kind === "range") {
    const [low, high] = closeEnds(column, condition.range);
    const format = (end: number) =>
      column.isTime && Math.abs(end) < 8e15
        ? `Date.parse("${new Date(end).toISOString()}")`
        : String(end);
    const ends = [
      ...(low === -Infinity ? [] : [`gtEq(${format(low)})`]),
      ...(high === Infinity ? [] : [`ltEq(${format(high)})`]),
    ];
    if (ends.length === 0) return `${name(column)}.isNotNull()`;
    return ends.map((end) => `${name(column)}.${end}`)
      .reduce((all, part) => `${all}.and(${part})`);
  }
  const format = (text: string) =>
    column.type === "number" || column.type === "boolean"
      ? text
      : column.type === "bigint"
      ? `${text}n`
      : column.type === "time"
      ? `new Date("${text}")`
      : quoteScript(text);
  if (condition.kind === "text") {
    if (condition.text !== "") return `${name(column)}.eq(pl.lit(${format(condition.text)}))`;
    return column.hasEmpty
      ? `${name(column)}.fillNull("").eq(pl.lit(""))`
      : `${name(column)}.isNull()`;
  }
  const isNullListed = condition.texts.includes("");
  const texts = condition.texts.filter((text) => text !== "" || column.hasEmpty).map(format);
  return `${name(column)}.isIn([${texts.join(", ")}]).fillNull(${isNullListed}).not()`;
}

/** Formats a query that selects rows of a table in SQL. */
export function formatSql(
  table: string,
  conditions: readonly ViewCondition[],
  always: readonly string[],
): string {
  const texts = [...always.map((name) => `"${name}"`), ...conditions.map(formatCondition)];
  return `SELECT * FROM ${table}${texts.length === 0 ? "" : ` WHERE ${texts.join(" AND ")}`}`;
}

/** Formats a condition in SQL. Numbers have an exponent: without, they would be decimals. */
export function formatCondition(condition: ViewCondition): string {
  // Amounts are text in frames and numbers in SQL.
  const name = ({ key, type }: ExploredColumn) => {
    const quoted = `"${key.replaceAll('"', '""')}"`;
    return type === "text" && key.endsWith("_atoms") ? `CAST(${quoted} AS VARCHAR)` : quoted;
  };
  if (condition.kind === "search") {
    const pattern = quoteSql(condition.pattern);
    const parts = condition.columns.map((column) => `regexp_matches(${name(column)}, ${pattern})`);
    return parts.length > 1 ? `(${parts.join(" OR ")})` : parts.join("");
  }
  const { column } = condition;
  if (condition.kind === "range") {
    const [low, high] = closeEnds(column, condition.range);
    const format = (end: number) =>
      column.isTime && Math.abs(end) < 8e15
        ? `epoch_ms(TIMESTAMP '${new Date(end).toISOString().slice(0, -1).replace("T", " ")}')`
        : end.toExponential();
    if (low === -Infinity && high === Infinity) return `${name(column)} IS NOT NULL`;
    if (low === -Infinity) return `${name(column)} <= ${format(high)}`;
    if (high === Infinity) return `${name(column)} >= ${format(low)}`;
    return `${name(column)} BETWEEN ${format(low)} AND ${format(high)}`;
  }
  const format = (text: string) => {
    if (column.type === "boolean" || column.type === "bigint") return text;
    if (column.type === "time") return `TIMESTAMPTZ '${text}'`;
    if (column.type === "text") return quoteSql(text);
    return Number.isFinite(Number(text))
      ? Number(text).toExponential()
      : `CAST('${text}' AS DOUBLE)`;
  };
  if (condition.kind === "text") {
    if (condition.text !== "") return `${name(column)} = ${format(condition.text)}`;
    return column.hasEmpty ? `coalesce(${name(column)}, '') = ''` : `${name(column)} IS NULL`;
  }
  const isNullListed = condition.texts.includes("");
  const texts = condition.texts.filter((text) => text !== "" || column.hasEmpty).map(format);
  return `NOT coalesce(${name(column)} IN (${texts.join(", ")}), ${isNullListed})`;
}

/** Whether a character is not seen, or turns the line. */
export function isUnseen(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character);
}

/** Quotes a text for TypeScript, with characters escaped that are not seen or turn the line. */
export function quoteScript(text: string): string {
  const escapeCharacter = (character: string) =>
    isUnseen(character) ? `\\u{${character.codePointAt(0)!.toString(16)}}` : character;
  return Array.from(JSON.stringify(text), escapeCharacter).join("");
}

/** Quotes a text for SQL, with characters by their numbers that are not seen or turn the line. */
export function quoteSql(text: string): string {
  const parts = [""];
  for (const character of text) {
    if (isUnseen(character)) parts.push(`chr(${character.codePointAt(0)})`, "");
    else parts[parts.length - 1] += character;
  }
  const quotedParts = parts
    .map((part, index) => index % 2 === 1 ? part : `'${part.replaceAll("'", "''")}'`)
    .filter((part, index) => index % 2 === 1 || part !== "''");
  if (quotedParts.length === 0) return "''";
  return quotedParts.length === 1 ? quotedParts[0]! : `(${quotedParts.join(" || ")})`;
}
