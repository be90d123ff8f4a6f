import { html as markup, type Markup } from "../reports/page/html_cell.ts";
import type { PageContent } from "../reports/page/page_content.ts";

/** A source, as its pages show it. */
export interface PageSource {
  /** Name of its network, recording or dataset. */
  readonly name: string;
  /** Changes each of its pages. */
  readonly adaptPage: (page: PageContent) => PageContent;
  /** The address by which a page links to a path of the explorer; `null` if it has no such page. */
  readonly toHref: (path: string) => string | null;
  /** Files that its pages share, as those of a folder do; `null` where each page has all. */
  readonly files: PageFiles | null;
}

/** Files that the pages of a folder share. */
export interface PageFiles {
  /** Adds a file by its path in the folder, and returns its address in the page. */
  readonly add: (path: string, text: string) => string;
  /** Markup at the foot of the page: of which dataset it is. */
  readonly foot: Markup;
}

/** A link to a path of the explorer; `null` if the source has no such page. */
export function renderLink(
  { toHref }: PageSource,
  path: string,
  text: string | Markup,
  { rel, isFile = false }: { readonly rel?: string; readonly isFile?: boolean } = {},
): Markup | null {
  const href = toHref(path);
  if (href === null) return null;
  const relation = rel === undefined ? "" : markup` rel="${rel}"`;
  const download = isFile ? markup` download` : "";
  return markup`<a href="${href}"${relation}${download}>${text}</a>`;
}
