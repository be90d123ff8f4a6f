import { type Explorer, explorer, type ExplorerOptions } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";

/** The recording of most tests. */
export const RECORDING = await replay("market_1");

/** The explorer of most tests. */
export const EXPLORER: Explorer = explorer(RECORDING);

/** Asks an explorer for a path of its own host; `heading` is the text of the first heading. */
export async function ask(
  path: string,
  { from = EXPLORER, ...init }: RequestInit & { from?: Explorer } = {},
) {
  const response = await from.fetch(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  const { status, headers } = response;
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? "";
  return { status, headers, text, heading: heading.replaceAll(/\s+/g, " ").trim() };
}

/** What tests read of JSON answers. */
export interface JsonBody {
  readonly schema: string;
  readonly uid: string;
  readonly name: string;
  readonly total: number;
  readonly rows: readonly {
    readonly uid: string;
    readonly auctionId: number;
    readonly solutions: number;
  }[];
  readonly ids: { readonly present: { readonly count: number } };
}

/** The JSON of a path. */
export async function askJson(path: string, from: Explorer = EXPLORER): Promise<JsonBody> {
  const { status, text } = await ask(path, { from });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return JSON.parse(text);
}

/** The first row of a query to the tables of the recording. */
export async function askSql(query: string): Promise<Record<string, string | number>> {
  const { status, text } = await ask(`/sql.json?${new URLSearchParams({ q: query })}`);
  if (status !== 200) throw new Error(`${query} answered ${status}: ${text}`);
  return JSON.parse(text).rows[0];
}

/** An explorer of something else. */
export { explorer, type ExplorerOptions };
