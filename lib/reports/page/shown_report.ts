import type { Chart } from "../../charts/mod.ts";
import { addInteraction } from "../../charts/page/interactive_svg.ts";
import { isNetworkName } from "../../networks/explorer_url.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import { MOST_SHOWN, reportMarkup } from "./html_report.ts";
import {
  type OrderCharts,
  orderCharts,
  type PageContent,
  PageRoom,
  type Section,
} from "./page_content.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";
import { contentOf, type Report } from "./report_content.ts";
import { textPage } from "./text_page.ts";

/** A report as a notebook shows it. */
interface ShownReport {
  /** Its page, as a part of another one. */
  readonly "text/html": string;
  /** The same as text. */
  readonly "text/plain": string;
}

/**
 * A report as a notebook shows it: its page with pictures, and its text.
 *
 * @param tokens Facts about tokens; the network is the report's, unless they say otherwise.
 * @returns `null` for any other value, and for what was parsed from JSON, whose amounts are text.
 */
export async function shownReport(
  value: object,
  tokens: TokenOptions,
): Promise<ShownReport | null> {
  if (!isReport(value)) return null;
  const { network } = value.deployment;
  const known = network !== null && isNetworkName(network) ? { network } : {};
  const words = contentOf(value, { ...known, ...tokens });
  const isOrder = value.schema === "orderlens/inspect@1";
  const content = isOrder ? await withOrderCharts(words, value) : words;
  return { "text/html": htmlFragment(content), "text/plain": textPage(content).trimEnd() };
}

function isReport(value: object): value is Report {
  return "schema" in value && /^orderlens\/inspect(-\w+)?@1$/.test(String(value.schema)) &&
    kindOf(value) !== "parsed";
}

/** Whether amounts and times are what they were returned as, or the texts that JSON has for them. */
function kindOf(value: unknown): "returned" | "parsed" | "neither" {
  if (typeof value === "bigint" || value instanceof Temporal.Instant) return "returned";
  if (typeof value === "string") {
    return /^-?\d+$|^\d{4}-\d\d-\d\dT/.test(value) ? "parsed" : "neither";
  }
  if (typeof value !== "object" || value === null) return "neither";
  let kind: "parsed" | "neither" = "neither";
  for (const each of Object.values(value)) {
    const one = kindOf(each);
    if (one === "returned") return one;
    if (one === "parsed") kind = one;
  }
  return kind;
}

/**
 * A report as a part of another page, such as a notebook: in one element whose style is its own.
 */
function htmlFragment(page: PageContent): string {
  const room = new PageRoom(MOST_SHOWN);
  const prefix = `report-${
    page.subject !== undefined && "uid" in page.subject ? page.subject.uid.slice(2, 14) : page.title
  }-`
    .replaceAll(/[^\w-]/g, "-");
  const body = reportMarkup(page, { room, prefix });
  return `<div class="${ROOT_CLASS} is-part"><style>${PAGE_STYLE}</style>\n${body}</div>`;
}

/** Widths of a picture on narrow and other pages, in pixels. */
const WIDTHS = { narrow: 360, wide: 760 };

/**
 * The content of a page with the pictures of its report.
 */
export async function withOrderCharts(
  content: PageContent,
  report: OrderReport,
): Promise<PageContent> {
  const wide = await orderCharts(report, { width: WIDTHS.wide });
  const narrow = await orderCharts(report, { width: WIDTHS.narrow });
  const sections = content.sections.map((section) => {
    if (!isDrawn(section.id)) return section;
    const picture = (drawn: Chart, width: number) =>
      asImage(drawn, `${section.id}-${report.uid.slice(2, 14)}-${width}`);
    const [chart, small] = [wide[section.id], narrow[section.id]];
    return chart === null || small === null ? section : {
      ...section,
      chart: { svg: picture(chart, WIDTHS.wide), narrow: picture(small, WIDTHS.narrow) },
    };
  });
  return { ...content, sections };
}

/** A picture of a page, drawn for wide and for narrow ones. */
export function pagePicture(
  draw: (width: number) => Chart,
  id: string,
): NonNullable<Section["chart"]> {
  const drawn = (width: number) => asImage(draw(width), `${id}-${width}`);
  // A phone has no pointer that could rest on a mark to show its tip.
  const narrow = drawn(WIDTHS.narrow).replaceAll(/(<(?!svg)[^>]*>)<title>[^<]*<\/title>/g, "$1");
  return { svg: drawn(WIDTHS.wide), narrow };
}

/**
 * The drawing for a page that may be dark, with its own name alone: to a screen reader it is one image,
 * and its parts have none.
 */
function asImage({ svg }: Chart, prefix: string): string {
  return addInteraction(svg, prefix).replaceAll(/(<g\b[^>]*?) aria-label="[^"]*"/g, "$1");
}

function isDrawn(id: string): id is keyof OrderCharts {
  return id === "timeline" || id === "auctions" || id === "fills";
}
