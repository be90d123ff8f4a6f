import { htmlPage } from "../../reports/page/html_page.ts";
import { html, type Markup } from "../../reports/page/markup.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { pagePolicy } from "../guarding/security_headers.ts";
import { linkWithin } from "./links.ts";

/** What a page of the explorer has beside its content. */
export interface SitePageOptions {
  /** What is shown: the name of a network, a recording or a dataset. */
  readonly name: string;
  /** What was searched for. @default {nothing} */
  readonly searched?: string;
  /** Markup between the head of the page and its sections. @default {none} */
  readonly intro?: Markup;
  /** Markup below the sections. @default {none} */
  readonly outro?: Markup;
  /** Nonce of the page's one script. @default {no script may run} */
  readonly nonce?: string;
}

/** A page with the head of the explorer above it; its links stay inside. */
export function sitePage(content: PageContent, options: SitePageOptions): string {
  const { name, searched = "", intro, outro, nonce } = options;
  return htmlPage(content, {
    linkOf: linkWithin,
    header: siteHeader(name, searched),
    style: SITE_STYLE,
    policy: pagePolicy(nonce),
    intro,
    outro,
  });
}

function siteHeader(name: string, searched: string): Markup {
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <header class="site">
      <nav aria-label="Explorer">
        <a href="/" class="home">Orderlens</a> <span>${name}</span>
        <a href="/orders">Orders</a>
        <a href="/auctions">Auctions</a>
        <a href="/trades">Trades</a>
        <a href="/live">Live</a>
        <a href="/dataset">Data</a>
      </nav>
      <form role="search" action="/search" method="get">
        <label for="q">Search</label>
        <input id="q" name="q" type="search" accesskey="s" value="${searched}" maxlength="500"
          autocomplete="off" autocapitalize="off" spellcheck="false"
          placeholder="UID, transaction, auction, account, solver or token">
        <button type="submit">Go</button>
      </form>
    </header>
  `;
}

const SITE_STYLE = `
.skip { position: absolute; left: -100rem; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 0; top: 0; z-index: 1; }
header.site { border: 0; border-bottom: 1px solid var(--line); background: var(--panel); padding: .5rem 1rem; }
header.site nav { margin: 0 0 .5rem; align-items: baseline; }
header.site .home { font-weight: 700; }
header.site nav span { color: var(--soft); }
header.site form, form.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
header.site form { align-items: center; }
header.site input { flex: 1 1 12rem; }
form.filters label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); flex: 1 1 9rem; min-width: 0; }
input, select, button {
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft);
  border-radius: .3rem; padding: .3rem .5rem; min-width: 0; max-width: 100%;
}
input:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.pager { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0; }
@media print { header.site, form.filters, .pager, .skip { display: none; } }
`;
