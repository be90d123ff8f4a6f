import type { Market } from "../../market/mod.ts";
import { listTokens } from "../../reports/page/node_tokens.ts";
import type { Cell, Section } from "../../reports/page/page_content.ts";
import { type Report, toPageContent } from "../../reports/page/report_content.ts";
import { formatNow } from "../../reports/page/text_page.ts";

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** A call that follows from an answer. */
export interface NextCall {
  /** Name of the tool. */
  readonly tool: string;
  /** Its input. */
  readonly arguments: Readonly<Record<string, string | number>>;
  /** The question that it answers. */
  readonly why: string;
}

const TEXT: Schema = { type: "string" };

function describeList(items: Schema, description?: string): Schema {
  return { type: "array", items, ...description !== undefined && { description } };
}

/** Builds the schema of an object whose other properties may be anything. */
function describeObject(
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
) {
  return { type: "object", properties, required: required ?? Object.keys(properties) };
}

const NEXT = describeList(
  describeObject({ tool: TEXT, arguments: { type: "object" }, why: TEXT }),
  "Calls that follow from the answer",
);
const CUT = describeList(TEXT, "Lists and texts that were shortened, with their number");

/** Builds the schema of an answer of a tool: its properties, and what every answer has. */
export function buildAnswerSchema(
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
): Schema {
  const names = required ?? Object.keys(properties);
  return describeObject({ ...properties, next: NEXT, cut: CUT }, [...names, "next"]);
}

const FACTS: Schema = {
  type: "object",
  additionalProperties: TEXT,
  description: "Texts by their names",
};

/** Schema of a report: its parts in words, and its data with every digit. */
export const REPORT_SCHEMA: Schema = buildAnswerSchema({
  title: TEXT,
  status: { ...TEXT, description: "Status of an order, with its filled part" },
  now: { ...TEXT, description: "What an order that can still be filled does, and as of when" },
  lead: { ...TEXT, description: "What an order sold, or is to sell, for what" },
  sentence: { ...TEXT, description: "The answer" },
  steps: describeList(TEXT, "What the owner of an order can do"),
  facts: FACTS,
  sections: describeList(
    describeObject({
      id: TEXT,
      title: TEXT,
      note: TEXT,
      facts: FACTS,
      columns: describeList(TEXT),
      rows: describeList(describeList(TEXT)),
    }, ["id", "title"]),
    "Parts of the report: amounts in whole tokens, rounded for a reader",
  ),
  data: { type: "object", description: "The report: amounts in atoms, exact, as decimal text" },
}, ["title", "sentence", "steps", "facts", "sections", "data"]);

/** Converts a report to its parts in words, and its data. */
export async function toReportAnswer(market: Market, report: Report): Promise<object> {
  const tokens = await market.tokens([...listTokens(report)]);
  const content = toPageContent(report, tokens);
  const { title, label, now, lead, sentence, next: steps = [], facts, sections } = content;
  return {
    title,
    ...label !== undefined && { status: label.text },
    ...now !== undefined && {
      now: `${now.asOf === null ? "" : `As of ${now.asOf.text}: `}${formatNow(now)}`,
    },
    ...lead !== undefined && { lead: lead.map(toText).join(" ") },
    sentence,
    steps,
    facts: toTexts(facts),
    sections: sections.map(toAnswerSection),
    next: listNextCalls(report),
    data: report,
  };
}

function toAnswerSection({ id, title, note, facts, table }: Section) {
  return {
    id,
    title,
    ...note !== undefined && { note },
    ...facts !== undefined && { facts: toTexts(facts) },
    ...table !== undefined && {
      columns: table.columns.map(({ name }) => name),
      rows: table.rows.map((row) => row.map(toText)),
    },
  };
}

function toTexts(facts: NonNullable<Section["facts"]>): Record<string, string> {
  return Object.fromEntries(facts.map(({ name, value }) => [name, toText(value)]));
}

/** Text of a cell, with hex text whole, so that another call can have it. */
function toText({ text, exact, after: suffix = "", subject, isWhole }: Cell): string {
  const isShort = isWhole === true || subject !== undefined && text.includes("…");
  return `${isShort ? exact ?? text : text}${suffix}`;
}

/** Orders and auctions that one answer suggests. */
const MAX_CALLS = 3;

/** Lists the calls that follow from a report. */
function listNextCalls(report: Report): NextCall[] {
  switch (report.schema) {
    case "orderlens/inspect@1": {
      const { auctions, fills, order, replacedBy } = report;
      const auctionIds = auctions.slice(-MAX_CALLS).map(({ auctionId }) => auctionId);
      const hashes = new Set(fills.flatMap(({ txHash }) => txHash ?? []));
      return [
        ...replacedBy === null ? [] : [inspect(replacedBy, "The order that replaced it")],
        ...[...hashes].slice(-MAX_CALLS).map((transaction): NextCall => ({
          tool: "find_auction",
          arguments: { transaction },
          why: "The auction of its settlement, with all solutions",
        })),
        ...auctionIds.map((id) => findAuction(id, "Who bid in an auction that it was in")),
        ...order === null ? [] : [query(
          `SELECT order_uid, status, creation_date FROM orders WHERE owner = '${order.owner.toLowerCase()}' ` +
            "ORDER BY creation_date DESC LIMIT 20",
          "Other orders of its owner",
        )],
      ];
    }
    case "orderlens/inspect-auction@1": {
      const { auctionId, solutions } = report;
      const uids = new Set(
        solutions.filter(({ isWinner }) => isWinner).flatMap(({ orders }) =>
          orders.map(({ id }) => id)
        ),
      );
      return [
        ...[...uids].slice(0, MAX_CALLS).map((uid) => inspect(uid, "An order of a winner")),
        query(
          "(SELECT auction_id FROM auctions WHERE auction_id < " +
            `${auctionId} ORDER BY auction_id DESC LIMIT 3) UNION ALL (SELECT auction_id FROM auctions ` +
            `WHERE auction_id > ${auctionId} ORDER BY auction_id LIMIT 3)`,
          "Auctions before and after it",
        ),
      ];
    }
    default:
      return [];
  }
}

/** Lists the calls that follow from rows: the first orders and auctions that they name. */
export function listRowCalls(rows: readonly object[]): NextCall[] {
  const pick = (column: string) => [
    ...new Set(rows.map((row): unknown => Reflect.get(row, column))),
  ];
  const uids = pick("order_uid").filter((uid) => /^0x[0-9a-f]{112}$/i.test(`${uid}`));
  const auctionIds = pick("auction_id").map(Number).filter((id) => Number.isInteger(id) && id > 0);
  return [
    ...uids.slice(0, MAX_CALLS).map((uid) => inspect(`${uid}`, "What happened to it")),
    ...auctionIds.slice(0, MAX_CALLS).map((id) => findAuction(id, "Its solutions and winners")),
  ];
}

/** Creates the call that inspects an order. */
function inspect(uid: string, why: string): NextCall {
  return { tool: "inspect_order", arguments: { order_uid: uid.toLowerCase() }, why };
}

function findAuction(auctionId: number, why: string): NextCall {
  return { tool: "find_auction", arguments: { auction_id: auctionId }, why };
}

/** Creates the call that runs a query. */
export function query(sql: string, why: string): NextCall {
  return { tool: "query_sql", arguments: { query: sql }, why };
}
