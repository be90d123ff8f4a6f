import { type Explorer, explorer } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";

let opened: ReturnType<typeof open> | undefined;

async function open() {
  const recording = await replay("market_1");
  return { recording, own: explorer(recording) };
}

/** The recording of most tests and its explorer, for tests that want them. */
export const market = () => opened ??= open();

/** Asks an explorer for a path of its own host; `heading` is the text of the first heading. */
export async function ask(
  path: string,
  { from, ...init }: RequestInit & { from?: Explorer } = {},
) {
  const { own } = from === undefined ? await market() : { own: from };
  const response = await own.fetch(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  const { status, headers } = response;
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? "";
  return { status, headers, text, heading: heading.replaceAll(/\s+/g, " ").trim() };
}

/** The JSON of a path. */
export async function askJson(path: string, from?: Explorer) {
  const { status, text } = await ask(path, from && { from });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return JSON.parse(text);
}

/** The first row of a query to the tables of the recording. */
export async function askSql(query: string): Promise<Record<string, string | number>> {
  const { status, text } = await ask(`/sql.json?${new URLSearchParams({ q: query })}`);
  if (status !== 200) throw new Error(`${query} answered ${status}: ${text}`);
  return JSON.parse(text).rows[0];
}

/** What allows a script in a policy. */
export async function sourceOf(script: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${new Uint8Array(hash).toBase64()}'`;
}
