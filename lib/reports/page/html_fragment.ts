import { MOST_SHOWN, reportMarkup } from "./html_report.ts";
import type { PageContent } from "./page_content.ts";
import { explorerLinks, type LinkOf } from "./page_links.ts";
import { PageRoom } from "./page_room.ts";
import { PAGE_STYLE, ROOT_CLASS } from "./page_style.ts";

/**
 * A report as a part of another page, such as a notebook: in one element whose style is its own.
 */
export function htmlFragment(
  page: PageContent,
  linkOf: LinkOf = explorerLinks(page.network),
): string {
  const room = new PageRoom(MOST_SHOWN);
  const prefix = `report-${"uid" in page.subject ? page.subject.uid.slice(2, 14) : page.title}-`
    .replaceAll(/[^\w-]/g, "-");
  const body = reportMarkup(page, { linkOf, room, top: 3, prefix });
  return `<div class="${ROOT_CLASS} is-part"><style>${PAGE_STYLE}</style>\n${body}</div>`;
}
