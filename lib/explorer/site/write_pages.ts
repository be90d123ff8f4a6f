import type { Dataset } from "../../datasets/mod.ts";
import type { PublicationFacts } from "../../datasets/publishing/publication_texts.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { OrderlensError } from "../../errors/mod.ts";
import { html, type Markup } from "../../reports/page/html_cell.ts";
import { type PageContent, sanitizeText } from "../../reports/page/page_content.ts";
import { pluralize } from "../../units/format.ts";
import { renderDataset, renderDictionary } from "../dataset_page.ts";
import { explainNoView } from "../explorations.ts";
import { openSource } from "../explorer_source.ts";
import { createHomePage } from "../home_page.ts";
import { MAX_JUDGED, renderList } from "../list_pages.ts";
import type { ListName } from "../lists.ts";
import { renderPairs, renderSolvers, renderTokens } from "../overview_pages.ts";
import { createPageContext, type PageContext } from "../page_context.ts";
import { type Reply, toHtmlReply, toJsonReply } from "../reply.ts";
import { createSubjectPages, type SubjectKind } from "../subject_pages.ts";
import { renderFileLinks } from "./file_links.ts";
import { createSearchIndex, renderSearchPage } from "./search_page.ts";
import { createFileNames, planSite, type SitePlan } from "./site_plan.ts";
import type { SiteWriter } from "./site_writer.ts";

/** Contents of the pages of a site. */
interface SiteContents extends CallOptions {
  /** The dataset of the site. */
  readonly dataset: Dataset;
  readonly facts: PublicationFacts;
  /** Paths of its files. */
  readonly files: readonly string[];
  /** Orders with a page, at most. */
  readonly orderLimit: number;
  /** Changes each page before it is written. */
  readonly adaptPage: ((page: PageContent) => PageContent) | undefined;
  /** Called after each page. */
  readonly onProgress: ((progress: SiteProgress) => void) | undefined;
}

/** Progress of a site that is written. */
export interface SiteProgress {
  /** Number of pages that are written. */
  readonly done: number;
  /** Number of all pages. */
  readonly total: number;
}

/** A page of the explorer by its path, and its reply in the context of a file. */
type Page = readonly [path: string, render: (context: PageContext) => Promise<Reply>];

/** Limits of queries: nobody waits for a page. */
const QUERY_LIMITS = { timeoutMs: 600_000, memoryLimit: "2GB", atOnce: 3 } as const;

/** Writes the pages of a site, the files that they share, and `site.json`. */
export async function writePages(writer: SiteWriter, contents: SiteContents) {
  const { dataset, facts, orderLimit, onProgress, adaptPage } = contents;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...contents.signal ? [contents.signal] : []]);
  const opened = openSource(dataset, adaptPage);
  const source = { ...opened, name: facts.model.citation.title };
  const context = createPageContext(source, {
    rawSource: dataset,
    node: undefined,
    freshMs: Infinity,
    signal,
    queryLimits: QUERY_LIMITS,
  });
  try {
    const plan = await planSite(context, orderLimit);
    const toFile = createFileNames(plan);
    const judged = new Set(plan.orders.slice(0, plan.pageCount).map(({ uid }) => uid));
    const createContext = (file: string): PageContext => {
      const root = "../".repeat(file.split("/").length - 1);
      const toHref = (path: string) => {
        const target = toFile(path);
        return target === null ? null : `${root}${target}`;
      };
      const add = (path: string, text: string) => {
        writer.share(path, text);
        return `${root}${path}`;
      };
      const foot = renderFoot(plan, facts, root);
      return {
        ...context,
        verdictOf: async (uid) =>
          judged.has(uid.toLowerCase()) ? await context.verdictOf?.(uid) ?? null : null,
        source: { ...source, toHref, files: { add, foot } },
      };
    };
    const pages = listPages(plan, contents.files);
    let done = 0;
    for (const [path, render] of pages) {
      signal.throwIfAborted();
      const file = toFile(path);
      if (file === null) throw new TypeError(`${path} has no file`);
      await writer.write(file, await render(createContext(file)));
      onProgress?.({ done: ++done, total: pages.length });
    }
    const sizes = [...writer.files].filter(([path]) => path.endsWith(".html"))
      .map(([, bytes]) => bytes);
    const totals = {
      pages: sizes.length,
      orders: { written: plan.pageCount, total: plan.orders.length },
      longestPage: Math.max(...sizes),
    };
    await writer.write("site.json", toJsonReply(describeSite(facts, totals)));
    return { ...totals, warnings: await listLacks(context) };
  } finally {
    ending.abort();
    await context.settle();
  }
}

