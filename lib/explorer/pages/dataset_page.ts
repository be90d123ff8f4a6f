import {
  cell,
  type Fact,
  type PageContent,
  type Section,
} from "../../reports/page/page_content.ts";
import { reportJson } from "../../reports/page/report_json.ts";
import type { DatasetDescription } from "../../datasets/mod.ts";
import type { Recorded } from "../../recordings/mod.ts";
import { plainContent } from "../markup/plain_content.ts";
import { sitePage } from "../markup/site_page.ts";
import { FailureError } from "./error_pages.ts";
import { jsonReply, pageReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";

/** What the dataset or the recording has and lacks. */
export async function datasetPage(shown: Shown, format: "html" | "json"): Promise<Reply> {
  const content = await contentOf(shown);
  if (format === "json") return jsonReply(`${reportJson(content.data)}\n`);
  return pageReply(sitePage(content, { name: shown.source.name }));
}

async function contentOf({ source: { dataset, recorded, name } }: Shown): Promise<PageContent> {
  if (recorded !== null) return recordingContent(recorded, name);
  if (dataset === null) {
    throw new FailureError({
      status: 404,
      what: `${name} is no dataset`,
      why: "It answers what is asked for, and has no files that could be described",
      remedy: "Export one with `orderlens export`, and serve its folder",
    });
  }
  // Reads columns with native code: only who opens a dataset needs it.
  const { describeDataset } = await import("../../datasets/reading/describe_dataset.ts");
  return datasetContent(await describeDataset(dataset.folder));
}

function datasetContent(description: DatasetDescription): PageContent {
  const data = withoutFolder(description);
  const { citation, isComplete, source, ids, span, library } = description;
  const facts: Fact[] = [
    { name: "Version", value: cell(citation.version) },
    { name: "Chain id", value: cell(source.chainId) },
    { name: "Settlement", value: cell(source.settlementContract) },
    { name: "Times", value: cell(span === null ? null : `${span.from} to ${span.to}`) },
    ...Object.entries(ids).filter(([, { count }]) => count > 0).map(([state, { count }]) => ({
      name: `Ids: ${state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
      value: cell(count),
    })),
    { name: "Made by", value: cell(`Orderlens ${library}`) },
  ];
  return plainContent({
    title: "Dataset",
    sentence: citation.title,
    tone: isComplete ? "good" : "warning",
    facts,
    sections: [
      lines("gaps", "What it has and lacks", description.gaps),
      tables(description),
      lines("verify", "How to verify it", data.verify),
      lines("cite", "How to cite it", [citation.text]),
    ],
    ...data.command !== null && { command: data.command },
    data,
  });
}

/** The description with the name of the folder alone: where it is is a matter of this machine. */
function withoutFolder(
  { folder, verify, command, ...others }: DatasetDescription,
): Omit<DatasetDescription, "folder"> {
  const name = folder.split(/[/\\]/).at(-1) ?? "";
  const shorten = (text: string) => text.replaceAll(folder, name);
  return {
    ...others,
    verify: verify.map(shorten),
    command: command === null ? null : shorten(command),
  };
}

function lines(id: string, title: string, texts: readonly string[]): Section {
  return {
    id,
    title,
    table: { columns: [{ name: title }], rows: texts.map((text) => [cell(text)]) },
  };
}

function tables({ tables }: DatasetDescription): Section {
  return {
    id: "tables",
    title: "Tables",
    table: {
      columns: [
        { name: "Table" },
        { name: "Rows", isNumber: true },
        { name: "Bytes", isNumber: true },
        { name: "One row" },
        { name: "Key" },
      ],
      rows: tables.map(({ name, rows, bytes, grain, key }) => [
        cell(name),
        cell(rows.toLocaleString("en-US")),
        cell(bytes.toLocaleString("en-US")),
        cell(grain),
        cell(key.join(", ")),
      ]),
    },
  };
}

function recordingContent(recorded: Recorded, name: string): PageContent {
  const { routes, auctionIds, orderUids, accounts, txHashes, tokens } = recorded;
  return plainContent({
    title: "Recording",
    sentence: `${name} has ${auctionIds.length} auctions and ${orderUids.length} orders`,
    facts: [
      { name: "Accounts", value: cell(accounts.length) },
      { name: "Settlements", value: cell(txHashes.length) },
      { name: "Priced tokens", value: cell(tokens.length) },
      { name: "Auctions", value: cell(`${auctionIds[0] ?? "–"} to ${auctionIds.at(-1) ?? "–"}`) },
    ],
    sections: [{
      id: "routes",
      title: "Answers by route",
      table: {
        columns: [{ name: "Route" }, { name: "Answers", isNumber: true }],
        rows: [...routes].map(([route, count]) => [cell(route), cell(count)]),
      },
    }],
    data: { name, routes },
  });
}
