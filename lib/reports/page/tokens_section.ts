import type { CellFormatter } from "./cell_formatter.ts";
import {
  type Cell,
  cell,
  listSection,
  numberColumn,
  type Section,
  textColumn,
} from "./page_content.ts";

/** Builds the tokens of a page, each with its whole address once; `null` without any. */
export function buildTokensSection(
  tokens: Iterable<string>,
  amounts: CellFormatter,
): Section | null {
  const rows = [...new Set(tokens)].map((token) => ({ token, ...amounts.describeToken(token) }));
  const note = rows.some(({ decimals }) => decimals === null)
    ? "Amounts of tokens whose decimals are unknown are in atoms: the URL of a node shows them whole."
    : undefined;
  return listSection({ id: "tokens", title: "Tokens", note, rows }, [
    textColumn("Token", ({ token }) => amounts.token(token)),
    textColumn("Address", ({ token }) => ({ text: token, isWhole: true }), { isWhole: true }),
    numberColumn("Decimals", ({ decimals }) => cell(decimals ?? "unknown")),
    textColumn("Known from", ({ source }) => toSourceCell(source)),
  ]);
}

/** The source of a token's facts, without the sentence about it. */
function toSourceCell(source: string | null): Cell {
  if (source === null) return cell(null);
  const text = source.startsWith("data/recorded/")
    ? "a recording that ships with Orderlens"
    : source.replace(/; .*/, "");
  return { text, exact: source };
}
