import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { quoted } from "./quoted.ts";

/** Whether a query says in which order its rows are. */
export async function hasOrder(connection: DuckDBConnection, query: string): Promise<boolean> {
  const { statements = [] } = JSON.parse(await syntaxOf(connection, query));
  const modifiers: readonly { readonly type: string }[] = statements[0]?.node.modifiers ?? [];
  return modifiers.some(({ type }) => type === "ORDER_MODIFIER");
}

/** The syntax tree of a query as JSON, as the engine reads it. */
async function syntaxOf(connection: DuckDBConnection, query: string): Promise<string> {
  const parsed = await connection.runAndReadAll(`SELECT json_serialize_sql(${quoted(query)})`);
  return String(parsed.getRows()[0]?.[0]);
}

/** What kind of statement a text is; `null` if it cannot be prepared. */
export async function typeOf(
  connection: DuckDBConnection,
  query: string,
): Promise<string | null> {
  try {
    const statement = await (await connection.extractStatements(query)).prepare(0);
    const { statementType } = statement;
    statement.destroySync();
    return StatementType[statementType];
  } catch {
    return null;
  }
}
