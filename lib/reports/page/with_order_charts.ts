import type { Chart } from "../../charts/mod.ts";
import { interactiveSvg } from "../../charts/page/interactive_svg.ts";
import type { OrderReport } from "../order/order_report.ts";
import { type OrderCharts, orderCharts, type PageContent } from "./page_content.ts";

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

/**
 * The drawing for a page that may be dark, with its own name alone: to a screen reader it is one image,
 * and its parts have none.
 */
function asImage({ svg }: Chart, prefix: string): string {
  return interactiveSvg(svg, prefix).replaceAll(/(<g\b[^>]*?) aria-label="[^"]*"/g, "$1");
}

function isDrawn(id: string): id is keyof OrderCharts {
  return id === "timeline" || id === "auctions" || id === "fills";
}
