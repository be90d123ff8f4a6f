import type { Chart } from "../../charts/mod.ts";
import { addInteraction } from "../../charts/page/interactive_svg.ts";
import { isNetworkName } from "../../networks/explorer_url.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import { CellFormatter } from "./cell_formatter.ts";
import { MAX_CONTENT_BYTES, renderReport } from "./html_report.ts";
import { listTokens, namePageTokens } from "./node_tokens.ts";
import {
  type OrderCharts,
  orderCharts,
  type PageContent,
  PageRoom,
  type Section,
} from "./page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { type Report, toPageContent } from "./report_content.ts";
import { renderTextPage } from "./text_page.ts";

/** A report as a notebook shows it. */
interface NotebookReport {
  /** Its page, as a part of another one. */
  readonly "text/html": string;
  /** The report as text. */
  readonly "text/plain": string;
}

/**
 * A report as a notebook shows it: its page with pictures, and its text.
 *
 * @param tokens Facts about tokens; the network is the report's, unless they say otherwise.
 * @returns `null` for any other value, and for what was parsed from JSON, whose amounts are text.
 */
export async function renderForNotebook(
  value: object,
  tokens: TokenOptions,
): Promise<NotebookReport | null> {
  if (!isReport(value)) return null;
  const { network } = value.deployment;
  const networkOption = network !== null && isNetworkName(network) ? { network } : {};
  const facts = { ...networkOption, ...tokens };
  const content = await addReportCharts(toPageContent(value, facts), value, facts);
  return {
    "text/html": renderHtmlFragment(content),
    "text/plain": renderTextPage(content).trimEnd(),
  };
}

function isReport(value: object): value is Report {
  return "schema" in value && /^orderlens\/inspect(-\w+)?@1$/.test(String(value.schema)) &&
    detectForm(value) !== "parsed";
}

/** Whether amounts and times are what they were returned as, or the texts that JSON has for them. */
function detectForm(value: unknown): "returned" | "parsed" | "neither" {
  if (typeof value === "bigint" || value instanceof Temporal.Instant) return "returned";
  if (typeof value === "string") {
    return /^-?\d+$|^\d{4}-\d\d-\d\dT/.test(value) ? "parsed" : "neither";
  }
  if (typeof value !== "object" || value === null) return "neither";
  let kind: "parsed" | "neither" = "neither";
  for (const part of Object.values(value)) {
    const form = detectForm(part);
    if (form === "returned") return form;
    if (form === "parsed") kind = form;
  }
  return kind;
}

/**
 * A report as a part of another page, such as a notebook: in one element whose style is its own.
 */
function renderHtmlFragment(page: PageContent): string {
  const room = new PageRoom(MAX_CONTENT_BYTES);
  const prefix = `report-${
    page.subject !== undefined && "uid" in page.subject ? page.subject.uid.slice(2, 14) : page.title
  }-`
    .replaceAll(/[^\w-]/g, "-");
  const body = renderReport(page, { room, prefix });
  return `<div class="${ROOT_CLASS} is-part"><style>${PAGE_STYLE}</style>\n${body}</div>`;
}

/** Widths of a picture on narrow and other pages, in pixels. */
const WIDTHS = { narrow: 360, wide: 760 };

/**
 * The content of a page with the pictures of its report.
 */
export async function addOrderCharts(
  content: PageContent,
  report: OrderReport,
): Promise<PageContent> {
  const wide = await orderCharts(report, { width: WIDTHS.wide });
  const narrow = await orderCharts(report, { width: WIDTHS.narrow });
  const sections = content.sections.map((section) => {
    if (!hasChart(section.id)) return section;
    const toPicture = (drawing: Chart, width: number) =>
      toImage(drawing, `${section.id}-${report.uid.slice(2, 14)}-${width}`);
    const [chart, small] = [wide[section.id], narrow[section.id]];
    return chart === null || small === null ? section : {
      ...section,
      chart: { svg: toPicture(chart, WIDTHS.wide), narrow: toPicture(small, WIDTHS.narrow) },
    };
  });
  return { ...content, sections };
}

/**
 * The content of a page with the pictures of its report: those of an order, or the transfers of a
 * settlement; other reports have none.
 *
 * @param tokens Facts about tokens, as the content was made with.
 */
export async function addReportCharts(
  content: PageContent,
  report: Report,
  tokens: TokenOptions,
): Promise<PageContent> {
  if (report.schema === "orderlens/inspect@1") return await addOrderCharts(content, report);
  if (report.schema !== "orderlens/inspect-transaction@1") return content;
  if (!report.onchain?.flows?.length) return content;
  const { drawTransaction } = await import("./draw_transaction.ts");
  const facts = namePageTokens(listTokens(report), tokens, report.deployment);
  const amounts = new CellFormatter(facts);
  const id = `transfers-${report.txHash.slice(2, 14)}`;
  const chart = drawPicture((width) => drawTransaction(report, amounts, width)!, id);
  const sections = content.sections.map((section) =>
    section.id === "transfers" ? { ...section, chart } : section
  );
  return { ...content, sections };
}

/** A picture of a page, drawn for wide and for narrow ones. */
export function drawPicture(
  draw: (width: number) => Chart,
  id: string,
): NonNullable<Section["chart"]> {
  const drawAt = (width: number) => toImage(draw(width), `${id}-${width}`);
  // A phone has no pointer that could rest on a mark to show its tip.
  const narrow = drawAt(WIDTHS.narrow).replaceAll(/(<(?!svg)[^>]*>)<title>[^<]*<\/title>/g, "$1");
  return { svg: drawAt(WIDTHS.wide), narrow };
}

/**
 * The drawing for a page that may be dark, with its own name alone: to a screen reader it is one image,
 * and its parts have none.
 */
function toImage({ svg }: Chart, prefix: string): string {
  return addInteraction(svg, prefix).replaceAll(/(<g\b[^>]*?) aria-label="[^"]*"/g, "$1");
}

function hasChart(id: string): id is keyof OrderCharts {
  return id === "timeline" || id === "auctions" || id === "distance" || id === "fills";
}
