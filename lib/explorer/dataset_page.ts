import type { DatasetDescription } from "../datasets/mod.ts";
import { quoteWord } from "../errors/shell_words.ts";
import type { RecordedSubjects } from "../recordings/mod.ts";
import { html, type Markup } from "../reports/page/html_cell.ts";
import {
  buildTable,
  cell,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
  toFacts,
} from "../reports/page/page_content.ts";
import { pluralize } from "../units/format.ts";
import type { PageContext } from "./page_context.ts";
import { type PageSource, renderLink } from "./page_source.ts";
import { createContent, FailureError, type Reply, toHtmlReply, toJsonReply } from "./reply.ts";
import { renderSitePage } from "./site_page.ts";

/**
 * Renders the contents and gaps of the dataset or the recording.
 *
 * @param files Markup with its files. @default {none}
 */
export async function renderDataset(
  context: PageContext,
  format: "html" | "json",
  files: Markup | null = null,
): Promise<Reply> {
  const { source } = context;
  const description = await context.describe();
  const content = description !== null
    ? toDatasetContent(description)
    : source.recorded !== null
    ? toRecordingContent(source.recorded, source.name)
    : createLiveContent(source.name);
  if (format === "json") return toJsonReply(content.data);
  const { total } = await (await context.listing()).count("trades");
  // The first page of a folder has the same view.
  const view = source.files === null ? await context.fills(total, () => true, source) : null;
  const dictionary = description === null ? null : renderTableLinks(source, description);
  return toHtmlReply(
    renderSitePage(content, {
      source,
      ...view,
      outro: html`${dictionary}${files}`,
    }),
    {
      ...view,
    },
  );
}

/** Links to the columns of each table. */
function renderTableLinks(source: PageSource, { tables }: DatasetDescription): Markup {
  const links = tables.map(({ name }) => renderLink(source, `/dictionary/${name}`, name));
  return html`
    <section id="dictionary" aria-labelledby="dictionary-title">
      <h2 id="dictionary-title">Data dictionary</h2>
      <nav aria-label="Data dictionary">
        <ul>${links.map((link) => html`<li>${link}</li>`)}</ul>
      </nav>
    </section>
  `;
}

/** Renders the columns of a table of the dataset, with their units and sources. */
export async function renderDictionary(context: PageContext, name: string): Promise<Reply> {
  const { source } = context;
  const table = (await context.describe())?.tables.find((table) => table.name === name);
  if (table === undefined) {
    throw new FailureError({
      status: 404,
      what: `${source.name} has no table ${JSON.stringify(name.slice(0, 120))}`,
      remedy: "Choose a table on the page of the data",
    });
  }
  const { grain, key, rows, columns } = table;
  const content = createContent({
    title: `Table ${name}`,
    sentence: grain,
    facts: toFacts({ Rows: cell(rows.toLocaleString("en-US")), Key: cell(key.join(", ")) }),
    sections: [{
      id: "columns",
      title: "Columns",
      note: "Amounts of atoms are text with every digit; numbers beside them are for axes.",
      table: buildTable(columns, [
        textColumn("Column", ({ name }) => cell(name)),
        textColumn("Type", ({ type }) => cell(type)),
        textColumn("Unit", ({ unit }) => cell(unit)),
        textColumn("Meaning and source", ({ source }) => cell(source)),
      ]),
    }],
    data: table,
  });
  return toHtmlReply(renderSitePage(content, { source }));
}

function toDatasetContent(description: DatasetDescription): PageContent {
  const data = hideFolder(description);
  const { citation, isComplete, source, ids, span, library } = description;
  const facts = toFacts({
    Version: cell(citation.version),
    "Chain id": cell(source.chainId),
    Settlement: cell(source.settlementContract),
    Times: cell(span === null ? null : `${span.from} to ${span.to}`),
    ...Object.fromEntries(
      Object.entries(ids).filter(([, { count }]) => count > 0).map(([state, { count }]) => [
        `Ids: ${state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
        cell(count),
      ]),
    ),
    "Made by": cell(`Orderlens ${library}`),
  });
  return createContent({
    title: "Dataset",
    sentence: citation.title,
    tone: isComplete ? "good" : "warning",
    facts,
    sections: [
      buildListSection("gaps", "What it contains and lacks", description.gaps),
      buildTableSection(description),
      buildListSection("verify", "How to verify it", data.verify),
      {
        ...buildListSection("cite", "How to cite it", [citation.text]),
        code: [{ name: "As BibTeX", text: citation.bibtex }],
      },
    ],
    ...data.command !== null && { command: data.command },
    data,
  });
}

/** The description with the name of the folder alone: where it is is a matter of this machine. */
function hideFolder(
  { folder, verify, command, ...description }: DatasetDescription,
): Omit<DatasetDescription, "folder"> {
  const name = folder.split(/[/\\]/).at(-1) ?? "";
  const shorten = (text: string) => text.replaceAll(quoteWord(folder), () => quoteWord(name));
  return {
    ...description,
    verify: verify.map(shorten),
    command: command === null ? null : shorten(command),
  };
}

function buildListSection(id: string, title: string, texts: readonly string[]): Section {
  return { id, title, table: buildTable(texts, [textColumn(title, cell)]) };
}

function buildTableSection({ tables }: DatasetDescription): Section {
  return {
    id: "tables",
    title: "Tables",
    table: buildTable(tables, [
      textColumn("Table", ({ name }) => cell(name)),
      numberColumn("Rows", ({ rows }) => cell(rows.toLocaleString("en-US"))),
      numberColumn("Bytes", ({ bytes }) => cell(bytes.toLocaleString("en-US"))),
      textColumn("One row", ({ grain }) => cell(grain)),
      textColumn("Key", ({ key }) => cell(key.join(", "))),
    ]),
  };
}

/** Of a deployment or a sandbox: the head of every page links here. */
function createLiveContent(name: string): PageContent {
  return createContent({
    title: "Data",
    sentence: `${name} is a live source, and has no files to describe`,
    facts: toFacts({
      "For files": cell("Export a dataset with `orderlens export`, and serve its folder"),
    }),
    sections: [],
    data: { name },
  });
}

function toRecordingContent(recorded: RecordedSubjects, name: string): PageContent {
  const { routes, auctionIds, orderUids, accounts, txHashes, tokens } = recorded;
  return createContent({
    title: "Recording",
    sentence: `${name} has ${pluralize(auctionIds.length, "auction")} and ${
      pluralize(orderUids.length, "order")
    }`,
    facts: toFacts({
      Accounts: cell(accounts.length),
      Settlements: cell(txHashes.length),
      "Priced tokens": cell(tokens.length),
      Auctions: cell(`${auctionIds[0] ?? "–"} to ${auctionIds.at(-1) ?? "–"}`),
    }),
    sections: [{
      id: "routes",
      title: "Responses by route",
      table: buildTable([...routes], [
        textColumn("Route", ([route]) => cell(route)),
        numberColumn("Responses", ([, count]) => cell(count)),
      ]),
    }],
    data: { name, routes },
  });
}