/** Lists the pages of a site by their paths in the explorer. */
function listPages(plan: SitePlan, files: readonly string[]): Page[] {
  const listNames = Object.keys(plan.listPages) as ListName[];
  const lists = listNames.flatMap((name): Page[] => [
    ...Array.from({ length: plan.listPages[name] }, (_, index): Page => {
      const search = new URLSearchParams(index === 0 ? {} : { page: `${index + 1}` });
      const path = index === 0 ? `/${name}` : `/${name}?${search}`;
      return [path, (context) => renderList(context, name, { search, format: "html" })];
    }),
    [`/${name}.csv`, (context) => {
      return renderList(context, name, { search: new URLSearchParams(), format: "csv" });
    }],
  ]);
  const subjects = (kind: SubjectKind, names: readonly string[]) =>
    names.map((name): Page => [
      `/${kind}/${name}`,
      (context) =>
        createSubjectPages(context)(kind, name, { hasPictures: true, isSearched: false }),
    ]);
  return [
    ["/", (context) => createHomePage(context)()],
    ["/search", (context) => {
      const page = renderSearchPage(context, createSearchIndex(context, plan));
      return Promise.resolve(toHtmlReply(page));
    }],
    ["/solvers", (context) => renderSolvers(context, "html")],
    ["/pairs", (context) => renderPairs(context, "html")],
    ["/tokens", (context) => renderTokens(context, "html")],
    ["/dataset", (context) => renderDataset(context, "html", renderFileLinks(files))],
    ...plan.tables.map((name): Page => [
      `/dictionary/${name}`,
      (context) => renderDictionary(context, name),
    ]),
    ...lists,
    ...subjects("solvers", plan.solvers),
    ...subjects("tokens", plan.tokens),
    ...subjects("auctions", plan.auctions.map(String)),
    ...subjects("orders", plan.orders.slice(0, plan.pageCount).map(({ uid }) => uid)),
  ];
}

/** Problems that each page names. */
const MAX_PROBLEMS = 10;

/** Renders the foot of each page: of which data it is, what has no page, and how to cite it. */
function renderFoot(
  { orders, pageCount }: SitePlan,
  { model: { citation }, version, problems }: PublicationFacts,
  root: string,
): Markup {
  const part = pageCount === orders.length
    ? `all ${orders.length} orders`
    : `the newest ${pageCount} of ${orders.length} orders`;
  const verdicts = pageCount > MAX_JUDGED
    ? `pages of ${part}, and in lists verdicts of the newest ${MAX_JUDGED}`
    : `pages and verdicts of ${part}`;
  const more = problems.length - MAX_PROBLEMS;
  return html`
    <p>Data: <a href="${root}dataset.html">${citation.title}</a>, version ${version}. This is a copy
      without a server: it has ${verdicts}.</p>
    <p>Cite: ${citation.text}</p>
    ${problems.slice(0, MAX_PROBLEMS).map((problem) =>
      html`
        <p class="tone-bad">Published although its verification found: ${sanitizeText(
          problem,
          400,
        )}</p>
      `
    )}
    ${more > 0
      ? html`
        <p class="tone-bad">It found ${pluralize(more, "more problem")}: <a
            href="${root}data/README.md">data/README.md</a> names all.</p>
      `
      : ""}
  `;
}

function describeSite(
  { model: { citation, manifest }, version }: PublicationFacts,
  totals: object,
): object {
  return {
    schema: "orderlens/site@1",
    title: citation.title,
    version,
    manifestSha256: citation.manifestSha256,
    citation: citation.text,
    isComplete: manifest.isComplete,
    library: manifest.library,
    ...totals,
  };
}

/** Lists what pages leave out where tables cannot be added up, or are too long. */
async function listLacks({ sql }: PageContext): Promise<string[]> {
  try {
    const [counts] = await sql.rows<{ fills: number }>("SELECT count(*) AS fills FROM fills", 1);
    const reason = explainNoView(counts!.fills);
    return reason === null ? [] : [reason];
  } catch (error) {
    if (!(error instanceof OrderlensError)) throw error;
    const [reason = ""] = error.message.split("\n");
    return [`The site has no totals and no views of fills: ${reason}. ${error.remedy}.`];
  }
}
