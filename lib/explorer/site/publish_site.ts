import type {
  PublicationOptions,
  PublishedFolder,
  VerifiedDataset,
} from "../../datasets/publishing/publish_folder.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { localFiles } from "../../http/local_files.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { checkSite } from "./check_site.ts";
import { SiteWriter } from "./site_writer.ts";
import { type SiteProgress, writePages } from "./write_pages.ts";

/** Options of {@linkcode publishSite}. */
export interface PublishSiteOptions extends PublicationOptions {
  /** Orders with a page each, the newest ones. @default {100} */
  orders?: number | undefined;
  /** Called after each page. @default {nothing is called} */
  onProgress?: ((progress: SiteProgress) => void) | undefined;
  /**
   * Changes each page before it is written, such as the command at its end.
   * @default {pages stay as they are}
   * @internal
   */
  adaptPage?: ((page: PageContent) => PageContent) | undefined;
}

/** Result of {@linkcode publishSite}. */
export interface SitePublication extends PublishedFolder {
  /** Always `site`. */
  readonly target: "site";
  /** Number of pages. */
  readonly pages: number;
  /** Number of orders with a page, and of all orders. */
  readonly orders: { readonly written: number; readonly total: number };
  /** Size of its longest page, in bytes. */
  readonly longestPage: number;
}

const ACTION = "Cannot publish a site";

const DEFAULT_ORDERS = 100;

/**
 * Verifies a dataset, and writes it as a website that needs no server: the pages of an explorer with
 * relative links, a search, and the dataset itself in `data`. Sends nothing.
 *
 * It has the first page with totals and `explore`, lists of orders, auctions and fills, a page of each
 * auction, solver and token and of the newest orders, the data with its dictionary and its files. Pages
 * open from a disk or under any path of a server, and load nothing from elsewhere. Each says of which
 * dataset it is, and how to cite it. `site.json` counts what is there, and `SHA256SUMS` has the hash of
 * each file.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param output Folder to write, which is empty or does not exist, outside of the dataset.
 * @throws {InputError} If it is not a dataset, has problems or lacks tables; if an option is invalid, or
 *   something is at `output`, or it is inside of the dataset.
 *
 * @example The dataset that ships, without pages of orders
 * ```ts
 * import { publishSite } from "orderlens/explorer";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const { files, orders, longestPage } = await publishSite("market_1", `${folder}/site`, {
 *   orders: 0,
 * });
 *
 * assert(files.includes("index.html") && files.includes("data/manifest.json"));
 * assertEquals(orders.written, 0);
 * assert(longestPage <= 300_000);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function publishSite(
  folder: string | URL,
  output: string | URL,
  options: PublishSiteOptions = {},
): Promise<SitePublication> {
  // Reads tables with native code: only who publishes needs it.
  const { PUBLICATION_OPTIONS, publishFolder } = await import(
    "../../datasets/publishing/publish_folder.ts"
  );
  const rules: OptionRules<PublishSiteOptions> = {
    ...PUBLICATION_OPTIONS,
    orders: wholeNumber(0),
    onProgress: defineRule("a function", (value) => typeof value === "function"),
    adaptPage: defineRule("a function", (value) => typeof value === "function"),
  };
  checkOptions(options, rules, ACTION);
  return await publishFolder(folder, output, options, async (temporary, dataset, target) => {
    const siteFiles = await writeSite(temporary, dataset, options);
    const { isComplete, gaps, problems } = dataset;
    return { folder: target, target: "site" as const, ...siteFiles, isComplete, gaps, problems };
  });
}

/** Writes all files of a site, and validates them. */
async function writeSite(
  folder: string,
  dataset: VerifiedDataset,
  { orders = DEFAULT_ORDERS, creators, signal, adaptPage, onProgress }: PublishSiteOptions,
) {
  const { listWarnings, writePublication } = await import(
    "../../datasets/publishing/publish_dataset.ts"
  );
  const { openDataset } = await import("../../datasets/mod.ts");
  const facts = { ...dataset.facts, picture: null };
  await localFiles().mkdir(folder);
  const copied = await writePublication(`${folder}/data`, {
    paths: dataset.paths,
    facts,
    options: { target: "huggingface", signal },
  });
  const writer = new SiteWriter(folder);
  for (const path of copied.files) await writer.note(`data/${path}`);
  const pages = await writePages(writer, {
    dataset: await openDataset(`${folder}/data`),
    facts,
    files: copied.files,
    orderLimit: orders,
    signal,
    adaptPage,
    onProgress,
  });
  await checkSite(folder, writer.files);
  await writer.writeSums();
  const files = [...writer.files.keys()].sort();
  // What mends the copy would leave the dataset as it is.
  const lacks = pages.warnings.map((text) =>
    text.replaceAll(`${folder}/data`, () => dataset.paths.folder)
  );
  return {
    ...pages,
    files,
    bytes: writer.files.values().reduce((sum, bytes) => sum + bytes, 0),
    warnings: [...lacks, ...listWarnings(facts, creators)],
  };
}
