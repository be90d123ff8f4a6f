import { requireDistinctPaths } from "../../datasets/layout/folders.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";

/** Most bytes of a page. */
const MAX_PAGE_BYTES = 300_000;

/** A tag, and an attribute by which it loads or leads somewhere. */
const TAG = /<([a-z]+)\b[^>]*>/g;
const ADDRESS = /\s(href|src|action|srcset|xlink:href)="([^"]*)"/g;

/**
 * Validates the pages of a site: links and files of all pages exist, with the same letters; pages load
 * nothing from elsewhere, and none is too long.
 *
 * @param folder Folder of the site.
 * @param files Paths of its files, with their sizes.
 * @throws {InputError} Names the first page that is not valid.
 */
export async function checkSite(
  folder: string,
  files: ReadonlyMap<string, number>,
): Promise<void> {
  requireDistinctPaths([...files.keys()]);
  for (const [path, bytes] of files) {
    if (!path.endsWith(".html")) continue;
    if (bytes > MAX_PAGE_BYTES) {
      throw createError(path, `it has ${bytes} bytes, of at most ${MAX_PAGE_BYTES}`);
    }
    const page = await localFiles().readFile(`${folder}/${path}`, "utf8");
    const problem = findProblem(path, page, files);
    if (problem !== null) throw createError(path, problem);
  }
}

function createError(path: string, problem: string): InputError {
  return new InputError(`Cannot publish the page ${path}: ${problem}`, {
    remedy: "Report it with the version of Orderlens: no option of yours is the cause",
  });
}

/** Finds what a page loads from elsewhere, or where it leads to nothing; `null` if nothing is wrong. */
export function findProblem(
  path: string,
  page: string,
  files: ReadonlyMap<string, number>,
): string | null {
  const ids = new Set(Array.from(page.matchAll(/\sid="([^"]*)"/g), ([, id]) => id));
  for (const [tag, name = ""] of page.matchAll(TAG)) {
    for (const [, attribute, escaped = ""] of tag.matchAll(ADDRESS)) {
      const address = escaped.replaceAll("&amp;", "&");
      if (address.startsWith("#")) {
        if (!ids.has(address.slice(1))) return `its link ${address} leads to nothing in it`;
        continue;
      }
      if (/^data:image\//.test(address) && name === "img") continue;
      const isElsewhere = /^(?:[a-z][a-z+.-]*:|\/)/i.test(address);
      if (isElsewhere && name === "a" && /^https:\/\//.test(address)) continue;
      if (isElsewhere) return `${name} ${attribute} is not a file of the site: ${address}`;
      const target = resolvePath(path, address.replace(/[?#].*$/s, ""));
      if (!files.has(target)) return `its link ${address} leads to no file of the site`;
    }
  }
  return null;
}

/** Resolves an address relative to a page. */
function resolvePath(page: string, address: string): string {
  const { pathname } = new URL(address, `http://localhost/${page}`);
  return decodeURIComponent(pathname).slice(1);
}
